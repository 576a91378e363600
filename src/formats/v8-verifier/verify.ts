import { inBytes } from "../../model/in-bytes.ts";
import { show } from "../../model/value.ts";
import { BYTES_TYPES, MAX_BIGINT_BYTES, refusedTag, TAG, V8Input, VERSION } from "./input.ts";

/** What to allow. */
export interface V8Options {
  /** Deepest nesting of objects and lists; 100 by default. */
  readonly depth?: number;
  /** Most values in all, keys not counted and what is referred to counted again; 1,000,000 by default. */
  readonly items?: number;
  /** The only keys that objects may have; any by default. */
  readonly keys?: ReadonlySet<string>;
}

/**
 * Checks that bytes are what `v8.serialize` of Node.js 20, 22 or 24 makes of plain data: null, booleans, numbers,
 * bigints of 64 bits, text, lists without holes, objects, and bytes in a Uint8Array or Buffer. An object that is
 * there twice may be a reference, as long as none contains itself. All else is refused by name: `v8.deserialize`
 * is not made for bytes from outside. Throws DecodeError with the offset.
 */
export function verifyV8(bytes: Uint8Array, options: V8Options = {}): void {
  new V8Walk(new V8Input(bytes), options).whole();
}

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
export class V8Walk {
  readonly #input: V8Input;
  readonly #depth: number;
  readonly #items: number;
  readonly #keys: ReadonlySet<string> | undefined;
  /** Of each object, list and bytes by its id, the order in which they begin; undefined while it is open. */
  readonly #extents: (Extent | undefined)[] = [];
  #count = 0;

  constructor(input: V8Input, { depth = 100, items = 1_000_000, keys }: V8Options = {}) {
    this.#input = input;
    this.#depth = depth;
    this.#items = items;
    this.#keys = keys;
  }

  /** Walks the header and the one value that the bytes must be. */
  whole(): void {
    const input = this.#input;
    if (input.byte() !== TAG.version) input.fail("expected the version tag 0xff", { at: 0 });
    const version = input.varint();
    if (version !== VERSION)
      input.fail(`version ${version}, expected ${VERSION}`, { at: 1, code: "unsupported" });
    this.#value(1);
    if (input.remaining > 0)
      input.fail(`expected the end, got ${input.remaining} more bytes`, { at: input.at });
  }

  #value(depth: number): Extent {
    const input = this.#input;
    const at = input.at;
    this.#spend(1, at);
    const tag = this.#tag();
    switch (tag) {
      case TAG.null:
      case TAG.true:
      case TAG.false:
        return LEAF;
      case TAG.int32:
        input.varint();
        return LEAF;
      case TAG.double:
        input.skip(8);
        return LEAF;
      case TAG.bigint:
        this.#bigint();
        return LEAF;
      case TAG.oneByteString:
      case TAG.twoByteString:
      case TAG.utf8String:
        input.skipText(tag);
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
        return input.fail(`${refusedTag(tag)} is not allowed`, { at, code: "unsupported" });
    }
  }

  /** The next tag. A byte of padding brings text of two-byte units to an even offset. */
  #tag(): number {
    const input = this.#input;
    const at = input.at;
    const tag = input.byte();
    if (tag !== TAG.padding) return tag;
    const next = input.byte();
    if (next !== TAG.twoByteString) input.fail("padding before what needs none", { at });
    return next;
  }

  #spend(items: number, at: number): void {
    this.#count += items;
    if (this.#count > this.#items) this.#input.fail(`more than ${this.#items} values`, { at, code: "limit" });
  }

  /** The sign in the lowest bit, the number of bytes above it, and the bytes. 64 bits are all that is needed. */
  #bigint(): void {
    const input = this.#input;
    const at = input.at;
    const head = input.varint();
    const length = head >>> 1;
    // V8 takes it for damage (`BigInt::FromSerializedDigits`).
    if (head === 1) input.fail("a bigint of -0", { at });
    if (length > MAX_BIGINT_BYTES)
      input.fail(`a bigint of ${inBytes(length)} is not allowed, expected at most ${MAX_BIGINT_BYTES}`, {
        at,
        code: "limit",
      });
    input.skip(length);
  }

  #bytes(): Extent {
    const input = this.#input;
    const at = input.at;
    const type = input.varint();
    if (!BYTES_TYPES.has(type))
      input.fail(`a host object of type ${type} is not allowed`, { at, code: "unsupported" });
    input.skip(input.varint());
    this.#extents.push(LEAF);
    return LEAF;
  }

  #container(tag: number, at: number, depth: number): Extent {
    if (depth > this.#depth)
      this.#input.fail(`nested deeper than ${this.#depth} levels`, { at, code: "limit" });
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
    const input = this.#input;
    const seen = new Set<string>();
    for (;;) {
      const at = input.at;
      const tag = this.#tag();
      if (tag === TAG.endObject) break;
      const key = this.#key(tag, at);
      if (seen.has(key)) input.fail(`the key ${show(key)} stands twice`, { at });
      if (this.#keys?.has(key) === false) input.fail(`unknown key ${show(key)}`, { at });
      seen.add(key);
      value();
    }
    this.#checkCount("keys", seen.size);
  }

  #key(tag: number, at: number): string {
    const input = this.#input;
    switch (tag) {
      case TAG.oneByteString:
      case TAG.twoByteString:
      case TAG.utf8String:
        return input.text(tag);
      case TAG.int32:
      case TAG.double: {
        const index = tag === TAG.int32 ? input.int32() : input.double();
        if (index >= 0 && index <= MAX_INDEX && Number.isInteger(index)) return String(index);
        return input.fail(`${index} is no index, as a number that is a key must be`, { at });
      }
      default:
        return input.fail(`expected text or an index as a key, got tag 0x${tag.toString(16)}`, { at });
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
    const input = this.#input;
    const length = this.#length();
    for (let i = 0; i < length; i++) {
      const at = input.at;
      if (input.byte() !== TAG.int32 || input.int32() !== i) {
        input.fail(`expected element ${i} of a list of ${length}`, { at, code: "unsupported" });
      }
      value();
    }
    this.#expect(TAG.endSparseArray);
    this.#checkCount("elements", length);
    this.#checkCount("elements", length);
  }

  #length(): number {
    const input = this.#input;
    const at = input.at;
    const length = input.varint();
    if (length > input.remaining) {
      input.fail(`expected ${length} elements, got ${inBytes(input.remaining)}`, { at, code: "truncated" });
    }
    return length;
  }

  #expect(tag: number): void {
    const input = this.#input;
    const at = input.at;
    if (input.byte() !== tag) input.fail(`expected the end tag 0x${tag.toString(16)}`, { at });
  }

  #checkCount(what: string, expected: number): void {
    const input = this.#input;
    const at = input.at;
    const count = input.varint();
    if (count !== expected) input.fail(`count of ${what} is ${count}, expected ${expected}`, { at });
  }

  /** The same object again. It counts in full, for a reader that follows it everywhere. */
  #reference(at: number, depth: number): Extent {
    const input = this.#input;
    const id = input.varint();
    const extent = this.#extents[id];
    if (extent === undefined) {
      return input.fail(
        id < this.#extents.length
          ? `object ${id} contains itself`
          : `reference to object ${id}, which is not there yet`,
        { at },
      );
    }
    if (depth + extent.levels - 1 > this.#depth) {
      input.fail(`nested deeper than ${this.#depth} levels`, { at, code: "limit" });
    }
    this.#spend(extent.items - 1, at);
    return extent;
  }
}
