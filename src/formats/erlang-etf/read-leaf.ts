import { copyBytes } from "../bytes/copy.ts";
import type { ByteInput } from "../bytes/input.ts";
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

/** What reading a term that holds no others needs of its reader. */
export interface TermSource extends ByteInput {
  readonly rules: ReadRules;
  /** An unsigned integer of 8 bits. */
  uint8(): number;
  /** An unsigned integer of 16 bits. */
  uint16(): number;
  /** An unsigned integer of 32 bits. */
  uint32(): number;
  /** A count of 32 bits of what takes at least `size` bytes each, which must be there. */
  length(size: number): number;
  /** Counts memory that something takes beyond what an item does. */
  spend(bytes: number): void;
}

/** The name of an atom whose tag was read, in any of the four forms. */
export function readAtom(input: TermSource, tag: number): string {
  const long = tag === tags.ATOM || tag === tags.ATOM_UTF8;
  const length = long ? input.uint16() : input.uint8();
  input.need(length);
  const { at, bytes } = input;
  const end = at + length;
  input.at = end;
  const short = length <= SHORT_TEXT ? readShortText(bytes, at, length) : undefined;
  if (short !== undefined) return short;
  input.spend(TEXT_BYTE * length);
  const isLatin = tag === tags.ATOM || tag === tags.SMALL_ATOM;
  const name = isLatin
    ? Buffer.from(bytes.subarray(at, end)).toString("latin1")
    : (readUtf8(bytes, at, end) ?? input.fail("the name of an atom is not UTF-8", { at }));
  if (isTooLong(name)) {
    input.fail(`an atom of more than ${tags.MAX_ATOM_CHARACTERS} characters`, { at, code: "limit" });
  }
  return name;
}

/** Reads a term that must be an atom, such as a node's name. */
export function expectAtom(input: TermSource): string {
  const { at } = input;
  const tag = input.uint8();
  switch (tag) {
    case tags.ATOM:
    case tags.SMALL_ATOM:
    case tags.ATOM_UTF8:
    case tags.SMALL_ATOM_UTF8:
      return readAtom(input, tag);
    default:
      return input.fail(`expected an atom, got a term with the tag ${tag}`, { at });
  }
}

/**
 * An integer of `size` bytes after a sign, the lowest first: a number where that is exact. It may be longer than it
 * needs to be.
 */
export function readBig(input: TermSource, size: number): number | bigint {
  if (size > 8) return readLongBig(input, size);
  const negative = input.uint8() !== 0;
  input.need(size);
  const { at, bytes, view } = input;
  input.at = at + size;
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

/** A float of eight bytes. Erlang has none that is not finite. */
export function readNewFloat(input: TermSource): number {
  input.need(8);
  const value = input.view.getFloat64(input.at);
  if (!Number.isFinite(value)) input.fail(`expected a finite float, got ${value}`);
  input.at += 8;
  return value;
}

/** A float as text. */
export function readFloatText(input: TermSource): number {
  input.need(FLOAT_BYTES);
  const { at, bytes } = input;
  const text = Buffer.from(bytes.subarray(at, at + FLOAT_BYTES)).toString("latin1");
  const end = text.indexOf("\0");
  const number = end < 0 ? text : text.slice(0, end);
  const value = Number(number);
  if (!FLOAT_TEXT.test(number) || !Number.isFinite(value)) input.fail("expected a finite float as text");
  input.at += FLOAT_BYTES;
  return value;
}

/** A bit binary; undefined, and nothing is read, where it is a whole number of bytes. */
export function readBitBinary(input: TermSource): BitBinary | undefined {
  const start = input.at;
  const length = input.length(1);
  const bits = input.uint8();
  input.need(length);
  if (bits > 8 || (bits === 0) !== (length === 0)) {
    input.fail(`expected 1 to 8 bits of the last byte, got ${bits} bits of ${length} bytes`, { at: start });
  }
  if (bits === 8 || length === 0) {
    input.at = start;
    return undefined;
  }
  const { at } = input;
  input.at = at + length;
  input.spend(length);
  const copy = copyBytes(input.bytes, at, at + length);
  // What is beyond the bits is no part of the term.
  copy[length - 1]! &= 0xff << (8 - bits);
  return new BitBinary(copy, bits);
}

/** A pid whose tag was read. */
export function readPid(input: TermSource, tag: number): Pid {
  const node = expectAtom(input);
  const id = input.uint32();
  const serial = input.uint32();
  return new Pid(node, id, serial, readCreation(input, tag === tags.PID));
}

/** Reads a term that must be a pid. */
export function expectPid(input: TermSource): Pid {
  const { at } = input;
  const tag = input.uint8();
  if (tag === tags.PID || tag === tags.NEW_PID) return readPid(input, tag);
  return input.fail(`expected a pid, got a term with the tag ${tag}`, { at });
}

/** A port whose tag was read. */
export function readPort(input: TermSource, tag: number): Port {
  const node = expectAtom(input);
  const high = tag === tags.V4_PORT ? input.uint32() : 0;
  const low = input.uint32();
  const id = high < 2 ** 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
  return new Port(node, id, readCreation(input, tag === tags.PORT));
}

/** A reference whose tag was read. */
export function readReference(input: TermSource, tag: number): Reference {
  const start = input.at;
  const count = tag === tags.REFERENCE ? 1 : input.uint16();
  if (count === 0 || count > tags.MAX_REFERENCE_WORDS) {
    input.fail(`expected 1 to ${tags.MAX_REFERENCE_WORDS} words, got ${count}`, { at: start });
  }
  const node = expectAtom(input);
  const words: number[] = [];
  if (tag === tags.REFERENCE) words.push(input.uint32());
  const creation = readCreation(input, tag !== tags.NEWER_REFERENCE);
  while (words.length < count) words.push(input.uint32());
  if (tag !== tags.NEWER_REFERENCE && words[0]! > MAX_OLD_WORD) {
    input.fail(`expected a first word of 18 bits, got ${words[0]}`, { at: start });
  }
  return new Reference(node, creation, words);
}

/** A fun by its name. */
export function readExport(input: TermSource): Export {
  const module = expectAtom(input);
  const name = expectAtom(input);
  const tag = input.uint8();
  if (tag !== tags.SMALL_INTEGER) input.fail(`expected a small integer, got a term with the tag ${tag}`);
  return new Export(module, name, input.uint8());
}

/** An integer of more than 8 bytes. */
function readLongBig(input: TermSource, size: number): number | bigint {
  const { maxIntegerBytes } = input.rules;
  if (size > maxIntegerBytes) {
    input.fail(`an integer of ${size} bytes, expected at most ${maxIntegerBytes}`, { code: "limit" });
  }
  const negative = input.uint8() !== 0;
  input.need(size);
  input.spend(BYTE_AS_DIGITS * size);
  const digits = Buffer.from(input.bytes.subarray(input.at, input.at + size))
    .reverse()
    .toString("hex");
  input.at += size;
  const value = BigInt(`0x${digits}`);
  const signed = negative ? -value : value;
  return value <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
}

/** What tells apart nodes of one name: two bits in the old forms, 32 in the new. */
function readCreation(input: TermSource, old: boolean): number {
  const value = old ? input.uint8() : input.uint32();
  return old && value > 3 ? input.fail(`expected a creation of two bits, got ${value}`) : value;
}
