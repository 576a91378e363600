import { ValueError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { pathText, show } from "../../model/value.ts";
import { writeBytes } from "../bytes/copy.ts";
import { ByteOutput } from "../bytes/output.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { MAX_LENGTH } from "./types.ts";

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
    if (size > MAX_LENGTH) throw new Refusal(`text of ${inBytes(size)}, expected at most ${MAX_LENGTH}`);
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

/** Refuses a typed array that seems empty, as its memory was given to another thread or has shrunk below it. */
export function expectAttached(array: Uint8Array | Int32Array | Uint32Array | Float64Array): void {
  if (array.length > 0) return;
  try {
    // The method that all typed arrays share. ArrayBuffer.prototype.detached is not there in Node 20.
    Uint8Array.prototype.keys.call(array);
  } catch (error) {
    throw new Refusal("detached from its memory", { cause: error });
  }
}

/** What is wrong with a value, on its way up to the root, which knows the path to it. */
export class Refusal extends Error {
  /** Steps from the value at which this is caught to the one that is wrong, the last one first. */
  readonly #steps: (string | number)[] = [];

  /** What an error at a step below a value is at that value. */
  static at(step: string | number, error: unknown): Refusal {
    const refusal = Refusal.of(error);
    refusal.#steps.push(step);
    return refusal;
  }

  /** What went wrong while a value was read: whatever a getter or a function of the caller throws. */
  static of(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    const text = error instanceof Error ? error.message : String(error);
    return new Refusal(`cannot be read: ${text}`, { cause: error });
  }

  /** The error for the caller. */
  toValueError(): ValueError {
    const error = new ValueError(pathText(this.#steps.toReversed()), this.message);
    if (this.cause !== undefined) error.cause = this.cause;
    return error;
  }
}

/** Most UTF-16 units of text that are kept from one message for the next, and what each string counts beside its own. */
const KEPT = 2 ** 16;
const ENTRY = 8;

/** Numbers stay small integers to V8, which take no memory of their own: below 2^30 with those of one more message. */
const MAX_NUMBER = 2 ** 29;

/** A string that a message had. */
interface Known {
  /** Counts the strings of all messages. */
  number: number;
}

/**
 * The strings of the message that is being written, each with its place. A message is likely to have the keys of the
 * one before, so that strings stay in the map with a number that the next message knows to be too low. With an empty
 * map each time, a message of 604 bytes takes a quarter longer to write (measured on Node 20).
 */
class StringTable {
  readonly #known = new Map<string, Known>();
  /** Number of the first string of this message. */
  #first = 0;
  #next = 0;
  /** UTF-16 units of the strings in the map. */
  #units = 0;

  static #idle: StringTable | undefined;

  /** A table for a message, with nothing in it. Whoever encodes in the middle of another message gets another. */
  static borrow(): StringTable {
    const table = StringTable.#idle ?? new StringTable();
    StringTable.#idle = undefined;
    table.#first = table.#next;
    return table;
  }

  /** Gives the table back when the message is done. */
  release(): void {
    if (this.#units <= KEPT && this.#next <= MAX_NUMBER) StringTable.#idle = this;
  }

  /** The place of a string in the message, or -1 for a new one, which has the next place then. */
  placeOf(text: string): number {
    const known = this.#known.get(text);
    const number = this.#next;
    if (known === undefined) {
      this.#units += text.length + ENTRY;
      this.#known.set(text, { number });
    } else {
      const place = known.number - this.#first;
      if (place >= 0) return place;
      known.number = number;
    }
    this.#next = number + 1;
    return -1;
  }
}
