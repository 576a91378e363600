import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
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
export class Cursor {
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
