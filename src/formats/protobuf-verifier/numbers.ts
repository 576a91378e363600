import type { Scalar } from "../../model/schema.ts";
import { type ProtobufInput, WIRE } from "./input.ts";

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
 * Checks what the input has just read as a varint of a type that is narrower. Protobuf cuts off the bits that are too
 * many (encoding guide, "Updating A Message Type"); the narrow integers of C, which it lacks, must hold what is left.
 * @param strict whether a varint that is too wide is an error
 */
export function checkWidth(input: ProtobufInput, scalar: Scalar, start: number, strict: boolean): void {
  const { low, high } = input;
  if (scalar === "sint32") {
    if (strict && high !== 0) input.fail("varint of a sint32 has more than 32 bits", start);
    return;
  }
  const range = RANGES[scalar];
  if (range === undefined || !(strict || NARROW.has(scalar))) return;
  const value = strict ? signed(low, high) : range[0] < 0 ? low | 0 : low;
  if (value >= range[0] && value <= range[1]) return;
  const shown = strict ? exact(low, high, true) : value;
  input.fail(`${shown} is outside ${scalar}, expected ${range[0]} to ${range[1]}`, start);
}

/** Integers of C that a varint may be too wide for, strict or not. */
export const NARROW: ReadonlySet<Scalar> = new Set<Scalar>(["int8", "uint8", "int16", "uint16"]);

/** What the input has just read as a 64-bit integer of a type, in decimal. */
export function decimal({ low, high }: ProtobufInput, scalar: Scalar): string {
  return String(scalar === "sint64" ? unzigzag(low, high) : exact(low, high, !UNSIGNED.has(scalar)));
}

const UNSIGNED: ReadonlySet<Scalar> = new Set<Scalar>(["uint64", "fixed64"]);

/** Whether a JavaScript number holds what the input has just read of a type. */
export function isSafe({ low, high }: ProtobufInput, scalar: Scalar): boolean {
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
