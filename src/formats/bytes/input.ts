import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";

/** Bytes being read, each read checked against their end. */
export class ByteInput {
  readonly bytes: Uint8Array;
  /** The same memory. */
  readonly view: DataView;
  /** Offset of the next byte. */
  at = 0;
  /** Wire format, for errors. */
  readonly format: string;

  /** @param most bytes that are taken; more are a DecodeError */
  constructor(format: string, bytes: Uint8Array, most: number) {
    this.format = format;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length > most) {
      this.fail(`expected at most ${most} bytes, got ${bytes.length}`, { at: 0, code: "limit" });
    }
  }

  /** Bytes that are left. */
  get remaining(): number {
    return this.bytes.length - this.at;
  }

  /** Throws a DecodeError unless `count` bytes are left. */
  need(count: number): void {
    if (count > this.bytes.length - this.at) {
      this.fail(`expected ${count} more bytes, got ${this.remaining}`, { code: "truncated" });
    }
  }

  /** Throws a DecodeError if bytes are left. */
  expectEnd(): void {
    if (this.remaining > 0) this.fail(`${inBytes(this.remaining)} after the end of the message`);
  }

  /** Throws a DecodeError. @param details `at` is by default where the input is */
  fail(
    problem: string,
    details: {
      readonly at?: number;
      readonly path?: string;
      readonly code?: DecodeProblem;
      readonly cause?: unknown;
    } = {},
  ): never {
    const { at = this.at, ...others } = details;
    throw new DecodeError(this.format, problem, { offset: at, ...others });
  }
}
