import { allThreadsNanos, batchMedian, wallNanos } from "../../analysis/processor-time.ts";
import type { Cell, RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { csvField } from "../escape.ts";

export default defineReport({
  of: "run",
  summary: "one line per cell, times in nanoseconds",
  render: renderCsv,
});

/** A column: its name, and its field of a cell. */
type CsvColumn = readonly [name: string, of: (cell: Cell) => string | number | null | undefined];

const COLUMNS: readonly CsvColumn[] = [
  ["operation", ({ operation }) => operation],
  ["dataset", ({ dataset }) => dataset],
  ["codec", ({ codec }) => codec],
  ["format", ({ format }) => format],
  ["library", ({ library }) => library],
  ["version", ({ version }) => version],
  ["status", ({ status }) => status],
  ["bytes", ({ bytes }) => bytes],
  ["median_ns", ({ nanos }) => nanos?.median],
  ["ci95_low_ns", ({ nanos }) => nanos?.ci95?.[0]],
  ["ci95_high_ns", ({ nanos }) => nanos?.ci95?.[1]],
  ["mad_ns", ({ nanos }) => nanos?.mad],
  ["p99_ns", ({ nanos }) => nanos?.p99],
  ["min_ns", ({ nanos }) => nanos?.min],
  ["processes", ({ nanos }) => nanos?.processes.length],
  ["wall_ns", ({ nanos }) => nanos && wallNanos(nanos)],
  ["all_threads_ns", ({ nanos }) => nanos && allThreadsNanos(nanos)],
  ["batch_median_ns", ({ nanos }) => nanos && batchMedian(nanos)],
  ["lower_level_ns", ({ nanos }) => nanos?.levels?.[0]?.nanos],
  ["lower_level_share", ({ nanos }) => nanos?.levels?.[0]?.share],
  ["upper_level_ns", ({ nanos }) => nanos?.levels?.[1]?.nanos],
  ["upper_level_share", ({ nanos }) => nanos?.levels?.[1]?.share],
  ["ratio", ({ standing }) => standing?.ratio],
  ["ratio_ci95_low", ({ standing }) => standing?.ci95?.[0]],
  ["ratio_ci95_high", ({ standing }) => standing?.ci95?.[1]],
  ["verdict", ({ standing }) => standing?.verdict],
  ["tier", ({ standing }) => standing?.tier],
  ["shared_median_ns", ({ shared }) => shared?.median],
  ["import_ns", ({ start }) => start?.importNanos],
  ["bind_ns", ({ start }) => start?.bindNanos],
  ["first_call_ns", ({ start }) => start?.firstCallNanos],
  ["steady_ns", ({ start }) => start?.steadyNanos],
  ["heap_bytes", ({ memory }) => memory?.heapBytes],
  ["external_bytes", ({ memory }) => memory?.externalBytes],
  ["gc_ns", ({ memory }) => memory?.gcNanos],
  ["longest_pause_ns", ({ memory }) => memory?.longestPauseNanos],
  ["retained_bytes", ({ memory }) => memory?.retainedBytes],
  ["leaked_bytes", ({ memory }) => memory?.leakedBytes],
  ["reason", ({ reason }) => reason],
];

/** The cells of a run as CSV (RFC 4180), without the single batches. */
export function renderCsv({ cells }: RunRecord): string {
  const rows = cells.map((cell) => COLUMNS.map(([, of]) => of(cell)));
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.map(csvField).join(",")}\r\n`).join("");
}
