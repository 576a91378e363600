import type { RunRecord } from "../../model/records/run.ts";
import type { Table } from "../table.ts";
import { formatBytes } from "../units.ts";

/** The sizes of a dataset in every codec, as they are and compressed; zstd only where it was measured. */
export function sizeTable(record: RunRecord, dataset: string): Table {
  const payloads = record.payloads.filter((payload) => payload.dataset === dataset);
  const zstd = payloads.some((payload) => payload.zstd !== undefined);
  return {
    columns: [
      { heading: "codec", align: "left" },
      { heading: "bytes", align: "right" },
      { heading: "gzip", align: "right" },
      { heading: "brotli", align: "right" },
      ...(zstd ? [{ heading: "zstd", align: "right" as const }] : []),
    ],
    rows: payloads.map(({ codec, bytes, gzip, brotli, zstd: size }) => [
      codec,
      ...[bytes, gzip, brotli, ...(zstd ? [size] : [])].map((one) =>
        one === undefined ? "–" : formatBytes(one),
      ),
    ]),
  };
}
