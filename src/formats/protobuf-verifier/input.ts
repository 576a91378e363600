import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { pathText } from "../../model/value.ts";

/** How a value is laid out (encoding guide, "Message Structure"). */
export const WIRE = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Bytes of the longest 32-bit varint. */
const MAX_VARINT32_BYTES = 5;

/** Reads the primitives of the wire format, each checked against the end of the message around it. */
export class ProtobufInput {
  readonly bytes: Uint8Array;
  /** Whether bits of a varint beyond the 64th are an error. */
  strict = false;
  /** Offset of the next byte. */
  at = 0;
  /** The 64 bits that {@link varint}, {@link fixed32} or {@link fixed64} read last, as unsigned halves. */
  low = 0;
  high = 0;
  /** Offset of the tag that {@link tag} read last. */
  tagAt = 0;
  /** Field at which a walk is that keeps track of it, for errors. */
  readonly path: (string | number)[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /**
   * A varint of up to ten bytes. Padding with zero bits is allowed, as it is to every protobuf reader, and so are bits
   * beyond the 64th, which are cut off, unless {@link strict}.
   */
  varint(end: number): void {
    const byte = this.bytes[this.at];
    if (this.at < end && byte! < 0x80) {
      this.at += 1;
      this.low = byte!;
      this.high = 0;
    } else this.#longVarint(end);
  }

  #longVarint(end: number): void {
    const start = this.at;
    let [low, high] = [0, 0];
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= end) this.#runsOut(end, start);
      const byte = this.bytes[this.at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else if (shift < 63) high |= bits << (shift - 32);
      else if (this.strict && bits > 1) this.fail("varint has more than 64 bits", start);
      else high |= bits << 31;
      if (byte < 0x80) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return;
      }
    }
    this.fail("varint is longer than 10 bytes", start);
  }

  /** What precedes every field: eight times its number, and its wire type. */
  tag(end: number): number {
    this.tagAt = this.at;
    return this.#varint32(end, "tag");
  }

  /** The end of a length-delimited value, whose length is next. */
  delimited(end: number): number {
    const start = this.at;
    const length = this.#varint32(end, "length");
    if (length > end - this.at) {
      const problem = `length ${length} goes beyond the ${inBytes(end - this.at)} that follow`;
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

  /** Steps over a value by its wire type alone; a group is none. */
  step(wire: number, end: number): void {
    if (wire === WIRE.varint) this.varint(end);
    else if (wire === WIRE.fixed32) this.fixed32(end);
    else if (wire === WIRE.fixed64) this.fixed64(end);
    else this.at = this.delimited(end);
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
