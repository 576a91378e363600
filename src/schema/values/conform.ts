import { ValueError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import {
  enumOf,
  type Field,
  type Int64Mode,
  type MessageType,
  messageOf,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { childPath, isRecord, type RecordValue, show, type Value } from "../../model/value.ts";
import { setOwn } from "../generate/code.ts";
import { conformKey, conformScalar, IMPLICIT_DEFAULTS, UnsafeInteger } from "./conform-scalar.ts";

/** Deepest nesting of messages in a value; protobuf's own libraries stop at 100 (protobuf.dev, "Proto Limits"). */
export const MAX_DEPTH = 100;

/** What form the input has, and how 64-bit integers are to be held. */
export interface ConformOptions {
  /** `json`: parsed JSON text, with the proto3 mapping for what JSON lacks. `plain`: a program's values. */
  readonly form: "json" | "plain";
  /** `auto`: numbers if all are safe integers, else bigints. */
  readonly int64: Int64Mode | "auto";
}

/**
 * Checks a value of the schema's root and brings it into the one form that every codec takes: fields in
 * declaration order, absent ones left out, implicit ones filled in, floats rounded to their width.
 * Throws ValueError with the path of the field.
 */
export function conform(
  schema: Schema,
  input: unknown,
  options: ConformOptions,
): { readonly value: Value; readonly int64: Int64Mode } {
  const root = messageOf(schema, schema.root);
  const attempt = (int64: Int64Mode): Value =>
    new Conformer(schema, options.form, int64).message(root, input, "", 1);
  if (options.int64 !== "auto") return { value: attempt(options.int64), int64: options.int64 };
  try {
    return { value: attempt("number"), int64: "number" };
  } catch (error) {
    if (!(error instanceof UnsafeInteger)) throw error;
    return { value: attempt("bigint"), int64: "bigint" };
  }
}

class Conformer {
  readonly #schema: Schema;
  readonly #form: "json" | "plain";
  readonly #int64: Int64Mode;

  constructor(schema: Schema, form: "json" | "plain", int64: Int64Mode) {
    this.#schema = schema;
    this.#form = form;
    this.#int64 = int64;
  }

  message(type: MessageType, input: unknown, path: string, depth: number): RecordValue {
    if (!isRecord(input)) throw new ValueError(path, `expected an object (${type.name}), got ${show(input)}`);
    if (depth > MAX_DEPTH) throw new ValueError(path, `nested deeper than ${MAX_DEPTH} messages`);
    this.#refuseUnknown(type, input, path);
    const result: Record<string, Value> = {};
    const setMembers = new Map<string, string>();
    for (const field of type.fields) {
      const given = this.#given(input, field);
      if (given !== undefined && field.oneof !== undefined) {
        const other = setMembers.get(field.oneof);
        const at = childPath(path, field.name);
        if (other !== undefined) throw new ValueError(at, `${other} of the oneof ${field.oneof} is set too`);
        setMembers.set(field.oneof, field.name);
      }
      const value = this.#field(type, field, given, path, depth);
      if (value !== undefined) setOwn(result, field.name, value);
    }
    return result;
  }

  #refuseUnknown(type: MessageType, input: Readonly<Record<string, unknown>>, path: string): void {
    for (const key of Object.keys(input)) {
      const known = type.fields.some((field) => field.name === key || this.#jsonName(field) === key);
      if (known) continue;
      const names = type.fields.map((field) => field.name);
      throw new ValueError(childPath(path, key), `${type.name} has no such field${nearNames(key, names)}`);
    }
  }

  /** JSON written by protobuf libraries names fields in lowerCamelCase and may hold null for absent. */
  #given(input: Readonly<Record<string, unknown>>, field: Field): unknown {
    if (Object.hasOwn(input, field.name)) {
      const value = input[field.name];
      return value === null && this.#form === "json" ? undefined : value;
    }
    const alias = this.#jsonName(field);
    if (alias === undefined || !Object.hasOwn(input, alias)) return undefined;
    return input[alias] ?? undefined;
  }

  #jsonName(field: Field): string | undefined {
    return this.#form === "json" ? jsonName(field.name) : undefined;
  }

  #field(type: MessageType, field: Field, given: unknown, path: string, depth: number): Value | undefined {
    const at = childPath(path, field.name);
    const { repetition } = field;
    if (repetition.kind === "list") return this.#list(field, repetition.length, given, at, depth);
    if (repetition.kind === "map") return this.#map(field, repetition.key, given, at, depth);
    if (given !== undefined) return this.#one(field, given, at, depth);
    switch (repetition.presence) {
      case "optional":
        return undefined;
      case "implicit":
        return this.#implicit(field);
      default:
        throw new ValueError(at, `missing, and every ${type.name} has it`);
    }
  }

  #implicit(field: Field): Value {
    if (field.type.kind !== "scalar") return 0;
    const { scalar } = field.type;
    const zero = IMPLICIT_DEFAULTS[scalar];
    if (scalar === "bytes") return new Uint8Array(0);
    return zero === "int64" ? (this.#int64 === "bigint" ? 0n : 0) : zero;
  }

  #list(field: Field, length: number | undefined, given: unknown, at: string, depth: number): Value {
    const items = given ?? [];
    if (!Array.isArray(items)) throw new ValueError(at, `expected a list, got ${show(items)}`);
    if (length !== undefined && items.length !== length) {
      throw new ValueError(at, `expected exactly ${length} elements, got ${items.length}`);
    }
    // By index, so that a hole in a sparse array is an element without a value.
    return Array.from({ length: items.length }, (_, i) =>
      this.#one(field, items[i], childPath(at, i), depth),
    );
  }

  #map(field: Field, key: Scalar, given: unknown, at: string, depth: number): Value {
    const entries = given ?? {};
    if (!isRecord(entries)) throw new ValueError(at, `expected an object as a map, got ${show(entries)}`);
    const result: Record<string, Value> = {};
    for (const name of Object.keys(entries)) {
      const here = childPath(at, name);
      conformKey(key, name, here);
      setOwn(result, name, this.#one(field, entries[name], here, depth));
    }
    return result;
  }

  #one(field: Field, given: unknown, at: string, depth: number): Value {
    const { type } = field;
    switch (type.kind) {
      case "message":
        return this.message(messageOf(this.#schema, type.name), given, at, depth + 1);
      case "enum":
        return this.#enum(type.name, given, at);
      case "scalar":
        return conformScalar(type.scalar, given, at, this.#form, this.#int64);
    }
  }

  #enum(name: string, given: unknown, at: string): number {
    const type = enumOf(this.#schema, name);
    if (typeof given === "string") {
      const named = type.values.find((value) => value.name === given);
      if (named !== undefined) return named.number;
      const names = type.values.map((value) => value.name);
      throw new ValueError(at, `${name} has no value ${show(given)}${nearNames(given, names)}`);
    }
    const number = conformScalar(type.bits === 8 ? "int8" : "int32", given, at, "plain", "number") as number;
    if (type.closed && !type.values.some((value) => value.number === number)) {
      throw new ValueError(at, `${name} has no value ${number}`);
    }
    return number;
  }
}

/** The proto3 JSON name of a field, `phoneNum` for `phone_num` (language guide, "JSON Mapping"). */
function jsonName(name: string): string {
  return name.replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}
