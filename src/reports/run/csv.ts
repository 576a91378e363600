import type { Cell, RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { csvField } from "../escape.ts";

const COLUMNS = [
  "operation",
  "dataset",
  "codec",
  "format",
  "library",
  "version",
  "status",
  "bytes",
  "median_ns",
  "ci95_low_ns",
  "ci95_high_ns",
  "mad_ns",
  "p99_ns",
  "min_ns",
  "processes",
  "ratio",
  "ratio_ci95_low",
  "ratio_ci95_high",
  "verdict",
  "tier",
  "shared_median_ns",
  "import_ns",
  "bind_ns",
  "first_call_ns",
  "steady_ns",
  "heap_bytes",
  "external_bytes",
  "gc_ns",
  "longest_pause_ns",
  "retained_bytes",
  "leaked_bytes",
  "reason",
];

export default defineReport({
  summary: "one line per cell, times in nanoseconds",
  render: renderCsv,
});

/** The cells of a run as CSV (RFC 4180), without the single batches. */
export function renderCsv(record: RunRecord): string {
  return [COLUMNS, ...record.cells.map(rowOf)].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}

function rowOf({ nanos, ...cell }: Cell): (string | number | undefined)[] {
  return [
    cell.operation,
    cell.dataset,
    cell.codec,
    cell.format,
    cell.library,
    cell.version,
    cell.status,
    cell.bytes,
    nanos?.median,
    nanos?.ci95?.[0],
    nanos?.ci95?.[1],
    nanos?.mad,
    nanos?.p99,
    nanos?.min,
    nanos?.processes.length,
    cell.standing?.ratio,
    cell.standing?.ci95?.[0],
    cell.standing?.ci95?.[1],
    cell.standing?.verdict,
    cell.standing?.tier,
    cell.shared?.median,
    cell.start?.importNanos,
    cell.start?.bindNanos,
    cell.start?.firstCallNanos,
    cell.start?.steadyNanos ?? undefined,
    cell.memory?.heapBytes,
    cell.memory?.externalBytes,
    cell.memory?.gcNanos,
    cell.memory?.longestPauseNanos,
    cell.memory?.retainedBytes,
    cell.memory?.leakedBytes,
    cell.reason,
  ];
}
