import * as tags from "../../formats/erlang-etf/tags.ts";
import type { Dataset } from "../../model/dataset.ts";
import { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  type Int64Mode,
  is64Bit,
  type MessageType,
  messageOf,
  type Schema,
} from "../../model/schema.ts";
import { elementsOf } from "../layout/erlang-records.ts";
import { TermCursor } from "./erlang-terms.ts";
import { textAt } from "./leaf-values.ts";
import { RegionList } from "./region-list.ts";

/** Takes the records of gpb apart: tuples of a name and of every field in its order, text as lists of code points. */
export function erlangRecordRegions(bytes: Uint8Array, { schema, int64 }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = new Place();
  const reader = new Reader(list, schema, int64);
  list.attempt(() => reader.whole(root));
  return list.finish(root);
}

/** Atoms of floats that Erlang does not have. */
const FLOATS: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

class Reader {
  readonly #cursor: TermCursor;
  readonly #list: RegionList;
  readonly #schema: Schema;
  readonly #int64: Int64Mode;

  constructor(list: RegionList, schema: Schema, int64: Int64Mode) {
    this.#list = list;
    this.#cursor = new TermCursor(list);
    this.#schema = schema;
    this.#int64 = int64;
  }

  whole(place: Place): void {
    this.#cursor.version(place);
    this.#record(messageOf(this.#schema, this.#schema.root), place, 1);
    this.#cursor.expectEnd();
  }

  #record(message: MessageType, place: Place, depth: number): void {
    const cursor: TermCursor = this.#cursor;
    cursor.enter(depth);
    const elements = elementsOf(message);
    this.#tuple(place, elements.length + 1);
    const atom = cursor.atomAhead();
    cursor.atom(place, "tag", atom.name, atom);
    for (const element of elements) {
      if (element.kind === "field")
        this.#field(element.field, new Place(place, "field", element.field.name), depth);
      else this.#oneof(element.fields, place, depth);
    }
  }

  #oneof(fields: readonly Field[], around: Place, depth: number): void {
    const cursor: TermCursor = this.#cursor;
    if (this.#isAbsent(around)) return;
    const at = this.#tupleSize(2);
    const ahead = cursor.at;
    cursor.at += at;
    const { name } = cursor.atomAhead();
    cursor.at = ahead;
    const field = fields.find((one) => one.name === name);
    if (field === undefined) cursor.fail("expected the name of a member of the oneof");
    const place = new Place(around, "field", name);
    this.#tuple(place, 2);
    cursor.atom(place, "tag", name);
    this.#value(field.type, place, depth);
  }

  #field({ type, repetition }: Field, place: Place, depth: number): void {
    const cursor: TermCursor = this.#cursor;
    if (repetition.kind === "list") this.#listOf(type, place, depth);
    else if (repetition.kind === "map") {
      cursor.elements(place, (index) => {
        const entry = new Place(place, "entry", "", index);
        this.#tuple(entry, 2);
        this.#key(entry);
        this.#value(type, entry, depth);
      });
    } else if (repetition.presence !== "optional" || !this.#isAbsent(place)) this.#value(type, place, depth);
  }

  #listOf(type: FieldType, place: Place, depth: number): void {
    const cursor: TermCursor = this.#cursor;
    if (cursor.peek() !== tags.STRING) {
      cursor.elements(place, (index) => this.#value(type, new Place(place, "element", index), depth));
      return;
    }
    const isBig = type.kind === "scalar" && is64Bit(type.scalar) && this.#int64 === "bigint";
    cursor.string(place, (count) => {
      for (let i = 0; i < count; i++) {
        const byte = cursor.peek();
        cursor.leaf(1, new Place(place, "element", i), "byte", isBig ? BigInt(byte) : byte);
      }
    });
  }

  #value(type: FieldType, place: Place, depth: number): void {
    const cursor: TermCursor = this.#cursor;
    const tag = cursor.peek();
    if (type.kind === "message") this.#record(messageOf(this.#schema, type.name), place, depth + 1);
    else if (type.kind === "enum" && cursor.isAtom(tag)) {
      const { name } = cursor.atomAhead();
      const known = enumOf(this.#schema, type.name).values.findLast((value) => value.name === name);
      if (known === undefined) cursor.fail(`expected a name of the enum, got the atom ${name}`);
      cursor.atom(place, "payload", known.number);
    } else if (type.kind === "scalar" && type.scalar === "string") this.#text(place, "payload");
    else if (type.kind === "scalar" && type.scalar === "bytes") cursor.binary(place, "bytes");
    else if (cursor.isAtom(tag)) {
      const { name } = cursor.atomAhead();
      const value = FLOATS.get(name) ?? (name === "true" ? true : name === "false" ? false : undefined);
      if (value === undefined) cursor.fail(`expected a value, got the atom ${name}`);
      cursor.atom(place, "payload", value);
    } else if (cursor.isNumber(tag)) {
      const isBig = type.kind === "scalar" && is64Bit(type.scalar) && this.#int64 === "bigint";
      cursor.number(place, (value) => (isBig ? BigInt(value) : Number(value)));
    } else cursor.fail(`expected a value, got a term with the tag ${tag}`);
  }

  #key(entry: Place): void {
    const cursor: TermCursor = this.#cursor;
    const tag = cursor.peek();
    if (cursor.isNumber(tag)) cursor.number(entry, (value) => this.#step(entry, String(value)), "key");
    else if (cursor.isAtom(tag)) cursor.atom(entry, "key", this.#step(entry, cursor.atomAhead().name));
    else this.#text(entry, "key");
  }

  #step(entry: Place, key: string): string {
    entry.step = key;
    return key;
  }

  /** Text as a list of its code points, of which each takes one byte, two or five. */
  #text(place: Place, role: "payload" | "key"): void {
    const cursor: TermCursor = this.#cursor;
    const tag = cursor.peek();
    const hold = (size: number, text: string): void => {
      if (role === "key") cursor.take("key", size, place, "code points", this.#step(place, text));
      else cursor.leaf(size, place, "code points", text);
    };
    if (tag === tags.STRING) {
      cursor.string(place, (count) => {
        hold(count, textAt(this.#list.bytes, cursor.at, cursor.at + count, "latin1"));
      });
    } else if (tag === tags.NIL) {
      const id = cursor.take(role === "key" ? "key" : "length", 1, place, "NIL_EXT", "");
      if (role === "payload") this.#list.mark(id, "");
      else this.#step(place, "");
    } else {
      cursor.expect(tags.LIST, "a list of characters");
      const count = cursor.head(place, "LIST_EXT", 4);
      let text = "";
      let size = 0;
      for (let i = 0; i < count; i++) {
        const tag = cursor.uint(size, 1);
        if (tag !== tags.SMALL_INTEGER && tag !== tags.INTEGER)
          cursor.fail(`expected a character, got a term with the tag ${tag}`, cursor.at + size);
        const width = tag === tags.SMALL_INTEGER ? 2 : 5;
        const point = cursor.uint(size + 1, width - 1);
        if (point > 0x10ffff) cursor.fail(`expected a character, got ${point}`, cursor.at + size);
        text += String.fromCodePoint(point);
        size += width;
      }
      hold(size, text);
      cursor.expect(tags.NIL, "the end of a list");
      cursor.take("terminator", 1, place, "NIL_EXT");
    }
  }

  #isAbsent(place: Place): boolean {
    const cursor: TermCursor = this.#cursor;
    if (!cursor.isAtom(cursor.peek()) || cursor.atomAhead().name !== "undefined") return false;
    cursor.atom(place, "presence", "undefined");
    return true;
  }

  #tuple(place: Place, arity: number): void {
    const size = this.#tupleSize(arity) - 1;
    this.#cursor.head(place, size === 1 ? "SMALL_TUPLE_EXT" : "LARGE_TUPLE_EXT", size);
  }

  /** Bytes of the head of a tuple that comes next and must have so many elements. */
  #tupleSize(arity: number): number {
    const cursor: TermCursor = this.#cursor;
    const tag = cursor.peek();
    if (tag !== tags.SMALL_TUPLE && tag !== tags.LARGE_TUPLE)
      cursor.fail(`expected a tuple, got a term with the tag ${tag}`);
    const width = tag === tags.SMALL_TUPLE ? 1 : 4;
    const got = cursor.uint(1, width);
    if (got !== arity) cursor.fail(`expected a tuple of ${arity}, got one of ${got}`);
    return 1 + width;
  }
}
