import { fromBase64, HAS_BUFFER } from "../../formats/bytes/portable.ts";
import { ValueError } from "../../model/errors.ts";
import { type Int64Mode, integerOf, type Scalar } from "../../model/schema.ts";
import { show, type Value } from "../../model/value.ts";
import { exactInteger, vanishes } from "./decimal.ts";

/** See {@link ConformOptions.form}. */
export type Form = "json" | "text" | "plain";

/** A 64-bit integer that a number cannot hold, met where numbers were asked for. */
export class UnsafeInteger extends ValueError {}

/** What an implicit field without a value holds; `int64` stands for zero in the dataset's mode. */
export const IMPLICIT_DEFAULTS: Readonly<Record<Scalar, false | 0 | "" | "int64">> = {
  bool: false,
  int8: 0,
  uint8: 0,
  int16: 0,
  uint16: 0,
  int32: 0,
  uint32: 0,
  int64: "int64",
  uint64: "int64",
  sint32: 0,
  sint64: "int64",
  fixed32: 0,
  fixed64: "int64",
  sfixed32: 0,
  sfixed64: "int64",
  float: 0,
  double: 0,
  string: "",
  bytes: "",
};

/**
 * Checks one value of a scalar type. In JSON form, strings may stand for what JSON lacks. Throws ValueError without a
 * path: the caller knows the place, and a path for each of millions of good values would take seconds.
 */
export function conformScalar(scalar: Scalar, given: unknown, form: Form, int64: Int64Mode): Value {
  switch (scalar) {
    case "bool":
      if (typeof given === "boolean") return given;
      throw new ValueError("", `expected true or false, got ${show(given)}`);
    case "string":
      return conformString(given);
    case "bytes":
      return conformBytes(given, form);
    case "float":
    case "double":
      return conformFloat(scalar, given, form);
    default:
      return conformInteger(scalar, given, form, int64);
  }
}

/** Checks the key of a map, which is a string in a plain value whatever its type is. Throws as {@link conformScalar}. */
export function conformKey(scalar: Scalar, key: string): void {
  if (scalar === "string") {
    conformString(key);
  } else if (scalar === "bool") {
    if (key !== "true" && key !== "false") throw new ValueError("", `expected the key true or false`);
  } else {
    if (!/^-?\d{1,20}$/.test(key))
      throw new ValueError("", `expected an integer (${scalar}), got ${show(key)}`);
    const parsed = conformInteger(scalar, key, "json", "bigint");
    if (String(parsed) !== key) throw new ValueError("", `expected the key ${parsed}, got ${show(key)}`);
  }
}

function conformString(given: unknown): string {
  if (typeof given !== "string") throw new ValueError("", `expected a string, got ${show(given)}`);
  if (!given.isWellFormed()) throw new ValueError("", "half of a surrogate pair has no UTF-8 form");
  return given;
}

function conformBytes(given: unknown, form: Form): Uint8Array {
  if (given instanceof Uint8Array) return ownBytes(given);
  if (form !== "plain" && typeof given === "string") {
    // Both alphabets and optional padding, as proto3 JSON readers take it.
    if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(given)) {
      const bytes = fromBase64(given);
      const digits = given.replace(/=+$/, "").length;
      if (digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4)) return new Uint8Array(bytes);
    }
    throw new ValueError("", `expected base64, got ${show(given)}`);
  }
  throw new ValueError("", `expected ${form !== "plain" ? "base64" : "a Uint8Array"}, got ${show(given)}`);
}

/** Plain bytes in memory of their own: a Buffer, or a view, would keep all of what it looks at. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const own = !(HAS_BUFFER && Buffer.isBuffer(bytes)) && bytes.byteLength === bytes.buffer.byteLength;
  return own ? bytes : new Uint8Array(bytes);
}

function conformFloat(scalar: "float" | "double", given: unknown, form: Form): number {
  const value = form === "plain" ? given : numberOf(given);
  if (typeof value !== "number") throw new ValueError("", `expected a number, got ${show(given)}`);
  // JSON text has no infinity: what parses as one is a number with too many digits.
  const special = typeof given === "string" && SPECIALS.includes(given);
  const isLost = !Number.isFinite(value) || (typeof given === "string" && vanishes(given));
  if (form !== "plain" && isLost && !special) {
    throw new ValueError("", "a number outside the range of a double");
  }
  if (scalar === "double") return value;
  const rounded = Math.fround(value);
  if (Number.isFinite(value) && !Number.isFinite(rounded)) {
    throw new ValueError("", `${value} is outside the range of a float`);
  }
  return rounded;
}

const SPECIALS: readonly string[] = ["NaN", "Infinity", "-Infinity"];

/** The number that stands in JSON; undefined where none does. */
function numberOf(given: unknown): unknown {
  // As json-integers.ts keeps it, so that a double rounds it once.
  if (typeof given === "bigint") return Number(given);
  return typeof given === "string" ? numberFromText(given) : given;
}

function numberFromText(text: string): number | undefined {
  if (SPECIALS.includes(text)) return Number(text);
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

function conformInteger(scalar: Scalar, given: unknown, form: Form, int64: Int64Mode): number | bigint {
  const integer = integerIn(given, form);
  if (integer === undefined) throw new ValueError("", `expected an integer (${scalar}), got ${show(given)}`);
  if (integer === "rounded") {
    throw new ValueError(
      "",
      `${given} is beyond 2^53 and may have been rounded, expected ${form !== "plain" ? "a decimal string" : "a bigint"}`,
    );
  }
  const { low, high } = rangeOf(scalar);
  if (integer < low || integer > high) {
    throw new ValueError("", `${integer} is outside ${scalar}, expected ${low} to ${high}`);
  }
  if (typeof low === "number") return Number(integer);
  if (int64 === "bigint") return BigInt(integer);
  if (!Number.isSafeInteger(Number(integer))) {
    throw new UnsafeInteger("", `${integer} is beyond 2^53, expected a safe integer or bigints`);
  }
  return Number(integer);
}

type Range = { readonly low: number | bigint; readonly high: number | bigint };
const ranges = new Map<Scalar, Range>();

/** Least and greatest value of an integer type: numbers up to 32 bits, bigints beyond. */
function rangeOf(scalar: Scalar): Range {
  const known = ranges.get(scalar);
  if (known !== undefined) return known;
  const { bits, signed } = integerOf(scalar) ?? { bits: 32, signed: true };
  const low = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const high = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  const range = bits === 64 ? { low, high } : { low: Number(low), high: Number(high) };
  ranges.set(scalar, range);
  return range;
}

/** A safe integer as a number, a larger one as a bigint; -0 is 0. */
function integerIn(given: unknown, form: Form): number | bigint | "rounded" | undefined {
  if (typeof given === "number") {
    if (!Number.isInteger(given)) return undefined;
    return Number.isSafeInteger(given) ? given + 0 : "rounded";
  }
  if (typeof given === "bigint") return given;
  // 20 digits hold every 64-bit integer; more would cost time to parse for nothing.
  if (form !== "plain" && typeof given === "string") return exactInteger(given);
  return undefined;
}
