import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import type { Scalar } from "../../model/schema.ts";
import { pathText } from "../../model/value.ts";

/** How a value is laid out (encoding guide, "Message Structure"). */
export const WIRE = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Bytes of the longest 32-bit varint. */
const MAX_VARINT32_BYTES = 5;

/** What precedes every field. */
export interface Tag {
  readonly number: number;
  readonly wire: number;
  /** Offset of its first byte. */
  readonly at: number;
}

/** Reads the primitives of the wire format, each checked against the end of the message around it. */
export class ProtobufInput {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  at = 0;
  /** The 64 bits that {@link varint}, {@link fixed32} or {@link fixed64} read last, as unsigned halves. */
  low = 0;
  high = 0;
  /** Field at which the walk is, for errors. */
  readonly path: (string | number)[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** A varint of up to 64 bits. Padding with zero bits is allowed, as it is to every protobuf reader. */
  varint(end: number): void {
    const start = this.at;
    this.low = 0;
    this.high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= end) this.#runsOut(end, start);
      const byte = this.bytes[this.at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) this.low |= bits << shift;
      else if (shift === 28) {
        this.low |= bits << 28;
        this.high = bits >>> 4;
      } else if (shift < 63) this.high |= bits << (shift - 32);
      else if (bits > 1) this.fail("varint has more than 64 bits", start);
      else this.high |= bits << 31;
      if (byte < 0x80) {
        this.low >>>= 0;
        this.high >>>= 0;
        return;
      }
    }
    this.fail("varint is longer than 10 bytes", start);
  }

  tag(end: number): Tag {
    const at = this.at;
    const tag = this.#varint32(end, "tag");
    return { number: tag >>> 3, wire: tag & 7, at };
  }

  /** The end of a length-delimited value, whose length is next. */
  delimited(end: number): number {
    const start = this.at;
    const length = this.#varint32(end, "length");
    if (length > end - this.at) {
      const problem = `length ${length} goes beyond the ${end - this.at} bytes that follow`;
      this.fail(problem, start, end === this.bytes.length ? "truncated" : "corrupt");
    }
    return this.at + length;
  }

  fixed32(end: number): void {
    this.#need(4, end);
    this.low = this.#word();
    this.high = 0;
  }

  fixed64(end: number): void {
    this.#need(8, end);
    this.low = this.#word();
    this.high = this.#word();
  }

  /** Throws what is wrong at `offset` of the field that the walk is at. */
  fail(problem: string, offset: number, code: DecodeProblem = "corrupt"): never {
    throw new DecodeError("protobuf", problem, { code, offset, path: pathText(this.path) });
  }

  /** A varint of up to 32 bits. Readers take no more than five bytes for one, padding included. */
  #varint32(end: number, what: string): number {
    const start = this.at;
    this.varint(end);
    if (this.high !== 0 || this.at - start > MAX_VARINT32_BYTES) {
      this.fail(`${what} has more than 32 bits`, start);
    }
    return this.low;
  }

  #need(count: number, end: number): void {
    if (count > end - this.at) this.#runsOut(end, this.at);
  }

  #runsOut(end: number, start: number): never {
    const outermost = end === this.bytes.length;
    const where = outermost ? "the bytes" : "the message or list around it";
    this.fail(`value goes beyond the end of ${where}`, start, outermost ? "truncated" : "corrupt");
  }

  #word(): number {
    const { bytes, at } = this;
    this.at += 4;
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }
}

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
 * Checks that what the input has just read is a value of a number type. A reader would cut off the bits that
 * are too many and so make another value of it; here that is an error.
 * @param safe whether 64-bit integers must be safe integers
 */
export function checkNumber(input: ProtobufInput, scalar: Scalar, start: number, safe: boolean): void {
  const { low, high } = input;
  const range = RANGES[scalar];
  if (range !== undefined) {
    const value = signed(low, high);
    if (value < range[0] || value > range[1]) {
      input.fail(
        `${exact(low, high, true)} is outside ${scalar}, expected ${range[0]} to ${range[1]}`,
        start,
      );
    }
  } else if (scalar === "sint32") {
    if (high !== 0) input.fail("varint of a sint32 has more than 32 bits", start);
  } else if (safe && !isSafe(scalar, low, high)) {
    const value = scalar === "sint64" ? unzigzag(low, high) : exact(low, high, !UNSIGNED.has(scalar));
    input.fail(`${value} is beyond 2^53, expected a safe integer`, start, "unsupported");
  }
}

/** Checks an enum's number, which is an int32 on the wire. */
export function checkEnum(
  input: ProtobufInput,
  numbers: ReadonlySet<number> | undefined,
  start: number,
): void {
  checkNumber(input, "int32", start, false);
  if (numbers !== undefined && !numbers.has(input.low | 0)) {
    input.fail(`the enum has no value ${input.low | 0}`, start);
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
