import { ValueError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
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
import { conformKey, conformScalar, IMPLICIT_DEFAULTS, UnsafeInteger } from "./conform-scalar.ts";
import { FieldsByKey } from "./field-keys.ts";

/** Deepest nesting of messages in a value; protobuf's own libraries stop at 100 (protobuf.dev, "Proto Limits"). */
export const MAX_DEPTH = 100;

/** What form the input has, and how 64-bit integers are to be held. */
export interface ConformOptions {
  /** `json`: parsed JSON text, with the proto3 mapping for what JSON lacks. `plain`: a program's values. */
  readonly form: "json" | "plain";
  /** `auto`: numbers if all are safe integers, else bigints. */
  readonly int64: Int64Mode | "auto";
  /** Most values in all, messages and those that are filled in counted; unbounded by default. */
  readonly most?: number;
}

/**
 * Most values that bytes from outside may become. A message without a field is two bytes of protobuf, and an object
 * with every field that is filled in; without a bound some megabytes would fill the memory.
 */
export const MAX_DECODED_VALUES = 2 ** 24;

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
    new Conformer(schema, { ...options, int64 }).message(root, input, "", 1);
  if (options.int64 !== "auto") return { value: attempt(options.int64), int64: options.int64 };
  try {
    return { value: attempt("number"), int64: "number" };
  } catch (error) {
    if (!(error instanceof UnsafeInteger)) throw error;
    return { value: attempt("bigint"), int64: "bigint" };
  }
}

/** {@link conform} for several values, whose 64-bit integers are then all of one type. */
export function conformAll(
  schema: Schema,
  inputs: readonly unknown[],
  options: ConformOptions,
): { readonly values: readonly Value[]; readonly int64: Int64Mode } {
  const attempts = inputs.map((input) => conform(schema, input, options));
  const int64 = attempts.some((attempt) => attempt.int64 === "bigint") ? "bigint" : "number";
  const values = attempts.map((attempt, index) =>
    attempt.int64 === int64 ? attempt.value : conform(schema, inputs[index], { ...options, int64 }).value,
  );
  return { values, int64: options.int64 === "auto" ? int64 : options.int64 };
}

type RecordInput = Readonly<Record<string, unknown>>;

/** Whether what something holds is in its properties. A Map or a Date has none, and would pass for empty. */
function isPlain(value: unknown): value is RecordInput {
  return isRecord(value) && Object.prototype.toString.call(value) === "[object Object]";
}

class Conformer {
  readonly #schema: Schema;
  readonly #form: "json" | "plain";
  readonly #int64: Int64Mode;
  readonly #most: number;
  readonly #names: FieldsByKey;
  #count = 0;

  constructor(schema: Schema, { form, int64, most }: ConformOptions & { readonly int64: Int64Mode }) {
    this.#schema = schema;
    this.#form = form;
    this.#int64 = int64;
    this.#most = most ?? Number.POSITIVE_INFINITY;
    this.#names = new FieldsByKey(form);
  }

  #spend(values: number, path: string): void {
    this.#count += values;
    if (this.#count > this.#most) throw new ValueError(path, `more than ${this.#most} values in all`);
  }

  message(type: MessageType, input: unknown, path: string, depth: number): RecordValue {
    if (!isPlain(input)) throw new ValueError(path, `expected an object (${type.name}), got ${show(input)}`);
    if (depth > MAX_DEPTH) throw new ValueError(path, `nested deeper than ${MAX_DEPTH} messages`);
    this.#spend(1 + type.fields.length, path);
    const given = this.#byField(type, input, path);
    const result: Record<string, Value> = {};
    const setMembers = new Map<string, string>();
    for (const field of type.fields) {
      const one = given.get(field);
      if (one !== undefined && field.oneof !== undefined) {
        const other = setMembers.get(field.oneof);
        const at = childPath(path, field.name);
        if (other !== undefined) throw new ValueError(at, `${other} of the oneof ${field.oneof} is set too`);
        setMembers.set(field.oneof, field.name);
      }
      const value = this.#field(type, field, one, path, depth);
      if (value !== undefined) setOwn(result, field.name, value);
    }
    return result;
  }

  /** What is given for each field that is set. JSON may hold null for one that is not. */
  #byField(type: MessageType, input: RecordInput, path: string): ReadonlyMap<Field, unknown> {
    const names = this.#names.of(type);
    const given = new Map<Field, unknown>();
    for (const key of Object.keys(input)) {
      const field = names.get(key);
      const at = childPath(path, key);
      if (field === undefined) {
        const known = type.fields.map(({ name }) => name);
        throw new ValueError(at, `${type.name} has no such field${nearNames(key, known)}`);
      }
      const value = input[key];
      if (value === undefined || (value === null && this.#form === "json")) continue;
      if (given.has(field)) throw new ValueError(at, `the field ${field.name} is given twice`);
      given.set(field, value);
    }
    return given;
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
    const items = given === undefined ? [] : given;
    if (!Array.isArray(items)) throw new ValueError(at, `expected a list, got ${show(items)}`);
    if (length !== undefined && items.length !== length) {
      throw new ValueError(at, `expected exactly ${length} elements, got ${items.length}`);
    }
    this.#spend(items.length, at);
    // By index, so that an index that a sparse array lacks is an element without a value.
    return Array.from({ length: items.length }, (_, i) =>
      this.#one(field, items[i], childPath(at, i), depth),
    );
  }

  #map(field: Field, key: Scalar, given: unknown, at: string, depth: number): Value {
    const entries = given === undefined ? {} : given;
    if (!isPlain(entries)) throw new ValueError(at, `expected an object as a map, got ${show(entries)}`);
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
