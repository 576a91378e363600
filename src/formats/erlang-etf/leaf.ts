/** Terms that hold no others, such as atoms, numbers and pids: from bytes, and to them. */

import { inBytes } from "../../model/in-bytes.ts";
import { show } from "../../model/value.ts";
import { copyBytes } from "../bytes/copy.ts";
import type { ByteInput } from "../bytes/input.ts";
import { latin1Slice } from "../bytes/native.ts";
import type { ByteOutput } from "../bytes/output.ts";
import { fromHex, hexText, utf8Bytes } from "../bytes/portable.ts";
import { readShortText, readUtf8, SHORT_TEXT } from "../bytes/utf8.ts";
import type { ReadRules, WriteRules } from "./options.ts";
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
    ? latin1Slice.call(bytes, at, end)
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
  const text = latin1Slice.call(bytes, at, at + FLOAT_BYTES);
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
    input.fail(`expected 1 to 8 bits of the last byte, got ${bits} bits of ${inBytes(length)}`, {
      at: start,
    });
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
    input.fail(`an integer of ${inBytes(size)}, expected at most ${maxIntegerBytes}`, { code: "limit" });
  }
  const negative = input.uint8() !== 0;
  input.need(size);
  input.spend(BYTE_AS_DIGITS * size);
  const digits = hexText(new Uint8Array(input.bytes.subarray(input.at, input.at + size)).reverse());
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

const LATIN1 = /^[\0-\xff]*$/;

/** What writing a term that holds no others needs of its writer. */
export interface TermSink {
  readonly out: ByteOutput;
  readonly rules: WriteRules;
  /** Throws a ValueError. */
  refuse(problem: string): never;
  /** Writes one byte. */
  byte(value: number): void;
  /** Writes a tag and 32 bits. */
  head(tag: number, count: number): void;
  /** Writes bytes as they are. */
  raw(bytes: Uint8Array): void;
}

/** Writes an atom: as Latin-1 where that is possible, until minor version 2. */
export function writeAtom(writer: TermSink, name: string): void {
  if (typeof name !== "string" || !name.isWellFormed()) {
    writer.refuse(`expected the name of an atom, got ${show(name)}`);
  }
  if (isTooLong(name)) writer.refuse(`an atom of more than ${tags.MAX_ATOM_CHARACTERS} characters`);
  const latin = writer.rules.minorVersion < 2 && LATIN1.test(name);
  const bytes = latin ? Uint8Array.from(name, (one) => one.charCodeAt(0)) : utf8Bytes(name);
  if (latin || bytes.length > 255) {
    writer.byte(latin ? tags.ATOM : tags.ATOM_UTF8);
    writer.byte(bytes.length >> 8);
  } else writer.byte(tags.SMALL_ATOM_UTF8);
  writer.byte(bytes.length & 0xff);
  writer.raw(bytes);
}

/** Writes bytes as a binary. */
export function writeBinary(writer: TermSink, value: Uint8Array): void {
  if (value.length === 0 && isDetached(value)) {
    writer.refuse("expected bytes, got a Uint8Array whose buffer is detached");
  }
  if (value.length > writer.rules.maxBytes) writer.refuse(`more than ${writer.rules.maxBytes} bytes`);
  writer.head(tags.BINARY, value.length);
  writer.raw(value);
}

/** Writes a binary whose last byte is cut. */
export function writeBits(writer: TermSink, { bytes, bits }: BitBinary): void {
  const isWhole = Number.isInteger(bits) && bits >= 1 && bits <= 7;
  if (!isWhole || !(bytes instanceof Uint8Array) || bytes.length === 0) {
    writer.refuse(`expected 1 to 7 bits of a last byte, got ${show(bits)} of ${show(bytes)}`);
  }
  writer.head(tags.BIT_BINARY, bytes.length);
  writer.byte(bits);
  writer.raw(bytes);
  writer.out.bytes[writer.out.at - 1]! &= 0xff << (8 - bits);
}

/** Writes an integer where the number is one that is exact, and else a float. -0 is a float. */
export function writeNumber(writer: TermSink, value: number): void {
  const { out } = writer;
  out.reserve(11);
  const { at, bytes } = out;
  if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
    if (value >= 0 && value <= 255) {
      bytes[at] = tags.SMALL_INTEGER;
      bytes[at + 1] = value;
      out.at = at + 2;
    } else {
      bytes[at] = tags.INTEGER;
      out.view.setInt32(at + 1, value);
      out.at = at + 5;
    }
  } else if (Number.isSafeInteger(value) && value !== 0) out.at = putSafe(bytes, out.view, at, value);
  else writeFloat(writer, value);
}

/** Writes an integer of any size in as few bytes as Erlang does. */
export function writeBigInt(writer: TermSink, value: bigint): void {
  const { out } = writer;
  if (value >= -0x80000000n && value <= 0x7fffffffn) {
    writeNumber(writer, Number(value));
    return;
  }
  const size = value < 0n ? -value : value;
  const hex = size.toString(16);
  const length = (hex.length + 1) >> 1;
  out.reserve(6 + length);
  const { bytes, view } = out;
  let { at } = out;
  if (length <= 255) {
    bytes[at++] = tags.SMALL_BIG;
    bytes[at++] = length;
  } else {
    bytes[at++] = tags.LARGE_BIG;
    view.setUint32(at, length);
    at += 4;
  }
  bytes[at++] = value < 0n ? 1 : 0;
  bytes.set(fromHex(hex.padStart(2 * length, "0")).reverse(), at);
  out.at = at + length;
}

/** Writes a float, in the form of the minor version. Erlang has none that is not finite. */
export function writeFloat(writer: TermSink, value: number): void {
  const { out } = writer;
  if (!Number.isFinite(value)) writer.refuse(`expected a finite number, got ${value}`);
  if (writer.rules.minorVersion === 0) {
    writeFloatText(out, value);
    return;
  }
  out.reserve(9);
  out.bytes[out.at] = tags.NEW_FLOAT;
  out.view.setFloat64(out.at + 1, value);
  out.at += 9;
}

/** Writes a pid. */
export function writePid(writer: TermSink, { node, id, serial, creation }: Pid): void {
  writer.byte(tags.NEW_PID);
  writeAtom(writer, node);
  for (const word of [id, serial, creation]) writeUint32(writer, word);
}

/** Writes a port: with 64 bits where it needs them. */
export function writePort(writer: TermSink, { node, id, creation }: Port): void {
  const isSafe = Number.isSafeInteger(id) || typeof id === "bigint";
  if (!isSafe || id < 0 || id >= 2 ** 64) writer.refuse(`expected the id of a port, got ${show(id)}`);
  const isLong = id > tags.MAX_NEW_PORT;
  writer.byte(isLong ? tags.V4_PORT : tags.NEW_PORT);
  writeAtom(writer, node);
  if (isLong) writeUint32(writer, Number(BigInt(id) >> 32n));
  writeUint32(writer, Number(BigInt(id) & 0xffffffffn));
  writeUint32(writer, creation);
}

/** Writes a reference. */
export function writeReference(writer: TermSink, { node, creation, words }: Reference): void {
  if (!Array.isArray(words) || words.length === 0 || words.length > tags.MAX_REFERENCE_WORDS) {
    writer.refuse(`expected 1 to ${tags.MAX_REFERENCE_WORDS} words of a reference, got ${show(words)}`);
  }
  writer.byte(tags.NEWER_REFERENCE);
  writer.byte(0);
  writer.byte(words.length);
  writeAtom(writer, node);
  writeUint32(writer, creation);
  for (const word of words) writeUint32(writer, word);
}

/** Writes a fun by its name. */
export function writeExport(writer: TermSink, term: Export): void {
  writer.byte(tags.EXPORT);
  writeAtom(writer, term.module);
  writeAtom(writer, term.function);
  writer.byte(tags.SMALL_INTEGER);
  writeArity(writer, term.arity);
}

export function writeArity(writer: TermSink, value: number): void {
  if ((value & 0xff) !== value) writer.refuse(`expected an arity of 0 to 255, got ${show(value)}`);
  writer.byte(value);
}

export function writeUint32(writer: TermSink, value: number): void {
  if (value >>> 0 !== value) writer.refuse(`expected 32 bits without a sign, got ${show(value)}`);
  const { out } = writer;
  out.reserve(4);
  out.view.setUint32(out.at, value);
  out.at += 4;
}

/**
 * Writes an exact integer that is not small where 11 bytes are free, and gives back where it ends; -1, and nothing is
 * written, for any other number. {@link writeNumber} does not share this: lists of numbers got a tenth slower, as
 * they did by an exported constant for the 11 (measured on Node 20).
 */
export function putInteger(bytes: Uint8Array, view: DataView, at: number, value: number): number {
  if ((value | 0) === value && !Object.is(value, -0)) {
    bytes[at] = tags.INTEGER;
    view.setInt32(at + 1, value);
    return at + 5;
  }
  return Number.isSafeInteger(value) && value !== 0 ? putSafe(bytes, view, at, value) : -1;
}

/** An integer of more than 31 bits, the lowest byte first: 8 bytes are written, the last for nothing. */
function putSafe(bytes: Uint8Array, view: DataView, at: number, value: number): number {
  const size = value < 0 ? -value : value;
  const high = (size * 2 ** -32) | 0;
  const length = high < 0x100 ? (high === 0 ? 4 : 5) : high < 0x10000 ? 6 : 7;
  bytes[at] = tags.SMALL_BIG;
  bytes[at + 1] = length;
  bytes[at + 2] = value < 0 ? 1 : 0;
  view.setUint32(at + 3, size >>> 0, true);
  view.setUint32(at + 7, high, true);
  return at + 3 + length;
}

/** `%.20e` in 31 bytes. */
function writeFloatText(out: ByteOutput, value: number): void {
  const [mantissa = "", exponent = ""] = twentyDigits(Math.abs(value)).split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const power = exponent.slice(1).padStart(2, "0");
  const text = `${sign}${mantissa}e${exponent.slice(0, 1)}${power}`;
  out.reserve(32);
  const { at, bytes } = out;
  bytes.fill(0, at + 1, at + 32);
  bytes[at] = tags.FLOAT;
  for (let i = 0; i < text.length; i++) bytes[at + 1 + i] = text.charCodeAt(i);
  out.at = at + 32;
}

/** JavaScript rounds a half up, C to the even digit. A double that is just halfway has one digit more than is kept. */
function twentyDigits(value: number): string {
  const more = value.toExponential(100);
  const isHalf = /^\d\.\d{20}50*e/.test(more);
  const down = `${more.slice(0, 22)}${more.slice(more.indexOf("e"))}`;
  return isHalf && Number(down[21]) % 2 === 0 ? down : value.toExponential(20);
}

/** Whether the buffer of bytes was transferred: they have no length, which is not to say that they were none. */
function isDetached(bytes: Uint8Array): boolean {
  try {
    // Throws where there is no buffer; `detached` of ArrayBuffer came after Node 20.
    Uint8Array.prototype.values.call(bytes);
    return false;
  } catch {
    return true;
  }
}
