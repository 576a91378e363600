import type { Table } from "apache-arrow";
import { type Binding, bytesOf, defineCodec, type Encoded, type PageCode } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { type RecordValue, type Value, walk } from "../../model/value.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { arrowFields, tableOf } from "../../schema/layout/arrow.ts";
import { pageCode } from "../../schema/page-code.ts";
import { deciding, readOutside } from "../../schema/values/transcode.ts";
import { type Library, structColumn } from "./column.ts";
import { verifyArrow } from "./verify.ts";

function bindArrow(library: Library, dataset: Dataset): Binding<Table, Table> {
  const { schema, values, int64 } = dataset;
  const { list, row } = tableOf(schema);
  for (const value of values) refuseMarks(value);
  const rows = structColumn({ library, int64 }, arrowFields(schema, row));
  const columns = new library.Schema(rows.type.children);
  const visit = compileVisitor(schema);
  const read = (encoded: Encoded): Table => library.tableFromIPC(bytesOf(encoded, "arrow"));
  const plain = (table: Table): Value => {
    const records: unknown[] = [];
    for (const { data, numRows } of table.batches) {
      // A stream without a batch becomes one without columns.
      const next = numRows === 0 ? undefined : rows.reader(data);
      for (let index = 0; index < numRows; index++) records.push(next?.(index));
    }
    return { [list]: records as Value[] };
  };
  return deciding("arrow", dataset, {
    build: (value) =>
      new library.Table([
        new library.RecordBatch(columns, rows.build((value as RecordValue)[list] as Value[]) as never),
      ]),
    write: (table) => library.tableToIPC(table, "stream"),
    read,
    plain,
    access: (encoded) => visit(plain(read(encoded))),
    text: "utf16",
    direct: { build: false, plain: false },
    verify: (encoded) => readOutside("arrow", () => verifyArrow(library, bytesOf(encoded, "arrow"), columns)),
  });
}

/** Throws UnsupportedError, with the path, for text that starts with a byte order mark: its TextDecoder takes it off. */
function refuseMarks(root: Value): void {
  const isMarked = (text: unknown): boolean => typeof text === "string" && text.charCodeAt(0) === 0xfeff;
  walk(root, (value, path, name) => {
    if (isMarked(value) || isMarked(name))
      throw new UnsupportedError(`${path()}: apache-arrow takes a byte order mark off`);
  });
}

function pageOf({ schema }: Dataset): PageCode {
  tableOf(schema);
  return pageCode(
    'import { tableFromIPC, tableToIPC } from "apache-arrow";',
    '(table) => tableToIPC(table, "stream")',
    "(bytes) => tableFromIPC(bytes)",
  );
}

export default defineCodec<Library>({
  format: "arrow",
  library: "apache-arrow",
  tried: "21.2.0",
  load: () => import("apache-arrow"),
  traits: ["self-describing", "binary"],
  summary:
    "a list of messages as a Table: a column for each field in one record batch, tableToIPC and tableFromIPC of a stream with its schema; bytes are views on the input",
  bind: (dataset, library) => bindArrow(library, dataset) as Binding,
  page: pageOf,
});
