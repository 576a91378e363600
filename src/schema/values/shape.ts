import { DecodeError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { type Field, type FieldType, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import { classNameOf, isRecord, pathText, type RecordValue, show } from "../../model/value.ts";
import { MAX_DEPTH } from "./depth.ts";
import { FieldsByKey } from "./field-keys.ts";
import { heldField, heldNames } from "./in-place.ts";
import { takesNull, wellKnownOf } from "./well-known.ts";

/** How a value that a library read differs from a plain one. */
export interface ShapeRules {
  /** Wire format, for errors. */
  readonly format: string;
  /** What holds the entries of a map; a plain object without it. */
  readonly maps?: "Map";
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
  new ShapeCheck(schema, rules).message(messageOf(schema, schema.root), value, 1);
}

/** Deepest nesting of JSON that has no type of its own. */
const MOST_LEVELS = 1000;

class ShapeCheck {
  readonly #schema: Schema;
  readonly #rules: ShapeRules;
  readonly #areDocuments: boolean;
  readonly #names: FieldsByKey;
  /** Where the check is, for errors. */
  readonly #steps: (string | number)[] = [];
  #count = 0;

  constructor(schema: Schema, rules: ShapeRules) {
    this.#schema = schema;
    this.#rules = rules;
    this.#areDocuments = schema.documents !== undefined;
    this.#names = new FieldsByKey(this.#areDocuments ? "json" : "plain");
  }

  message(type: MessageType, value: unknown, depth: number): void {
    if (this.#areDocuments && wellKnownOf(type) !== undefined) {
      this.#json(value, depth);
      return;
    }
    if (depth > MAX_DEPTH) throw this.#problem(`nested deeper than ${MAX_DEPTH} messages`, "limit");
    if (type.inPlace === true && this.#areDocuments) {
      const held = heldField(this.#schema, type, value);
      if (held !== undefined) this.#field(held, value, depth);
      else if (value !== null) throw this.#mismatch(heldNames(type), value);
      return;
    }
    if (!isPlainObject(value)) throw this.#mismatch(`an object (${type.name})`, value);
    const names = this.#names.of(type);
    for (const key of Object.keys(value)) {
      const field = names.get(key);
      this.#steps.push(key);
      if (field === undefined) {
        if (value[key] === null && type.nullKeys?.includes(key) === true) {
          this.#steps.pop();
          continue;
        }
        throw this.#problem(
          `${type.name} has no such field${nearNames(key, [...names.keys()])}`,
          "unsupported",
        );
      }
      const item = value[key];
      if (item !== undefined && !(item === null && this.#areDocuments)) {
        this.#field(field, item, depth);
      }
      this.#steps.pop();
    }
  }

  #field(field: Field, value: unknown, depth: number): void {
    if (field.repetition.kind === "one") this.#one(field, value, depth);
    else if (field.repetition.kind === "list") {
      if (!Array.isArray(value)) throw this.#mismatch("a list", value);
      for (let i = 0; i < value.length; i++) this.#at(i, field, value[i], depth);
    } else if (this.#rules.maps === "Map") {
      if (!(value instanceof Map)) throw this.#mismatch("a map", value);
      for (const [key, item] of value) this.#at(String(key), field, item, depth);
    } else {
      if (!isPlainObject(value)) throw this.#mismatch("an object as a map", value);
      for (const key of Object.keys(value)) this.#at(key, field, value[key], depth);
    }
  }

  #at(step: string | number, field: Field, value: unknown, depth: number): void {
    this.#steps.push(step);
    this.#one(field, value, depth);
    this.#steps.pop();
  }

  #one({ type, jsonText }: Field, value: unknown, depth: number): void {
    if (jsonText === true && this.#areDocuments) {
      this.#json(value, depth);
      return;
    }
    const { items = Number.POSITIVE_INFINITY, leaf } = this.#rules;
    this.#count += 1;
    if (this.#count > items) throw this.#problem(`more than ${items} values`, "limit");
    if (type.kind === "message") {
      this.message(messageOf(this.#schema, type.name), value, depth + 1);
      return;
    }
    if (value === null && this.#areDocuments && takesNull(type)) return;
    const expected = leaf?.(type, value) ?? (this.#areDocuments ? ofJson(value) : undefined);
    if (expected !== undefined) throw this.#mismatch(expected, value);
  }

  /** Anything that JSON has. */
  #json(value: unknown, depth: number): void {
    const { items = Number.POSITIVE_INFINITY } = this.#rules;
    this.#count += 1;
    if (this.#count > items) throw this.#problem(`more than ${items} values`, "limit");
    if (depth > MOST_LEVELS) throw this.#problem(`nested deeper than ${MOST_LEVELS} levels`, "limit");
    if (value === null) return;
    const isNested = Array.isArray(value) || isPlainObject(value);
    const expected = isNested ? undefined : ofJson(value);
    if (expected !== undefined) throw this.#mismatch(expected, value);
    if (!isNested) return;
    for (const [step, item] of Object.entries(value)) {
      this.#steps.push(step);
      this.#json(item, depth + 1);
      this.#steps.pop();
    }
  }

  /** What the format has a class for, such as bytes, a date or a process of Erlang, is sound, and no plain data. */
  #mismatch(expected: string, value: unknown): DecodeError {
    const isOfClass = typeof value === "object" && value !== null && classNameOf(value) !== undefined;
    const code = isOfClass && !Array.isArray(value) ? "unsupported" : "corrupt";
    return this.#problem(`expected ${expected}, got ${show(value)}`, code);
  }

  #problem(text: string, code: "corrupt" | "limit" | "unsupported" = "corrupt"): DecodeError {
    return new DecodeError(this.#rules.format, text, { path: pathText(this.#steps), code });
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
