import type { PayloadRecord, RunRecord } from "../../../model/records/run.ts";
import { type Column, left, right, type Table, tableOf } from "../../table.ts";
import { formatBytes } from "../../units.ts";
import type { DatasetView } from "../../view.ts";

/** The sizes of a dataset in every codec, as they are and compressed; zstd only where it was measured. */
export function sizeTable({ payloads }: DatasetView): Table {
  const size = (measure: "bytes" | "gzip" | "brotli" | "zstd"): Column<PayloadRecord> =>
    right(measure, (payload) => {
      const bytes = payload[measure];
      return bytes === undefined ? "–" : formatBytes(bytes);
    });
  const known = payloads.some(({ zstd }) => zstd !== undefined);
  return tableOf(payloads, [
    left("codec", ({ codec }) => codec),
    size("bytes"),
    size("gzip"),
    size("brotli"),
    ...(known ? [size("zstd")] : []),
  ]);
}

/** Which codecs carry which datasets, and in how many bytes: what `verify` found. */
export function proofTable({ cells }: RunRecord): Table {
  return tableOf(cells, [
    left("dataset", ({ dataset }) => dataset),
    left("codec", ({ codec }) => codec),
    right("bytes", ({ bytes }) => (bytes === undefined ? "" : formatBytes(bytes))),
    left("status", ({ status, reason }) => (reason === undefined ? status : `${status}: ${reason}`)),
  ]);
}
