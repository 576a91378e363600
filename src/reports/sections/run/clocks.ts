/** What is said of times besides the time on a core: by which clock they are, and what that clock leaves out. */
import { isMeasured, type MeasuredCell } from "../../../analysis/cells.ts";
import {
  allThreadsNanos,
  batchMedian,
  isPreempted,
  othersByLevel,
  slowedShare,
  threadsRatio,
  wallNanos,
} from "../../../analysis/processor-time.ts";
import { mean } from "../../../analysis/statistics/location.ts";
import type { Cell, Level, Nanos, RunRecord, TimeSource } from "../../../model/records/run.ts";
import { formatShare } from "../../../model/share.ts";
import { oneLine } from "../../escape.ts";
import { left, type Table, tableOf } from "../../table.ts";
import { formatNanos, formatRatio } from "../../units.ts";
import type { DatasetView } from "../../view.ts";
import { type CellColumn, cellColumns } from "./cell-columns.ts";

const SOURCES: Readonly<Record<TimeSource, string>> = {
  schedstat: "time on a core (the kernel's account of the thread)",
  "thread-cpu": "time on a core (process.threadCpuUsage)",
  wall: "time by the clock: nothing tells the time on a core here, and a busy machine makes it longer",
};

/** By what the times were measured, a line; none where a record does not say. */
export function timeSourceLines({ runtimes }: RunRecord): string[] {
  const said = runtimes.flatMap(({ label, timeSource }) =>
    timeSource === undefined ? [] : [{ label, words: SOURCES[timeSource] }],
  );
  const kinds = new Set(said.map(({ words }) => words));
  if (kinds.size < 2) return [...kinds].map((words) => `Times are ${words}.`);
  return said.map(({ label, words }) => `Times in ${oneLine(label)} are ${words}.`);
}

const CLOCKS: readonly CellColumn<Nanos>[] = [
  { heading: ({ operation }) => operation, of: (nanos) => timeText(nanos) },
  { heading: () => "clock", of: (nanos) => textOf(wallNanos(nanos)) },
  { heading: () => "all threads", of: (nanos) => textOf(allThreadsNanos(nanos)) },
  {
    heading: () => "middle batch",
    isShown: ({ data, operation }) =>
      data.cells.some((cell) => cell.operation === operation && isMeasured(cell) && isPreempted(cell.nanos)),
    of: (nanos) => formatNanos(batchMedian(nanos)),
  },
];

/** Time on a core beside that by the clock and that of all threads; undefined where they are not told. */
export function clocksTable(data: DatasetView): Table | undefined {
  if (!data.cells.some(({ nanos }) => nanos?.wall !== undefined)) return undefined;
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    ...cellColumns(data, data.run.operations, (cell) => cell?.nanos, CLOCKS),
  ]);
}

/** What a reader of times should know who does not look at every table: threads, levels, preemption and slow cores, a line each. */
export function clockNotes(data: DatasetView): string[] {
  const cells = data.cells
    .filter(isMeasured)
    .filter(({ twinOf, part }) => twinOf === undefined && part !== true);
  // The levels of several machines together are those of the machines.
  const levels = data.run.hasSeveralMachines ? [] : cells.flatMap(levelsNote);
  return [...threadsNote(cells), ...levels, ...preemptionNote(cells), ...slowNote(cells)];
}

function threadsNote(cells: readonly MeasuredCell[]): string[] {
  const named = cells.flatMap((cell) => {
    const ratio = threadsRatio(cell.nanos);
    return ratio === undefined ? [] : [`${nameOf(cell)} (× ${formatRatio(ratio)})`];
  });
  return named.length === 0
    ? []
    : [
        oneLine(
          `other threads of the process work too, all threads taking more than the times above say: ${named.join(", ")}`,
        ),
      ];
}

function levelsNote(cell: MeasuredCell): string[] {
  const { levels, processes } = cell.nanos;
  const [lower, upper] = levels ?? [];
  if (lower === undefined || upper === undefined) return [];
  const shares = [lower, upper].map(({ nanos, share }) => `${formatNanos(nanos)} in ${formatShare(share)}`);
  const above = processes.filter((nanos) => nanos > Math.sqrt(lower.nanos * upper.nanos)).length;
  // Where processes flip, the shares are those of the time.
  const isOfProcesses = Math.abs(above / processes.length - upper.share) < 0.001;
  const of = `${isOfProcesses ? "of" : "of the time in"} ${processes.length} processes`;
  return [oneLine(`${nameOf(cell)} has two levels, ${shares.join(" and ")} ${of}${reasonOf(cell.nanos)}`)];
}

/** How much the other threads' time has to differ, as a share of the lower level, to be what makes the levels. */
const OTHERS_DIFFER = 0.1;

function reasonOf(nanos: Nanos): string {
  const others = othersByLevel(nanos);
  const lower = nanos.levels?.[0]?.nanos;
  if (others === undefined || lower === undefined) return "";
  const [below, above] = others;
  return Math.abs(above - below) > OTHERS_DIFFER * lower
    ? `: its other threads take ${formatNanos(below)} a call at the one and ${formatNanos(above)} at the other`
    : ": its other threads take the same at both, so that probably V8 compiled it in two ways";
}

function preemptionNote(cells: readonly MeasuredCell[]): string[] {
  const count = cells.filter(({ nanos }) => isPreempted(nanos)).length;
  return count === 0
    ? []
    : [
        `other processes were let on the core in more than a twentieth of the batches of ${count} of ${cells.length} cells: the middle batch, which is without that, stands beside the time in report.md`,
      ];
}

/** Share of all batches from where on slow cores are said. */
const SLOWED = 0.02;

function slowNote(cells: readonly MeasuredCell[]): string[] {
  const shares = cells.flatMap(({ nanos }) => slowedShare(nanos) ?? []);
  if (shares.length === 0 || mean(shares) < SLOWED) return [];
  const scaled = cells.filter(
    ({ nanos }) => 2 * (nanos.scaled?.length ?? 0) >= nanos.processes.length,
  ).length;
  const left = `the core was slower than usual beside ${formatShare(mean(shares))} of the batches, as others on the same core make it: these are left out`;
  return [
    scaled === 0
      ? left
      : `${left}, but in half of the processes of ${scaled} of ${cells.length} cells there were few others, and slow batches are divided by how much longer fixed work took`,
  ];
}

/** `12.3 µs`, or both levels. */
export function timeText({ median, levels }: Nanos): string {
  return levels === undefined ? formatNanos(median) : formatLevels(levels);
}

/** `23.0 | 52.4 µs`, `950 ns | 1.20 µs`. */
export function formatLevels(levels: readonly Pick<Level, "nanos">[]): string {
  const [lower = "", upper = ""] = levels.map(({ nanos }) => formatNanos(nanos));
  const [number = "", unit] = lower.split(" ");
  return `${upper.endsWith(` ${unit}`) ? number : lower} | ${upper}`;
}

function textOf(nanos: number | undefined): string {
  return nanos === undefined ? "" : formatNanos(nanos);
}

function nameOf({ operation, codec }: Cell): string {
  return `${operation} of ${codec}`;
}
