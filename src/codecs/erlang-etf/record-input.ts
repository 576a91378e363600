/** What generated code reads records with. Each throws a DecodeError for a term of another kind. */
import { copyBytes } from "../../formats/bytes/copy.ts";
import { latin1Slice } from "../../formats/bytes/native.ts";
import { readShortText, SHORT_TEXT } from "../../formats/bytes/utf8.ts";
import { Atom, termToBinary } from "../../formats/erlang-etf/index.ts";
import { readAtom, readBig, readFloatText, readNewFloat } from "../../formats/erlang-etf/leaf.ts";
import { LIST, SLOT, type TermReader } from "../../formats/erlang-etf/reader.ts";
import * as tags from "../../formats/erlang-etf/tags.ts";
import type { EnumType } from "../../model/schema.ts";

/** An atom that is expected, as OTP 17 to 25 write it: comparing bytes takes half the time of reading a name. */
export class KnownAtom {
  readonly name: string;
  readonly #term: Uint8Array;

  constructor(name: string) {
    this.name = name;
    this.#term = termToBinary(new Atom(name)).slice(1);
  }

  /** Reads the atom if it is what comes next, in that form. */
  follows(r: TermReader): boolean {
    const term = this.#term;
    const { at, bytes } = r;
    if (term.length > bytes.length - at) return false;
    for (let i = term.length - 1; i >= 0; i--) if (bytes[at + i] !== term[i]) return false;
    r.at = at + term.length;
    return true;
  }
}

/** Most names of an enum that are compared with what is there. */
const MOST_NAMES = 8;

/** The names of an enum's values. */
export class EnumNames {
  readonly #known: readonly (readonly [KnownAtom, number])[];
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(values: EnumType["values"]) {
    this.#known = values.slice(0, MOST_NAMES).map(({ name, number }) => [new KnownAtom(name), number]);
    this.#numbers = new Map(values.map(({ name, number }) => [name, number]));
  }

  /** The number of the name that comes next, which is read; undefined for one that is written in another form. */
  known(r: TermReader): number | undefined {
    for (const [atom, number] of this.#known) if (atom.follows(r)) return number;
    return undefined;
  }

  /** The number of a name. */
  get(name: string): number | undefined {
    return this.#numbers.get(name);
  }
}

function refuse(r: TermReader, expected: string): never {
  const at = r.at - 1;
  return r.fail(`expected ${expected}, got a term with the tag ${r.bytes[at]}`, { at });
}

function isAtom(tag: number): boolean {
  return (
    tag === tags.ATOM || tag === tags.SMALL_ATOM_UTF8 || tag === tags.SMALL_ATOM || tag === tags.ATOM_UTF8
  );
}

/** The name of an atom. */
function readName(r: TermReader): string {
  const tag = r.uint8();
  return isAtom(tag) ? readAtom(r, tag) : refuse(r, "an atom");
}

const UNDEFINED = new KnownAtom("undefined");
const TRUE = new KnownAtom("true");
const FALSE = new KnownAtom("false");

/** A tuple's head, and its first element, which is a name. */
export function readHead(r: TermReader, arity: number, known: KnownAtom, depth: number): void {
  readTuple(r, arity, depth);
  if (known.follows(r)) return;
  const { name } = known;
  const { at } = r;
  const got = readName(r);
  if (got !== name) r.fail(`expected a record ${name}, got ${got}`, { at });
}

function readTuple(r: TermReader, arity: number, depth: number): void {
  const tag = r.uint8();
  if (tag !== tags.SMALL_TUPLE && tag !== tags.LARGE_TUPLE) refuse(r, "a tuple");
  const got = tag === tags.SMALL_TUPLE ? r.uint8() : r.uint32();
  if (got !== arity) r.fail(`expected a tuple of ${arity}, got one of ${got}`);
  r.enter(arity, depth);
}

/** The head of a map's entry. */
export function readPair(r: TermReader, depth: number): void {
  readTuple(r, 2, depth);
}

/** The head of a oneof's tuple, and the name of the member that is set. */
export function readMember(r: TermReader, depth: number): string {
  readTuple(r, 2, depth);
  return readName(r);
}

/** Throws for a name that no member of a oneof has. */
export function refuseMember(r: TermReader): never {
  return r.fail("expected the name of a member of the oneof");
}

/** Whether a field is absent: the atom `undefined` is read. */
export function isAbsent(r: TermReader): boolean {
  if (UNDEFINED.follows(r)) return true;
  const { at, bytes } = r;
  const tag = bytes[at];
  if (tag === undefined || !isAtom(tag)) return false;
  r.at = at + 1;
  if (readAtom(r, tag) === "undefined") return true;
  r.at = at;
  return false;
}

/** The count of a list that is not empty, or 0. */
export function readCount(r: TermReader, depth: number): number {
  const tag = r.uint8();
  if (tag === tags.NIL) return 0;
  if (tag !== tags.LIST) refuse(r, "a list");
  const count = r.uint32();
  if (count === 0) r.fail("expected a list of at least one element");
  r.enter(count, depth);
  r.spend(LIST);
  return count;
}

/** The end of a list whose head {@link readCount} has read. */
export function readNil(r: TermReader, count: number): void {
  if (count > 0 && r.uint8() !== tags.NIL) refuse(r, "the end of a list");
}

/** A list of integers that was written as bytes; undefined, and nothing is read, for any other. */
export function readByteList(r: TermReader, longs: boolean): (number | bigint)[] | undefined {
  if (r.bytes[r.at] !== tags.STRING) return undefined;
  const [start, end] = readStringHead(r);
  const list: (number | bigint)[] = [];
  for (let i = start; i < end; i++) list.push(longs ? BigInt(r.bytes[i]!) : r.bytes[i]!);
  return list;
}

/** Where the bytes of a list of bytes are. */
function readStringHead(r: TermReader): [start: number, end: number] {
  r.at += 1;
  const length = r.uint16();
  r.enter(length, 0, LIST + SLOT * length);
  const start = r.at;
  r.at = start + length;
  return [start, r.at];
}

/** Text, from a list of code points. */
export function readText(r: TermReader): string {
  if (r.bytes[r.at] === tags.STRING) {
    const [start, end] = readStringHead(r);
    const short = end - start <= SHORT_TEXT ? readShortText(r.bytes, start, end - start) : undefined;
    return short ?? latin1Slice.call(r.bytes, start, end);
  }
  const count = readCount(r, 0);
  let text = "";
  for (let i = 0; i < count; i++) {
    const point = readInteger(r);
    if (point < 0 || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
      r.fail(`expected a character, got ${point}`);
    }
    text += String.fromCodePoint(point);
  }
  readNil(r, count);
  return text;
}

/** An integer that a number holds. */
export function readInteger(r: TermReader): number {
  const value = readAnyInteger(r);
  return typeof value === "number" ? value : r.fail(`expected a safe integer, got ${value}`);
}

/** An integer as a bigint. */
export function readLong(r: TermReader): bigint {
  return BigInt(readAnyInteger(r));
}

function readAnyInteger(r: TermReader): number | bigint {
  const tag = r.uint8();
  if (tag === tags.SMALL_INTEGER) return r.uint8();
  if (tag === tags.INTEGER) return r.int32();
  return tag === tags.SMALL_BIG ? readBig(r, r.uint8()) : refuse(r, "an integer");
}

/** A float, or the atom of one that Erlang does not have. */
export function readFloat(r: TermReader): number {
  const tag = r.uint8();
  if (tag === tags.NEW_FLOAT) return readNewFloat(r);
  if (tag === tags.FLOAT) return readFloatText(r);
  if (!isAtom(tag)) refuse(r, "a float");
  const name = readAtom(r, tag);
  switch (name) {
    case "nan":
      return Number.NaN;
    case "infinity":
      return Number.POSITIVE_INFINITY;
    case "-infinity":
      return Number.NEGATIVE_INFINITY;
    default:
      return r.fail(`expected a float, got the atom ${name}`);
  }
}

/** One of the atoms true and false. */
export function readBool(r: TermReader): boolean {
  if (TRUE.follows(r)) return true;
  if (FALSE.follows(r)) return false;
  const name = readName(r);
  return name === "true" || (name !== "false" && r.fail(`expected true or false, got the atom ${name}`));
}

/** The number of an enum's value, from its name, or from itself where it has none. */
export function readEnum(r: TermReader, numbers: EnumNames): number {
  const known = numbers.known(r);
  if (known !== undefined) return known;
  if (!isAtom(r.bytes[r.at] ?? 0)) return readInteger(r);
  const name = readName(r);
  return numbers.get(name) ?? r.fail(`expected a name of the enum, got the atom ${name}`);
}

/** A copy of a binary's bytes. */
export function readBytes(r: TermReader): Uint8Array {
  if (r.uint8() !== tags.BINARY) refuse(r, "a binary");
  const length = r.length(1);
  r.at += length;
  return copyBytes(r.bytes, r.at - length, r.at);
}

/** The key of a map, which must not be there yet. */
export function newKey(r: TermReader, map: object, key: string): string {
  return Object.hasOwn(map, key) ? r.fail(`the key ${JSON.stringify(key)} stands twice`) : key;
}
