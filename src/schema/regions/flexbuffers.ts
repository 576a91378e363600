import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Place } from "../../model/region.ts";
import { type Anatomy, BYTES, TEXT } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Cursor, Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { RegionList } from "./region-list.ts";

/** Takes a FlexBuffers message apart (flatbuffers, `flexbuffers.h`), which ends with its root. */
export function flexbuffersRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.root(root));
  return list.finish(root.place);
}

/** Names of the types in the upper six bits of a type byte. */
const TYPES = [
  ...["null", "int", "uint", "float", "key", "string", "indirect int", "indirect uint", "indirect float"],
  ...["map", "vector", "ints", "uints", "floats", "keys", "strings"],
  ...["2 ints", "2 uints", "2 floats", "3 ints", "3 uints", "3 floats", "4 ints", "4 uints", "4 floats"],
  ...["blob", "bool"],
];
const BOOLS = 36;
const FIRST_TYPED = 11;
const FIRST_FIXED = 16;
const LAST_FIXED = 24;

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #bytes: Uint8Array;
  /** What offsets led to, by its first byte, which may be that of its length, and for whom. */
  readonly #met = new Map<number, Place>();

  constructor(list: RegionList) {
    this.#list = list;
    this.#bytes = list.bytes;
    this.#cursor = new Cursor("flexbuffers", list);
  }

  root(here: Guided): void {
    const { length } = this.#bytes;
    const { place } = here;
    const width = this.#bytes[length - 1] ?? 0;
    this.#within(length - 2, 2);
    this.#list.add("header", length - 1, length, place, "width of the root", width);
    this.#checkWidth(width, length - 1);
    this.#tag(length - 2, place);
    this.#value(length - 2 - width, width, this.#bytes[length - 2]!, here, 1);
  }

  #tag(at: number, place: Place): void {
    const packed = this.#bytes[at]!;
    const type = packed >> 2 === BOOLS ? "bools" : (TYPES[packed >> 2] ?? `type ${packed >> 2}`);
    this.#list.add("tag", at, at + 1, place, "type", `${type} of ${8 << (packed & 3)} bits`);
  }

  /** @param width bytes of what is in place: a number, or an offset */
  #value(at: number, width: number, packed: number, here: Guided, depth: number): void {
    const { place } = here;
    const [type, own] = [packed >> 2, 1 << (packed & 3)];
    const name = TYPES[type] ?? "bools";
    this.#cursor.enter(depth);
    this.#within(at, width);
    if (name === "null") this.#list.leaf("payload", at, at + width, place, name, null);
    else if (name === "bool" || type <= 3) this.#number(at, width, name, place);
    else {
      const target = at - this.#uint(at, width);
      this.#within(target, 0);
      const offset = this.#list.add("offset", at, at + width, place, `offset to ${name}`, at - target);
      this.#list.point(offset, target);
      if (name.startsWith("indirect")) this.#number(target, own, name.slice("indirect ".length), place);
      else if (name === "key" || name === "string" || name === "blob")
        this.#blob(target, own, name, place, offset);
      else this.#container(target, own, type, here, depth, offset);
    }
  }

  #number(at: number, width: number, name: string, place: Place): void {
    this.#within(at, width);
    const { view } = this.#cursor;
    let value: Value;
    if (name === "float") {
      if (width < 4) this.#fail(`a float of ${inBytes(width)}`, at);
      value = width === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
    } else if (width === 8) value = name === "int" ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
    else if (name === "int")
      value =
        width === 1 ? view.getInt8(at) : width === 2 ? view.getInt16(at, true) : view.getInt32(at, true);
    else value = this.#uint(at, width);
    this.#list.leaf("payload", at, at + width, place, name, name === "bool" ? Number(value) !== 0 : value);
  }

  /** Text or bytes, in place of which the offset to them is the value if another has led there. */
  #blob(start: number, first: number, kind: "key" | "string" | "blob", place: Place, offset: number): void {
    const [width, end] = kind === "key" ? [0, this.#keyEnd(start)] : this.#extent(start, first, kind);
    const shared = this.#met.get(start - width);
    const value =
      kind === "blob" ? this.#bytes.subarray(start, end) : this.#cursor.textAt(start, end - start);
    if (shared !== undefined) {
      this.#list.mark(offset, value);
      return;
    }
    this.#met.set(start - width, place);
    const counter = this.#list.add("length", start - width, start, place, "uint", end - start);
    if (end > start) this.#list.leaf("payload", start, end, place, kind, kind === "blob" ? BYTES : TEXT);
    else this.#list.mark(counter, value);
    if (kind !== "blob") this.#list.add("terminator", end, end + 1, place, "NUL");
  }

  /** The width of a length, and the end of what it is of. A text's may be wider than is said: it leads to a NUL. */
  #extent(start: number, first: number, kind: "string" | "blob"): readonly [width: number, end: number] {
    for (let width = first; width <= 8; width *= 2) {
      const end = start + this.#uint(start - width, width);
      this.#within(start, end - start);
      if (kind === "blob" || this.#bytes[end] === 0) return [width, end];
    }
    return this.#fail("text without an end", start);
  }

  #keyEnd(start: number): number {
    const end = this.#bytes.indexOf(0, start);
    return end < 0 ? this.#fail("a key without an end", start) : end;
  }

  #container(start: number, width: number, type: number, here: Guided, depth: number, offset: number): void {
    const { place } = here;
    const isFixed = type >= FIRST_FIXED && type <= LAST_FIXED;
    const length = isFixed ? Math.floor((type - FIRST_FIXED) / 3) + 2 : this.#uint(start - width, width);
    this.#within(start, length * width);
    const begin = isFixed ? start : start - width;
    const shared = this.#met.get(begin);
    if (shared !== undefined) {
      this.#list.point(offset, start, `shared with ${shared.path || "the root"}`);
      return;
    }
    this.#met.set(begin, place);
    if (!isFixed) this.#list.add("length", start - width, start, place, "uint", length);
    const name = TYPES[type];
    if (name !== "map" && name !== "vector") {
      if (type !== BOOLS && (type < FIRST_TYPED || type > LAST_FIXED))
        this.#fail(`no type is ${type}`, start);
      const element = type === BOOLS ? 26 : isFixed ? ((type - FIRST_FIXED) % 3) + 1 : type - FIRST_TYPED + 1;
      for (let i = 0; i < length; i++)
        this.#element(start + i * width, width, element << 2, here.element(i), depth);
      return;
    }
    const types = start + length * width;
    this.#within(types, length);
    const keys = name === "map" ? this.#keys(start, width, length, here) : undefined;
    for (let i = 0; i < length; i++) {
      const inner = keys?.[i] ?? here.element(i);
      this.#tag(types + i, inner.place);
      this.#element(start + i * width, width, this.#bytes[types + i]!, inner, depth);
    }
  }

  #element(at: number, width: number, packed: number, here: Guided, depth: number): void {
    this.#list.attempt(() => this.#value(at, width, packed, here, depth + 1));
  }

  /** The keys of a map, which maps with the same ones share: offsets to texts, in a vector that is before the map. */
  #keys(start: number, width: number, length: number, here: Guided): Guided[] {
    const { place } = here;
    const at = start - 3 * width;
    const vector = at - this.#uint(at, width);
    const keyWidth = this.#uint(start - 2 * width, width);
    this.#checkWidth(keyWidth, start - 2 * width);
    this.#within(vector - keyWidth, (length + 1) * keyWidth);
    const offset = this.#list.add("offset", at, at + width, place, "offset to keys", at - vector);
    this.#list.point(offset, vector);
    this.#list.add("tag", at + width, start - width, place, "width of keys", keyWidth);
    const isShared = this.#met.has(vector - keyWidth);
    this.#met.set(vector - keyWidth, place);
    if (!isShared) this.#list.add("length", vector - keyWidth, vector, place, "uint", length);
    const properties = new Properties(this.#list, here);
    return Array.from({ length }, (_, i) => {
      const from = vector + i * keyWidth;
      const key = from - this.#uint(from, keyWidth);
      this.#within(key, 1);
      const end = this.#keyEnd(key);
      const inner = properties.next(this.#cursor.textAt(key, end - key));
      if (isShared) return inner;
      const id = this.#list.add("offset", from, from + keyWidth, inner.place, "offset to key", from - key);
      this.#list.point(id, key);
      if (this.#met.has(key)) return inner;
      this.#met.set(key, inner.place);
      this.#list.add("key", key, end, inner.place, "key", TEXT);
      this.#list.add("terminator", end, end + 1, inner.place, "NUL");
      return inner;
    });
  }

  #uint(at: number, width: number): number {
    this.#within(at, width);
    const { view } = this.#cursor;
    if (width === 1) return view.getUint8(at);
    if (width === 2) return view.getUint16(at, true);
    return width === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
  }

  #checkWidth(width: number, at: number): void {
    if (![1, 2, 4, 8].includes(width)) this.#fail("expected a width of 1, 2, 4 or 8 bytes", at);
  }

  #within(at: number, size: number): void {
    const { length } = this.#bytes;
    if (at >= 0 && size >= 0 && at + size <= length) return;
    this.#fail(`${inBytes(size)} are outside of the message`, Math.min(Math.max(at, 0), length));
  }

  #fail(problem: string, at: number): never {
    return this.#cursor.fail(problem, at);
  }
}
