/** What messages, calls and processes take in bytes. */
import type {
  DatasetRecord,
  Memory,
  MemoryFinding,
  PayloadRecord,
  RunRecord,
} from "../../../model/records/run.ts";
import { type Column, left, right, type Table, tableOf } from "../../table.ts";
import {
  counted,
  countedMeanBytes,
  formatBytes,
  formatMeanBytes,
  formatMebibytes,
  formatNanos,
} from "../../units.ts";
import type { DatasetView } from "../../view.ts";
import { type CellColumn, cellColumns } from "./cell-columns.ts";

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

/** How large a user's values are in the file, what codecs without a schema carried of them, and where the schema is from; nothing for other data. */
export function fileLines({ fileBytes, schemaless, inferred }: DatasetRecord): string[] {
  if (fileBytes === undefined) return [];
  const carried = schemaless === "documents" ? "no default" : "every default";
  return [
    `your file: ${countedMeanBytes(fileBytes)} a value; codecs without a schema carry what it holds, and ${carried}`,
    ...(inferred === undefined ? [] : inferredLines(inferred)),
  ];
}

/** From how many values a schema was inferred, and the first choices that they left open. */
function inferredLines({ values, choices }: NonNullable<DatasetRecord["inferred"]>): string[] {
  const from = values === 1 ? "one value" : `${values.toLocaleString("en-US")} values`;
  const more = choices.length - MOST_CHOICES;
  return [
    `schema inferred from ${from}: ${choices.length === 0 ? "nothing was left open" : "wirebench schema prints it"}`,
    ...choices.slice(0, MOST_CHOICES).map((choice) => `schema: ${choice}`),
    ...(more > 0 ? [`schema: and ${counted(more, "more choice")}, in run.json`] : []),
  ];
}

/** Choices of an inferred schema that are shown. */
const MOST_CHOICES = 8;

/** What the table of memory says of each operation. */
const MEMORY_COLUMNS: readonly CellColumn<Memory>[] = [
  { heading: ({ operation }) => `${operation}: heap`, of: ({ heapBytes }) => formatMeanBytes(heapBytes) },
  { heading: () => "external", of: ({ externalBytes }) => formatMeanBytes(externalBytes) },
  { heading: () => "GC", of: ({ gcNanos }) => (gcNanos === 0 ? "0" : formatNanos(gcNanos)) },
  {
    heading: () => "longest",
    of: ({ longestPauseNanos }) => (longestPauseNanos === 0 ? "–" : formatNanos(longestPauseNanos)),
  },
  { heading: () => "kept", of: ({ retainedBytes }) => formatMeanBytes(retainedBytes) },
];

/** What calls allocate and keep, a row per codec; undefined where that was not measured. */
export function memoryTable(data: DatasetView): Table | undefined {
  const { operations, record } = data.run;
  const known = operations.filter((operation) =>
    record.cells.some((cell) => cell.operation === operation && cell.memory !== undefined),
  );
  if (known.length === 0) return undefined;
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    ...cellColumns(data, known, (cell) => cell?.memory, MEMORY_COLUMNS),
    right("peak MiB", (codec) => {
      const peak = data.peakBytes(codec);
      return peak === undefined ? "" : formatMebibytes(peak);
    }),
  ]);
}

/** Leaks and views of larger buffers, a line for each kind, and for each reason why memory was not measured. */
export function memoryFindings(data: DatasetView): string[] {
  const found = (finding: MemoryFinding, figure: (memory: Memory) => number): string =>
    data.cells
      .flatMap(({ codec, operation, memory }) =>
        memory?.findings.includes(finding) === true
          ? [`${operation} of ${codec} (${formatMeanBytes(figure(memory))})`]
          : [],
      )
      .join(", ");
  const isCompressed = (codec: string): boolean =>
    data.run.record.compression.some((one) => one.codec === codec && one.dataset === data.name);
  const leaks = found("leak", ({ leakedBytes }) => leakedBytes);
  const views = found("pooled-view", ({ retainedBytes }) => retainedBytes);
  return [
    ...(leaks === "" ? [] : [`leaks, in bytes that a call leaves for good: ${leaks}`]),
    ...(views === ""
      ? []
      : [`results that are views of a larger buffer, in bytes that one keeps alive: ${views}`]),
    ...data
      .codecsByReason(({ codec, memoryReason }) => (isCompressed(codec) ? undefined : memoryReason))
      .map((line) => `memory and compression were not measured of ${line}`),
    ...data
      .codecsByReason(({ codec, memoryReason }) => (isCompressed(codec) ? memoryReason : undefined))
      .map((line) => `memory was not measured of ${line}`),
  ];
}
