import { readInteger, SCALAR_SIZES } from "../../formats/flatbuffers-verifier/shape.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import { Place } from "../../model/region.ts";
import { type Anatomy, TEXT } from "../../model/region-table.ts";
import { type Int64Mode, simpleName } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import {
  entryTable,
  extentOf,
  type FlatElement,
  type FlatField,
  type FlatScalar,
  type FlatTable,
  type FlatType,
  flatLayout,
} from "../layout/flatbuffers.ts";
import { heldAs, textAt } from "./leaf-values.ts";
import { type RegionId, RegionList } from "./region-list.ts";

/** Nested tables, as flatbuffers/verifier.h has it. */
const MAX_DEPTH = 64;

/** Most bytes of padding: `force_align` is 32 at the most. */
const MOST_PADDING = 31;

/** Takes a FlatBuffers message apart: tables, the vtables they share, and what offsets lead to. */
export function flatbuffersRegions(bytes: Uint8Array, { schema, int64 }: Dataset): Anatomy {
  const { tables, identifier } = flatLayout(schema);
  const list = new RegionList(bytes, MOST_PADDING);
  const root = new Place();
  const reader = new Reader(list, tables, int64);
  list.attempt(() => reader.root(root, identifier));
  return list.finish(root);
}

/** How a value stands to the one at its place: it is that, or the key under which that stands. */
type Part = "value" | "key";

class Reader {
  readonly #list: RegionList;
  readonly #view: DataView;
  readonly #tables: readonly FlatTable[];
  readonly #int64: Int64Mode;
  readonly #vtables = new Set<number>();
  /** Tables, strings and vectors that were met, and for whom. */
  readonly #met = new Map<number, Place>();

  constructor(list: RegionList, tables: readonly FlatTable[], int64: Int64Mode) {
    const { buffer, byteOffset, length } = list.bytes;
    this.#list = list;
    this.#view = new DataView(buffer, byteOffset, length);
    this.#tables = tables;
    this.#int64 = int64;
  }

  root(place: Place, identifier: string | undefined): void {
    const target = this.#follow(0, place, "uoffset of the root");
    // A message may lack it, as one of an older program does.
    if (
      identifier !== undefined &&
      Buffer.from(this.#list.bytes.subarray(4, 8)).toString("latin1") === identifier
    ) {
      this.#list.add("header", 4, 8, place, "identifier", TEXT);
    }
    this.#table(target.at, this.#tables[0]!, place, 1);
  }

  /** Where an offset leads; undefined there for what was met before. */
  #follow(at: number, place: Place, type = "uoffset"): { at: number; region: RegionId; shared: boolean } {
    const offset = this.#u32(at);
    const target = at + offset;
    const region = this.#list.add("offset", at, at + 4, place, type, offset);
    this.#list.point(region, target);
    this.#need(target, 4);
    if (offset === 0) this.#fail(at, "an offset leads to itself");
    const shared = this.#met.has(target);
    if (shared)
      this.#list.point(region, target, `${offset}, shared with ${this.#met.get(target)!.path || "the root"}`);
    else this.#met.set(target, place);
    return { at: target, region, shared };
  }

  #table(start: number, table: FlatTable, place: Place, depth: number): void {
    if (depth > MAX_DEPTH) this.#fail(start, `nested deeper than ${MAX_DEPTH} tables`, "limit");
    const back = this.#i32(start);
    const vtable = start - back;
    const region = this.#list.add("offset", start, start + 4, place, "soffset", back);
    this.#list.point(region, vtable);
    const size = this.#vtable(vtable, table, place);
    let members: Set<string> | undefined;
    for (const field of table.fields) {
      if (field.union !== undefined && members?.has(field.union.name) === true) continue;
      const inner = table.form === "message" ? new Place(place, "field", field.name) : place;
      const part = table.form === "entry" && field.id === 0 ? "key" : "value";
      const at = slot(this.#view, vtable, size, field.id);
      if (field.union !== undefined) {
        if (!this.#isMember(start, vtable, size, field, inner)) continue;
        members ??= new Set();
        members.add(field.union.name);
      }
      if (at === 0) this.#absent(field, inner, part);
      else this.#list.attempt(() => this.#value(start + at, field.type, inner, depth, part));
    }
  }

  /** Whether this member of a union is the one that is there, as the number in the place before it says. */
  #isMember(start: number, vtable: number, size: number, { id, union }: FlatField, place: Place): boolean {
    const at = slot(this.#view, vtable, size, id - 1);
    if (at === 0) return false;
    this.#need(start + at, 1);
    if (this.#view.getUint8(start + at) !== union!.tag) return false;
    this.#list.add("tag", start + at, start + at + 1, place, "union type", union!.tag);
    return true;
  }

  /** A vtable's own bytes, once however many tables share it. Returns its size. */
  #vtable(vtable: number, table: FlatTable, place: Place): number {
    if (vtable < 0) this.#fail(Math.max(0, vtable), `a vtable at byte ${vtable}`);
    const size = this.#u16(vtable);
    this.#need(vtable, Math.max(size, 4));
    if (this.#vtables.has(vtable)) return size;
    this.#vtables.add(vtable);
    const name = simpleName(table.name);
    this.#list.add("vtable", vtable, vtable + 2, place, "vtable size", `${size}, vtable of ${name}`);
    this.#list.add("vtable", vtable + 2, vtable + 4, place, "table size", this.#u16(vtable + 2));
    const names = new Map(table.fields.map((field) => [field.id, field.union?.name ?? field.name]));
    for (let at = vtable + 4, id = 0; at + 2 <= vtable + size; at += 2, id++) {
      const inTable = this.#u16(at);
      const field =
        names.get(id) ??
        (names.has(id + 1) ? `type of ${names.get(id + 1)}` : `field ${id}, which the schema lacks`);
      this.#list.add(
        "vtable",
        at,
        at + 2,
        place,
        "voffset",
        `${inTable === 0 ? "absent" : `+${inTable}`}: ${field}`,
      );
    }
    return size;
  }

  #absent({ type, presence, zero }: FlatField, place: Place, part: Part): void {
    if (part === "key") {
      place.step = type.kind !== "scalar" ? "" : String(type.scalar === "bool" ? Boolean(zero) : zero);
      return;
    }
    if (presence === "optional") return;
    if (type.kind === "scalar") this.#list.default(place, this.#plain(zero, type.scalar));
    else if (type.kind === "string") this.#list.default(place, "");
    else if (type.kind === "bytes") this.#list.default(place, new Uint8Array(0));
  }

  #plain(value: number | bigint | boolean, scalar: FlatScalar): Value {
    if (scalar === "bool") return Boolean(value);
    if (scalar !== "long" && scalar !== "ulong") return value;
    return this.#int64 === "bigint" ? BigInt(value) : Number(value);
  }

  #value(at: number, type: FlatType, place: Place, depth: number, part: Part): void {
    switch (type.kind) {
      case "scalar":
        this.#scalar(at, type.scalar, place, part);
        break;
      case "struct":
        this.#struct(at, this.#tables[type.table]!, place);
        break;
      case "table": {
        const { at: target, shared } = this.#follow(at, place);
        if (!shared) this.#table(target, this.#tables[type.table]!, place, depth + 1);
        break;
      }
      case "vector": {
        const { at: target, shared } = this.#follow(at, place);
        if (!shared) this.#vector(target, type.element, place, depth);
        break;
      }
      default:
        this.#blob(at, type.kind, place, part);
    }
  }

  #scalar(at: number, scalar: FlatScalar, place: Place, part: Part): void {
    const size = SCALAR_SIZES[scalar];
    this.#need(at, size);
    const read =
      scalar === "float"
        ? this.#view.getFloat32(at, true)
        : scalar === "double"
          ? this.#view.getFloat64(at, true)
          : readInteger(this.#view, at, scalar);
    if (part === "key") {
      place.step = String(scalar === "bool" ? Boolean(read) : read);
      this.#list.add("key", at, at + size, place, scalar, place.step);
    } else this.#list.leaf("payload", at, at + size, place, scalar, this.#plain(read, scalar));
  }

  #struct(at: number, struct: FlatTable, place: Place): void {
    this.#need(at, struct.size);
    for (const { name, id, type } of struct.fields) {
      const inner = new Place(place, "field", name);
      if (type.kind !== "vector") this.#value(at + id, type, inner, 0, "value");
      else {
        const { size } = extentOf(type.element);
        for (let i = 0; i < (type.length ?? 0); i++)
          this.#value(at + id + i * size, type.element, new Place(inner, "element", i), 0, "value");
      }
    }
    if (struct.align > 16) this.#tail(at, struct, place);
  }

  /** What fills a struct up, where more padding may follow than a gap is taken for. */
  #tail(at: number, { fields, size }: FlatTable, place: Place): void {
    const last = fields.at(-1);
    const start = at + (last === undefined ? 0 : last.id + extentOf(last.type).size);
    if (this.#list.bytes.subarray(start, at + size).every((byte) => byte === 0))
      this.#list.add("padding", start, at + size, place, "padding");
  }

  /** A string, or a vector of bytes. */
  #blob(at: number, kind: "string" | "bytes", place: Place, part: Part): void {
    const { at: start, region, shared } = this.#follow(at, place);
    const length = this.#u32(start);
    const end = start + 4 + length;
    this.#need(start, 4 + length);
    const { bytes } = this.#list;
    if (part === "key") place.step = textAt(bytes, start + 4, end);
    const isLeaf = part === "value";
    if (shared) {
      const value = kind === "string" ? textAt(bytes, start + 4, end) : bytes.subarray(start + 4, end);
      if (isLeaf) this.#list.mark(region, value);
      return;
    }
    const count = this.#list.add("length", start, start + 4, place, "uint32", length);
    if (length === 0 && isLeaf) this.#list.mark(count, kind === "string" ? "" : new Uint8Array(0));
    this.#list.add(isLeaf ? "payload" : "key", start + 4, end, place, kind, heldAs(kind), isLeaf);
    if (kind === "bytes") return;
    this.#need(end, 1);
    this.#list.add("terminator", end, end + 1, place, "NUL");
  }

  #vector(start: number, element: FlatElement, place: Place, depth: number): void {
    const count = this.#u32(start);
    const { size } = extentOf(element);
    this.#list.add("length", start, start + 4, place, "uint32", count);
    this.#need(start, 4 + count * size);
    const entry = entryTable(this.#tables, element);
    for (let i = 0; i < count; i++) {
      const inner = entry === undefined ? new Place(place, "element", i) : new Place(place, "entry", "", i);
      this.#list.attempt(() => this.#value(start + 4 + i * size, element, inner, depth, "value"));
    }
  }

  #u16(at: number): number {
    this.#need(at, 2);
    return this.#view.getUint16(at, true);
  }

  #u32(at: number): number {
    this.#need(at, 4);
    return this.#view.getUint32(at, true);
  }

  #i32(at: number): number {
    this.#need(at, 4);
    return this.#view.getInt32(at, true);
  }

  #need(at: number, size: number): void {
    const { byteLength } = this.#view;
    if (at < 0 || at + size > byteLength)
      this.#fail(Math.min(Math.max(at, 0), byteLength), `bytes ${at} to ${at + size} of ${byteLength}`);
  }

  #fail(offset: number, problem: string, code: "corrupt" | "limit" = "corrupt"): never {
    throw new DecodeError("flatbuffers", problem, { offset, code });
  }
}

/** Where a table has the field of an id; 0 where it has none. */
function slot(view: DataView, vtable: number, size: number, id: number): number {
  const at = 4 + 2 * id;
  return at + 2 <= size ? view.getUint16(vtable + at, true) : 0;
}
