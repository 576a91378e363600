import { isUtf8 } from "node:buffer";
import { DecodeError, type DecodeProblem } from "../../model/errors.ts";

/** Reads the primitives of MessagePack, each checked against the end of the bytes. */
export class Cursor {
  /** Offset of the next byte. */
  at = 0;
  readonly #bytes: Buffer;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.at;
  }

  /** An unsigned integer of `size` bytes. */
  uint(size: 1 | 2 | 4): number {
    const at = this.at;
    this.skip(size);
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  /** An integer of eight bytes. */
  long(signed: boolean): bigint {
    const at = this.at;
    this.skip(8);
    return signed ? this.#view.getBigInt64(at) : this.#view.getBigUint64(at);
  }

  /** Steps over `count` bytes. */
  skip(count: number): void {
    if (count > this.remaining) {
      this.fail(`expected ${count} more bytes, got ${this.remaining}`, this.at, "truncated");
    }
    this.at += count;
  }

  /** Steps over text of `length` bytes, which must be UTF-8. */
  skipText(length: number): void {
    const start = this.at;
    this.skip(length);
    if (!isUtf8(this.#bytes.subarray(start, this.at))) this.fail("text is not valid UTF-8", start);
  }

  /** Text of `length` bytes, which must be UTF-8. */
  text(length: number): string {
    this.skipText(length);
    return this.#bytes.toString("utf8", this.at - length, this.at);
  }

  /** Whether a byte order mark is next: U+FEFF in UTF-8. */
  isAtMark(): boolean {
    const { at } = this;
    return this.#bytes[at] === 0xef && this.#bytes[at + 1] === 0xbb && this.#bytes[at + 2] === 0xbf;
  }

  /** Throws what is wrong at `offset`. */
  fail(problem: string, offset: number, code: DecodeProblem = "corrupt"): never {
    throw new DecodeError("msgpack", problem, { code, offset });
  }
}
