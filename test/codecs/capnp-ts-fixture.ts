/** What the tests of the codec capnp-ts share. */
import { readFileSync } from "node:fs";
import path from "node:path";
import codec from "../../src/codecs/capnp-ts.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import type {
  EnumType,
  Field,
  FieldType,
  MessageType,
  Repetition,
  Scalar,
  Schema,
} from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";

export const vector = (name: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, "../vectors/capnp", name));

export const bindings = {
  plain: (dataset: Dataset) => codec.bind(dataset) as Binding,
  packed: (dataset: Dataset) => codec.variants!["packed"]!.bind(dataset) as Binding,
};
export const encode = (binding: Binding, value: Value): Uint8Array =>
  binding.write(binding.build(value)) as Uint8Array;

export const scalar = (name: Scalar): FieldType => ({ kind: "scalar", scalar: name });
export const message = (name: string): FieldType => ({ kind: "message", name });
export const optional: Repetition = { kind: "one", presence: "optional" };
export const implicit: Repetition = { kind: "one", presence: "implicit" };
export const list: Repetition = { kind: "list", packed: false };
export const field = (name: string, type: FieldType, repetition: Repetition): Field => ({
  name,
  number: 1,
  type,
  repetition,
});

export function dataset(
  messages: readonly MessageType[],
  enums: readonly EnumType[] = [],
  int64: "number" | "bigint" = "number",
): Dataset {
  const schema: Schema = {
    package: "",
    root: messages[0]!.name,
    messages: new Map(messages.map((one) => [one.name, one])),
    enums: new Map(enums.map((type) => [type.name, type])),
  };
  return { name: "test", schema, values: [], int64 };
}

export const EMPTY: MessageType = { name: "Empty", fields: [] };

/** Enums that are such in Cap'n Proto, and one whose numbers have no zero: the random schemas have neither. */
export const ENUMS: Dataset = ((): Dataset => {
  const type = (name: string, numbers: readonly number[], closed: boolean): EnumType => {
    const values = numbers.map((number, i) => ({ name: `VALUE_${i}`, number }));
    return { name, values, bits: 32, closed };
  };
  const types = [
    type("Dense", [1, 0, 2, 1], true),
    type("Open", [0, 1], false),
    type("Sparse", [1, 2], true),
  ];
  const fields = types.flatMap(({ name }) => [
    field(`${name}_optional`, { kind: "enum", name }, optional),
    field(`${name}_always`, { kind: "enum", name }, { kind: "one", presence: "always" }),
    field(`${name}_list`, { kind: "enum", name }, list),
    field(`${name}_map`, { kind: "enum", name }, { kind: "map", key: "uint32" }),
  ]);
  const value = (number: number): Value =>
    Object.fromEntries(
      types.flatMap(({ name }) => [
        ...(number === 1 ? [] : [[`${name}_optional`, number]]),
        [`${name}_always`, number],
        [`${name}_list`, [1, number, 1]],
        [`${name}_map`, { 7: number, 4294967295: 1 }],
      ]),
    );
  return { ...dataset([{ name: "Enums", fields }], types), values: [value(1), value(2)] };
})();
