import { MARKER } from "../../formats/amf3/types.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Cursor, Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { textAt } from "./leaf-values.ts";
import { type RegionId, RegionList } from "./region-list.ts";
import { SharedValues } from "./shared-values.ts";

/** Takes AMF3 apart (AMF 3 specification, January 2013). */
export function amf3Regions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.whole(root));
  return list.finish(root.place);
}

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(MARKER).map(([name, marker]) => [marker, name]),
);

const CONSTANTS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [MARKER.null, null],
  [MARKER.false, false],
  [MARKER.true, true],
]);

/** Members of a class, of which an object without one has none. */
interface Traits {
  readonly sealed: readonly string[];
  readonly isDynamic: boolean;
}

/** A string: a reference to an earlier one, or its length and text. */
interface Text {
  readonly value: string;
  /** Bytes of the reference or length. */
  readonly size: number;
  readonly isReference: boolean;
  /** Bytes of the text behind it. */
  readonly length: number;
  /** Where it stands, or stood. */
  readonly at: number;
}

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #strings: Text[] = [];
  readonly #traits: Traits[] = [];
  readonly #objects: SharedValues;

  constructor(list: RegionList) {
    this.#list = list;
    this.#cursor = new Cursor("amf3", list);
    this.#objects = new SharedValues(list);
  }

  whole(root: Guided): void {
    this.#value(root, 1);
    this.#cursor.expectEnd();
  }

  #value(here: Guided, depth: number): void {
    const cursor: Cursor = this.#cursor;
    const { place } = here;
    cursor.enter(depth);
    const marker = cursor.peek();
    const name = NAMES.get(marker);
    const constant = CONSTANTS.get(marker);
    if (name === undefined) cursor.fail(`no type has the marker 0x${marker.toString(16).padStart(2, "0")}`);
    if (constant !== undefined) {
      cursor.leaf(1, place, name, constant);
      return;
    }
    cursor.take("tag", 1, place, name);
    if (marker === MARKER.integer) {
      const [value, size] = this.#u29();
      cursor.leaf(size, place, name, (value << 3) >> 3);
    } else if (marker === MARKER.double) {
      cursor.need(8);
      cursor.leaf(8, place, name, cursor.view.getFloat64(cursor.at));
    } else if (marker === MARKER.string) this.#text(this.#ahead(), place, false);
    else if (marker === MARKER.array) this.#array(here, depth);
    else if (marker === MARKER.object) this.#object(here, depth);
    else if (marker === MARKER.byteArray) this.#bytes(place);
    else cursor.fail(`${name} is no plain data`, cursor.at - 1, "unsupported");
  }

  /** An integer of 29 bits, which is not passed, and its bytes. */
  #u29(): [value: number, size: number] {
    const cursor: Cursor = this.#cursor;
    let value = 0;
    for (let size = 1; size < 4; size++) {
      cursor.need(size);
      const byte = cursor.view.getUint8(cursor.at + size - 1);
      value = (value << 7) | (byte & 0x7f);
      if (byte < 0x80) return [value, size];
    }
    cursor.need(4);
    return [(value << 8) | cursor.view.getUint8(cursor.at + 3), 4];
  }

  /** The string that comes next, which is not passed. */
  #ahead(): Text {
    const cursor: Cursor = this.#cursor;
    const [head, size] = this.#u29();
    if ((head & 1) === 0) {
      const known = this.#strings[head >> 1];
      if (known === undefined) cursor.fail(`reference to string ${head >> 1}, of ${this.#strings.length}`);
      return { ...known, size, isReference: true, length: 0 };
    }
    const length = head >> 1;
    cursor.need(size + length);
    const start = cursor.at + size;
    const value = textAt(this.#list.bytes, start, start + length);
    return { value, size, isReference: false, length, at: cursor.at };
  }

  #text(text: Text, place: Place, isKey: boolean): void {
    const cursor: Cursor = this.#cursor;
    const { value, size, isReference, length, at } = text;
    if (isReference) {
      const id = cursor.take(isKey ? "key" : "offset", size, place, "string reference", value);
      this.#list.point(id, at);
      if (!isKey) this.#list.mark(id, value);
      return;
    }
    const counter = cursor.take("length", size, place, "U29", length);
    if (length > 0) this.#strings.push(text);
    cursor.blob("text", length, place, counter, isKey);
  }

  /** Passes the head of an object, whose lowest bit says that it is not a reference. Returns undefined for one. */
  #head(
    role: "length" | "tag",
    place: Place,
    what: (head: number) => string | number,
  ): { readonly head: number; readonly id: RegionId } | undefined {
    const cursor: Cursor = this.#cursor;
    const [head, size] = this.#u29();
    if ((head & 1) === 1)
      return { head: head >> 1, id: cursor.take(role, size, place, "U29", what(head >> 1)) };
    const index = head >> 1;
    const id = cursor.take("offset", size, place, "reference", index);
    if (!this.#objects.refer(id, index))
      cursor.fail(`reference to ${index}, and there are ${this.#objects.size} so far`);
    return undefined;
  }

  #bytes(place: Place): void {
    const cursor: Cursor = this.#cursor;
    const start = cursor.at - 1;
    const { head: length, id } = this.#head("length", place, (count) => count) ?? {};
    if (length === undefined || id === undefined) return;
    cursor.need(length);
    this.#objects.meetNext(place, start, this.#list.bytes.subarray(cursor.at, cursor.at + length));
    cursor.blob("bytes", length, place, id);
  }

  #array(here: Guided, depth: number): void {
    const cursor: Cursor = this.#cursor;
    const { place } = here;
    const start = cursor.at - 1;
    const count = this.#head("length", place, (length) => length)?.head;
    if (count === undefined) return;
    this.#objects.meetNext(place, start);
    this.#members(here, depth);
    for (let i = 0; i < count; i++) this.#value(here.element(i), depth + 1);
  }

  #object(here: Guided, depth: number): void {
    const cursor: Cursor = this.#cursor;
    const { place } = here;
    const start = cursor.at - 1;
    const known = this.#traits.length;
    const head = this.#head("tag", place, (flags) =>
      (flags & 1) === 0 ? `traits ${flags >> 1}` : `traits ${known}: ${flags >> 3} sealed members`,
    )?.head;
    if (head === undefined) return;
    this.#objects.meetNext(place, start);
    const traits = (head & 1) === 0 ? this.#traits[head >> 1] : this.#newTraits(head >> 1, place);
    if (traits === undefined) cursor.fail(`reference to traits ${head >> 1}, of ${known}`, start);
    const properties = new Properties(this.#list, here);
    for (const name of traits.sealed) this.#value(properties.next(name), depth + 1);
    if (traits.isDynamic) this.#members(here, depth, properties);
  }

  /** @param flags whether objects write themselves, whether they are dynamic, and the count of sealed members */
  #newTraits(flags: number, place: Place): Traits {
    const cursor: Cursor = this.#cursor;
    if ((flags & 1) !== 0) cursor.fail("an object that writes itself", cursor.at, "unsupported");
    this.#header(place, "class name");
    const sealed: string[] = [];
    for (let i = flags >> 2; i > 0; i--) sealed.push(this.#header(place, "member name"));
    const traits = { sealed, isDynamic: (flags & 2) !== 0 };
    this.#traits.push(traits);
    return traits;
  }

  /** A name in the traits. */
  #header(place: Place, type: string): string {
    const text = this.#ahead();
    this.#cursor.take("header", text.size + text.length, place, type, text.value);
    if (text.length > 0) this.#strings.push(text);
    return text.value;
  }

  /** Members with their names, up to the empty one. */
  #members(here: Guided, depth: number, properties = new Properties(this.#list, here)): void {
    for (;;) {
      const text = this.#ahead();
      if (text.value === "") {
        this.#cursor.take("terminator", text.size, here.place, "empty name");
        return;
      }
      const inner = properties.next(text.value);
      this.#text(text, inner.place, true);
      this.#value(inner, depth + 1);
    }
  }
}
