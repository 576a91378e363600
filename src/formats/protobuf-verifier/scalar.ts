import type { Scalar } from "../../model/schema.ts";
import { type Cursor, WIRE } from "./cursor.ts";

/** Wire type of each scalar (encoding guide, "Message Structure"). */
export const WIRE_TYPES: Readonly<Record<Scalar, number>> = {
  bool: WIRE.varint,
  int8: WIRE.varint,
  uint8: WIRE.varint,
  int16: WIRE.varint,
  uint16: WIRE.varint,
  int32: WIRE.varint,
  uint32: WIRE.varint,
  int64: WIRE.varint,
  uint64: WIRE.varint,
  sint32: WIRE.varint,
  sint64: WIRE.varint,
  fixed32: WIRE.fixed32,
  fixed64: WIRE.fixed64,
  sfixed32: WIRE.fixed32,
  sfixed64: WIRE.fixed64,
  float: WIRE.fixed32,
  double: WIRE.fixed64,
  string: WIRE.delimited,
  bytes: WIRE.delimited,
};

/** Least and greatest value of the types that a varint of 64 bits could overflow. */
const RANGES: Partial<Record<Scalar, readonly [number, number]>> = {
  bool: [0, 1],
  int8: [-0x80, 0x7f],
  uint8: [0, 0xff],
  int16: [-0x8000, 0x7fff],
  uint16: [0, 0xffff],
  int32: [-0x80000000, 0x7fffffff],
  uint32: [0, 0xffffffff],
};

/**
 * Checks that what the cursor has just read is a value of a number type. A reader would cut off the bits that
 * are too many and so make another value of it; here that is an error.
 * @param safe whether 64-bit integers must be safe integers
 */
export function checkNumber(cursor: Cursor, scalar: Scalar, start: number, safe: boolean): void {
  const { low, high } = cursor;
  const range = RANGES[scalar];
  if (range !== undefined) {
    const value = signed(low, high);
    if (value < range[0] || value > range[1]) {
      cursor.fail(
        `${exact(low, high, true)} is outside ${scalar}, expected ${range[0]} to ${range[1]}`,
        start,
      );
    }
  } else if (scalar === "sint32") {
    if (high !== 0) cursor.fail("varint of a sint32 has more than 32 bits", start);
  } else if (safe && !isSafe(scalar, low, high)) {
    const value = scalar === "sint64" ? unzigzag(low, high) : exact(low, high, !UNSIGNED.has(scalar));
    cursor.fail(`${value} is beyond 2^53, expected a safe integer`, start, "unsupported");
  }
}

/** Checks an enum's number, which is an int32 on the wire. */
export function checkEnum(cursor: Cursor, numbers: ReadonlySet<number> | undefined, start: number): void {
  checkNumber(cursor, "int32", start, false);
  if (numbers !== undefined && !numbers.has(cursor.low | 0)) {
    cursor.fail(`the enum has no value ${cursor.low | 0}`, start);
  }
}

const UNSIGNED: ReadonlySet<Scalar> = new Set<Scalar>(["uint64", "fixed64"]);

function isSafe(scalar: Scalar, low: number, high: number): boolean {
  switch (scalar) {
    case "uint64":
    case "fixed64":
      return Number.isSafeInteger(high * 4294967296 + low);
    case "int64":
    case "sfixed64":
      return Number.isSafeInteger(signed(low, high));
    case "sint64": {
      const half = high * 2147483648 + (low >>> 1);
      return Number.isSafeInteger((low & 1) === 0 ? half : -half - 1);
    }
    default:
      return true;
  }
}

/** The 64 bits as a signed number; rounded beyond 2^53, which keeps it beyond 2^53. */
function signed(low: number, high: number): number {
  return (high | 0) * 4294967296 + low;
}

function exact(low: number, high: number, asSigned: boolean): bigint {
  const bits = (BigInt(high) << 32n) | BigInt(low);
  return asSigned ? BigInt.asIntN(64, bits) : bits;
}

function unzigzag(low: number, high: number): bigint {
  const bits = exact(low, high, false);
  return (bits >> 1n) ^ -(bits & 1n);
}
