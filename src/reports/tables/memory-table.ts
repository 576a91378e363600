import type { Memory, MemoryFinding, RunRecord } from "../../model/records/run.ts";
import type { Table } from "../table.ts";
import { formatBytes, formatNanos } from "../units.ts";
import { codecsByReason, codecsOf, findCell, operationsOf } from "./cells.ts";

/** What calls allocate and keep, a row per codec; undefined where that was not measured. */
export function memoryTable(record: RunRecord, dataset: string): Table | undefined {
  const operations = operationsOf(record, "whole").filter((operation) =>
    record.cells.some((cell) => cell.operation === operation && cell.memory !== undefined),
  );
  if (operations.length === 0) return undefined;
  const peaks = codecsOf(record, dataset).map((codec) => peakOf(record, dataset, codec));
  return {
    columns: [
      { heading: "codec", align: "left" },
      ...operations.flatMap((operation) =>
        [`${operation}: heap`, "external", "GC", "longest", "kept"].map(right),
      ),
      right("peak MiB"),
    ],
    rows: codecsOf(record, dataset).map((codec, index) => [
      codec,
      ...operations.flatMap((operation) => memoryCells(findCell(record, operation, dataset, codec)?.memory)),
      peaks[index] === undefined ? "" : (peaks[index] / 2 ** 20).toFixed(0),
    ]),
  };
}

function memoryCells(memory: Memory | undefined): string[] {
  if (memory === undefined) return ["–", "", "", "", ""];
  const { heapBytes, externalBytes, gcNanos, longestPauseNanos, retainedBytes } = memory;
  return [
    bytes(heapBytes),
    bytes(externalBytes),
    gcNanos === 0 ? "0" : formatNanos(gcNanos),
    longestPauseNanos === 0 ? "–" : formatNanos(longestPauseNanos),
    bytes(retainedBytes),
  ];
}

/** Leaks and views of larger buffers, a line for each kind, and for each reason why memory was not measured. */
export function memoryFindings(record: RunRecord, dataset: string): string[] {
  const found = (finding: MemoryFinding, figure: (memory: Memory) => number): string =>
    record.cells
      .flatMap(({ codec, operation, dataset: on, memory }) =>
        on === dataset && memory?.findings.includes(finding) === true
          ? [`${operation} of ${codec} (${bytes(figure(memory))})`]
          : [],
      )
      .join(", ");
  const leaks = found("leak", ({ leakedBytes }) => leakedBytes);
  const views = found("pooled-view", ({ retainedBytes }) => retainedBytes);
  return [
    ...(leaks === "" ? [] : [`leaks, in bytes that a call leaves for good: ${leaks}`]),
    ...(views === ""
      ? []
      : [`results that are views of a larger buffer, in bytes that one keeps alive: ${views}`]),
    ...codecsByReason(record, dataset, ({ memoryReason }) => memoryReason).map(
      (line) => `memory and compression were not measured of ${line}`,
    ),
  ];
}

function peakOf({ processes }: RunRecord, dataset: string, codec: string): number | undefined {
  const own = processes.filter((process) => process.codec === codec && process.dataset === dataset);
  return own.length === 0 ? undefined : Math.max(...own.map(({ peakBytes }) => peakBytes));
}

function bytes(count: number): string {
  return formatBytes(count < 100 ? Math.round(count * 10) / 10 : Math.round(count));
}

function right(heading: string): { heading: string; align: "right" } {
  return { heading, align: "right" };
}
