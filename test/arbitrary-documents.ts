/** fast-check arbitraries for documents: the ways in which JSON may hold a canonical value. */
import fc from "fast-check";
import type { Dataset } from "../src/model/dataset.ts";
import { setOwn } from "../src/model/generated-code.ts";
import { seededRandom } from "../src/model/random.ts";
import { enumOf, type Field, type FieldType, is64Bit, messageOf, type Schema } from "../src/model/schema.ts";
import type { RecordValue, Value } from "../src/model/value.ts";
import { FieldsByKey, jsonName } from "../src/schema/values/field-keys.ts";
import { datasets } from "./arbitrary-schema.ts";

/** A dataset of a random schema with its values as documents: fields under either name, in any order, many missing. */
export function documentedDatasets(): fc.Arbitrary<Dataset> {
  return fc.tuple(datasets(), fc.integer({ min: 0, max: 2 ** 31 - 1 })).map(([dataset, seed]) => {
    const random = seededRandom(seed);
    const documents = dataset.values.map((value) => documented(dataset.schema, value, random));
    return { ...dataset, documents };
  });
}

function documented(schema: Schema, root: Value, random: () => number): Value {
  const fields = new FieldsByKey("json");
  const message = (name: string, value: RecordValue): Value => {
    const type = messageOf(schema, name);
    const entries = type.fields.flatMap((field): [string, Value][] => {
      const key =
        random() < 0.5 && fields.of(type).get(jsonName(field.name)) === field
          ? jsonName(field.name)
          : field.name;
      const held = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      const mayLack = held === undefined || isFilledIn(field, held);
      if (!mayLack || (held !== undefined && random() < 0.5)) return [[key, content(field, held!)]];
      return random() < 0.2 ? [[key, null]] : [];
    });
    const document: Record<string, Value> = {};
    for (const [key, held] of entries.sort(() => random() - 0.5)) setOwn(document, key, held);
    return document;
  };
  const content = ({ type, repetition }: Field, held: Value): Value => {
    if (repetition.kind === "one") return one(type, held);
    if (Array.isArray(held)) return held.map((item: Value) => one(type, item));
    const map: Record<string, Value> = {};
    for (const [key, item] of Object.entries(held as RecordValue)) setOwn(map, key, one(type, item));
    return map;
  };
  const one = (type: FieldType, value: Value): Value => {
    if (type.kind === "message") return message(type.name, value as RecordValue);
    return leaf(schema, type, value, random);
  };
  return message(schema.root, root as RecordValue);
}

/** Whether a value has a field only because every value has it. */
function isFilledIn({ repetition }: Field, held: Value): boolean {
  if (repetition.kind !== "one") return Object.keys(held as object).length === 0;
  if (repetition.presence !== "implicit") return false;
  return Object.is(held, 0) || held === 0n || held === false || (held as { length?: number }).length === 0;
}

function leaf(
  schema: Schema,
  type: Exclude<FieldType, { kind: "message" }>,
  value: Value,
  random: () => number,
): Value {
  if (type.kind === "enum") {
    const name = enumOf(schema, type.name).values.find(({ number }) => number === value)?.name;
    return random() < 0.5 && name !== undefined ? name : value;
  }
  if (value instanceof Uint8Array) {
    const text = Buffer.from(value);
    return text.toString(random() < 0.5 ? "base64" : "base64url");
  }
  if (typeof value === "bigint" || (typeof value === "number" && is64Bit(type.scalar))) {
    return random() < 0.5 && Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (typeof value !== "number") return value;
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return random() < 0.7 ? "-0" : value;
  return random() < 0.2 ? String(value) : value;
}
