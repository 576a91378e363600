/** fast-check arbitraries for schemas and for values of a schema. */
import fc from "fast-check";
import type { Dataset } from "../src/model/dataset.ts";
import {
  type Field,
  integerOf,
  type MessageType,
  messageOf,
  type Presence,
  type Scalar,
  type Schema,
} from "../src/model/schema.ts";
import type { Value } from "../src/model/value.ts";
import { conform } from "../src/schema/values/conform.ts";

const SCALARS: readonly Scalar[] = [
  "bool",
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "sint32",
  "sint64",
  "fixed32",
  "fixed64",
  "sfixed32",
  "sfixed64",
  "float",
  "double",
  "string",
  "bytes",
];
const MAP_KEYS: readonly Scalar[] = [
  "string",
  "bool",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "sint32",
  "fixed64",
];
const PRESENCES: readonly Presence[] = ["required", "always", "optional", "implicit"];

/** Names that have hurt a library or a generator before, and plain ones. */
const NAMES = [
  "a",
  "b",
  "c",
  "id",
  "name",
  "value",
  "phone_num",
  "x1",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "prototype",
  "arguments",
  "class",
  "default",
  "bb",
  "bb_pos",
  "unpack",
  "set",
  "get",
  "toJSON",
  "valueOf",
  "end",
  "buffer",
  "encode",
];

/** A schema of up to four messages and an enum; messages refer to each other and, now and then, to themselves. */
export function schemas(): fc.Arbitrary<Schema> {
  return fc.integer({ min: 1, max: 4 }).chain((count) => {
    const names = Array.from({ length: count }, (_, i) => `test.M${i}`);
    const messages = names.map((name, i) => messageType(name, names, i));
    const enums = new Map([
      [
        "test.E",
        {
          name: "test.E",
          values: [
            { name: "E_ZERO", number: 0 },
            { name: "E_ONE", number: 1 },
            { name: "E_FIVE", number: 5 },
            { name: "E_MINUS", number: -3 },
          ],
          bits: 32 as const,
          closed: true,
        },
      ],
    ]);
    return fc.tuple(...messages).map((types) => ({
      package: "test",
      root: "test.M0",
      messages: new Map(types.map((type) => [type.name, type])),
      enums,
    }));
  });
}

function messageType(name: string, all: readonly string[], index: number): fc.Arbitrary<MessageType> {
  const fields = fc
    .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 7 })
    .chain((names) => fc.tuple(...names.map((fieldName, i) => field(fieldName, i, all, index))));
  return fields.map((list) => ({ name, fields: list }));
}

function field(name: string, i: number, all: readonly string[], index: number): fc.Arbitrary<Field> {
  const scalar = fc.constantFrom(...SCALARS).map((s) => ({ kind: "scalar", scalar: s }) as const);
  const enumType = fc.constant({ kind: "enum", name: "test.E" } as const);
  const later = all.slice(index + 1);
  // A reference back to an earlier message or itself must be able to end: an optional field, a list or a map.
  const anyMessage = fc.constantFrom(...all).map((m) => ({ kind: "message", name: m }) as const);
  const message =
    later.length === 0
      ? anyMessage
      : fc.oneof(
          {
            weight: 4,
            arbitrary: fc.constantFrom(...later).map((m) => ({ kind: "message", name: m }) as const),
          },
          { weight: 1, arbitrary: anyMessage },
        );
  const type = fc.oneof(
    { weight: 8, arbitrary: scalar },
    { weight: 1, arbitrary: enumType },
    { weight: 3, arbitrary: message },
  );
  const repetition = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(...PRESENCES).map((presence) => ({ kind: "one", presence }) as const),
    },
    { weight: 3, arbitrary: fc.boolean().map((packed) => ({ kind: "list", packed }) as const) },
    { weight: 1, arbitrary: fc.constantFrom(...MAP_KEYS).map((key) => ({ kind: "map", key }) as const) },
  );
  return fc.tuple(type, repetition).map(([t, r]) => {
    const single = r.kind === "one";
    const fixed = single && t.kind === "message" ? ({ kind: "one", presence: "optional" } as const) : r;
    const packable =
      t.kind === "enum" || (t.kind === "scalar" && t.scalar !== "string" && t.scalar !== "bytes");
    const rep = fixed.kind === "list" ? { ...fixed, packed: fixed.packed && packable } : fixed;
    // Field numbers with gaps, so that none of the formats can confuse a number with a position.
    return { name, number: i * 3 + 1, type: t, repetition: rep };
  });
}

/** A value of the schema's root, in canonical form. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  return message(schema, schema.root, 3);
}

function message(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
  const entries: [string, fc.Arbitrary<unknown>][] = [];
  for (const f of messageOf(schema, name).fields) {
    const deep = f.type.kind === "message" && depth === 0;
    const one = (): fc.Arbitrary<unknown> => item(schema, f, depth);
    if (f.repetition.kind === "list") {
      entries.push([f.name, deep ? fc.constant([]) : fc.array(one(), { maxLength: 4 })]);
    } else if (f.repetition.kind === "map") {
      entries.push([
        f.name,
        deep ? fc.constant({}) : fc.dictionary(key(f.repetition.key), one(), { maxKeys: 3 }),
      ]);
    } else if (f.repetition.presence === "optional") {
      entries.push([f.name, deep ? fc.constant(undefined) : fc.option(one(), { nil: undefined })]);
    } else {
      entries.push([f.name, one()]);
    }
  }
  return fc
    .tuple(...entries.map(([, arbitrary]) => arbitrary))
    .map((values) =>
      Object.fromEntries(entries.map(([n], i) => [n, values[i]] as const).filter(([, v]) => v !== undefined)),
    );
}

function item(schema: Schema, f: Field, depth: number): fc.Arbitrary<unknown> {
  if (f.type.kind === "message") return message(schema, f.type.name, depth - 1);
  if (f.type.kind === "enum") return fc.constantFrom(0, 1, 5, -3);
  return scalarValue(f.type.scalar);
}

function scalarValue(scalar: Scalar): fc.Arbitrary<unknown> {
  switch (scalar) {
    case "bool":
      return fc.boolean();
    case "string":
      return fc.oneof(
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.constantFrom("", "name", "日本語", "\u{1f600}", "a\u0000b"),
      );
    case "bytes":
      return fc.uint8Array({ maxLength: 12 });
    case "float":
      return fc.float();
    case "double":
      return fc.double();
    default: {
      const { bits, signed } = integerOf(scalar)!;
      const min = signed ? -(1n << BigInt(bits - 1)) : 0n;
      const max = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
      const any = fc.bigInt({ min, max });
      return bits === 64 ? fc.oneof(any, fc.bigInt({ min: 0n, max: 1000n })) : any.map(Number);
    }
  }
}

function key(scalar: Scalar): fc.Arbitrary<string> {
  if (scalar === "string")
    return fc.oneof(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.constantFrom("__proto__", "constructor", ""),
    );
  return scalarValue(scalar).map(String);
}

/** A dataset of a random schema with a few of its values. */
export function datasets(): fc.Arbitrary<Dataset> {
  return schemas().chain((schema) =>
    fc.array(valuesOf(schema), { minLength: 1, maxLength: 3 }).map((inputs) => {
      const attempt = (int64: "auto" | "bigint") =>
        inputs.map((input) => conform(schema, input, { form: "plain", int64 }));
      const first = attempt("auto");
      const int64 = first.every((one) => one.int64 === "number") ? "number" : "bigint";
      const values: Value[] = (int64 === "number" ? first : attempt("bigint")).map((one) => one.value);
      return { name: "random", schema, values, int64 };
    }),
  );
}

/** A dataset whose values are tables: of all the given values, of none, and of one. */
function asTable({ schema, values, ...rest }: Dataset): Dataset {
  const row = { kind: "message", name: schema.root } as const;
  const rows: Field = { name: "rows", number: 1, type: row, repetition: { kind: "list", packed: false } };
  const root = { name: "test.Table", fields: [rows] };
  const messages = new Map([[root.name, root], ...schema.messages]);
  return {
    ...rest,
    schema: { ...schema, root: root.name, messages },
    values: [{ rows: values }, { rows: [] }],
  };
}

/** A dataset as a codec carries it: a list of records, for one that carries nothing else. */
export function datasetFor(codec: string, dataset: Dataset): Dataset {
  return codec === "apache-arrow" ? asTable(dataset) : dataset;
}
