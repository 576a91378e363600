/** What the generated unpacker calls for values that take more than a few bytes' shifts. */

import { DecodeError } from "../../model/errors.ts";
import { readUtf8 } from "../bytes/utf8.ts";

const scratch = new DataView(new ArrayBuffer(8));

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
  return at + 1 + Math.min(bytes[at]!, size - 1);
}
