import { isMeasured, type MeasuredCell } from "../../../analysis/cells.ts";
import type { Cell, OriginalRatio, Start } from "../../../model/records/run.ts";
import { left, right, type Table, tableOf } from "../../table.ts";
import { formatBytes, formatNanos, formatRate, formatRatio, formatSpread } from "../../units.ts";
import type { DatasetView } from "../../view.ts";
import { type CellColumn, cellColumns, type Place, statusOf } from "./cell-columns.ts";
import { timeText } from "./clocks.ts";

/** The time of one call. */
const TIME: CellColumn<MeasuredCell> = {
  heading: ({ operation }) => operation,
  of: ({ nanos }) => timeText(nanos),
};

/** Of several machines there is no one time: each has its own, in a table of its own. */
function isOneMachine({ data }: Place): boolean {
  return !data.run.hasSeveralMachines;
}

/** What the headline table says of each operation. */
const HEADLINE: readonly CellColumn<MeasuredCell>[] = [
  { ...TIME, isShown: isOneMachine },
  {
    heading: () => "±",
    isShown: isOneMachine,
    // The median of two levels is a time that nothing takes.
    of: ({ nanos }) => (nanos.levels === undefined ? formatSpread(nanos.median, nanos.ci95) : ""),
  },
  {
    heading: (at) => `${isOneMachine(at) ? "" : `${at.operation} `}× ${at.data.run.baseline}`,
    of: (cell, { data }) => ratioText(cell, data),
  },
  {
    heading: () => "Node / native",
    isShown: ({ data, operation }) =>
      data.cells.some((cell) => cell.operation === operation && cell.original !== undefined),
    of: ({ original }) => (original === undefined ? "" : originalText(original)),
  },
  {
    heading: () => "rank",
    isShown: ({ data }) => data.run.record.cells.some(({ standing }) => standing !== undefined),
    of: (cell, { data }) => rankOf(cell, data),
  },
];

/** Encoded bytes per second; access does not go through all of them. */
const RATE: CellColumn<MeasuredCell> = {
  heading: () => "MB/s",
  isShown: (at) => at.operation !== "access" && isOneMachine(at),
  of: ({ bytes, nanos }) => formatRate(bytes, nanos.median),
};

/** What the table of codecs in one process says of each operation. */
const SHARED: readonly CellColumn<MeasuredCell>[] = [
  { heading: ({ operation }) => `${operation}: isolated`, of: ({ nanos }) => formatNanos(nanos.median) },
  {
    heading: () => "shared",
    of: ({ shared }) => (shared === undefined ? "–" : formatNanos(shared.median)),
  },
  { heading: () => "penalty", of: penaltyOf },
];

/** What the table of cold starts says of each operation. */
const START: readonly CellColumn<Start>[] = [
  {
    heading: ({ operation }) => `first ${operation}`,
    of: ({ firstCallNanos }) => formatNanos(firstCallNanos),
  },
  {
    heading: () => "steady after",
    of: ({ steadyNanos }) => (steadyNanos === null ? "not yet" : formatNanos(steadyNanos)),
  },
];

/**
 * The headline table of a dataset: a row per codec, and for each operation its median, the interval around it,
 * the ratio to the baseline and the rank. With `rates`, MB/s of encode and decode too.
 */
export function headlineTable(data: DatasetView, { rates }: { readonly rates: boolean }): Table {
  const columns = rates ? [...HEADLINE, RATE] : HEADLINE;
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    right("bytes", (codec) => sizeOf(data, codec)),
    ...cellColumns(data, data.run.operations, measuredOnly, columns, statusOf),
  ]);
}

/** The table of the parts of encode and decode, shown beneath and not ranked; undefined when none was asked for. */
export function partsTable(data: DatasetView): Table | undefined {
  const { parts } = data.run;
  if (parts.length === 0) return undefined;
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    ...cellColumns(data, parts, measuredOnly, [TIME]),
  ]);
}

/**
 * Times of codecs that have a process to themselves beside those in a process that runs every codec and dataset;
 * undefined where the latter were not measured.
 */
export function sharedTable(data: DatasetView): Table | undefined {
  if (!data.cells.some(({ shared }) => shared !== undefined)) return undefined;
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    ...cellColumns(data, data.run.operations, measuredOnly, SHARED, statusOf),
  ]);
}

/** Why codecs have no times, or fewer, from processes that run everything: a line per reason. */
export function sharedRefusals(data: DatasetView): string[] {
  return data
    .codecsByReason(({ sharedReason }) => sharedReason)
    .map((line) => `in a process with all codecs and shapes: ${line}`);
}

/** How a program's first calls fare, a row per codec; undefined where that was not measured. */
export function startTable(data: DatasetView): Table | undefined {
  const { operations, record } = data.run;
  if (!record.cells.some(({ start }) => start !== undefined)) return undefined;
  /** Loading and binding are the same for every operation of a codec. */
  const once = (figure: (start: Start) => number) => (codec: string) => {
    const starts = operations.flatMap((operation) => data.cell(operation, codec)?.start ?? []);
    return starts[0] === undefined ? "–" : formatNanos(figure(starts[0]));
  };
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    right(
      "import",
      once(({ importNanos }) => importNanos),
    ),
    right(
      "bind",
      once(({ bindNanos }) => bindNanos),
    ),
    ...cellColumns(data, operations, (cell) => cell?.start, START),
  ]);
}

function measuredOnly(cell: Cell | undefined): MeasuredCell | undefined {
  return isMeasured(cell) ? cell : undefined;
}

/** The ratio to the baseline, with `~` where the codec cannot be told from it. */
export function ratioText(cell: MeasuredCell, data: DatasetView): string {
  const ratio = data.ratioToBaseline(cell);
  if (ratio === undefined) return "";
  const verdict = cell.standing?.verdict;
  if (verdict === "disagree") return `${formatRatio(ratio)} ≠`;
  return `${formatRatio(ratio)}${verdict === "same" || verdict === "undecided" ? " ~" : ""}`;
}

/** `2.1 (2.0 to 2.3)`: a ratio to the original, with its interval where that is known. */
function originalText({ ratio, ci95 }: OriginalRatio): string {
  if (ci95 === null) return formatRatio(ratio);
  return `${formatRatio(ratio)} (${formatRatio(ci95[0])} to ${formatRatio(ci95[1])})`;
}

/** The place of the first of a cell's tier among the codecs; `~` where it shares it with others. */
export function rankOf(cell: Cell, data: DatasetView): string {
  const found = placeOf(cell, data);
  return found === undefined ? "" : `${found.place}${found.isShared ? "~" : ""}`;
}

/** {@link rankOf} as a number; undefined for what is not ranked. */
export function placeOf(
  { operation, standing, twinOf }: Cell,
  data: DatasetView,
): { readonly place: number; readonly isShared: boolean } | undefined {
  if (standing === undefined || twinOf !== undefined) return undefined;
  const tiers = data.cells.flatMap((cell) =>
    cell.operation === operation && cell.twinOf === undefined ? (cell.standing?.tier ?? []) : [],
  );
  const before = tiers.filter((tier) => tier < standing.tier).length;
  const among = tiers.filter((tier) => tier === standing.tier).length;
  return { place: before + 1, isShared: among > 1 };
}

function sizeOf(data: DatasetView, codec: string): string {
  const bytes = data.cells.find((cell) => cell.codec === codec && isMeasured(cell))?.bytes;
  return bytes === undefined ? "–" : formatBytes(bytes);
}

/** How much more it takes beside the others; `~` where the intervals leave a doubt that it does. */
function penaltyOf({ nanos, shared }: MeasuredCell): string {
  if (shared === undefined || nanos.median === 0) return "";
  const apart =
    nanos.ci95 !== null &&
    shared.ci95 !== null &&
    (nanos.ci95[1] < shared.ci95[0] || shared.ci95[1] < nanos.ci95[0]);
  return `× ${formatRatio(shared.median / nanos.median)}${apart ? "" : " ~"}`;
}
