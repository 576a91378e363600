import { show } from "../../model/value.ts";
import { writeBytes } from "../bytes/copy.ts";
import { ByteOutput } from "../bytes/output.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { MAX_LENGTH } from "./markers.ts";
import { Refusal } from "./refusal.ts";
import { StringTable } from "./string-table.ts";

/** Most bytes of an integer of 29 bits. */
const U29 = 4;

/** Most significant half of NaN as PyAMF writes it: the one that x86 makes, with its sign set. */
const NAN_HIGH = 0xfff80000;

/** Writes the primitives of AMF3 (section 1.3), with the strings' table. */
export class AmfOutput {
  readonly #output: ByteOutput = ByteOutput.borrow();
  readonly #strings: StringTable = StringTable.borrow();

  /** A copy of the message. The output is done with. */
  finish(): Uint8Array {
    this.#strings.release();
    return this.#output.finish();
  }

  /** Gives up the message. */
  release(): void {
    this.#strings.release();
    this.#output.release();
  }

  byte(value: number): void {
    const output = this.#output;
    output.reserve(1);
    output.bytes[output.at++] = value;
  }

  /** The low 29 bits of an integer, in one to four bytes. */
  u29(value: number): void {
    const output = this.#output;
    output.reserve(U29);
    output.at = putU29(output.bytes, output.at, value & 0x1fffffff);
  }

  /** A count or length of what follows, as what is no reference. */
  length(count: number, what: string): void {
    if (count > MAX_LENGTH) throw new Refusal(`${what} of ${count}, expected at most ${MAX_LENGTH}`);
    this.u29((count << 1) | 1);
  }

  double(value: number): void {
    const output = this.#output;
    output.reserve(8);
    if (Number.isNaN(value)) {
      output.view.setUint32(output.at, NAN_HIGH);
      output.view.setUint32(output.at + 4, 0);
    } else output.view.setFloat64(output.at, value);
    output.at += 8;
  }

  bytes(source: Uint8Array): void {
    const output = this.#output;
    output.reserve(source.length);
    writeBytes(output.bytes, output.at, source);
    output.at += source.length;
  }

  /** Room for so many bytes, which the caller fills. */
  room(count: number): DataView {
    const output = this.#output;
    output.reserve(count);
    output.at += count;
    return new DataView(output.bytes.buffer, output.at - count, count);
  }

  /** A string: a reference to an equal one, or its text. */
  text(text: string): void {
    expectText(text);
    if (text === "") {
      this.byte(0x01);
      return;
    }
    const place = this.#strings.placeOf(text);
    if (place >= 0) this.u29(place << 1);
    else this.utf8(text);
  }

  /** Text after its length in bytes. */
  utf8(text: string): void {
    expectText(text);
    const { length } = text;
    if (length > MAX_LENGTH)
      throw new Refusal(`text of ${length} units, expected at most ${MAX_LENGTH} bytes`);
    const output = this.#output;
    output.reserve(U29 + UTF8_PER_UNIT * length);
    // As long as the units are many, which is so for ASCII; moved where it is longer.
    const room = sizeOfU29(2 * length + 1);
    const { bytes, at } = output;
    const size = writeUtf8(bytes, at + room, text);
    if (size < 0) throw new Refusal("text has a lone surrogate, which UTF-8 cannot hold");
    if (size > MAX_LENGTH) throw new Refusal(`text of ${size} bytes, expected at most ${MAX_LENGTH}`);
    const head = sizeOfU29(2 * size + 1);
    if (head !== room) bytes.copyWithin(at + head, at + room, at + room + size);
    output.at = putU29(bytes, at, 2 * size + 1) + size;
  }
}

/** Refuses what a program without types gives as text. */
export function expectText(text: unknown): void {
  if (typeof text !== "string") throw new Refusal(`expected text, got ${show(text)}`);
}

function sizeOfU29(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  return value < 0x200000 ? 3 : U29;
}

/** Writes an unsigned integer of 29 bits, seven in a byte, the highest first, eight in the fourth. Returns its end. */
function putU29(bytes: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    bytes[at] = value;
    return at + 1;
  }
  if (value < 0x4000) {
    bytes[at] = (value >> 7) | 0x80;
    bytes[at + 1] = value & 0x7f;
    return at + 2;
  }
  if (value < 0x200000) {
    bytes[at] = (value >> 14) | 0x80;
    bytes[at + 1] = (value >> 7) | 0x80;
    bytes[at + 2] = value & 0x7f;
    return at + 3;
  }
  bytes[at] = (value >> 22) | 0x80;
  bytes[at + 1] = (value >> 15) | 0x80;
  bytes[at + 2] = (value >> 8) | 0x80;
  bytes[at + 3] = value;
  return at + U29;
}
