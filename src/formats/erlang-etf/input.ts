import { copyBytes } from "../bytes/copy.ts";
import { ByteInput } from "../bytes/input.ts";
import { readShortText, readUtf8, SHORT_TEXT } from "../bytes/utf8.ts";
import type { ReadRules } from "./options.ts";
import * as tags from "./tags.ts";
import { BitBinary, Export, isTooLong, Pid, Port, Reference } from "./terms.ts";

/** Bytes of memory for a byte of text, which may be two: of a text beyond Latin-1, or of one that is copied as bytes. */
export const TEXT_BYTE = 2;

/** Bytes of memory for a byte of an integer: itself twice, and two digits. */
const BYTE_AS_DIGITS = 4;

/** Bytes of a float as text, NULs included. */
const FLOAT_BYTES = 31;

/** What Erlang takes for such a text: a fraction is needed, an exponent is not. */
const FLOAT_TEXT = /^[+-]?\d+\.\d+(?:e[+-]?\d+)?$/i;

/** First word of a reference in the old forms: 18 bits. */
const MAX_OLD_WORD = 2 ** 18 - 1;

/** Bytes of memory that an item takes at most: an empty Map or Uint8Array takes more than an empty object or list. */
function bytesPerItem({ terms, maps, binaries }: ReadRules): number {
  return terms === "typed" || maps === "Map" || binaries !== "text" ? 256 : 64;
}

/** The bytes of terms, counted against the limits, and the terms that hold no others. */
export class TermInput extends ByteInput {
  readonly rules: ReadRules;
  /** Items that may still come. */
  #items: number;
  /** Bytes of memory that may still be taken. */
  #memory: number;
  protected readonly perItem: number;

  /**
   * @param most bytes of input
   * @param memory most bytes that values may take, about: what deflate expands needs such a bound
   */
  constructor(bytes: Uint8Array, rules: ReadRules, most: number, memory: number) {
    super("erlang-etf", bytes, most);
    this.rules = rules;
    this.#items = rules.maxItems;
    this.#memory = memory;
    this.perItem = bytesPerItem(rules);
  }

  /** An unsigned integer of 8 bits. */
  uint8(): number {
    const { at, bytes } = this;
    if (at >= bytes.length) this.need(1);
    this.at = at + 1;
    return bytes[at]!;
  }

  /** An unsigned integer of 16 bits. */
  uint16(): number {
    this.need(2);
    this.at += 2;
    return this.view.getUint16(this.at - 2);
  }

  /** An unsigned integer of 32 bits. */
  uint32(): number {
    if (this.bytes.length - this.at < 4) this.need(4);
    this.at += 4;
    return this.view.getUint32(this.at - 4);
  }

  /** A signed integer of 32 bits. */
  int32(): number {
    if (this.bytes.length - this.at < 4) this.need(4);
    this.at += 4;
    return this.view.getInt32(this.at - 4);
  }

  /** A count of 32 bits of what takes at least `size` bytes each, which must be there. */
  length(size: number): number {
    const count = this.uint32();
    if (count * size > this.bytes.length - this.at) this.need(count * size);
    return count;
  }

  /**
   * Counts items before anything is made of them. They take a byte each, which must be there.
   * @param memory bytes that they take, and what they are in
   */
  enter(items: number, depth: number, memory = this.perItem * items): void {
    if (items > this.bytes.length - this.at) this.need(items);
    this.#items -= items;
    if (this.#items < 0) this.fail(`more than ${this.rules.maxItems} items`, { code: "limit" });
    this.spend(memory);
    if (depth > this.rules.maxDepth) {
      this.fail(`nested deeper than ${this.rules.maxDepth} levels`, { code: "limit" });
    }
  }

  /** Counts memory that something takes beyond what an item does. */
  spend(bytes: number): void {
    this.#memory -= bytes;
    if (this.#memory < 0) this.fail("a compressed term that takes too much memory", { code: "limit" });
  }

  /** The name of an atom whose tag was read, in any of the four forms. */
  readAtomName(tag: number): string {
    const long = tag === tags.ATOM || tag === tags.ATOM_UTF8;
    const length = long ? this.uint16() : this.uint8();
    this.need(length);
    const { at, bytes } = this;
    const end = at + length;
    this.at = end;
    const short = length <= SHORT_TEXT ? readShortText(bytes, at, length) : undefined;
    if (short !== undefined) return short;
    this.spend(TEXT_BYTE * length);
    const isLatin = tag === tags.ATOM || tag === tags.SMALL_ATOM;
    const name = isLatin
      ? Buffer.from(bytes.subarray(at, end)).toString("latin1")
      : (readUtf8(bytes, at, end) ?? this.fail("the name of an atom is not UTF-8", { at }));
    if (isTooLong(name)) {
      this.fail(`an atom of more than ${tags.MAX_ATOM_CHARACTERS} characters`, { at, code: "limit" });
    }
    return name;
  }

  /** Reads a term that must be an atom, such as a node's name. */
  protected expectAtom(): string {
    const { at } = this;
    const tag = this.uint8();
    switch (tag) {
      case tags.ATOM:
      case tags.SMALL_ATOM:
      case tags.ATOM_UTF8:
      case tags.SMALL_ATOM_UTF8:
        return this.readAtomName(tag);
      default:
        return this.fail(`expected an atom, got a term with the tag ${tag}`, { at });
    }
  }

  /**
   * An integer of `size` bytes after a sign, the lowest first: a number where that is exact. It may be longer than it
   * needs to be.
   */
  readBig(size: number): number | bigint {
    if (size > 8) return this.#longBig(size);
    const negative = this.uint8() !== 0;
    this.need(size);
    const { at, bytes, view } = this;
    this.at = at + size;
    let low = 0;
    let high = 0;
    if (size >= 4) {
      low = view.getUint32(at, true);
      for (let i = size - 1; i >= 4; i--) high = high * 256 + bytes[at + i]!;
    } else for (let i = size - 1; i >= 0; i--) low = low * 256 + bytes[at + i]!;
    if (high < 2 ** 21) {
      const value = high * 2 ** 32 + low;
      return negative ? 0 - value : value;
    }
    const value = (BigInt(high) << 32n) | BigInt(low);
    return negative ? -value : value;
  }

  #longBig(size: number): number | bigint {
    const { maxIntegerBytes } = this.rules;
    if (size > maxIntegerBytes) {
      this.fail(`an integer of ${size} bytes, expected at most ${maxIntegerBytes}`, { code: "limit" });
    }
    const negative = this.uint8() !== 0;
    this.need(size);
    this.spend(BYTE_AS_DIGITS * size);
    const digits = Buffer.from(this.bytes.subarray(this.at, this.at + size))
      .reverse()
      .toString("hex");
    this.at += size;
    const value = BigInt(`0x${digits}`);
    const signed = negative ? -value : value;
    return value <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
  }

  /** A float of eight bytes. Erlang has none that is not finite. */
  readNewFloat(): number {
    this.need(8);
    const value = this.view.getFloat64(this.at);
    if (!Number.isFinite(value)) this.fail(`expected a finite float, got ${value}`);
    this.at += 8;
    return value;
  }

  /** A float as text. */
  readFloatText(): number {
    this.need(FLOAT_BYTES);
    const { at, bytes } = this;
    const text = Buffer.from(bytes.subarray(at, at + FLOAT_BYTES)).toString("latin1");
    const end = text.indexOf("\0");
    const number = end < 0 ? text : text.slice(0, end);
    const value = Number(number);
    if (!FLOAT_TEXT.test(number) || !Number.isFinite(value)) this.fail("expected a finite float as text");
    this.at += FLOAT_BYTES;
    return value;
  }

  /** A bit binary; undefined, and nothing is read, where it is a whole number of bytes. */
  protected readBitBinary(): BitBinary | undefined {
    const start = this.at;
    const length = this.length(1);
    const bits = this.uint8();
    this.need(length);
    if (bits > 8 || (bits === 0) !== (length === 0)) {
      this.fail(`expected 1 to 8 bits of the last byte, got ${bits} bits of ${length} bytes`, { at: start });
    }
    if (bits === 8 || length === 0) {
      this.at = start;
      return undefined;
    }
    const { at } = this;
    this.at = at + length;
    this.spend(length);
    const copy = copyBytes(this.bytes, at, at + length);
    // What is beyond the bits is no part of the term.
    copy[length - 1]! &= 0xff << (8 - bits);
    return new BitBinary(copy, bits);
  }

  /** A pid whose tag was read. */
  protected readPid(tag: number): Pid {
    const node = this.expectAtom();
    const id = this.uint32();
    const serial = this.uint32();
    return new Pid(node, id, serial, this.#creation(tag === tags.PID));
  }

  /** Reads a term that must be a pid. */
  protected expectPid(): Pid {
    const { at } = this;
    const tag = this.uint8();
    if (tag === tags.PID || tag === tags.NEW_PID) return this.readPid(tag);
    return this.fail(`expected a pid, got a term with the tag ${tag}`, { at });
  }

  /** A port whose tag was read. */
  protected readPort(tag: number): Port {
    const node = this.expectAtom();
    const high = tag === tags.V4_PORT ? this.uint32() : 0;
    const low = this.uint32();
    const id = high < 2 ** 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
    return new Port(node, id, this.#creation(tag === tags.PORT));
  }

  /** A reference whose tag was read. */
  protected readReference(tag: number): Reference {
    const start = this.at;
    const count = tag === tags.REFERENCE ? 1 : this.uint16();
    if (count === 0 || count > tags.MAX_REFERENCE_WORDS) {
      this.fail(`expected 1 to ${tags.MAX_REFERENCE_WORDS} words, got ${count}`, { at: start });
    }
    const node = this.expectAtom();
    const words: number[] = [];
    if (tag === tags.REFERENCE) words.push(this.uint32());
    const creation = this.#creation(tag !== tags.NEWER_REFERENCE);
    while (words.length < count) words.push(this.uint32());
    if (tag !== tags.NEWER_REFERENCE && words[0]! > MAX_OLD_WORD) {
      this.fail(`expected a first word of 18 bits, got ${words[0]}`, { at: start });
    }
    return new Reference(node, creation, words);
  }

  /** What tells apart nodes of one name: two bits in the old forms, 32 in the new. */
  #creation(old: boolean): number {
    const value = old ? this.uint8() : this.uint32();
    return old && value > 3 ? this.fail(`expected a creation of two bits, got ${value}`) : value;
  }

  /** A fun by its name. */
  protected readExport(): Export {
    const module = this.expectAtom();
    const name = this.expectAtom();
    const tag = this.uint8();
    if (tag !== tags.SMALL_INTEGER) this.fail(`expected a small integer, got a term with the tag ${tag}`);
    return new Export(module, name, this.uint8());
  }
}
