import { show } from "../../model/value.ts";
import { Cursor } from "./cursor.ts";
import type { V8Options } from "./options.ts";
import { BYTES_TYPES, refusedTag, TAG, VERSION } from "./tags.ts";

/** What an object or a list holds in all, itself included. */
interface Extent {
  readonly items: number;
  /** Levels of nesting, itself included. */
  readonly levels: number;
}

const LEAF: Extent = { items: 1, levels: 0 };

/** Greatest index of an element of an object; beyond it, a number as a key is text (ECMAScript, "Array Index"). */
const MAX_INDEX = 2 ** 32 - 2;

/** One pass over a serialised value. It makes only the keys of the objects around it. */
export class Walk {
  readonly #cursor: Cursor;
  readonly #depth: number;
  readonly #items: number;
  readonly #keys: ReadonlySet<string> | undefined;
  /** Of each object, list and bytes by its id, the order in which they begin; undefined while it is open. */
  readonly #extents: (Extent | undefined)[] = [];
  #count = 0;

  constructor(bytes: Uint8Array, { depth = 100, items = 1_000_000, keys }: V8Options) {
    this.#cursor = new Cursor(bytes);
    this.#depth = depth;
    this.#items = items;
    this.#keys = keys;
  }

  /** Walks the header and the one value that the bytes must be. */
  whole(): void {
    const cursor = this.#cursor;
    if (cursor.byte() !== TAG.version) cursor.fail("expected the version tag 0xff", 0);
    const version = cursor.varint();
    if (version !== VERSION) cursor.fail(`version ${version}, expected ${VERSION}`, 1, "unsupported");
    this.#value(1);
    if (cursor.remaining > 0) cursor.fail(`expected the end, got ${cursor.remaining} more bytes`, cursor.at);
  }

  #value(depth: number): Extent {
    const cursor = this.#cursor;
    const at = cursor.at;
    this.#spend(1, at);
    const tag = this.#tag();
    switch (tag) {
      case TAG.null:
      case TAG.true:
      case TAG.false:
        return LEAF;
      case TAG.int32:
        cursor.varint();
        return LEAF;
      case TAG.double:
        cursor.skip(8);
        return LEAF;
      case TAG.bigint:
        this.#bigint();
        return LEAF;
      case TAG.oneByteString:
      case TAG.twoByteString:
      case TAG.utf8String:
        cursor.skipText(tag);
        return LEAF;
      case TAG.hostObject:
        return this.#bytes();
      case TAG.reference:
        return this.#reference(at, depth);
      case TAG.object:
      case TAG.denseArray:
      case TAG.sparseArray:
        return this.#container(tag, at, depth);
      default:
        return cursor.fail(`${refusedTag(tag)} is not allowed`, at, "unsupported");
    }
  }

  /** The next tag. A byte of padding brings text of two-byte units to an even offset. */
  #tag(): number {
    const cursor = this.#cursor;
    const at = cursor.at;
    const tag = cursor.byte();
    if (tag !== TAG.padding) return tag;
    const next = cursor.byte();
    if (next !== TAG.twoByteString) cursor.fail("padding before what needs none", at);
    return next;
  }

  #spend(items: number, at: number): void {
    this.#count += items;
    if (this.#count > this.#items) this.#cursor.fail(`more than ${this.#items} values`, at, "limit");
  }

  /** The sign in the lowest bit, the number of bytes above it, and the bytes. 64 bits are all that is needed. */
  #bigint(): void {
    const cursor = this.#cursor;
    const at = cursor.at;
    const length = cursor.varint() >>> 1;
    if (length > 8)
      cursor.fail(`a bigint of ${length} bytes is not allowed, expected at most 8`, at, "limit");
    cursor.skip(length);
  }

  #bytes(): Extent {
    const cursor = this.#cursor;
    const at = cursor.at;
    const type = cursor.varint();
    if (!BYTES_TYPES.has(type))
      cursor.fail(`a host object of type ${type} is not allowed`, at, "unsupported");
    cursor.skip(cursor.varint());
    this.#extents.push(LEAF);
    return LEAF;
  }

  #container(tag: number, at: number, depth: number): Extent {
    if (depth > this.#depth) this.#cursor.fail(`nested deeper than ${this.#depth} levels`, at, "limit");
    const id = this.#extents.push(undefined) - 1;
    const inside = { items: 1, levels: 0 };
    const value = (): void => {
      const { items, levels } = this.#value(depth + 1);
      inside.items += items;
      inside.levels = Math.max(inside.levels, levels);
    };
    if (tag === TAG.object) this.#object(value);
    else if (tag === TAG.denseArray) this.#denseArray(value);
    else this.#sparseArray(value);
    const extent = { items: inside.items, levels: inside.levels + 1 };
    this.#extents[id] = extent;
    return extent;
  }

  #object(value: () => void): void {
    const cursor = this.#cursor;
    const seen = new Set<string>();
    for (;;) {
      const at = cursor.at;
      const tag = this.#tag();
      if (tag === TAG.endObject) break;
      const key = this.#key(tag, at);
      if (seen.has(key)) cursor.fail(`the key ${show(key)} stands twice`, at);
      if (this.#keys?.has(key) === false) cursor.fail(`unknown key ${show(key)}`, at);
      seen.add(key);
      value();
    }
    this.#checkCount("keys", seen.size);
  }

  #key(tag: number, at: number): string {
    const cursor = this.#cursor;
    switch (tag) {
      case TAG.oneByteString:
      case TAG.twoByteString:
      case TAG.utf8String:
        return cursor.text(tag);
      case TAG.int32:
      case TAG.double: {
        const index = tag === TAG.int32 ? cursor.int32() : cursor.double();
        if (index >= 0 && index <= MAX_INDEX && Number.isInteger(index)) return String(index);
        return cursor.fail(`${index} is no index, as a number that is a key must be`, at);
      }
      default:
        return cursor.fail(`expected text or an index as a key, got tag 0x${tag.toString(16)}`, at);
    }
  }

  #denseArray(value: () => void): void {
    const length = this.#length();
    for (let i = 0; i < length; i++) value();
    this.#expect(TAG.endDenseArray);
    this.#checkCount("properties", 0);
    this.#checkCount("elements", length);
  }

  /** A list that V8 does not know to be without holes: each element has its index before it. */
  #sparseArray(value: () => void): void {
    const cursor = this.#cursor;
    const length = this.#length();
    for (let i = 0; i < length; i++) {
      const at = cursor.at;
      if (cursor.byte() !== TAG.int32 || cursor.int32() !== i) {
        cursor.fail(`expected element ${i} of a list of ${length}`, at, "unsupported");
      }
      value();
    }
    this.#expect(TAG.endSparseArray);
    this.#checkCount("elements", length);
    this.#checkCount("elements", length);
  }

  #length(): number {
    const cursor = this.#cursor;
    const at = cursor.at;
    const length = cursor.varint();
    if (length > cursor.remaining) {
      cursor.fail(`expected ${length} elements, got ${cursor.remaining} bytes`, at, "truncated");
    }
    return length;
  }

  #expect(tag: number): void {
    const cursor = this.#cursor;
    const at = cursor.at;
    if (cursor.byte() !== tag) cursor.fail(`expected the end tag 0x${tag.toString(16)}`, at);
  }

  #checkCount(what: string, expected: number): void {
    const cursor = this.#cursor;
    const at = cursor.at;
    const count = cursor.varint();
    if (count !== expected) cursor.fail(`count of ${what} is ${count}, expected ${expected}`, at);
  }

  /** The same object again. It counts in full, for a reader that follows it everywhere. */
  #reference(at: number, depth: number): Extent {
    const cursor = this.#cursor;
    const id = cursor.varint();
    const extent = this.#extents[id];
    if (extent === undefined) {
      return cursor.fail(
        id < this.#extents.length
          ? `object ${id} contains itself`
          : `reference to object ${id}, which is not there yet`,
        at,
      );
    }
    if (depth + extent.levels - 1 > this.#depth) {
      cursor.fail(`nested deeper than ${this.#depth} levels`, at, "limit");
    }
    this.#spend(extent.items - 1, at);
    return extent;
  }
}
