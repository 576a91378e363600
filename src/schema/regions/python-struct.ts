import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { Place } from "../../model/region.ts";
import { type Anatomy, BYTES, TEXT } from "../../model/region-table.ts";
import type { FieldType, Int64Mode } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import {
  type FieldLayout,
  type Layouts,
  layoutOf,
  type MessageLayout,
  type Slot,
  StructPlan,
} from "../layout/python-struct.ts";
import { Cursor } from "./cursor.ts";
import { RegionList } from "./region-list.ts";

/** Takes the structs of messages apart, as Python's `struct` packs them: big-endian, and without gaps. */
export function pythonStructRegions(bytes: Uint8Array, dataset: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = new Place();
  const reader = new Reader(list, layoutOf(dataset), dataset.int64);
  list.attempt(() => reader.whole(dataset.schema.root, root));
  return list.finish(root);
}

/** Bytes of numbers by their characters, and what reads them. */
const NUMBERS: Readonly<Record<string, readonly [size: number, (view: DataView, at: number) => Value]>> = {
  "?": [1, (view, at) => view.getUint8(at) !== 0],
  b: [1, (view, at) => view.getInt8(at)],
  B: [1, (view, at) => view.getUint8(at)],
  h: [2, (view, at) => view.getInt16(at)],
  H: [2, (view, at) => view.getUint16(at)],
  i: [4, (view, at) => view.getInt32(at)],
  I: [4, (view, at) => view.getUint32(at)],
  q: [8, (view, at) => view.getBigInt64(at)],
  Q: [8, (view, at) => view.getBigUint64(at)],
  f: [4, (view, at) => view.getFloat32(at)],
  d: [8, (view, at) => view.getFloat64(at)],
};

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #layouts: Layouts;
  readonly #int64: Int64Mode;

  constructor(list: RegionList, layouts: Layouts, int64: Int64Mode) {
    this.#list = list;
    this.#cursor = new Cursor("python-struct", list);
    this.#layouts = layouts;
    this.#int64 = int64;
  }

  whole(root: string, place: Place): void {
    this.#message(this.#layouts.get(root)!, place, 1);
    this.#cursor.expectEnd();
  }

  /** A struct, and what follows it in the order of the fields. */
  #message({ fields, struct }: MessageLayout, place: Place, depth: number): void {
    const cursor: Cursor = this.#cursor;
    cursor.enter(depth);
    if (struct.format === ">x") cursor.take("padding", 1, place, "x");
    const tails = fields.map((layout) => {
      const inner = new Place(place, "field", layout.field.name);
      return { layout, inner, head: this.#head(layout, inner) };
    });
    for (const { layout, inner, head } of tails) this.#tail(layout, inner, head, depth);
  }

  /** What a struct has of a field. Returns how many values follow it. */
  #head({ field, slot, flag, count, place: index }: FieldLayout, place: Place): number {
    const { repetition } = field;
    if (repetition.kind !== "one") {
      if (count === undefined) return repetition.kind === "list" ? (repetition.length ?? 0) : 0;
      return Number(this.#number("I", place, "length"));
    }
    const isThere = flag === undefined || this.#number("?", place, "presence") === true;
    if (slot === undefined || index === undefined) return isThere ? 1 : 0;
    if (isThere) this.#slot(slot, place, "payload");
    else this.#cursor.take("padding", StructPlan.of(slot).size, place, "absent");
    return 0;
  }

  #tail({ field, slot, keySlot }: FieldLayout, place: Place, count: number, depth: number): void {
    const { kind } = field.repetition;
    for (let i = 0; i < count; i++) {
      if (kind === "map") {
        const entry = new Place(place, "entry", "", i);
        entry.step = String(this.#slot(keySlot!, entry, "key"));
        this.#one(field.type, slot, entry, depth);
      } else this.#one(field.type, slot, kind === "list" ? new Place(place, "element", i) : place, depth);
    }
  }

  #one(type: FieldType, slot: Slot | undefined, place: Place, depth: number): void {
    if (slot !== undefined) this.#slot(slot, place, "payload");
    else if (type.kind === "message") this.#message(this.#layouts.get(type.name)!, place, depth + 1);
  }

  /** One value. Returns that of a key. */
  #slot(slot: Slot, place: Place, role: "payload" | "key"): Value {
    if (slot.kind === "number") return this.#number(slot.character, place, role);
    const cursor: Cursor = this.#cursor;
    const { kind, bytes: room, holds } = slot;
    if (kind !== "fixed") cursor.need(kind === "short" ? 1 : 4);
    const length =
      kind === "fixed"
        ? room
        : kind === "short"
          ? cursor.view.getUint8(cursor.at)
          : cursor.view.getUint32(cursor.at);
    if (length > room) cursor.fail(`${inBytes(length)}, expected at most ${room}`);
    const counter =
      kind === "fixed"
        ? -1
        : cursor.take("length", kind === "short" ? 1 : 4, place, kind === "short" ? "p" : "I", length);
    cursor.need(room);
    const text = role === "key" ? cursor.textAt(cursor.at, length) : "";
    if (role === "key") cursor.take("key", length, place, "s", TEXT);
    else if (length > 0) cursor.leaf(length, place, "s", holds === "string" ? TEXT : BYTES);
    else this.#list.mark(counter, holds === "string" ? "" : new Uint8Array(0));
    if (length < room) cursor.take("padding", room - length, place, "rest of the text");
    return text;
  }

  #number(character: string, place: Place, role: "payload" | "key" | "presence" | "length"): Value {
    const cursor: Cursor = this.#cursor;
    const [size, read] = NUMBERS[character]!;
    cursor.need(size);
    const value = read(cursor.view, cursor.at);
    const held =
      typeof value === "bigint" && role === "payload" && this.#int64 === "number" ? Number(value) : value;
    if (role === "payload") cursor.leaf(size, place, character, held);
    else cursor.take(role, size, place, character, role === "key" ? String(held) : held);
    return held;
  }
}
