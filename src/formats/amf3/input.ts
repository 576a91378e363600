import { ByteInput } from "../bytes/input.ts";
import { TextCache } from "../bytes/text-cache.ts";
import { readUtf8 } from "../bytes/utf8.ts";

const names = new TextCache();

/** Reads the primitives of AMF3 (section 1.3), each checked against the end of the bytes, and the strings' table. */
export class AmfInput extends ByteInput {
  /** Every string that was not a reference and not empty, in the order of the bytes (section 2.2). */
  readonly #strings: string[] = [];

  constructor(bytes: Uint8Array, most: number) {
    super("amf3", bytes, most);
  }

  /** A byte. */
  byte(): number {
    if (this.at >= this.bytes.length) this.need(1);
    return this.bytes[this.at++]!;
  }

  /** A byte that is 0 or 1. */
  flag(what: string): boolean {
    const byte = this.byte();
    if (byte > 1) this.fail(`${what} is ${byte}, expected 0 or 1`, { at: this.at - 1 });
    return byte === 1;
  }

  /** An unsigned integer of 29 bits in one to four bytes: seven bits in each, the highest first, eight in the fourth. */
  u29(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    const second = this.byte();
    let value = ((first & 0x7f) << 7) | (second & 0x7f);
    if (second < 0x80) return value;
    const third = this.byte();
    value = (value << 7) | (third & 0x7f);
    if (third < 0x80) return value;
    return (value << 8) | this.byte();
  }

  double(): number {
    this.need(8);
    const value = this.view.getFloat64(this.at);
    this.at += 8;
    return value;
  }

  /** A count of things of at least `size` bytes each: as many must be left. */
  expectCount(count: number, size: number): number {
    if (count * size > this.remaining) this.need(count * size);
    return count;
  }

  /** Text of so many bytes. */
  utf8(length: number): string {
    this.need(length);
    const text = readUtf8(this.bytes, this.at, this.at + length);
    if (text === undefined) this.fail("text is not valid UTF-8");
    this.at += length;
    return text;
  }

  /** A string: a reference, or its length and its text. */
  text(): string {
    const at = this.at;
    const head = this.u29();
    if ((head & 1) === 0) return this.#reference(head >> 1, at);
    if (head === 1) return "";
    const text = this.utf8(head >> 1);
    this.#strings.push(text);
    return text;
  }

  /** A string that names a member, as few others have before. */
  name(): string {
    const at = this.at;
    const head = this.u29();
    if ((head & 1) === 0) return this.#reference(head >> 1, at);
    if (head === 1) return "";
    const length = head >> 1;
    this.need(length);
    const text = names.read(this.bytes, this.view, this.at, this.at + length);
    if (text === undefined) this.fail("text is not valid UTF-8");
    this.at += length;
    this.#strings.push(text);
    return text;
  }

  #reference(index: number, at: number): string {
    const strings = this.#strings;
    if (index < strings.length) return strings[index]!;
    return this.fail(`reference to string ${index}, and there are ${strings.length} so far`, { at });
  }
}
