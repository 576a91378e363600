import { ValueError } from "../../model/errors.ts";
import { pathText, show } from "../../model/value.ts";
import { writeBytes } from "../bytes/copy.ts";
import { ByteOutput } from "../bytes/output.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import type { WriteRules } from "./options.ts";
import * as tags from "./tags.ts";
import { type BitBinary, type Export, isTooLong, type Pid, type Port, type Reference } from "./terms.ts";

const LATIN1 = /^[\0-\xff]*$/;

/** The bytes of terms, and how the terms are written that hold no others. */
export class TermOutput {
  readonly out = ByteOutput.borrow();
  readonly rules: WriteRules;
  #refused: ValueError | undefined;
  /** Where it was refused, from the inside out. */
  readonly #steps: (string | number)[] = [];

  constructor(rules: WriteRules) {
    this.rules = rules;
  }

  /** Throws a ValueError. Those around add where it is. */
  refuse(problem: string): never {
    this.#refused = new ValueError("", problem);
    throw this.#refused;
  }

  /** Adds a step to the path of what is refused. */
  below(step: string | number): void {
    this.#steps.push(step);
  }

  /** What to throw for what was thrown, here or by a getter or a trap of what is written. */
  explain(error: unknown): ValueError {
    const path = pathText(this.#steps.reverse());
    const refused = this.#refused;
    if (refused !== undefined && error === refused) return new ValueError(path, refused.problem);
    const explained = new ValueError(path, `cannot be read: ${messageOf(error)}`);
    explained.cause = error;
    return explained;
  }

  /** Throws a ValueError where a term is too deep or too long. */
  enter(depth: number): void {
    const { maxDepth, maxBytes } = this.rules;
    if (depth > maxDepth) this.refuse(`nested deeper than ${maxDepth} levels`);
    if (this.out.at > maxBytes) this.refuse(`more than ${maxBytes} bytes`);
  }

  /** Writes one byte. */
  byte(value: number): void {
    const { out } = this;
    out.reserve(1);
    out.bytes[out.at++] = value;
  }

  /** Writes a tag and 32 bits. */
  head(tag: number, count: number): void {
    const { out } = this;
    out.reserve(5);
    const { at } = out;
    out.bytes[at] = tag;
    out.view.setUint32(at + 1, count);
    out.at = at + 5;
  }

  /** Writes bytes as they are. */
  raw(bytes: Uint8Array): void {
    const { out } = this;
    out.reserve(bytes.length);
    writeBytes(out.bytes, out.at, bytes);
    out.at += bytes.length;
  }

  /** Writes an atom of ASCII. */
  word(name: Uint8Array): void {
    const { out } = this;
    const version = this.rules.minorVersion;
    out.reserve(3 + name.length);
    const { bytes } = out;
    let { at } = out;
    bytes[at++] = version === 2 ? tags.SMALL_ATOM_UTF8 : tags.ATOM;
    if (version !== 2) bytes[at++] = 0;
    bytes[at++] = name.length;
    for (let i = 0; i < name.length; i++) bytes[at + i] = name[i]!;
    out.at = at + name.length;
  }

  /** Writes an atom: as Latin-1 where that is possible, until minor version 2. */
  atom(name: string): void {
    if (typeof name !== "string" || !name.isWellFormed()) {
      this.refuse(`expected the name of an atom, got ${show(name)}`);
    }
    if (isTooLong(name)) this.refuse(`an atom of more than ${tags.MAX_ATOM_CHARACTERS} characters`);
    const latin = this.rules.minorVersion < 2 && LATIN1.test(name);
    const bytes = Buffer.from(name, latin ? "latin1" : "utf8");
    if (latin || bytes.length > 255) {
      this.byte(latin ? tags.ATOM : tags.ATOM_UTF8);
      this.byte(bytes.length >> 8);
    } else this.byte(tags.SMALL_ATOM_UTF8);
    this.byte(bytes.length & 0xff);
    this.raw(bytes);
  }

  /** Writes a text as a binary. */
  text(value: string): void {
    const { out } = this;
    if (value.length > this.rules.maxBytes) this.refuse(`more than ${this.rules.maxBytes} bytes`);
    out.reserve(5 + UTF8_PER_UNIT * value.length);
    const { at, bytes, view } = out;
    const length = writeUtf8(bytes, at + 5, value);
    if (length < 0) this.refuse("a lone surrogate has no UTF-8");
    bytes[at] = tags.BINARY;
    view.setUint32(at + 1, length);
    out.at = at + 5 + length;
  }

  /** Writes bytes as a binary. */
  binary(value: Uint8Array): void {
    if (value.length === 0) this.#expectAttached(value);
    if (value.length > this.rules.maxBytes) this.refuse(`more than ${this.rules.maxBytes} bytes`);
    this.head(tags.BINARY, value.length);
    this.raw(value);
  }

  /** Refuses bytes whose buffer was transferred: they have no length, which is not to say that they were none. */
  #expectAttached(bytes: Uint8Array): void {
    try {
      // Throws where there is no buffer; `detached` of ArrayBuffer came after Node 20.
      Uint8Array.prototype.values.call(bytes);
    } catch {
      this.refuse("expected bytes, got a Uint8Array whose buffer is detached");
    }
  }

  /** Writes a binary whose last byte is cut. */
  bits({ bytes, bits }: BitBinary): void {
    const isWhole = Number.isInteger(bits) && bits >= 1 && bits <= 7;
    if (!isWhole || !(bytes instanceof Uint8Array) || bytes.length === 0) {
      this.refuse(`expected 1 to 7 bits of a last byte, got ${show(bits)} of ${show(bytes)}`);
    }
    this.head(tags.BIT_BINARY, bytes.length);
    this.byte(bits);
    this.raw(bytes);
    this.out.bytes[this.out.at - 1]! &= 0xff << (8 - bits);
  }

  /** Writes an integer where the number is one that is exact, and else a float. -0 is a float. */
  number(value: number): void {
    const { out } = this;
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
    else this.float(value);
  }

  /** Writes an integer of any size in as few bytes as Erlang does. */
  bigint(value: bigint): void {
    const { out } = this;
    if (value >= -0x80000000n && value <= 0x7fffffffn) {
      this.number(Number(value));
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
    bytes.set(Buffer.from(hex.padStart(2 * length, "0"), "hex").reverse(), at);
    out.at = at + length;
  }

  /** Writes a float, in the form of the minor version. Erlang has none that is not finite. */
  float(value: number): void {
    const { out } = this;
    if (!Number.isFinite(value)) this.refuse(`expected a finite number, got ${value}`);
    if (this.rules.minorVersion === 0) {
      writeFloatText(out, value);
      return;
    }
    out.reserve(9);
    out.bytes[out.at] = tags.NEW_FLOAT;
    out.view.setFloat64(out.at + 1, value);
    out.at += 9;
  }

  /** Writes a pid. */
  pid({ node, id, serial, creation }: Pid): void {
    this.byte(tags.NEW_PID);
    this.atom(node);
    for (const word of [id, serial, creation]) this.uint32(word);
  }

  /** Writes a port: with 64 bits where it needs them. */
  port({ node, id, creation }: Port): void {
    const isSafe = Number.isSafeInteger(id) || typeof id === "bigint";
    if (!isSafe || id < 0 || id >= 2 ** 64) this.refuse(`expected the id of a port, got ${show(id)}`);
    const isLong = id > tags.MAX_NEW_PORT;
    this.byte(isLong ? tags.V4_PORT : tags.NEW_PORT);
    this.atom(node);
    if (isLong) this.uint32(Number(BigInt(id) >> 32n));
    this.uint32(Number(BigInt(id) & 0xffffffffn));
    this.uint32(creation);
  }

  /** Writes a reference. */
  reference({ node, creation, words }: Reference): void {
    if (!Array.isArray(words) || words.length === 0 || words.length > tags.MAX_REFERENCE_WORDS) {
      this.refuse(`expected 1 to ${tags.MAX_REFERENCE_WORDS} words of a reference, got ${show(words)}`);
    }
    this.byte(tags.NEWER_REFERENCE);
    this.byte(0);
    this.byte(words.length);
    this.atom(node);
    this.uint32(creation);
    for (const word of words) this.uint32(word);
  }

  /** Writes a fun by its name. */
  export(term: Export): void {
    this.byte(tags.EXPORT);
    this.atom(term.module);
    this.atom(term.function);
    this.byte(tags.SMALL_INTEGER);
    this.arity(term.arity);
  }

  protected arity(value: number): void {
    if ((value & 0xff) !== value) this.refuse(`expected an arity of 0 to 255, got ${show(value)}`);
    this.byte(value);
  }

  protected uint32(value: number): void {
    if (value >>> 0 !== value) this.refuse(`expected 32 bits without a sign, got ${show(value)}`);
    const { out } = this;
    out.reserve(4);
    out.view.setUint32(out.at, value);
    out.at += 4;
  }
}

/**
 * Writes an exact integer that is not small where 11 bytes are free, and gives back where it ends; -1, and nothing is
 * written, for any other number. {@link TermOutput.number} does not share this: lists of numbers got a tenth slower, as
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

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "what was thrown has no text";
  }
}
