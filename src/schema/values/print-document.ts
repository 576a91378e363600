import { base64 } from "../../formats/bytes/portable.ts";
import { ValueError } from "../../model/errors.ts";
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
import { pathText, type RecordValue, type Value } from "../../model/value.ts";
import { decodeMessage } from "./any-bytes.ts";
import { FieldsByKey } from "./field-keys.ts";
import { parseJson } from "./json-source.ts";
import { fieldOfNumber, isNullValue, typeOfUrl, VALUE, type WellKnown, wellKnownOf } from "./well-known.ts";
import { durationText, pathsText, type Seconds, timestampText } from "./well-known-text.ts";

/** How a document is printed. */
export interface PrintOptions {
  /** Whether enums are numbers rather than names. */
  readonly enumNumbers?: boolean | undefined;
}

/**
 * A canonical value as protobuf's own libraries print it in JSON (language guide, "JSON Mapping"): names of fields in
 * lowerCamelCase or as declared, names of enums, 64-bit integers as decimal text, bytes in base64, well-known messages in
 * their forms, and without what is not set. Throws ValueError, with the path, for a message that has no such form, as a
 * Timestamp of the year 10000.
 */
export function documentOf(schema: Schema, value: Value, options: PrintOptions = {}): Value {
  return new Printer(schema, options).root(value as RecordValue);
}

class Printer {
  readonly #schema: Schema;
  readonly #options: PrintOptions;
  readonly #fields = new FieldsByKey("json");
  /** Where the walk is, for errors. */
  readonly #steps: (string | number)[] = [];

  constructor(schema: Schema, options: PrintOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  root(value: RecordValue): Value {
    try {
      return this.#message(messageOf(this.#schema, this.#schema.root), value);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw new ValueError(pathText(this.#steps), error.problem);
    }
  }

  #message(type: MessageType, value: RecordValue): Value {
    if (type.inPlace === true) return this.#held(type, value);
    const kind = wellKnownOf(type);
    if (kind !== undefined) return this.#form(type, kind, value);
    const document: Record<string, Value> = {};
    const keys = this.#fields.printed(type);
    for (const [index, field] of type.fields.entries()) {
      const held = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (held === undefined || isDefault(field, held)) continue;
      this.#steps.push(field.name);
      setOwn(document, keys[index]!, this.#field(field, held));
      this.#steps.pop();
    }
    return document;
  }

  /** What a document has in place of a message. */
  #held({ fields }: MessageType, value: RecordValue): Value {
    const field = fields.find(({ name }) => Object.hasOwn(value, name));
    if (field === undefined) return null;
    const held = value[field.name]!;
    // Beside text, only a number that is one can be told from it.
    const number = fields.length > 1 && isInteger(held) ? Number(held) : Number.NaN;
    return Number.isSafeInteger(number) ? number : this.#field(field, held);
  }

  #field({ type, repetition, jsonText }: Field, held: Value): Value {
    if (jsonText === true) return fromText(repetition, held);
    if (repetition.kind === "one") return this.#one(type, held);
    if (repetition.kind === "list") {
      return (held as readonly Value[]).map((item, index) => this.#at(index, type, item));
    }
    const entries: Record<string, Value> = {};
    for (const key of Object.keys(held as RecordValue)) {
      setOwn(entries, key, this.#at(key, type, (held as RecordValue)[key]!));
    }
    return entries;
  }

  #at(step: string | number, type: FieldType, item: Value): Value {
    this.#steps.push(step);
    const printed = this.#one(type, item);
    this.#steps.pop();
    return printed;
  }

  #one(type: FieldType, value: Value): Value {
    switch (type.kind) {
      case "message":
        return this.#message(messageOf(this.#schema, type.name), value as RecordValue);
      case "enum":
        return this.#enum(type.name, value);
      case "scalar":
        if (value instanceof Uint8Array) return base64(value);
        if (is64Bit(type.scalar)) return String(value);
        if (typeof value !== "number") return value;
        if (!Number.isFinite(value)) return String(value);
        return type.scalar === "float" ? shortest(value) : value;
    }
  }

  #enum(name: string, value: Value): Value {
    if (isNullValue(name)) return null;
    if (this.#options.enumNumbers === true) return value;
    return enumOf(this.#schema, name).values.find(({ number }) => number === value)?.name ?? value;
  }

  /** A well-known message in its own form. */
  #form(type: MessageType, kind: WellKnown, value: RecordValue): Value {
    const held = (number: number): Value | undefined => {
      const { name } = fieldOfNumber(type, number);
      return Object.hasOwn(value, name) ? value[name] : undefined;
    };
    switch (kind) {
      case "any":
        return this.#any((held(1) ?? "") as string, (held(2) ?? new Uint8Array(0)) as Uint8Array);
      case "duration":
      case "timestamp": {
        const parts: Seconds = {
          seconds: BigInt((held(1) ?? 0) as number | bigint),
          nanos: (held(2) ?? 0) as number,
        };
        const text = kind === "timestamp" ? timestampText(parts) : durationText(parts);
        return text ?? fail(`${parts.seconds} s and ${parts.nanos} ns: no ${type.name}`);
      }
      case "field mask":
        return pathsText((held(1) ?? []) as readonly string[]) ?? fail("a path that JSON cannot name");
      case "list":
      case "struct":
        return this.#field(fieldOfNumber(type, 1), held(1) ?? (kind === "list" ? [] : {}));
      case "value":
        return this.#value(type, held);
      case "wrapper": {
        const field = fieldOfNumber(type, 1);
        return this.#one(field.type, held(1) ?? zeroOf(field.type));
      }
    }
  }

  #value(type: MessageType, held: (number: number) => Value | undefined): Value {
    const number = Object.values(VALUE).find((one) => held(one) !== undefined);
    if (number === undefined) return fail(`${type.name} without a value`);
    const value = held(number)!;
    if (number === VALUE.number && !Number.isFinite(value)) return fail(`${value}: JSON has no such number`);
    return this.#one(fieldOfNumber(type, number).type, value);
  }

  #any(url: string, bytes: Uint8Array): Value {
    if (url === "" && bytes.length === 0) return {};
    const type = typeOfUrl(this.#schema, url);
    const content = this.#message(type, decodeMessage(this.#schema, type, bytes));
    const document = { "@type": url };
    return wellKnownOf(type) === undefined
      ? { ...document, ...(content as RecordValue) }
      : { ...document, value: content };
  }
}

/** What the JSON text of a field stands for; the text itself where it is none. */
function fromText({ kind }: Pick<Field["repetition"], "kind">, held: Value): Value {
  if (kind === "list") return (held as readonly Value[]).map((item) => fromText({ kind: "one" }, item));
  if (kind === "map") {
    const entries: Record<string, Value> = {};
    for (const [key, item] of Object.entries(held as RecordValue)) {
      setOwn(entries, key, fromText({ kind: "one" }, item));
    }
    return entries;
  }
  const parsed = parseJson(held as string);
  return "problem" in parsed ? held : (parsed.value as Value);
}

function fail(problem: string): never {
  throw new ValueError("", problem);
}

/** What a wrapper holds that has no field set. */
function zeroOf(type: FieldType): Value {
  if (type.kind !== "scalar") return 0;
  if (type.scalar === "bytes") return new Uint8Array(0);
  if (type.scalar === "bool") return false;
  return type.scalar === "string" ? "" : 0;
}

function isInteger(value: Value): value is number | bigint {
  return typeof value === "bigint" || Number.isSafeInteger(value);
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
