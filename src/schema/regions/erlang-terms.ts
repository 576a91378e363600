import { isUtf8 } from "node:buffer";
import { MAX_INTEGER_BYTES } from "../../formats/erlang-etf/options.ts";
import * as tags from "../../formats/erlang-etf/tags.ts";
import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Cursor, Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { integerAt, textAt } from "./leaf-values.ts";
import { RegionList } from "./region-list.ts";

/** Takes a term in Erlang's external format apart (erlang.org/doc/apps/erts/erl_ext_dist.html), with maps as messages. */
export function erlangRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const cursor = new TermCursor(list);
  list.attempt(() => {
    cursor.version(root.place);
    term(cursor, root, 1);
    cursor.expectEnd();
  });
  return list.finish(root.place);
}

const ATOMS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function term(cursor: TermCursor, here: Guided, depth: number): void {
  cursor.enter(depth);
  const { place } = here;
  const tag = cursor.peek();
  if (cursor.isNumber(tag)) cursor.number(place, (value) => value);
  else if (cursor.isAtom(tag)) {
    const atom = cursor.atomAhead();
    const value = ATOMS.get(atom.name);
    cursor.atom(place, "payload", value === undefined ? atom.name : value, atom);
  } else if (tag === tags.BINARY) cursor.binary(place, cursor.isText() ? "text" : "bytes");
  else if (tag === tags.MAP) map(cursor, here, depth);
  else if (tag === tags.STRING)
    cursor.string(place, (count) => {
      for (let i = 0; i < count; i++) {
        const { place: inner } = here.element(i);
        cursor.leaf(1, inner, "byte", cursor.peek());
      }
    });
  else if (tag === tags.LIST || tag === tags.NIL)
    cursor.elements(place, (index) => term(cursor, here.element(index), depth + 1));
  else cursor.fail(`a term with the tag ${tag} is no plain data`, cursor.at, "unsupported");
}

function map(cursor: TermCursor, here: Guided, depth: number): void {
  const count = cursor.head(here.place, "MAP_EXT", 4);
  const properties = new Properties(cursor.list, here);
  for (let i = 0; i < count; i++) {
    const tag = cursor.peek();
    if (tag === tags.BINARY) {
      const inner = properties.next(cursor.textAt(cursor.at + 5, cursor.uint(1, 4)));
      cursor.binary(inner.place, "text", true);
      term(cursor, inner, depth + 1);
    } else if (cursor.isAtom(tag)) {
      const atom = cursor.atomAhead();
      const inner = properties.next(atom.name);
      cursor.atom(inner.place, "key", atom.name, atom);
      term(cursor, inner, depth + 1);
    } else
      cursor.fail(
        `expected a binary or an atom as a key, got a term with the tag ${tag}`,
        cursor.at,
        "unsupported",
      );
  }
}

/** Bytes of the length of an atom's name, by its tag. */
const ATOM_SIZES: ReadonlyMap<number, number> = new Map<number, number>([
  [tags.ATOM, 2],
  [tags.ATOM_UTF8, 2],
  [tags.SMALL_ATOM, 1],
  [tags.SMALL_ATOM_UTF8, 1],
]);

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(tags).flatMap(([name, tag]) => (typeof tag === "number" ? [[tag, `${name}_EXT`]] : [])),
);

const NUMBERS: ReadonlySet<number> = new Set([
  ...[tags.SMALL_INTEGER, tags.INTEGER, tags.SMALL_BIG, tags.LARGE_BIG, tags.NEW_FLOAT, tags.FLOAT],
]);

/** An atom that was not passed: its name, the bytes of that, and those of their number. */
export interface Atom {
  readonly name: string;
  readonly size: number;
  readonly width: number;
}

/** Goes through terms. */
export class TermCursor extends Cursor {
  constructor(list: RegionList) {
    super("erlang-etf", list);
  }

  version(place: Place): void {
    if (this.peek() !== tags.VERSION) this.fail(`expected the version ${tags.VERSION}, got ${this.peek()}`);
    this.take("header", 1, place, "version", tags.VERSION);
    if (this.list.bytes[1] === tags.COMPRESSED) this.fail("a compressed term", 1, "unsupported");
  }

  isNumber(tag: number): boolean {
    return NUMBERS.has(tag);
  }

  isAtom(tag: number): boolean {
    return ATOM_SIZES.has(tag);
  }

  /** An unsigned integer so many bytes further on. */
  uint(skip: number, size: number): number {
    this.need(skip + size);
    const at = this.at + skip;
    if (size === 1) return this.view.getUint8(at);
    return size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  /** Passes a tag and the length of so many bytes behind it, which it returns. */
  head(place: Place, name: string, size: number): number {
    const length = this.uint(1, size);
    this.take("tag", 1, place, name);
    this.take("length", size, place, `uint${8 * size}`, length);
    return length;
  }

  /** Passes a number. @param plain makes of it what stands at the place */
  number(place: Place, plain: (value: number | bigint) => Value, role: "payload" | "key" = "payload"): void {
    const tag = this.peek();
    const name = NAMES.get(tag)!;
    const { at, view } = this;
    let skip = 1;
    let size = 1;
    let value: number | bigint = 0;
    if (tag === tags.SMALL_INTEGER) value = this.uint(1, 1);
    else if (tag === tags.INTEGER) {
      this.need(5);
      size = 4;
      value = view.getInt32(at + 1);
    } else if (tag === tags.NEW_FLOAT) {
      this.need(9);
      size = 8;
      value = view.getFloat64(at + 1);
    } else if (tag === tags.FLOAT) {
      size = 31;
      value = Number.parseFloat(this.textAt(at + 1, 31));
    } else {
      const width = tag === tags.SMALL_BIG ? 1 : 4;
      const length = this.uint(1, width);
      skip = 1 + width;
      size = 1 + length;
      this.need(skip + size);
      if (length > MAX_INTEGER_BYTES)
        this.fail(`an integer of ${inBytes(length)}, expected at most ${MAX_INTEGER_BYTES}`, at, "limit");
      const { bytes } = this.list;
      // A sign, and digits of base 256, the lowest first.
      const digits = integerAt(bytes, at + skip + 1, at + skip + size);
      value = bytes[at + skip] === 0 ? digits : -digits;
    }
    const held = plain(
      typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value,
    );
    this.take("tag", 1, place, name);
    if (skip > 1) this.take("length", skip - 1, place, `uint${8 * (skip - 1)}`, size - 1);
    if (role === "key") this.take("key", size, place, name, held);
    else this.leaf(size, place, skip > 1 ? "sign and digits" : name, held);
  }

  /** The atom that comes next, which is not passed. */
  atomAhead(): Atom {
    const tag = this.peek();
    const width = ATOM_SIZES.get(tag);
    if (width === undefined) this.fail(`expected an atom, got a term with the tag ${tag}`);
    const size = this.uint(1, width);
    this.need(1 + width + size);
    const start = this.at + 1 + width;
    const encoding = tag === tags.ATOM || tag === tags.SMALL_ATOM ? "latin1" : "utf8";
    return { name: textAt(this.list.bytes, start, start + size, encoding), size, width };
  }

  /** Passes an atom, which stands for a value, or names a key or what follows. */
  atom(
    place: Place,
    role: "payload" | "key" | "tag" | "presence",
    value: Value,
    { size, width }: Atom = this.atomAhead(),
  ): void {
    this.head(place, NAMES.get(this.peek())!, width);
    if (role === "payload") this.leaf(size, place, "atom", value);
    else this.take(role, size, place, "atom", value);
  }

  /** Whether the binary that comes next is UTF-8, as far as it is there. */
  isText(): boolean {
    const length = this.uint(1, 4);
    return isUtf8(this.list.bytes.subarray(this.at + 5, this.at + 5 + length));
  }

  /** Throws a DecodeError unless the term that comes next has this tag. */
  expect(tag: number, what: string): void {
    if (this.peek() !== tag) this.fail(`expected ${what}, got a term with the tag ${this.peek()}`);
  }

  /** Passes a binary. */
  binary(place: Place, kind: "text" | "bytes", isKey = false): void {
    this.expect(tags.BINARY, "a binary");
    const length = this.uint(1, 4);
    this.take("tag", 1, place, "BINARY_EXT");
    const counter = this.take("length", 4, place, "uint32", length);
    this.blob(kind, length, place, counter, isKey);
  }

  /** Passes the head of a list of bytes. */
  string(place: Place, each: (count: number) => void): void {
    const count = this.head(place, "STRING_EXT", 2);
    this.need(count);
    each(count);
  }

  /** Passes a list, and those that are its rest. */
  elements(place: Place, each: (index: number) => void): void {
    let index = 0;
    while (this.peek() === tags.LIST) {
      const count = this.head(place, "LIST_EXT", 4);
      for (let i = 0; i < count; i++) each(index++);
    }
    if (this.peek() !== tags.NIL) this.fail("a list without an end", this.at, "unsupported");
    this.take(index === 0 ? "tag" : "terminator", 1, place, "NIL_EXT");
  }
}
