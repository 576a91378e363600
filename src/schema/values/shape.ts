import { DecodeError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { type Field, type FieldType, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import { childPath, isRecord, type RecordValue, show } from "../../model/value.ts";
import { MAX_DEPTH } from "./conform.ts";
import { FieldsByKey } from "./field-keys.ts";

/** How a value that a library read differs from a plain one. */
export interface ShapeRules {
  /** Wire format, for errors. */
  readonly format: string;
  /** What holds the entries of a map; a plain object without it. */
  readonly maps?: "Map";
  /** Whether lists and maps may be missing, as an absent field is. */
  readonly lenient?: boolean;
  /** What is expected of a scalar or an enum that is not it. */
  leaf?(type: FieldType, value: unknown): string | undefined;
  /** Most values, where references let a short message stand for many: each counts as often as it is met. */
  readonly items?: number;
}

/**
 * Throws a DecodeError unless a value has the messages, lists and maps of the schema where it has them, and no other
 * fields, so that generated code can follow every path through it. Nothing may contain itself. Documents may have the
 * names of JSON and lack what they like, and hold nothing that JSON does not.
 */
export function checkShape(schema: Schema, value: unknown, rules: ShapeRules): void {
  new ShapeCheck(schema, rules).message(messageOf(schema, schema.root), value, "", 1);
}

class ShapeCheck {
  readonly #schema: Schema;
  readonly #rules: ShapeRules;
  readonly #areDocuments: boolean;
  readonly #names: FieldsByKey;
  #count = 0;

  constructor(schema: Schema, rules: ShapeRules) {
    this.#schema = schema;
    this.#rules = rules;
    this.#areDocuments = schema.documents !== undefined;
    this.#names = new FieldsByKey(this.#areDocuments ? "json" : "plain");
  }

  message(type: MessageType, value: unknown, path: string, depth: number): void {
    if (depth > MAX_DEPTH) throw this.#problem(path, `nested deeper than ${MAX_DEPTH} messages`, "limit");
    if (!isPlainObject(value)) throw this.#mismatch(path, `an object (${type.name})`, value);
    const names = this.#names.of(type);
    const given = new Set<Field>();
    for (const key of Object.keys(value)) {
      const field = names.get(key);
      const at = childPath(path, key);
      if (field === undefined) {
        throw this.#problem(at, `${type.name} has no such field${nearNames(key, [...names.keys()])}`);
      }
      const item = value[key];
      if (item === undefined || (item === null && this.#areDocuments)) continue;
      given.add(field);
      this.#field(field, item, at, depth);
    }
    if (this.#areDocuments || this.#rules.lenient === true) return;
    for (const field of type.fields) {
      if (field.repetition.kind !== "one" && !given.has(field)) {
        this.#field(field, undefined, childPath(path, field.name), depth);
      }
    }
  }

  #field(field: Field, value: unknown, path: string, depth: number): void {
    if (field.repetition.kind === "one") this.#one(field, value, path, depth);
    else if (field.repetition.kind === "list") {
      if (!Array.isArray(value)) throw this.#mismatch(path, "a list", value);
      for (let i = 0; i < value.length; i++) this.#one(field, value[i], childPath(path, i), depth);
    } else if (this.#rules.maps === "Map") {
      if (!(value instanceof Map)) throw this.#mismatch(path, "a map", value);
      for (const [key, item] of value) this.#one(field, item, childPath(path, String(key)), depth);
    } else {
      if (!isPlainObject(value)) throw this.#mismatch(path, "an object as a map", value);
      for (const key of Object.keys(value)) this.#one(field, value[key], childPath(path, key), depth);
    }
  }

  #one({ type }: Field, value: unknown, path: string, depth: number): void {
    const { items = Number.POSITIVE_INFINITY, leaf } = this.#rules;
    this.#count += 1;
    if (this.#count > items) throw this.#problem(path, `more than ${items} values`, "limit");
    if (type.kind === "message") {
      this.message(messageOf(this.#schema, type.name), value, path, depth + 1);
      return;
    }
    const expected = leaf?.(type, value) ?? (this.#areDocuments ? ofJson(value) : undefined);
    if (expected !== undefined) throw this.#mismatch(path, expected, value);
  }

  #mismatch(path: string, expected: string, value: unknown): DecodeError {
    return this.#problem(path, `expected ${expected}, got ${show(value)}`);
  }

  #problem(path: string, text: string, code: "corrupt" | "limit" = "corrupt"): DecodeError {
    return new DecodeError(this.#rules.format, text, { path, code });
  }
}

/** What is expected of a leaf of a document that is none of JSON's. */
function ofJson(value: unknown): string | undefined {
  const isOne = ["string", "number", "boolean"].includes(typeof value);
  return isOne ? undefined : "text, a number or a bool, as in JSON";
}

function isPlainObject(value: unknown): value is RecordValue {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
