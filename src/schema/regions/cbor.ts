import type { Dataset } from "../../model/dataset.ts";
import type { Place } from "../../model/region.ts";
import { type Anatomy, BYTES } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Cursor, Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { RegionList } from "./region-list.ts";

/** Takes CBOR apart (RFC 8949), and the records of cbor-x, whose keys stand where they are first used. */
export function cborRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.whole(root));
  return list.finish(root.place);
}

/** Names of the major types (section 3.1). */
const MAJORS = ["unsigned", "negative", "bytes", "text", "array", "map", "tag", "simple"] as const;

const CONSTANTS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [20, false],
  [21, true],
  [22, null],
]);

const BREAK = 0xff;

/** Tags of cbor-x: what defines a record, and the ids of those that are defined. */
const RECORDS = { defines: 0xdfff, first: 0xe000, last: 0xe0ff } as const;

/** A typed array of 8-bit integers (RFC 8746). */
const TYPED_BYTES = 64n;

/** The first byte of a data item, and the argument in it or behind it. */
interface Head {
  readonly major: number;
  readonly info: number;
  /** Bytes of the argument; 0 where it is in the first byte. */
  readonly size: number;
  /** -1 where the length is indefinite. */
  readonly argument: bigint;
}

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #records = new Map<number, readonly string[]>();

  constructor(list: RegionList) {
    this.#list = list;
    this.#cursor = new Cursor("cbor", list);
  }

  whole(root: Guided): void {
    this.#value(root, 1);
    this.#cursor.expectEnd();
  }

  /** The head of the next item, which is not passed. */
  #head(): Head {
    const cursor = this.#cursor;
    const first = cursor.peek();
    const [major, info] = [first >> 5, first & 31];
    if (info < 24) return { major, info, size: 0, argument: BigInt(info) };
    if (info === 31) return { major, info, size: 0, argument: -1n };
    if (info > 27) cursor.fail(`the low bits ${info} of a first byte are reserved`);
    const size = 2 ** (info - 24);
    cursor.need(1 + size);
    let argument = 0n;
    for (let i = 1; i <= size; i++) argument = (argument << 8n) | BigInt(cursor.view.getUint8(cursor.at + i));
    return { major, info, size, argument };
  }

  #value(here: Guided, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    cursor.enter(depth);
    const head = this.#head();
    const { major, argument } = head;
    const name = MAJORS[major]!;
    if (major <= 1) {
      if (argument < 0n) cursor.fail("an integer has no length");
      const value = major === 0 ? argument : -1n - argument;
      this.#number(head, place, name, Number.isSafeInteger(Number(value)) ? Number(value) : value);
    } else if (name === "bytes" || name === "text") {
      const counter = this.#length(head, place);
      if (argument < 0n) cursor.fail(`${name} in chunks`, cursor.at, "unsupported");
      cursor.blob(name, Number(argument), place, counter);
    } else if (name === "array") {
      let index = 0;
      this.#each(head, place, () => this.#value(here.element(index++), depth + 1));
    } else if (name === "map") {
      const properties = new Properties(this.#list, here);
      this.#each(head, place, () =>
        this.#value(
          this.#key((key) => properties.next(key)),
          depth + 1,
        ),
      );
    } else if (name === "tag") this.#tagged(here, head, depth);
    else this.#simple(head, place);
  }

  #number({ size }: Head, place: Place, type: string, value: Value): void {
    if (size > 0) this.#cursor.take("tag", 1, place, `${type} ${8 * size}`);
    this.#cursor.leaf(Math.max(size, 1), place, type, value);
  }

  /** A constant or a float. */
  #simple(head: Head, place: Place): void {
    const cursor = this.#cursor;
    const { info, size, argument } = head;
    const { view, at } = cursor;
    const constant = CONSTANTS.get(info);
    if (constant !== undefined) cursor.leaf(1, place, String(constant), constant);
    else if (info === 25) this.#number(head, place, "float", halfFloat(view.getUint16(at + 1)));
    else if (size >= 4)
      this.#number(head, place, "float", size === 4 ? view.getFloat32(at + 1) : view.getFloat64(at + 1));
    else if (info === 31) cursor.fail("a break ends nothing");
    else
      cursor.fail(
        `${argument === 23n ? "undefined" : `the simple value ${argument}`} is not allowed`,
        at,
        "unsupported",
      );
  }

  /** The first byte of what has a length, and that. */
  #length({ major, size, argument }: Head, place: Place): number {
    const cursor = this.#cursor;
    const name = MAJORS[major]!;
    if (argument < 0n) return cursor.take("tag", 1, place, `${name}, indefinite`);
    if (size === 0) return cursor.take("length", 1, place, name, Number(argument));
    cursor.take("tag", 1, place, `${name} ${8 * size}`);
    return cursor.take("length", size, place, "uint", Number(argument));
  }

  /** What a container holds, or what is before its break. */
  #each(head: Head, place: Place, one: () => void): void {
    const cursor = this.#cursor;
    this.#length(head, place);
    for (let left = head.argument; left !== 0n; left--) {
      if (head.argument < 0n && cursor.peek() === BREAK) {
        cursor.take("terminator", 1, place, "break");
        return;
      }
      one();
    }
  }

  /** A key, which is text. @param placeOf the place of what stands under it */
  #key(placeOf: (key: string) => Guided): Guided {
    const cursor = this.#cursor;
    const head = this.#head();
    if (head.major !== 3 || head.argument < 0n)
      cursor.fail("expected text as a key", cursor.at, "unsupported");
    const inner = placeOf(cursor.textAt(cursor.at + 1 + head.size, Number(head.argument)));
    this.#length(head, inner.place);
    cursor.blob("text", Number(head.argument), inner.place, -1, true);
    return inner;
  }

  #tagged(here: Guided, head: Head, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    const { argument: tag, size } = head;
    if (tag < 0n) cursor.fail("a tag has no length");
    cursor.take("tag", 1 + size, place, "tag", Number(tag));
    const known = this.#records.get(Number(tag));
    if (Number(tag) === RECORDS.defines) this.#definition(here, depth);
    else if (known !== undefined && tag >= RECORDS.first && tag <= RECORDS.last) {
      this.#expect(4, place);
      this.#fields(here, known, depth);
    } else if (tag === TYPED_BYTES || this.#head().major !== 2) this.#value(here, depth + 1);
    else {
      // Of other tags, such as those of large integers, bytes are something else.
      const inner = this.#head();
      const counter = this.#length(inner, place);
      if (inner.argument < 0n) cursor.fail("tagged bytes in chunks", cursor.at, "unsupported");
      if (inner.argument > 0n) cursor.leaf(Number(inner.argument), place, `tag ${tag}`, BYTES);
      else this.#list.mark(counter, new Uint8Array(0));
    }
  }

  /** The head of an item that must be of a major type. */
  #expect(major: number, place: Place): number {
    const head = this.#head();
    if (head.major !== major || head.argument < 0n) this.#cursor.fail(`expected the major type ${major}`);
    this.#length(head, place);
    return Number(head.argument);
  }

  /** An array of an id, the keys of a record, and its values. */
  #definition(here: Guided, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    this.#expect(4, place);
    const { size, argument, major } = this.#head();
    if (major !== 0) cursor.fail("expected the id of a record");
    cursor.take("header", 1 + size, place, "record id", Number(argument));
    const count = this.#expect(4, place);
    const keys: string[] = [];
    for (let i = 0; i < count; i++) {
      this.#key((key) => {
        keys.push(key);
        return here.property(key, i);
      });
    }
    this.#records.set(Number(argument), keys);
    this.#fields(here, keys, depth);
  }

  #fields(here: Guided, keys: readonly string[], depth: number): void {
    for (const [i, key] of keys.entries()) this.#value(here.property(key, i), depth + 1);
  }
}

/** A float of two bytes (appendix D). */
function halfFloat(bits: number): number {
  const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 0
      ? mantissa * 2 ** -24
      : exponent < 31
        ? (mantissa + 1024) * 2 ** (exponent - 25)
        : mantissa === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN;
  return bits & 0x8000 ? -size : size;
}
