import { MAX_BIGINT_BYTES, TAG, VERSION } from "../../formats/v8-verifier/input.ts";
import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import { Cursor, Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { integerAt } from "./leaf-values.ts";
import { RegionList } from "./region-list.ts";
import { SharedValues } from "./shared-values.ts";

/** Takes what `v8.serialize` of Node.js writes apart (V8, `src/objects/value-serializer.cc`). */
export function v8Regions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.whole(root));
  return list.finish(root.place);
}

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(TAG).map(([name, tag]) => [tag, name]));

const CONSTANTS: ReadonlyMap<number, null | boolean> = new Map<number, null | boolean>([
  [TAG.null, null],
  [TAG.true, true],
  [TAG.false, false],
]);

/** Encodings of text by its tag. */
const ENCODINGS: ReadonlyMap<number, BufferEncoding> = new Map<number, BufferEncoding>([
  [TAG.oneByteString, "latin1"],
  [TAG.twoByteString, "utf16le"],
  [TAG.utf8String, "utf8"],
]);

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #references: SharedValues;

  constructor(list: RegionList) {
    this.#list = list;
    this.#cursor = new Cursor("v8", list);
    this.#references = new SharedValues(list);
  }

  whole(root: Guided): void {
    const cursor = this.#cursor;
    if (cursor.peek() !== TAG.version) cursor.fail("expected the version tag 0xff");
    cursor.take("header", 1, root.place, "version tag");
    const [version, size] = this.#varint();
    cursor.take("header", size, root.place, "version", version);
    if (version !== VERSION) cursor.fail(`version ${version}, expected ${VERSION}`, 1, "unsupported");
    this.#value(root, 1);
    cursor.expectEnd();
  }

  /** A number of 32 bits from some byte on, which is not passed, and its bytes. */
  #varint(skip = 0): [value: number, size: number] {
    const cursor = this.#cursor;
    let value = 0;
    for (let size = 0; size < 5; size++) {
      cursor.need(skip + size + 1);
      const byte = cursor.view.getUint8(cursor.at + skip + size);
      value += (byte & 0x7f) * 2 ** (7 * size);
      if (byte < 0x80) return [value, size + 1];
    }
    return cursor.fail("integer has more than 32 bits", cursor.at + skip);
  }

  /** Text needs an even offset where its units have two bytes. */
  #padding(place: Place): void {
    if (this.#cursor.peek() === TAG.padding) this.#cursor.take("padding", 1, place, "padding");
  }

  #value(here: Guided, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    cursor.enter(depth);
    this.#padding(place);
    const { at } = cursor;
    const tag = cursor.peek();
    const name = NAMES.get(tag) ?? `tag 0x${tag.toString(16).padStart(2, "0")}`;
    const constant = CONSTANTS.get(tag);
    if (constant !== undefined) cursor.leaf(1, place, name, constant);
    else if (ENCODINGS.has(tag)) this.#text(tag, place);
    else if (tag === TAG.int32) {
      cursor.take("tag", 1, place, name);
      const [value, size] = this.#varint();
      cursor.leaf(size, place, name, (value >>> 1) ^ -(value & 1));
    } else if (tag === TAG.double) {
      cursor.take("tag", 1, place, name);
      cursor.need(8);
      cursor.leaf(8, place, name, cursor.view.getFloat64(at + 1, true));
    } else if (tag === TAG.bigint) this.#bigint(place);
    else if (tag === TAG.hostObject) this.#bytes(place);
    else if (tag === TAG.reference) {
      cursor.take("tag", 1, place, name);
      const [index, size] = this.#varint();
      const id = cursor.take("offset", size, place, "object", index);
      if (!this.#references.refer(id, index))
        cursor.fail(`reference to ${index}, and there are ${this.#references.size} so far`);
    } else if (tag === TAG.object) this.#object(here, depth);
    else if (tag === TAG.denseArray || tag === TAG.sparseArray) this.#array(here, tag, depth);
    else cursor.fail(`${name} is no plain data`, at, "unsupported");
  }

  /** A tag, a length, and text. @param isKey of a key the value is known */
  #text(tag: number, place: Place, isKey = false): void {
    const cursor = this.#cursor;
    const { length, size, value } = this.#textAhead(tag);
    cursor.take("tag", 1, place, NAMES.get(tag)!);
    const counter = cursor.take("length", size, place, "varint", length);
    if (isKey) cursor.take("key", length, place, "key", value);
    else if (length > 0) cursor.leaf(length, place, "text", value);
    else this.#list.mark(counter, "");
  }

  #textAhead(tag: number): { readonly length: number; readonly size: number; readonly value: string } {
    const cursor = this.#cursor;
    const [length, size] = this.#varint(1);
    cursor.need(1 + size + length);
    const { buffer, byteOffset } = this.#list.bytes;
    const text = Buffer.from(buffer, byteOffset + cursor.at + 1 + size, length);
    return { length, size, value: text.toString(ENCODINGS.get(tag)!) };
  }

  /** The sign in the lowest bit, the number of bytes above it, and the bytes. */
  #bigint(place: Place): void {
    const cursor = this.#cursor;
    cursor.take("tag", 1, place, "bigint");
    const [head, size] = this.#varint();
    const length = head >>> 1;
    cursor.need(size + length);
    if (length > MAX_BIGINT_BYTES)
      cursor.fail(
        `a bigint of ${inBytes(length)} is not allowed, expected at most ${MAX_BIGINT_BYTES}`,
        cursor.at - 1,
        "limit",
      );
    const start = cursor.at + size;
    const value = integerAt(this.#list.bytes, start, start + length);
    const signed = (head & 1) === 1 ? -value : value;
    const counter = cursor.take("length", size, place, "sign and bytes", `${head & 1 ? "-" : "+"} ${length}`);
    if (length > 0) cursor.leaf(length, place, "bigint", signed);
    else this.#list.mark(counter, signed);
  }

  #bytes(place: Place): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.take("tag", 1, place, "hostObject");
    const [type, typeSize] = this.#varint();
    cursor.take("tag", typeSize, place, "type", type === 10 ? "Buffer" : type === 1 ? "Uint8Array" : type);
    const [length, size] = this.#varint();
    const counter = cursor.take("length", size, place, "varint", length);
    cursor.need(length);
    this.#references.meetNext(place, start, this.#list.bytes.subarray(cursor.at, cursor.at + length));
    cursor.blob("bytes", length, place, counter);
  }

  #object(here: Guided, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    this.#references.meetNext(place, cursor.at);
    cursor.take("tag", 1, place, "object");
    const properties = new Properties(this.#list, here);
    for (;;) {
      this.#padding(place);
      if (cursor.peek() === TAG.endObject) break;
      this.#value(this.#key(properties), depth + 1);
    }
    cursor.take("terminator", 1, place, "endObject");
    this.#count(place, "keys");
  }

  /** A key: text, or the index that it is. */
  #key(properties: Properties<Guided>): Guided {
    const cursor = this.#cursor;
    const tag = cursor.peek();
    if (ENCODINGS.has(tag)) {
      const inner = properties.next(this.#textAhead(tag).value);
      this.#text(tag, inner.place, true);
      return inner;
    }
    const isDouble = tag === TAG.double;
    if (!isDouble && tag !== TAG.int32) cursor.fail("expected text or an index as a key");
    if (isDouble) cursor.need(9);
    const [head, size] = isDouble ? [0, 8] : this.#varint(1);
    const index = isDouble ? cursor.view.getFloat64(cursor.at + 1, true) : (head >>> 1) ^ -(head & 1);
    const inner = properties.next(String(index));
    cursor.take("tag", 1, inner.place, NAMES.get(tag)!);
    cursor.take("key", size, inner.place, "index", String(index));
    return inner;
  }

  /** Elements; those of a list that V8 does not know to be without holes have their index before them. */
  #array(here: Guided, tag: number, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    const isSparse = tag === TAG.sparseArray;
    this.#references.meetNext(place, cursor.at);
    cursor.take("tag", 1, place, NAMES.get(tag)!);
    const count = this.#count(place, "elements");
    for (let i = 0; i < count; i++) {
      const inner = here.element(i);
      if (isSparse) {
        if (cursor.peek() !== TAG.int32) cursor.fail(`expected the index of element ${i}`);
        cursor.take("tag", 1, inner.place, "int32");
        const [index, size] = this.#varint();
        cursor.take("key", size, inner.place, "index", (index >>> 1) ^ -(index & 1));
      }
      this.#value(inner, depth + 1);
    }
    const end = isSparse ? TAG.endSparseArray : TAG.endDenseArray;
    if (cursor.peek() !== end) cursor.fail(`expected the end tag 0x${end.toString(16)}`);
    cursor.take("terminator", 1, place, NAMES.get(end)!);
    this.#count(place, "properties");
    this.#count(place, "elements");
  }

  #count(place: Place, what: string): number {
    const [count, size] = this.#varint();
    this.#cursor.take("length", size, place, what, count);
    return count;
  }
}
