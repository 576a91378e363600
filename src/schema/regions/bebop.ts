import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import type { Field, FieldType, Int64Mode, Scalar, Schema } from "../../model/schema.ts";
import { type BebopScalar, bebopIndexes, bebopScalar } from "../layout/bebop.ts";
import { MAX_DEPTH } from "../values/depth.ts";
import { Cursor } from "./cursor.ts";
import { zeroOf } from "./leaf-values.ts";
import { type RegionId, RegionList } from "./region-list.ts";

/**
 * Takes a `message` of Bebop apart (docs.bebop.sh, "Wire format"): its length, and fields behind their indexes up to a zero.
 * Of what is in it twice the last counts, as in the library.
 */
export function bebopRegions(bytes: Uint8Array, { schema, int64 }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = new Place();
  const reader = new Reader(list, schema, int64);
  list.attempt(() => reader.whole(schema.root, root));
  return list.finish(root);
}

/** Bebop's names of numbers by the ends of the library's methods, and what reads them. */
const NUMBERS: Readonly<
  Record<string, readonly [type: string, (view: DataView, at: number) => number | bigint]>
> = {
  Byte: ["byte", (view, at) => view.getUint8(at)],
  Int16: ["int16", (view, at) => view.getInt16(at, true)],
  Uint16: ["uint16", (view, at) => view.getUint16(at, true)],
  Int32: ["int32", (view, at) => view.getInt32(at, true)],
  Uint32: ["uint32", (view, at) => view.getUint32(at, true)],
  Int64: ["int64", (view, at) => view.getBigInt64(at, true)],
  Uint64: ["uint64", (view, at) => view.getBigUint64(at, true)],
  Float32: ["float32", (view, at) => view.getFloat32(at, true)],
  Float64: ["float64", (view, at) => view.getFloat64(at, true)],
};

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #int64: Int64Mode;
  readonly #fields: ReadonlyMap<string, ReadonlyMap<number, Field>>;

  constructor(list: RegionList, schema: Schema, int64: Int64Mode) {
    this.#list = list;
    this.#cursor = new Cursor("bebop", list);
    this.#int64 = int64;
    this.#fields = bebopIndexes(schema);
  }

  whole(root: string, place: Place): void {
    this.#message(root, place, 1);
    this.#cursor.expectEnd();
  }

  /** A message after its length. Where it is broken, what follows it is read nevertheless. */
  #message(name: string, place: Place, depth: number): void {
    const cursor: Cursor = this.#cursor;
    const { length } = this.#length(place);
    // Of a message that is cut off the fields that are there are read.
    this.#list.attempt(() => cursor.need(length));
    const around = cursor.end;
    cursor.end = Math.min(cursor.at + length, around);
    this.#list.attempt(() => this.#body(this.#fields.get(name)!, place, depth));
    if (cursor.at < cursor.end) cursor.take("unknown", cursor.end - cursor.at, place, "bytes");
    cursor.end = around;
  }

  /** Fields up to a zero, or up to an index that the schema lacks, from which on the library passes the rest. */
  #body(fields: ReadonlyMap<number, Field>, place: Place, depth: number): void {
    const cursor: Cursor = this.#cursor;
    cursor.enter(depth, MAX_DEPTH);
    const known = new Map<Field, Place>();
    for (;;) {
      const index = cursor.peek();
      const field = fields.get(index);
      if (field === undefined) {
        this.#defaults(fields, known, place);
        if (index === 0) this.#end(place);
        else this.#rest(place, index);
        return;
      }
      const inner = new Place(place, "field", field.name);
      const earlier = known.get(field);
      if (earlier !== undefined) this.#list.replace(earlier);
      known.set(field, inner);
      cursor.take("tag", 1, inner, "index", index);
      this.#field(field, inner, depth);
    }
  }

  #end(place: Place): void {
    const cursor: Cursor = this.#cursor;
    cursor.take("terminator", 1, place, "end");
    const left = cursor.end - cursor.at;
    if (left > 0) cursor.fail(`${inBytes(left)} of a message after its end`);
  }

  #rest(place: Place, index: number): void {
    const cursor: Cursor = this.#cursor;
    const text = `from field ${index} on, which the schema lacks`;
    cursor.take("unknown", cursor.end - cursor.at, place, "fields", text);
  }

  /** Names what a message does not hold and its reader has. */
  #defaults(fields: ReadonlyMap<number, Field>, known: ReadonlyMap<Field, Place>, place: Place): void {
    for (const field of fields.values()) {
      const { name, type, repetition } = field;
      if (known.has(field) || repetition.kind !== "one" || repetition.presence !== "implicit") continue;
      this.#list.default(new Place(place, "field", name), zeroOf(type, this.#int64));
    }
  }

  #field({ type, repetition }: Field, place: Place, depth: number): void {
    if (repetition.kind === "one") this.#value(type, place, depth);
    else if (repetition.kind === "list") {
      const { length } = this.#length(place);
      for (let i = 0; i < length; i++) this.#value(type, new Place(place, "element", i), depth);
    } else {
      const known = new Map<string, Place>();
      const { length } = this.#length(place);
      for (let i = 0; i < length; i++) {
        const entry = new Place(place, "entry", "", i);
        const key = this.#key(repetition.key, entry);
        const earlier = known.get(key);
        if (earlier !== undefined) this.#list.replace(earlier);
        known.set(key, entry);
        this.#value(type, entry, depth);
      }
    }
  }

  #key(scalar: Scalar, entry: Place): string {
    const cursor: Cursor = this.#cursor;
    const type: FieldType = { kind: "scalar", scalar };
    const layout = bebopScalar(type)!;
    if (layout.bytes === undefined) {
      const { length, id } = this.#length(entry);
      entry.step = cursor.textAt(cursor.at, length);
      cursor.blob("text", length, entry, id, true);
    } else {
      entry.step = String(this.#number(type, layout));
      cursor.take("key", layout.bytes, entry, typeName(type, layout), entry.step);
    }
    return entry.step;
  }

  #value(type: FieldType, place: Place, depth: number): void {
    const cursor: Cursor = this.#cursor;
    if (type.kind === "message") {
      this.#message(type.name, place, depth + 1);
      return;
    }
    const layout = bebopScalar(type)!;
    if (layout.bytes === undefined) {
      const { length, id } = this.#length(place);
      cursor.blob(layout.method === "String" ? "text" : "bytes", length, place, id);
      return;
    }
    const value = this.#number(type, layout);
    const held = typeof value === "bigint" && this.#int64 === "number" ? Number(value) : value;
    cursor.leaf(layout.bytes, place, typeName(type, layout), held);
  }

  /** The number or bool that comes next, which is not passed. */
  #number(type: FieldType, { bytes = 0, method }: BebopScalar): number | bigint | boolean {
    const cursor: Cursor = this.#cursor;
    cursor.need(bytes);
    const value = NUMBERS[method]![1](cursor.view, cursor.at);
    return isBool(type) ? value !== 0 : value;
  }

  /** A count of bytes, elements or entries. */
  #length(place: Place): { readonly length: number; readonly id: RegionId } {
    const cursor: Cursor = this.#cursor;
    cursor.need(4);
    const length = cursor.view.getUint32(cursor.at, true);
    return { length, id: cursor.take("length", 4, place, "uint32", length) };
  }
}

function isBool(type: FieldType): boolean {
  return type.kind === "scalar" && type.scalar === "bool";
}

/** Bebop's name of a number; bools, which are bytes, and enums are called what they are. */
function typeName(type: FieldType, { method }: BebopScalar): string {
  return type.kind === "enum" ? "enum" : isBool(type) ? "bool" : NUMBERS[method]![0];
}
