import { allThreadsNanos, batchMedian, wallNanos } from "../../analysis/processor-time.ts";
import type { Cell, PayloadRecord, RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { type CsvValue, csvText } from "../escape.ts";
import { placeOf } from "../sections/run/timing.ts";
import { type RunView, viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary: "one line per cell with what tells runs apart, to be joined with others; times in nanoseconds",
  render: (record) => renderCsv(record),
});

/** A column: its name, and its field of a cell. */
type CsvColumn = readonly [name: string, of: (cell: Cell) => CsvValue];

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
  ["batch_median_ns", ({ nanos }) => nanos && digits(batchMedian(nanos))],
  ["lower_level_ns", ({ nanos }) => nanos?.levels?.[0]?.nanos],
  ["lower_level_share", ({ nanos }) => nanos?.levels?.[0]?.share],
  ["upper_level_ns", ({ nanos }) => nanos?.levels?.[1]?.nanos],
  ["upper_level_share", ({ nanos }) => nanos?.levels?.[1]?.share],
  ["ratio", ({ standing }) => digits(standing?.ratio)],
  ["ratio_ci95_low", ({ standing }) => digits(standing?.ci95?.[0])],
  ["ratio_ci95_high", ({ standing }) => digits(standing?.ci95?.[1])],
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

/** What is the same for all cells of a run, or of a codec on a dataset: so that rows of several runs can be joined. */
const CONTEXT: readonly (readonly [name: string, of: (view: RunView, cell: Cell) => CsvValue])[] = [
  ["rank", (view, cell) => placeOf(cell, view.dataset(cell.dataset)!)?.place],
  ["twin_of", (_, { twinOf }) => twinOf],
  ["baseline", ({ baseline }) => baseline],
  ["gzip_bytes", (view, cell) => payloadOf(view, cell)?.gzip],
  ["brotli_bytes", (view, cell) => payloadOf(view, cell)?.brotli],
  ["zstd_bytes", (view, cell) => payloadOf(view, cell)?.zstd],
  ["dataset_sha256", (view, cell) => view.dataset(cell.dataset)?.about.sha256],
  ["started_at", ({ record }) => record.startedAt],
  ["complete", ({ record }) => String(record.complete)],
  ["profile", ({ record }) => record.options.profile],
  ["seed", ({ record }) => record.options.seed],
  ["cpu", ({ record }) => cpuOf(record)],
  ["cores", ({ record }) => record.environment.cpu.cores],
  ["platform", ({ record }) => `${record.environment.os.platform} ${record.environment.os.arch}`],
  ["runtime", ({ record }, cell) => runtimeOf(record, cell)?.name],
  ["runtime_version", ({ record }, cell) => runtimeOf(record, cell)?.version],
  ["wirebench", ({ record }) => record.tool.version],
];

/** The model; of a merged record of several machines the label of each. */
function cpuOf({ environment, merged }: RunRecord): string {
  const machines = merged?.machines ?? [];
  return machines.length > 1 ? machines.map(({ label }) => label).join(" and ") : environment.cpu.model;
}

/** What a cell was measured in: of a reference program its language and its compiler. */
function runtimeOf(
  { runtimes, natives = [] }: RunRecord,
  { runtime, program }: Cell,
): { readonly name: string; readonly version: string } | undefined {
  if (program === undefined) return runtimes.find(({ label }) => runtime === undefined || label === runtime);
  const native = natives.find((one) => one.program === program);
  return native && { name: native.language, version: native.compiler };
}

function payloadOf(view: RunView, { dataset, codec }: Cell): PayloadRecord | undefined {
  return view.dataset(dataset)?.payloads.find((payload) => payload.codec === codec);
}

/** With as many digits as a time can have; `123.45600000000002` says more than was measured. */
function digits(figure: number | null | undefined): CsvValue {
  return Number.isFinite(figure) ? Number(figure!.toPrecision(6)) : undefined;
}

/** The cells of a run as CSV (RFC 4180), without the single batches. */
export function renderCsv(record: RunRecord): string {
  const view = viewOf(record);
  const names = [...COLUMNS, ...CONTEXT].map(([name]) => name);
  const rows = record.cells.map((cell) => [
    ...COLUMNS.map(([, of]) => of(cell)),
    ...CONTEXT.map(([, of]) => of(view, cell)),
  ]);
  return csvText([names, ...rows]);
}
