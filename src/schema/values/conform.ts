import { ValueError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
import { nearNames } from "../../model/near-names.ts";
import {
  enumInteger,
  enumOf,
  type Field,
  type Int64Mode,
  type MessageType,
  messageOf,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { isRecord, pathText, type RecordValue, show, type Value } from "../../model/value.ts";
import { encodeMessage } from "./any-bytes.ts";
import { conformKey, conformScalar, type Form, IMPLICIT_DEFAULTS, UnsafeInteger } from "./conform-scalar.ts";
import { MAX_DEPTH } from "./depth.ts";
import { FieldsByKey } from "./field-keys.ts";
import { flagsOf, unionMembers } from "./flatc-json.ts";
import { heldField, heldNames } from "./in-place.ts";
import { documentText } from "./json-text.ts";
import { anyFields, anyForm, fieldsOfForm, isNullValue, takesNull, wellKnownOf } from "./well-known.ts";

export { MAX_DEPTH };

/** What form the input has, and how 64-bit integers are to be held. */
export interface ConformOptions {
  /**
   * `json`: a document, by protobuf's whole JSON mapping; as {@link readJson} reads it, which keeps large integers. `text`: a
   * canonical value as `jsonText` writes it, with strings for what JSON lacks. `plain`: a program's values.
   */
  readonly form: Form;
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
  const attempt = (int64: Int64Mode): Value => new Conformer(schema, { ...options, int64 }).root(root, input);
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

/** The first member of a union of Cap'n Proto, unless it or another is given, or null is its way to be absent. */
function impliedMember(
  schema: Schema,
  { fields }: MessageType,
  given: ReadonlyMap<Field, unknown>,
): Field | undefined {
  const members = fields.filter(({ oneof }) => oneof !== undefined);
  if (members.some((field) => given.has(field))) return undefined;
  const [first] = members.sort((a, b) => a.number - b.number);
  const { type } = first ?? {};
  const isPointer =
    type?.kind === "message"
      ? messageOf(schema, type.name).form === undefined
      : type?.kind === "scalar" && (type.scalar === "string" || type.scalar === "bytes");
  return isPointer ? undefined : first;
}

/** Of a message without a field that is set: messages may be many, and empty. */
const NONE_GIVEN: ReadonlyMap<Field, unknown> = new Map();

/** Whether nothing stands for a field that is not given. */
function isLeftOut({ repetition }: Field): boolean {
  return repetition.kind === "one" && repetition.presence === "optional";
}

class Conformer {
  readonly #schema: Schema;
  readonly #form: Form;
  readonly #int64: Int64Mode;
  readonly #most: number;
  readonly #names: FieldsByKey;
  /** Whether the document may have the forms of flatc's JSON. */
  readonly #isOfFlatc: boolean;
  /** Where the walk is, for errors. */
  readonly #steps: (string | number)[] = [];
  #count = 0;

  constructor(schema: Schema, { form, int64, most }: ConformOptions & { readonly int64: Int64Mode }) {
    this.#schema = schema;
    this.#form = form;
    this.#int64 = int64;
    this.#most = most ?? Number.POSITIVE_INFINITY;
    this.#isOfFlatc = form === "json" && schema.language === "flatbuffers";
    this.#names = new FieldsByKey(form === "plain" ? "plain" : "json");
  }

  /** A whole value. What is thrown has the path at which the walk stopped. */
  root(type: MessageType, input: unknown): RecordValue {
    try {
      return this.#formed(type, input, 1);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      const Problem = error instanceof UnsafeInteger ? UnsafeInteger : ValueError;
      throw new Problem(pathText(this.#steps), error.problem);
    }
  }

  #fail(problem: string): never {
    throw new ValueError("", problem);
  }

  #failAt(step: string, problem: string): never {
    this.#steps.push(step);
    this.#fail(problem);
  }

  #spend(values: number): void {
    this.#count += values;
    if (this.#count > this.#most) this.#fail(`more than ${this.#most} values, which --max-values raises`);
  }

  /** A message that may have a form of its own in a document. */
  #formed(type: MessageType, input: unknown, depth: number): RecordValue {
    const kind = this.#form === "json" ? wellKnownOf(type) : undefined;
    if (kind === undefined) return this.#message(type, input, depth);
    if (kind === "any") return this.#any(type, input, depth);
    return this.#message(type, fieldsOfForm(type, kind, input), depth);
  }

  /** A message of any type, which the schema must have: it is held as its bytes. */
  #any(type: MessageType, input: unknown, depth: number): RecordValue {
    if (!isPlain(input)) this.#fail(`expected an object (${type.name}), got ${show(input)}`);
    const { url, held, content } = anyForm(this.#schema, input);
    if (held === undefined) return this.#message(type, {}, depth);
    // Within the bytes any integer has its place.
    const inner = new Conformer(this.#schema, { form: "json", int64: "bigint", most: this.#most });
    inner.#count = this.#count;
    try {
      const value = inner.#formed(held, content, depth + 1);
      this.#count = inner.#count;
      return this.#message(type, anyFields(type, url, encodeMessage(this.#schema, held, value)), depth);
    } catch (error) {
      this.#steps.push(...inner.#steps);
      throw error;
    }
  }

  #message(type: MessageType, input: unknown, depth: number): RecordValue {
    if (type.inPlace === true && this.#form === "json") return this.#held(type, input, depth);
    if (!isPlain(input)) this.#fail(`expected an object (${type.name}), got ${show(input)}`);
    if (depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} messages`);
    this.#spend(1 + type.fields.length);
    const given = this.#isByName(type, input) ? undefined : this.#byField(type, input);
    const implied = this.#schema.language === "capnp" ? impliedMember(this.#schema, type, given!) : undefined;
    const result: Record<string, Value> = {};
    let setMembers: Map<string, string> | undefined;
    for (const field of type.fields) {
      const { name, oneof } = field;
      const one =
        given !== undefined ? given.get(field) : Object.hasOwn(input, name) ? input[name] : undefined;
      if (one === undefined && field !== implied && isLeftOut(field)) continue;
      this.#steps.push(name);
      if (one !== undefined && oneof !== undefined) {
        setMembers ??= new Map();
        const other = setMembers.get(oneof);
        if (other !== undefined) this.#fail(`${other} of the oneof ${oneof} is set too`);
        setMembers.set(oneof, name);
      }
      const value = field === implied ? this.#implied(field, depth) : this.#field(type, field, one, depth);
      if (value !== undefined) setOwn(result, name, value);
      this.#steps.pop();
    }
    return result;
  }

  /** The message that a document has in place: what it holds, or null. */
  #held(type: MessageType, input: unknown, depth: number): RecordValue {
    if (depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} messages`);
    this.#spend(1 + type.fields.length);
    const held = heldField(this.#schema, type, input);
    if (held === undefined && input !== null) this.#fail(`expected ${heldNames(type)}, got ${show(input)}`);
    const result: Record<string, Value> = {};
    for (const field of type.fields) {
      const value = this.#field(type, field, field === held ? input : undefined, depth);
      if (value !== undefined) setOwn(result, field.name, value);
    }
    return result;
  }

  /** Whether a value has every field under its name, and nothing else. */
  #isByName(type: MessageType, input: RecordInput): boolean {
    if (this.#form !== "plain" || this.#schema.language === "capnp") return false;
    const names = this.#names.of(type);
    for (const key of Object.keys(input)) if (!names.has(key)) return false;
    return true;
  }

  /** What is given for each field that is set. JSON may hold null for one that is not. */
  #byField(type: MessageType, input: RecordInput): ReadonlyMap<Field, unknown> {
    const names = this.#names.of(type);
    let given: Map<Field, unknown> | undefined;
    const members = this.#isOfFlatc ? unionMembers(type, input, (key) => names.has(key)) : undefined;
    for (const key of Object.keys(input)) {
      const field = names.get(key) ?? members?.get(key);
      if (field === undefined) {
        if (members?.has(key) === true) continue;
        if (input[key] === null && type.nullKeys?.includes(key) === true) continue;
        const known = type.fields.map(({ name }) => name);
        return this.#failAt(key, `${type.name} has no such field${nearNames(key, known)}`);
      }
      const value = input[key];
      if (value === undefined || (value === null && this.#isAbsent(field))) continue;
      given ??= new Map();
      if (given.has(field)) this.#failAt(key, `the field ${field.name} is given twice`);
      given.set(field, value);
    }
    return given ?? NONE_GIVEN;
  }

  /** Whether null stands for a field that is not set. */
  #isAbsent({ type, repetition }: Field): boolean {
    if (this.#form !== "json") return this.#form === "text";
    return repetition.kind !== "one" || !takesNull(type);
  }

  #field(type: MessageType, field: Field, given: unknown, depth: number): Value | undefined {
    const { repetition } = field;
    if (repetition.kind === "list") return this.#list(field, repetition.length, given, depth);
    if (repetition.kind === "map") return this.#map(field, repetition.key, given, depth);
    if (given !== undefined) return this.#one(field, given, depth);
    switch (repetition.presence) {
      case "optional":
        return undefined;
      case "implicit":
        return this.#implicit(field);
      default:
        if (field.default !== undefined) return this.#default(field, field.default);
        if (field.type.kind === "message" && messageOf(this.#schema, field.type.name).form === "group") {
          return this.#one(field, {}, depth);
        }
        return this.#fail(`missing, and every ${type.name} has it`);
    }
  }

  /** A union's first member, which it is where no member is given. */
  #implied(field: Field, depth: number): Value {
    if (field.type.kind === "message") {
      const { inPlace } = messageOf(this.#schema, field.type.name);
      return this.#one(field, inPlace === true && this.#form === "json" ? [] : {}, depth);
    }
    return field.default === undefined ? this.#implicit(field) : this.#default(field, field.default);
  }

  /** What a reader takes a field to be that its writer left out because it has the default. */
  #default({ type }: Field, value: NonNullable<Field["default"]>): Value {
    return type.kind === "scalar" ? conformScalar(type.scalar, value, "plain", this.#int64) : Number(value);
  }

  #implicit(field: Field): Value {
    if (field.type.kind !== "scalar") return 0;
    const { scalar } = field.type;
    const zero = IMPLICIT_DEFAULTS[scalar];
    if (scalar === "bytes") return new Uint8Array(0);
    return zero === "int64" ? (this.#int64 === "bigint" ? 0n : 0) : zero;
  }

  #list(field: Field, length: number | undefined, given: unknown, depth: number): Value {
    const items = given === undefined ? [] : given;
    if (!Array.isArray(items)) this.#fail(`expected a list, got ${show(items)}`);
    if (length !== undefined && items.length !== length) {
      this.#fail(`expected exactly ${length} elements, got ${items.length}`);
    }
    this.#spend(items.length);
    const values: Value[] = [];
    // By index, so that an index that a sparse array lacks is an element without a value.
    for (let i = 0; i < items.length; i++) values.push(this.#at(i, field, items[i], depth));
    return values;
  }

  #map(field: Field, key: Scalar, given: unknown, depth: number): Value {
    const entries = given === undefined ? {} : given;
    if (!isPlain(entries)) this.#fail(`expected an object as a map, got ${show(entries)}`);
    const result: Record<string, Value> = {};
    for (const name of Object.keys(entries)) {
      setOwn(result, name, this.#at(name, field, entries[name], depth, key));
    }
    return result;
  }

  /** An element of a list, or the entry of a map with keys of a type. */
  #at(step: string | number, field: Field, given: unknown, depth: number, key?: Scalar): Value {
    this.#steps.push(step);
    if (key !== undefined) conformKey(key, step as string);
    const value = this.#one(field, given, depth);
    this.#steps.pop();
    return value;
  }

  #one(field: Field, given: unknown, depth: number): Value {
    const { type } = field;
    switch (type.kind) {
      case "message":
        return this.#formed(messageOf(this.#schema, type.name), given, depth + 1);
      case "enum":
        return this.#enum(type.name, given);
      case "scalar":
        if (field.jsonText === true && this.#form === "json" && given !== undefined) {
          return conformScalar("string", documentText(given as Value), "plain", this.#int64);
        }
        if (type.scalar === "bytes" && this.#schema.language !== undefined && Array.isArray(given)) {
          return Uint8Array.from(
            given,
            (byte) => conformScalar("uint8", byte, "plain", this.#int64) as number,
          );
        }
        return conformScalar(type.scalar, this.#unnamed(field, given), this.#form, this.#int64);
    }
  }

  /** The integer that stands for a name of it in flatc's JSON; what is given where that is none. */
  #unnamed({ names }: Field, given: unknown): unknown {
    if (names === undefined || typeof given !== "string" || !this.#isOfFlatc) return given;
    const named = flagsOf(names, given);
    if (named !== undefined || /^-?\d+$/.test(given)) return named ?? given;
    const all = names.map(({ name }) => name);
    return this.#fail(`no value is called ${show(given)}${nearNames(given, all)}`);
  }

  #enum(name: string, given: unknown): number {
    const type = enumOf(this.#schema, name);
    if (given === null && this.#form === "json" && isNullValue(name)) return 0;
    if (typeof given === "string") {
      const named = type.values.find((value) => value.name === given);
      if (named !== undefined) return named.number;
      const flags = this.#isOfFlatc ? flagsOf(type.values, given) : undefined;
      if (flags !== undefined) return Number(flags);
      // As C++ and Python read it.
      if (this.#form === "json" && /^-?\d{1,10}$/.test(given)) return this.#enum(name, Number(given));
      const names = type.values.map((value) => value.name);
      this.#fail(`${name} has no value ${show(given)}${nearNames(given, names)}`);
    }
    const number = conformScalar(enumInteger(type), given, "plain", "number") as number;
    if (type.closed && !type.values.some((value) => value.number === number)) {
      this.#fail(`${name} has no value ${number}`);
    }
    return number;
  }
}
