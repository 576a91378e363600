/** A run's codecs in order, in so little room that a terminal shows it while they are measured. */
import { isMeasured, type MeasuredCell } from "../../../analysis/cells.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { oneLine } from "../../escape.ts";
import { formatBytes, formatNanos, formatRatio } from "../../units.ts";
import { type DatasetView, viewOf } from "../../view.ts";
import { rankOf } from "./timing.ts";

/** How much room there is, and how a verdict is shown. */
export interface Room {
  /** Columns that no line exceeds, of 40 or more. */
  readonly columns: number;
  /** Lines. */
  readonly rows: number;
  /** Marks what is faster or slower than the baseline; the text is as wide as before. */
  paint(text: string, verdict: "faster" | "slower"): string;
}

/** A codec of a table, and what is known of it by now. */
interface Row {
  readonly codec: string;
  readonly cells: readonly (MeasuredCell | undefined)[];
  /** Nanoseconds of all operations; undefined until each was measured. */
  readonly nanos: number | undefined;
}

/** Operations beyond the second have no room. */
const OPERATIONS = 2;

const LONGEST_NAME = 16;
const NUMBER = 8;
const RATIO = 6;
const RANK = 3;

/**
 * A table for each dataset that has something to show, while there is room: a row per codec, by their times. Bars are of the times
 * of the operations together. Nothing where there is no room for a codec.
 */
export function rankingLines(record: RunRecord, room: Room): string[] {
  const view = viewOf(record);
  const operations = [...view.operations].sort((a, b) => orderOf(a) - orderOf(b)).slice(0, OPERATIONS);
  const tables = view.datasets
    .filter((data) => data.cells.some(isMeasured))
    .map((data) => tableLines(data, operations, room));
  const shown: string[] = [];
  for (const table of tables) if (shown.length + table.length <= room.rows) shown.push(...table);
  return shown;
}

/** Both ends of a message before all else. */
function orderOf(operation: string): number {
  const at = ["encode", "decode"].indexOf(operation);
  return at < 0 ? OPERATIONS : at;
}

function tableLines(data: DatasetView, operations: readonly string[], room: Room): string[] {
  const rows = data.codecs
    .map((codec): Row => {
      const cells = operations.map((operation) => data.measured(operation, codec));
      const known = cells.flatMap((cell) => cell?.nanos.median ?? []);
      const nanos = known.length < cells.length ? undefined : known.reduce((sum, time) => sum + time, 0);
      return { codec, cells, nanos };
    })
    .sort((a, b) => (a.nanos ?? Number.POSITIVE_INFINITY) - (b.nanos ?? Number.POSITIVE_INFINITY));
  const name = Math.min(LONGEST_NAME, Math.max(data.name.length, ...rows.map(({ codec }) => codec.length)));
  const most = Math.max(0, ...rows.map(({ nanos = 0 }) => nanos));
  const heading = [
    fitted(data.name, name).padEnd(name),
    "bytes".padStart(NUMBER),
    ...operations.flatMap((operation) => [
      fitted(operation, NUMBER).padStart(NUMBER),
      fitted(`× ${data.run.baseline}`, RATIO).padStart(RATIO),
      "#".padStart(RANK),
    ]),
  ].join(" ");
  const left = room.columns - heading.length - 2;
  const lines = rows.map(({ codec, cells, nanos }) => {
    const [first] = cells.flatMap((cell) => cell ?? []);
    const figures = cells.flatMap((cell) => figuresOf(cell, data, room));
    const bar = nanos === undefined || most === 0 ? "" : barOf(nanos / most, left);
    const bytes = first === undefined ? "" : formatBytes(first.bytes);
    return [fitted(codec, name).padEnd(name), bytes.padStart(NUMBER), ...figures, bar].join(" ").trimEnd();
  });
  // A line cannot be cut, which has marks in it: where it has no room there is no table.
  return left < 0 ? [] : [heading.trimEnd(), ...lines];
}

function figuresOf(cell: MeasuredCell | undefined, data: DatasetView, { paint }: Room): string[] {
  if (cell === undefined) return ["".padStart(NUMBER), "".padStart(RATIO), "".padStart(RANK)];
  const { standing } = cell;
  const ratio = standing?.ratio == null ? "" : formatRatio(standing.ratio);
  const verdict = standing?.verdict;
  const isTold = verdict === "faster" || verdict === "slower";
  const multiple = ratio.padStart(RATIO);
  return [
    formatNanos(cell.nanos.median).padStart(NUMBER),
    isTold ? paint(multiple, verdict) : multiple,
    rankOf(cell, data).padStart(RANK),
  ];
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar of a share of so many columns, in eighths; of the least there is one. */
function barOf(share: number, columns: number): string {
  const eighths = Math.max(1, Math.round(share * Math.max(columns, 0) * 8));
  if (columns < 1) return "";
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

function fitted(name: string, columns: number): string {
  const line = oneLine(name);
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}
