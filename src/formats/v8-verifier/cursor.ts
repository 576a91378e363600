import { isUtf8 } from "node:buffer";
import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { TAG } from "./tags.ts";

const ENCODINGS: ReadonlyMap<number, BufferEncoding> = new Map([
  [TAG.oneByteString, "latin1"],
  [TAG.twoByteString, "utf16le"],
  [TAG.utf8String, "utf8"],
]);

/** Reads the primitives of V8's serialisation format, each checked against the end of the bytes. */
export class Cursor {
  /** Offset of the next byte. */
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.at;
  }

  byte(): number {
    this.skip(1);
    return this.#bytes[this.at - 1]!;
  }

  /** An unsigned integer of up to 32 bits, seven in a byte, the lowest first. */
  varint(): number {
    const start = this.at;
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 2 ** 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    if (value > 0xffffffff || this.#bytes[this.at - 1]! >= 0x80)
      this.fail("integer has more than 32 bits", start);
    return value;
  }

  /** A signed integer of 32 bits: its sign is the lowest bit. */
  int32(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  double(): number {
    this.skip(8);
    return this.#bytes.readDoubleLE(this.at - 8);
  }

  /** Steps over `count` bytes. */
  skip(count: number): void {
    if (count > this.remaining) {
      this.fail(`expected ${count} more bytes, got ${this.remaining}`, this.at, "truncated");
    }
    this.at += count;
  }

  /** Steps over text after its tag, checks that it is well-formed, and returns where its first unit is. */
  skipText(tag: number): number {
    const start = this.at;
    const length = this.varint();
    const from = this.at;
    this.skip(length);
    if (tag === TAG.utf8String && !isUtf8(this.#bytes.subarray(from, this.at))) {
      this.fail("text is not valid UTF-8", start);
    }
    if (tag === TAG.twoByteString && (length % 2 !== 0 || from % 2 !== 0)) {
      this.fail(`${length} bytes at offset ${from} are no text of two-byte units`, start);
    }
    return from;
  }

  /** Text after its tag. */
  text(tag: number): string {
    const from = this.skipText(tag);
    return this.#bytes.toString(ENCODINGS.get(tag), from, this.at);
  }

  /** Throws what is wrong at `offset`. */
  fail(problem: string, offset: number, code: DecodeProblem = "corrupt"): never {
    throw new DecodeError("v8", problem, { code, offset });
  }
}
