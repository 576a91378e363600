/** Documents: values as a program holds them that reads JSON, rather than in the one form that every schema has. */
import type { CodecVariant } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { setOwn } from "../../model/generated-code.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  is64Bit,
  type MessageType,
  messageOf,
  type Schema,
} from "../../model/schema.ts";
import type { RecordValue, Value } from "../../model/value.ts";
import { FieldsByKey, jsonName } from "./field-keys.ts";
import { base64 } from "./json-text.ts";

/** The dataset that a codec binds to. A schemaless one gets the user's documents for values, where there are any. */
export function carriedBy({ schemaless }: Pick<CodecVariant, "schemaless">, dataset: Dataset): Dataset {
  const { schema, documents } = dataset;
  if (schemaless !== true || documents === undefined) return dataset;
  const held = { ...schema, documents: heldKeys(schema, documents) };
  // What JSON.parse gives has no bigints.
  return { ...dataset, schema: held, values: documents, int64: "number" };
}

/** The keys under which documents hold each field. */
function heldKeys(schema: Schema, documents: readonly Value[]): ReadonlyMap<Field, readonly string[]> {
  const fields = new FieldsByKey("json");
  const found = new Map<Field, Set<string>>();
  const meet = (type: MessageType, document: RecordValue): void => {
    for (const key of Object.keys(document)) {
      const field = fields.of(type).get(key);
      if (field === undefined) continue;
      const keys = found.get(field) ?? new Set();
      found.set(field, keys.add(key));
      if (field.type.kind !== "message") continue;
      const message = messageOf(schema, field.type.name);
      for (const one of itemsOf(field, document[key]!)) meet(message, one as RecordValue);
    }
  };
  for (const document of documents) meet(messageOf(schema, schema.root), document as RecordValue);
  return new Map(Array.from(found, ([field, keys]) => [field, [...keys]]));
}

/** The messages that a field holds. */
function itemsOf({ repetition }: Field, held: Value): readonly Value[] {
  if (held === null) return [];
  return repetition.kind === "one" ? [held] : Object.values(held);
}

/**
 * A canonical value as protobuf's own libraries print it in JSON (language guide, "JSON Mapping"): names of fields in
 * lowerCamelCase, names of enums, 64-bit integers as decimal text, bytes in base64, and without what is not set.
 */
export function documentOf(schema: Schema, value: Value): Value {
  return new Printer(schema).message(messageOf(schema, schema.root), value as RecordValue);
}

class Printer {
  readonly #schema: Schema;
  readonly #fields = new FieldsByKey("json");

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  message(type: MessageType, value: RecordValue): RecordValue {
    const document: Record<string, Value> = {};
    for (const field of type.fields) {
      const held = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (held === undefined || isDefault(field, held)) continue;
      const name = jsonName(field.name);
      const isOwn = this.#fields.of(type).get(name) === field;
      setOwn(document, isOwn ? name : field.name, this.#field(field, held));
    }
    return document;
  }

  #field({ type, repetition }: Field, held: Value): Value {
    if (repetition.kind === "one") return this.#one(type, held);
    if (repetition.kind === "list") return (held as readonly Value[]).map((item) => this.#one(type, item));
    const entries: Record<string, Value> = {};
    for (const [key, item] of Object.entries(held as RecordValue))
      setOwn(entries, key, this.#one(type, item));
    return entries;
  }

  #one(type: FieldType, value: Value): Value {
    switch (type.kind) {
      case "message":
        return this.message(messageOf(this.#schema, type.name), value as RecordValue);
      case "enum":
        return enumOf(this.#schema, type.name).values.find(({ number }) => number === value)?.name ?? value;
      case "scalar":
        if (value instanceof Uint8Array) return base64(value);
        if (is64Bit(type.scalar)) return String(value);
        if (typeof value !== "number") return value;
        if (!Number.isFinite(value)) return String(value);
        return type.scalar === "float" ? shortest(value) : value;
    }
  }
}

/** Whether a field holds what a reader takes it to hold where it is not written. */
function isDefault({ repetition }: Field, held: Value): boolean {
  if (repetition.kind === "list") return (held as readonly Value[]).length === 0;
  if (repetition.kind === "map") return Object.keys(held as RecordValue).length === 0;
  if (repetition.presence !== "implicit") return false;
  if (held instanceof Uint8Array) return held.length === 0;
  return Object.is(held, 0) || held === 0n || held === false || held === "";
}

/** Digits that tell any two floats of 32 bits apart. */
const FLOAT_DIGITS = 9;

/** The number with the fewest digits that is this one once it is rounded to 32 bits. */
function shortest(float: number): number {
  if (float === 0) return float;
  for (let digits = 1; digits < FLOAT_DIGITS; digits++) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return Number(float.toPrecision(FLOAT_DIGITS));
}
