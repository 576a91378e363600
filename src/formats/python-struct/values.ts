/** Values and their bytes, where that takes more than shifts: what the generated code calls. */

import { DecodeError, ValueError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { childPath, show } from "../../model/value.ts";
import { LONG } from "../bytes/native.ts";
import { readUtf8, writeUtf8Within } from "../bytes/utf8.ts";

/**
 * One value of a struct. An integer is a number, or a bigint where it has 64 bits, by `StructOptions.int64`;
 * `?` is a boolean, and a number is taken for whether it is not zero; `e`, `f` and `d` are numbers; `c`, `s` and `p`
 * are bytes, and where `StructOptions.text` says so strings.
 */
export type StructValue = number | bigint | boolean | string | Uint8Array;

const scratch = new DataView(new ArrayBuffer(8));

/** Whether something is bytes, and not an object that only inherits from them. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value instanceof Uint8Array;
}

/** Throws the ValueError of one value. */
export function refuse(value: unknown, index: number, expected: string): never {
  throw new ValueError(childPath("", index), `expected ${expected}, got ${described(value)}`);
}

/** A value for an error message, even one that throws when it is looked at, as a revoked Proxy does. */
export function described(value: unknown): string {
  try {
    return show(value);
  } catch {
    return "an odd object";
  }
}

/** A value that the generated code did not take at once: the number of a bigint in range. */
export function integer(value: unknown, index: number, least: number, most: number): number {
  if (typeof value === "bigint" && value >= least && value <= most) return Number(value);
  return refuse(value, index, `an integer from ${least} to ${most}`);
}

/** Lowest and highest integer of 64 bits. */
interface LongRange {
  readonly least: bigint;
  readonly most: bigint;
}

/** The ranges of `q`, of `Q` and of `P`. */
export const RANGES = {
  signed: { least: -(2n ** 63n), most: 2n ** 63n - 1n },
  unsigned: { least: 0n, most: 2n ** 64n - 1n },
  pointer: { least: -(2n ** 63n), most: 2n ** 64n - 1n },
} as const satisfies Record<string, LongRange>;

/**
 * Writes 64 bits. Throws ValueError for what is out of range, and for a number that is not a safe integer: it may have
 * been rounded.
 */
export function writeLong(
  bytes: Uint8Array,
  at: number,
  value: unknown,
  index: number,
  range: LongRange,
  bigEndian: boolean,
): void {
  let high: number;
  let low: number;
  if (typeof value === "number" && Number.isSafeInteger(value) && (value >= 0 || range.least < 0n)) {
    high = Math.floor(value / 2 ** 32);
    low = value - high * 2 ** 32;
  } else if (typeof value === "bigint" && value >= range.least && value <= range.most) {
    scratch.setBigInt64(0, value);
    high = scratch.getInt32(0);
    low = scratch.getInt32(4);
  } else {
    refuse(value, index, `a safe integer or a bigint from ${range.least} to ${range.most}`);
  }
  const first = bigEndian ? high : low;
  const second = bigEndian ? low : high;
  const step = bigEndian ? -1 : 1;
  for (let i = 0, p = bigEndian ? at + 3 : at; i < 4; i++, p += step) {
    bytes[p] = first >> (8 * i);
    bytes[p + 4] = second >> (8 * i);
  }
}

/** The bits of a number of 16 bits. */
export function half(value: unknown, index: number): number {
  if (typeof value !== "number") return refuse(value, index, "a number");
  const bits = halfBits(value);
  return bits < 0 ? refuse(value, index, "a number that 16 bits hold, below 65520") : bits;
}

/** What a `?` is: a boolean, or whether a number is not zero. */
export function truth(value: unknown, index: number): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number") return value === 0 ? 0 : 1;
  if (typeof value === "bigint") return value === 0n ? 0 : 1;
  return refuse(value, index, "a boolean or a number");
}

/** The byte of a `c`. */
export function oneByte(value: unknown, index: number): number {
  if (isBytes(value) && value.length === 1) return value[0]!;
  return refuse(value, index, "bytes of length 1");
}

/** Writes as many bytes of a value as there is room for, and zeros after them. Returns how many it wrote. */
export function writeSome(
  bytes: Uint8Array,
  at: number,
  room: number,
  value: unknown,
  index: number,
): number {
  if (!isBytes(value)) return refuse(value, index, "bytes");
  const length = Math.min(value.length, room);
  if (length >= LONG) bytes.set(length === value.length ? value : value.subarray(0, length), at);
  else for (let i = 0; i < length; i++) bytes[at + i] = value[i]!;
  zero(bytes, at + length, at + room);
  return length;
}

/** Writes text as UTF-8, and zeros after it. Returns how many bytes the text took. */
export function writeText(
  bytes: Uint8Array,
  at: number,
  room: number,
  value: unknown,
  index: number,
): number {
  if (typeof value !== "string") return refuse(value, index, "a string");
  const length = writeUtf8Within(bytes, at, room, value);
  if (length < 0) return refuse(value, index, "text without lone surrogates");
  if (length > room) return refuse(value, index, `text of at most ${inBytes(room)} of UTF-8`);
  zero(bytes, at + length, at + room);
  return length;
}

/** Writes a byte with the length, and bytes or text, in so many bytes in all. */
export function writePascal(
  bytes: Uint8Array,
  at: number,
  size: number,
  value: unknown,
  index: number,
  isText: boolean,
): void {
  const room = Math.max(0, size - 1);
  // CPython fills all the room, but its length ends at 255: longer text would not come back.
  const most = isText ? Math.min(255, room) : room;
  const length = (isText ? writeText : writeSome)(bytes, at + 1, most, value, index);
  zero(bytes, at + 1 + most, at + 1 + room);
  if (size > 0) bytes[at] = Math.min(255, length);
}

/** Sets bytes to zero. */
export function zero(bytes: Uint8Array, start: number, end: number): void {
  if (end - start >= LONG) bytes.fill(0, start, end);
  else for (let i = start; i < end; i++) bytes[i] = 0;
}

/** Format that errors name. */
export const NAME = "python-struct";

/** The number of 32 bits whose bits an integer has. */
export function float32(bits: number): number {
  scratch.setInt32(0, bits);
  return scratch.getFloat32(0);
}

/** The number of 64 bits. */
export function float64(high: number, low: number): number {
  scratch.setInt32(0, high);
  scratch.setInt32(4, low);
  return scratch.getFloat64(0);
}

/** A signed integer of 64 bits. */
export function signedLong(high: number, low: number): bigint {
  scratch.setInt32(0, high);
  scratch.setInt32(4, low);
  return scratch.getBigInt64(0);
}

/** An unsigned integer of 64 bits. */
export function unsignedLong(high: number, low: number): bigint {
  scratch.setInt32(0, high);
  scratch.setInt32(4, low);
  return scratch.getBigUint64(0);
}

/** An integer of 64 bits as a number. Throws DecodeError for one that is no safe integer. */
export function safeLong(high: number, low: number, at: number): number {
  const value = high * 2 ** 32 + (low >>> 0);
  if (Number.isSafeInteger(value)) return value;
  throw new DecodeError(NAME, "expected a safe integer, got one that only a bigint holds", {
    offset: at,
    code: "unsupported",
  });
}

/** Text of some bytes of UTF-8. Throws DecodeError where they are none. */
export function text(bytes: Uint8Array, start: number, end: number): string {
  const found = readUtf8(bytes, start, end);
  if (found !== undefined) return found;
  throw new DecodeError(NAME, "expected UTF-8", { offset: start });
}

/** Where the bytes of a `p` end that starts at `at`: CPython takes a length that is too large for all there is. */
export function pascalEnd(bytes: Uint8Array, at: number, size: number): number {
  return size === 0 ? at + 1 : at + 1 + Math.min(bytes[at]!, size - 1);
}

/** Half of the way from the largest number of 16 bits (IEEE 754 binary16) to the next power of two: rounds to infinity. */
const OVERFLOW = 65_520;

/**
 * The bits of the nearest number of 16 bits, the even one of two; -1 where that would be infinity and the number is
 * not. Rounds once, from all 64 bits. Of a NaN it keeps the sign (Objects/floatobject.c, PyFloat_Pack2).
 */
export function halfBits(value: number): number {
  scratch.setFloat64(0, value);
  const sign = scratch.getUint8(0) & 0x80 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return sign | 0x7e00;
  if (size >= OVERFLOW) return size === Number.POSITIVE_INFINITY ? sign | 0x7c00 : -1;
  if (size < 2 ** -14) return sign | roundEven(size * 2 ** 24);
  const exponent = ((scratch.getUint16(0) >> 4) & 0x7ff) - 1023;
  // A fraction that rounds up to 1024 carries into the exponent, as it should.
  return sign | (((exponent + 15) << 10) + (roundEven(size * 2 ** (10 - exponent)) - 1024));
}

function roundEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && (below & 1) === 1) ? below + 1 : below;
}

/** Most significant halves of NaN with each sign, as CPython has them (Objects/floatobject.c, PyFloat_Unpack2). */
const [NAN, NEGATIVE_NAN] = [0x7ff80000, 0xfff80000 | 0];

/** The number that 16 bits stand for. Of a NaN, only the sign. */
export function halfValue(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) {
    return fraction === 0 ? sign * Number.POSITIVE_INFINITY : float64(sign < 0 ? NEGATIVE_NAN : NAN, 0);
  }
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
