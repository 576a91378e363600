/** What the metadata of Arrow's messages says (format/Message.fbs and Schema.fbs, version 1.5). */
import { DecodeError } from "../../model/errors.ts";

/** Bytes of a message, from the first to before the last. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** A vector of FieldNode or Buffer: two longs each. */
export class Pairs {
  readonly count: number;
  readonly #view: DataView;
  readonly #first: number;

  constructor(view: DataView, first: number, count: number) {
    this.#view = view;
    this.#first = first;
    this.count = count;
  }

  /** The byte at which one begins, or at which they end. */
  at(index: number): number {
    return this.#first + 16 * Math.min(index, this.count);
  }

  get(index: number): readonly [number, number] {
    const at = this.at(index);
    return [Number(this.#view.getBigInt64(at, true)), Number(this.#view.getBigInt64(at + 8, true))];
  }
}

/** A table of FlatBuffers in the metadata of a message, and nowhere else; what leads out of it throws DecodeError. */
export class MetadataTable {
  readonly #view: DataView;
  readonly #extent: Extent;
  readonly #start: number;
  readonly #vtable: number;
  readonly #vtableSize: number;

  private constructor(view: DataView, extent: Extent, start: number) {
    this.#view = view;
    this.#extent = extent;
    this.#start = start;
    this.#need(start, 4);
    this.#vtable = start - view.getInt32(start, true);
    this.#need(this.#vtable, 4);
    this.#vtableSize = view.getUint16(this.#vtable, true);
    this.#need(this.#vtable, this.#vtableSize);
  }

  /** The root of the metadata. */
  static root(view: DataView, extent: Extent): MetadataTable {
    return new MetadataTable(view, extent, extent.start + view.getUint32(extent.start, true));
  }

  /** The byte at which it begins. */
  get at(): number {
    return this.#start;
  }

  /** An integer, which is zero where it is not written. */
  integer(id: number, bytes: 1 | 2 | 4 | 8): number {
    const at = this.#place(id, bytes);
    if (at === undefined) return 0;
    if (bytes === 8) return Number(this.#view.getBigInt64(at, true));
    if (bytes === 4) return this.#view.getInt32(at, true);
    return bytes === 2 ? this.#view.getInt16(at, true) : this.#view.getUint8(at);
  }

  table(id: number): MetadataTable | undefined {
    const at = this.#target(id);
    return at === undefined ? undefined : new MetadataTable(this.#view, this.#extent, at);
  }

  /** A table that has to be there. */
  required(id: number, name: string): MetadataTable {
    return this.table(id) ?? this.#fail(`no ${name}`, this.#start);
  }

  /** The bytes of a string. */
  string(id: number): Extent {
    const { first, count } = this.#vector(id, 1);
    return { start: first, end: first + count };
  }

  pairs(id: number): Pairs {
    const { first, count } = this.#vector(id, 16);
    return new Pairs(this.#view, first, count);
  }

  tables(id: number): { readonly count: number; get(index: number): MetadataTable } {
    const { first, count } = this.#vector(id, 4);
    return {
      count,
      get: (index) => {
        const at = first + 4 * index;
        return new MetadataTable(this.#view, this.#extent, at + this.#view.getUint32(at, true));
      },
    };
  }

  #vector(id: number, size: number): { readonly first: number; readonly count: number } {
    const at = this.#target(id);
    if (at === undefined) return { first: this.#start, count: 0 };
    this.#need(at, 4);
    const count = this.#view.getUint32(at, true);
    this.#need(at + 4, count * size);
    return { first: at + 4, count };
  }

  /** What an offset leads to. */
  #target(id: number): number | undefined {
    const at = this.#place(id, 4);
    return at === undefined ? undefined : at + this.#view.getUint32(at, true);
  }

  #place(id: number, size: number): number | undefined {
    const slot = 4 + 2 * id;
    const inTable = slot + 2 <= this.#vtableSize ? this.#view.getUint16(this.#vtable + slot, true) : 0;
    if (inTable === 0) return undefined;
    this.#need(this.#start + inTable, size);
    return this.#start + inTable;
  }

  #need(at: number, size: number): void {
    const { start, end } = this.#extent;
    if (at < start || at + size > end)
      this.#fail(
        `bytes ${at} to ${at + size}, expected some of ${start} to ${end}`,
        Math.min(Math.max(at, start), end),
      );
  }

  #fail(problem: string, offset: number): never {
    throw new DecodeError("arrow", problem, { offset });
  }
}

/** A message, of which the header is a table of its type. */
export interface ArrowMessage {
  readonly header: MetadataTable;
  readonly bodyLength: number;
}

/** Members of the union MessageHeader, by their number. */
const HEADERS = ["NONE", "Schema", "DictionaryBatch", "RecordBatch", "Tensor", "SparseTensor"];

/** V4 and V5, of which the layout is one for what has no union. */
const VERSIONS = [3, 4];

/** Reads the metadata of a message. Throws DecodeError for one of another type. */
export function readMessage(
  view: DataView,
  extent: Extent,
  expected: "Schema" | "RecordBatch",
): ArrowMessage {
  const message = MetadataTable.root(view, extent);
  const version = message.integer(0, 2);
  if (!VERSIONS.includes(version)) refuse(message, `version V${version + 1} of the metadata`);
  const type = message.integer(1, 1);
  if (HEADERS[type] !== expected)
    refuse(message, `${HEADERS[type] ?? `message ${type}`}, expected ${expected}`);
  return { header: message.required(2, "header"), bodyLength: message.integer(3, 8) };
}

/** A record batch: its rows, and where its columns are in the body. */
export interface RecordBatch {
  readonly length: number;
  /** Length and count of absent rows of each column. */
  readonly nodes: Pairs;
  /** Offset in the body and length of each buffer. */
  readonly buffers: Pairs;
}

/** Reads the header of a record batch. */
export function readBatch(header: MetadataTable): RecordBatch {
  if (header.table(3) !== undefined) refuse(header, "buffers are compressed");
  return { length: header.integer(0, 8), nodes: header.pairs(1), buffers: header.pairs(2) };
}

/** Says that the metadata has what is not read. */
export function refuse(table: MetadataTable, problem: string): never {
  throw new DecodeError("arrow", problem, { offset: table.at, code: "unsupported" });
}
