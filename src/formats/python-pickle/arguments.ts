import type { DecodeProblem } from "../../model/errors.ts";
import type { ByteInput } from "../bytes/input.ts";
import { latin1Slice } from "../bytes/native.ts";
import { readInteger, readSafeInteger } from "./integer.ts";
import { OP } from "./opcodes.ts";
import type { UnpickleOptions } from "./options.ts";
import { parseInteger } from "./text-arguments.ts";

const LINE_END = 0x0a;

/** Most bytes that any option allows, so that offsets are integers of 31 bits, which are faster. */
const MAX_BYTES = 2 ** 31 - 1;

/** Reads what stands behind an opcode, each time checked against the end of the frame, or of the input. */
export class ArgumentReader {
  protected input!: ByteInput;
  /** Where the opcode began that is being executed. */
  protected start = 0;
  /** Where the frame ends, or the input outside of frames. */
  protected end = 0;
  protected inFrame = false;
  protected bigints = false;
  protected wrapsFloats = false;
  #maxIntegerBytes = 0;
  #maxDigits = 0;
  #encoding: "ASCII" | "latin1" | "bytes" = "ASCII";

  protected startArguments(input: ByteInput, options: UnpickleOptions): void {
    const { length } = input.bytes;
    if (length > MAX_BYTES) {
      input.fail(`expected at most ${MAX_BYTES} bytes, got ${length}`, { at: 0, code: "limit" });
    }
    this.input = input;
    this.end = length;
    this.inFrame = false;
    this.bigints = options.integers === "bigint";
    this.wrapsFloats = options.wholeFloats === "PyFloat";
    this.#maxIntegerBytes = options.integerBytes ?? 1024;
    this.#maxDigits = options.digits ?? 4300;
    this.#encoding = options.encoding ?? "ASCII";
  }

  protected fail(problem: string, code: DecodeProblem = "corrupt"): never {
    return this.input.fail(problem, { at: this.start, code });
  }

  /** Throws: an opcode goes on beyond the end of its frame, or of the input. */
  protected cut(): never {
    if (this.end < this.input.bytes.length) this.fail("the frame ends within an opcode");
    this.fail("expected more bytes, got the end", "truncated");
  }

  /** Where the next opcode would begin beyond the end: leaves the frame, and returns the end of the input. */
  protected endPart(at: number): number {
    this.start = at;
    this.end = this.input.bytes.length;
    this.inFrame = false;
    return at === this.end ? this.cut() : this.end;
  }

  protected noText(): never {
    this.fail("text is not valid UTF-8");
  }

  /** Where what a length of four bytes counts ends, as an integer of 31 bits. */
  protected endOfLong(at: number): number {
    const { view } = this.input;
    if (at + 4 > this.end || view.getUint32(at, true) > this.end - at - 4) this.cut();
    return (at + 4 + view.getUint32(at, true)) | 0;
  }

  protected integer(value: bigint, size: number): number | bigint {
    if (size > this.#maxIntegerBytes) {
      this.fail(`expected an integer of at most ${this.#maxIntegerBytes} bytes, got ${size}`, "limit");
    }
    if (this.bigints) return value;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  /** An unsigned number of some bytes; one of eight is exact up to 2^53, which is more than any input has. */
  protected unsigned(size: 1 | 4 | 8): number {
    const { input } = this;
    const { at, view } = input;
    if (at + size > this.end) this.cut();
    input.at = at + size;
    if (size === 1) return view.getUint8(at);
    const low = view.getUint32(at, true);
    return size === 4 ? low : low + 2 ** 32 * view.getUint32(at + 4, true);
  }

  /** Start and end of the bytes that a length before them counts. */
  protected span(size: 1 | 4 | 8): [number, number] {
    const length = this.unsigned(size);
    const from = this.input.at;
    if (length > this.end - from) this.cut();
    this.input.at = from + length;
    return [from, from + length];
  }

  /** Text to the end of the line, one character for each byte. */
  protected line(most = Number.POSITIVE_INFINITY): string {
    const { input } = this;
    const from = input.at;
    const to = input.bytes.indexOf(LINE_END, from);
    if (to < 0 || to >= this.end) this.cut();
    if (to - from > most) this.fail(`expected at most ${most} characters, got ${to - from}`, "limit");
    input.at = to + 1;
    return latin1Slice.call(input.bytes, from, to);
  }

  protected numberText(): string {
    return this.line(this.#maxDigits + 2);
  }

  protected name(): string {
    return this.line();
  }

  protected decimal(op: number): unknown {
    const line = this.numberText();
    if (op === OP.INT && (line === "00" || line === "01")) return line === "01";
    const text = op === OP.LONG && line.endsWith("L") ? line.slice(0, -1) : line;
    if (text.replace(/^[+-]/, "").length > this.#maxDigits) {
      this.fail(`expected an integer of at most ${this.#maxDigits} digits`, "limit");
    }
    const value = parseInteger(text);
    return value === undefined ? this.fail("expected an integer") : this.integer(value, 0);
  }

  /** The integer in some bytes. */
  protected integerIn(from: number, to: number): number | bigint {
    const size = to - from;
    if (size > this.#maxIntegerBytes) return this.integer(0n, size);
    if (size < 5 || size > 7 || this.bigints)
      return this.integer(readInteger(this.input.bytes, from, to), size);
    const value = readSafeInteger(this.input.view, from, size);
    return Number.isSafeInteger(value) ? value : this.integer(readInteger(this.input.bytes, from, to), size);
  }

  protected long4(): number | bigint {
    const [from, to] = this.span(4);
    return this.integerIn(from, to);
  }

  protected index(): number {
    const text = this.line(20);
    const index = Number(text);
    return /^[0-9]+$/.test(text) && Number.isSafeInteger(index)
      ? index
      : this.fail("expected an index of the memo");
  }

  /** Python 2's `str`, one character for each byte. */
  protected byteString(text: string): unknown {
    if (this.#encoding === "bytes") return new Uint8Array(Buffer.from(text, "latin1"));
    if (this.#encoding === "ASCII" && !/^[\0-\x7f]*$/.test(text)) {
      this.fail(
        "a str of Python 2 is not ASCII, expected the option encoding with latin1 or bytes",
        "unsupported",
      );
    }
    return text;
  }
}
