import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { Place } from "../../model/region.ts";
import { type Anatomy, TEXT } from "../../model/region-table.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { type ArrowField, arrowFields, tableOf } from "../layout/arrow.ts";
import { BatchBody } from "./arrow-body.ts";
import { type Extent, type RecordBatch, readBatch, readMessage } from "./arrow-metadata.ts";
import { batchRows } from "./arrow-rows.ts";
import { expectColumns } from "./arrow-schema.ts";
import { Cursor } from "./cursor.ts";
import { RegionList } from "./region-list.ts";

/** Before the length of each message's metadata since version 0.15 of the format. */
const CONTINUATION = 0xffffffff;

/**
 * Takes a stream of Arrow apart (Columnar Format 1.5, "IPC Streaming Format"): a schema, record batches, and the mark of its
 * end. Metadata is one region, but for the names of columns.
 */
export function arrowRegions(bytes: Uint8Array, { schema, int64 }: Dataset): Anatomy {
  const { list: name, row } = tableOf(schema);
  const list = new RegionList(bytes);
  const root = new Place();
  const reader = new Reader(list, new Place(root, "field", name), arrowFields(schema, row), int64);
  list.attempt(() => reader.stream());
  return list.finish(root);
}

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  /** The list that the table is. */
  readonly #table: Place;
  readonly #fields: readonly ArrowField[];
  readonly #int64: Int64Mode;

  constructor(list: RegionList, table: Place, fields: readonly ArrowField[], int64: Int64Mode) {
    this.#list = list;
    this.#cursor = new Cursor("arrow", list);
    this.#table = table;
    this.#fields = fields;
    this.#int64 = int64;
  }

  stream(): void {
    if (this.#list.bytes.length >= 6 && this.#cursor.textAt(0, 6) === "ARROW1")
      this.#cursor.fail("a file of Arrow, expected a stream", 0, "unsupported");
    this.#schema(this.#metadata());
    let rows = 0;
    while (!this.#isEnd()) rows += this.#batch(this.#metadata(), rows);
    this.#cursor.take("terminator", 8, this.#table, "end of stream");
    this.#cursor.expectEnd();
  }

  #isEnd(): boolean {
    const { view, at } = this.#cursor;
    this.#cursor.need(8);
    return view.getUint32(at, true) === CONTINUATION && view.getInt32(at + 4, true) === 0;
  }

  /** Passes what stands before metadata, and returns where that is. */
  #metadata(): Extent {
    const cursor: Cursor = this.#cursor;
    cursor.need(8);
    if (cursor.view.getUint32(cursor.at, true) !== CONTINUATION)
      cursor.fail("expected ff ff ff ff before a message");
    cursor.take("header", 4, this.#table, "continuation");
    const length = cursor.view.getInt32(cursor.at, true);
    if (length <= 0 || length % 8 !== 0) cursor.fail(`metadata of ${inBytes(length)}`);
    cursor.take("length", 4, this.#table, "int32", length);
    cursor.need(length);
    return { start: cursor.at, end: cursor.at + length };
  }

  #schema(extent: Extent): void {
    const { view } = this.#cursor;
    const names: Extent[] = [];
    try {
      const { header, bodyLength } = readMessage(view, extent, "Schema");
      expectColumns(header, this.#fields, names, this.#list.bytes);
      if (bodyLength !== 0) this.#cursor.fail("a schema with a body");
    } finally {
      this.#named(extent, names);
    }
  }

  /** Metadata, in which columns have names; of those that share bytes the first. */
  #named({ end }: Extent, names: Extent[]): void {
    const cursor: Cursor = this.#cursor;
    const upTo = (at: number): void => {
      cursor.take("header", at - cursor.at, this.#table, "Schema");
    };
    for (const name of names.sort((a, b) => a.start - b.start)) {
      if (name.start < cursor.at) continue;
      upTo(name.start);
      cursor.take("key", name.end - name.start, this.#table, "name", TEXT);
    }
    upTo(end);
  }

  /** Passes a record batch, and returns how many rows it has. @param first rows before it */
  #batch(extent: Extent, first: number): number {
    const cursor: Cursor = this.#cursor;
    const { batch, bodyLength } = this.#batchHeader(extent);
    const end = Math.min(cursor.at + bodyLength, this.#list.bytes.length);
    this.#list.attempt(() => cursor.need(bodyLength));
    const context = { table: this.#table, int64: this.#int64 };
    const body = new BatchBody(this.#list, batch, { start: cursor.at, end }, context);
    this.#list.attempt(() => body.read(this.#fields, batchRows(this.#table, batch.length, first)));
    cursor.at = end;
    return batch.length;
  }

  #batchHeader(extent: Extent): { readonly batch: RecordBatch; readonly bodyLength: number } {
    const cursor: Cursor = this.#cursor;
    let said: string | undefined;
    try {
      const { header, bodyLength } = readMessage(cursor.view, extent, "RecordBatch");
      if (bodyLength < 0 || bodyLength % 8 !== 0) cursor.fail(`a body of ${inBytes(bodyLength)}`);
      const batch = readBatch(header);
      said = `${batch.length} rows, ${inBytes(bodyLength)}`;
      return { batch, bodyLength };
    } finally {
      cursor.take("header", extent.end - extent.start, this.#table, "RecordBatch", said);
    }
  }
}
