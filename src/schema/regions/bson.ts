import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Place } from "../../model/region.ts";
import { type Anatomy, BYTES } from "../../model/region-table.ts";
import { Cursor, Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { RegionList } from "./region-list.ts";

/** Takes a BSON document apart (bsonspec.org, version 1.1). */
export function bsonRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.whole(root));
  return list.finish(root.place);
}

/** Names of the types of elements. */
const TYPES: Readonly<Record<number, string>> = {
  1: "double",
  2: "string",
  3: "document",
  4: "array",
  5: "binary",
  7: "ObjectId",
  8: "boolean",
  9: "UTC datetime",
  10: "null",
  16: "int32",
  17: "timestamp",
  18: "int64",
  19: "decimal128",
};

/** Whether BSON has a type at all: up to 0x13, and the keys that come before and after all others. */
function isKnown(type: number): boolean {
  return type <= 19 || type === 0x7f || type === 0xff;
}

/** Bytes of types that JSON has no use for. */
const SIZES: Readonly<Record<number, number>> = { 7: 12, 9: 8, 17: 8, 19: 16 };

/** The old subtype of binaries, which has a second length within. */
const OLD_BINARY = 2;

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;

  constructor(list: RegionList) {
    this.#list = list;
    this.#cursor = new Cursor("bson", list);
  }

  whole(root: Guided): void {
    this.#document(root, false, 1);
    this.#cursor.expectEnd();
  }

  #document(here: Guided, isArray: boolean, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    const { at } = cursor;
    cursor.enter(depth);
    const size = this.#int32("length", place, "int32");
    const properties = new Properties(this.#list, here);
    for (let i = 0; cursor.peek() !== 0; i++) {
      const start = cursor.at + 1;
      const end = this.#list.bytes.indexOf(0, start);
      if (end < 0) cursor.fail("a name has no end", start);
      const name = cursor.textAt(start, end - start);
      const inner = isArray ? here.element(i) : properties.next(name);
      this.#element(inner, end - start, name, depth);
    }
    cursor.take("terminator", 1, place, "end");
    if (cursor.at !== at + size)
      cursor.fail(`a document of ${inBytes(cursor.at - at)} says that it has ${size}`, at);
  }

  /** @param length bytes of the name */
  #element(here: Guided, length: number, name: string, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    const { at } = cursor;
    const type = cursor.peek();
    const text = TYPES[type] ?? `type ${type}`;
    const tag = cursor.take("tag", 1, place, text);
    cursor.take("key", length, place, "name", name);
    cursor.take("terminator", 1, place, "NUL");
    if (TYPES[type] === undefined)
      cursor.fail(
        `an element of type 0x${type.toString(16).padStart(2, "0")} is not allowed`,
        at,
        isKnown(type) ? "unsupported" : "corrupt",
      );
    const { view } = cursor;
    const start = cursor.at;
    const fixed = SIZES[type];
    if (type === 3 || type === 4) this.#document(here, type === 4, depth + 1);
    else if (type === 10) this.#list.mark(tag, null);
    else if (type === 2) this.#string(place);
    else if (type === 5) this.#binary(place);
    else if (fixed !== undefined) cursor.leaf(fixed, place, text, BYTES);
    else {
      cursor.need(type === 8 ? 1 : type === 16 ? 4 : 8);
      if (type === 1) cursor.leaf(8, place, text, view.getFloat64(start, true));
      else if (type === 8) cursor.leaf(1, place, text, view.getUint8(start) !== 0);
      else if (type === 16) cursor.leaf(4, place, text, view.getInt32(start, true));
      else cursor.leaf(8, place, text, view.getBigInt64(start, true));
    }
  }

  /** A text, whose size counts the NUL at its end. */
  #string(place: Place): void {
    const cursor = this.#cursor;
    const { at } = cursor;
    const size = this.#int32("length", place, "int32");
    if (size < 1) cursor.fail(`expected a text of at least 1 byte, got ${size}`, at);
    cursor.need(size);
    if (size > 1) cursor.blob("text", size - 1, place, -1);
    const end = cursor.take("terminator", 1, place, "NUL");
    if (size === 1) this.#list.mark(end, "");
  }

  #binary(place: Place): void {
    const cursor = this.#cursor;
    const { at } = cursor;
    const size = this.#int32("length", place, "int32");
    if (size < 0) cursor.fail(`expected the size of a binary, got ${size}`, at);
    const subtype = cursor.peek();
    const tag = cursor.take("tag", 1, place, "subtype", subtype);
    if (subtype === OLD_BINARY && size >= 4) this.#int32("length", place, "int32");
    cursor.blob("bytes", subtype === OLD_BINARY ? Math.max(0, size - 4) : size, place, tag);
  }

  #int32(role: "length", place: Place, type: string): number {
    const cursor = this.#cursor;
    cursor.need(4);
    const value = cursor.view.getInt32(cursor.at, true);
    cursor.take(role, 4, place, type, value);
    return value;
  }
}
