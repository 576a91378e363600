import type { RunRecord } from "../../model/records/run.ts";
import type { Table } from "../table.ts";
import { formatBytes } from "../units.ts";

/** Whether a record is one of `verify`, in which nothing was timed. */
export function isProof(record: RunRecord): boolean {
  return record.cells.length > 0 && record.cells.every(({ operation }) => operation === "verify");
}

/** Which codecs carry which datasets, and in how many bytes. */
export function proofTable(record: RunRecord): Table {
  return {
    columns: [
      { heading: "dataset", align: "left" },
      { heading: "codec", align: "left" },
      { heading: "bytes", align: "right" },
      { heading: "status", align: "left" },
    ],
    rows: record.cells.map(({ dataset, codec, bytes, status, reason }) => [
      dataset,
      codec,
      bytes === undefined ? "" : formatBytes(bytes),
      reason === undefined ? status : `${status}: ${reason}`,
    ]),
  };
}
