import { DecodeError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Place, RegionBit } from "../../model/region.ts";
import { BYTES, TEXT } from "../../model/region-table.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { pathText, show } from "../../model/value.ts";
import type { ArrowField, ArrowNumber, ArrowType } from "../layout/arrow.ts";
import type { Extent, RecordBatch } from "./arrow-metadata.ts";
import { fieldRows, itemRows, type Rows, validRows } from "./arrow-rows.ts";
import { textAt } from "./leaf-values.ts";
import type { RegionList } from "./region-list.ts";

/** The multiple of which the specification recommends that buffers begin at one. */
const ALIGNMENT = 64;

/** How a column's values stand to their places: they are those, or the keys under which entries stand. */
type Part = "value" | "key";

/** Where the rows of lists, text or bytes begin in what holds them; at the count of rows the last one ends. */
interface Offsets {
  /** Byte of the first. */
  readonly at: number;
  /** How many are there: none, where there is no row. */
  readonly count: number;
  of(row: number): number;
  readonly last: number;
}

/** Takes the body of a record batch apart: one pass over its columns, as the nodes and buffers of its header say. */
export class BatchBody {
  readonly #list: RegionList;
  readonly #view: DataView;
  readonly #int64: Int64Mode;
  readonly #batch: RecordBatch;
  readonly #extent: Extent;
  /** The list that the table is. */
  readonly #table: Place;
  readonly #path: string[] = [];
  #node = 0;
  #buffer = 0;
  /** Where the buffer before ends. */
  #end: number;
  /** The map at hand, and its keys so far. */
  #map: { readonly place: Place | undefined; readonly keys: Set<string> } | undefined;

  constructor(
    list: RegionList,
    batch: RecordBatch,
    extent: Extent,
    { table, int64 }: { readonly table: Place; readonly int64: Int64Mode },
  ) {
    const { buffer, byteOffset, length } = list.bytes;
    this.#list = list;
    this.#view = new DataView(buffer, byteOffset, length);
    this.#batch = batch;
    this.#extent = extent;
    this.#table = table;
    this.#int64 = int64;
    this.#end = extent.start;
  }

  read(fields: readonly ArrowField[], rows: Rows): void {
    this.#fields(fields, rows);
    const { nodes, buffers } = this.#batch;
    if (this.#node !== nodes.count)
      this.#fail(`${nodes.count} nodes, expected ${this.#node}`, nodes.at(this.#node));
    if (this.#buffer !== buffers.count)
      this.#fail(`${buffers.count} buffers, expected ${this.#buffer}`, buffers.at(this.#buffer));
    this.#align(this.#extent.end, this.#table);
  }

  #fields(fields: readonly ArrowField[], structs: Rows): void {
    for (const { name, type, nullable } of fields) {
      this.#path.push(name);
      const rows = fieldRows(structs, name);
      this.#column(type, this.#valid(rows, this.#nextNode(rows.count, rows.count).absent, nullable));
      this.#path.pop();
    }
  }

  #column(type: ArrowType, rows: Rows, part: Part = "value"): void {
    switch (type.kind) {
      case "Struct":
        this.#fields(type.fields, rows);
        break;
      case "List":
        this.#column(type.item, this.#items(rows, "element"));
        break;
      case "Map": {
        const entries = this.#items(rows, "entry");
        for (const [one, role] of [
          [type.key, "key"],
          [type.value, "value"],
        ] as const)
          this.#column(
            one,
            this.#valid(entries, this.#nextNode(entries.count, entries.count).absent, false),
            role,
          );
        break;
      }
      case "Utf8":
      case "Binary":
        this.#blobs(type.kind, rows, part);
        break;
      case "Bool":
        this.#bits(
          this.#range(rows, Math.ceil(rows.count / 8)).start,
          rows,
          part === "key" ? "key" : "payload",
        );
        break;
      default:
        this.#numbers(type.kind, rows, part);
    }
  }

  /** Passes the bitmap that tells which rows are there. Where all are, its bytes, if there are any, say nothing. */
  #valid(rows: Rows, absent: number, nullable: boolean): Rows {
    if (absent > 0 && !nullable) this.#failNode("a row is null, and none may be");
    const { start } = this.#range(rows, absent > 0 ? Math.ceil(rows.count / 8) : 0);
    if (absent === 0) return rows;
    this.#bits(start, rows, "presence");
    return validRows(rows, (row) => bitAt(this.#view, start, row));
  }

  /** Passes the offsets of lists or maps, and the node of what is in them. */
  #items(lists: Rows, kind: "element" | "entry"): Rows {
    const offsets = this.#offsets(lists);
    for (let i = 0; i < offsets.count; i++) this.#offset(offsets, i, lists);
    const { length, absent } = this.#nextNode(offsets.last);
    return this.#valid(itemRows(lists, kind, length, offsets.of, this.#table), absent, false);
  }

  #offsets(rows: Rows): Offsets {
    const most = 4 * (rows.count + 1);
    const { start, end } = this.#range(rows, rows.count === 0 ? 0 : most, most);
    const count = Math.floor((end - start) / 4);
    const of = (row: number): number => this.#view.getInt32(start + 4 * row, true);
    let last = 0;
    // Without a row the one offset there may be says nothing.
    for (let row = 0; rows.count > 0 && row < count; row++) {
      const next = of(row);
      if (next < last) this.#fail(`an offset of ${next} after ${last}`, start + 4 * row);
      last = next;
    }
    return { at: start, count, of, last };
  }

  /** The place of an offset is the row that begins there, and of the last one the row that ends there. */
  #offset({ at, of }: Offsets, index: number, rows: Rows): number {
    const place = rows.count === 0 ? this.#table : rows.place(Math.min(index, rows.count - 1));
    return this.#list.add("offset", at + 4 * index, at + 4 * index + 4, place, "offset", of(index));
  }

  #blobs(kind: "Utf8" | "Binary", rows: Rows, part: Part): void {
    const offsets = this.#offsets(rows);
    const first = rows.count > 0 ? offsets.of(0) : 0;
    const { start: data } = this.#range(rows, offsets.last);
    this.#pad(data, data + first, this.#placeOf(rows));
    const held = kind === "Utf8" ? TEXT : BYTES;
    for (let row = 0; row < rows.count; row++) {
      const region = this.#offset(offsets, row, rows);
      const [start, end] = [data + offsets.of(row), data + offsets.of(row + 1)];
      const place = rows.place(row);
      if (end > start) this.#list.point(region, start);
      if (!rows.isThere(row)) this.#pad(start, end, place, "absent");
      else if (part === "key") {
        this.#name(place, textAt(this.#list.bytes, start, end), start);
        this.#list.add("key", start, end, place, kind, TEXT);
      } else if (end > start) this.#list.leaf("payload", start, end, place, kind, held);
      else this.#list.mark(region, kind === "Utf8" ? "" : new Uint8Array(0));
    }
    if (offsets.count > 0) this.#offset(offsets, rows.count, rows);
  }

  #numbers(type: ArrowNumber, rows: Rows, part: Part): void {
    const size = Number.parseInt(type.replace(/^\D+/, ""), 10) / 8;
    const { start: first } = this.#range(rows, size * rows.count);
    for (let row = 0; row < rows.count; row++) {
      const start = first + size * row;
      const end = start + size;
      const place = rows.place(row);
      const number = numberAt(this.#view, start, type);
      if (!rows.isThere(row)) this.#pad(start, end, place, "absent");
      else if (part === "key") {
        this.#name(place, String(number), start);
        this.#list.add("key", start, end, place, type, place.step);
      } else
        this.#list.leaf(
          "payload",
          start,
          end,
          place,
          type,
          this.#int64 === "bigint" ? number : Number(number),
        );
    }
  }

  /** Bits of rows, eight in a byte, which has the place of the first of them. */
  #bits(start: number, rows: Rows, role: "payload" | "key" | "presence"): void {
    for (let first = 0; first < rows.count; first += 8) {
      const at = start + first / 8;
      const place = rows.place(first);
      const bits: RegionBit[] = [];
      for (let row = first; row < Math.min(first + 8, rows.count); row++) {
        if (!rows.isThere(row)) continue;
        const one = rows.place(row);
        const value = bitAt(this.#view, start, row);
        if (role === "key") this.#name(one, String(value), at);
        bits.push({ bit: row & 7, place: one, value, leaf: role === "payload" });
      }
      if (bits.length > 0) this.#list.bits(role, at, bits[0]!.place, bits);
      else this.#pad(at, at + 1, place, "absent");
    }
  }

  /** Gives an entry its key. Entries of one map follow each other. */
  #name(entry: Place, key: string, offset: number): void {
    if (this.#map?.place !== entry.parent) this.#map = { place: entry.parent, keys: new Set() };
    const { keys } = this.#map!;
    if (keys.has(key)) this.#fail(`the key ${show(key)} stands twice`, offset);
    keys.add(key);
    entry.step = key;
  }

  /**
   * The next buffer's bytes that hold something, and what stands before and behind them as padding.
   * @param least how many there must be
   * @param most how many there may be: others behind them are padding
   */
  #range(rows: Rows, least: number, most = least): Extent {
    const { buffers } = this.#batch;
    const index = this.#buffer++;
    const at = buffers.at(index);
    if (index >= buffers.count) this.#fail("a buffer is missing", at);
    const [offset, length] = buffers.get(index);
    const { start: body, end } = this.#extent;
    if (offset < 0 || length < 0 || offset + length > end - body)
      this.#fail(`a buffer at ${offset} of ${inBytes(length)} is outside the body`, at);
    if (offset % 8 !== 0) this.#fail(`a buffer at ${offset} is not aligned`, at);
    if (length < least) this.#fail(`a buffer of ${inBytes(length)}, expected ${least}`, at);
    const start = body + offset;
    const used = start + Math.min(length, most);
    if (length > 0) {
      const place = this.#placeOf(rows);
      this.#align(start, place);
      this.#pad(used, start + length, place);
      this.#end = start + length;
    }
    return { start, end: used };
  }

  /** Zero bytes up to the place of a buffer. */
  #align(start: number, place: Place): void {
    const gap = this.#list.bytes.subarray(this.#end, start);
    if (gap.length < ALIGNMENT && gap.every((byte) => byte === 0)) this.#pad(this.#end, start, place);
  }

  #pad(start: number, end: number, place: Place, type: "padding" | "absent" = "padding"): void {
    this.#list.add("padding", start, end, place, type);
  }

  #placeOf(rows: Rows): Place {
    return rows.count === 0 ? this.#table : rows.place(0);
  }

  /** Passes a node: how many rows a column has, and how many of them are absent. */
  #nextNode(
    least: number,
    most = Number.POSITIVE_INFINITY,
  ): { readonly length: number; readonly absent: number } {
    this.#node += 1;
    if (this.#node > this.#batch.nodes.count) this.#failNode("a node is missing");
    const [length, absent] = this.#batch.nodes.get(this.#node - 1);
    if (length < least || length > most) this.#failNode(`${length} rows, expected ${least}`);
    if (absent < 0 || absent > length) this.#failNode(`${absent} of ${length} rows are null`);
    return { length, absent };
  }

  #failNode(problem: string): never {
    this.#fail(problem, this.#batch.nodes.at(this.#node - 1));
  }

  #fail(problem: string, offset: number): never {
    throw new DecodeError("arrow", problem, { offset, path: pathText(this.#path) });
  }
}

function bitAt(view: DataView, start: number, row: number): boolean {
  return ((view.getUint8(start + Math.floor(row / 8)) >> (row & 7)) & 1) === 1;
}

function numberAt(view: DataView, at: number, type: ArrowNumber): number | bigint {
  switch (type) {
    case "Int8":
      return view.getInt8(at);
    case "Uint8":
      return view.getUint8(at);
    case "Int64":
      return view.getBigInt64(at, true);
    case "Uint64":
      return view.getBigUint64(at, true);
    default:
      return view[`get${type}`](at, true);
  }
}
