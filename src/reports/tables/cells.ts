import type { Cell, Nanos, RunRecord } from "../../model/records/run.ts";
import { oneLine } from "../escape.ts";

/** A measured cell, whose numbers are there. */
export type MeasuredCell = Cell & { readonly nanos: Nanos; readonly bytes: number };

/** Whether a cell has numbers. */
export function isMeasured(cell: Cell | undefined): cell is MeasuredCell {
  return cell?.status === "measured" && cell.nanos !== undefined && cell.bytes !== undefined;
}

/** The cell of those names; undefined where it was not measured or not asked for. */
export function findCell(
  record: RunRecord,
  operation: string,
  dataset: string,
  codec: string,
): Cell | undefined {
  return record.cells.find(
    (cell) => cell.operation === operation && cell.dataset === dataset && cell.codec === codec,
  );
}

/**
 * A cell's time as a multiple of the baseline codec's: that of the blocks where they were compared, else of the
 * medians; undefined where either has none.
 */
export function ratioToBaseline(record: RunRecord, cell: Cell): number | undefined {
  if (cell.standing !== undefined) return cell.standing.ratio;
  const base = findCell(record, cell.operation, cell.dataset, record.options.baseline);
  // A time of 0 is that of a loop around nothing: there is no multiple of it.
  if (!isMeasured(cell) || !isMeasured(base) || base.nanos.median === 0) return undefined;
  return cell.nanos.median / base.nanos.median;
}

/** Names of the codecs that have cells on a dataset, in the order of the record; a twin is no codec of its own. */
export function codecsOf(record: RunRecord, dataset: string): string[] {
  const cells = record.cells.filter((cell) => cell.dataset === dataset && cell.twinOf === undefined);
  return [...new Set(cells.map(({ codec }) => codec))];
}

/** The libraries that were measured, with their versions. */
export function librariesOf(record: RunRecord): string[] {
  const named = record.cells.map(({ library, version, build }) =>
    [library, version, ...(build === undefined ? [] : [`(${build})`])].join(" "),
  );
  return [...new Set(named)].sort();
}

/**
 * Names of the operations that have cells, in the order of the record: the whole ones, or the parts of them. Those of a
 * study of partial reads are neither: they have tables of their own.
 */
export function operationsOf(record: RunRecord, which: "whole" | "part"): string[] {
  const cells = record.cells.filter(
    ({ part, reads }) => (part === true) === (which === "part") && reads === undefined,
  );
  return [...new Set(cells.map(({ operation }) => operation))];
}

/**
 * Holes and failures on a dataset: one line per codec and reason, or one for all codecs where they have the same. An empty
 * part is neither.
 */
export function refusals(record: RunRecord, dataset: string): string[] {
  const lines = new Map<string, { cell: Cell; operations: string[] }>();
  for (const cell of record.cells) {
    const refused = cell.status === "failed" || (cell.status === "unsupported" && cell.part !== true);
    if (cell.dataset !== dataset || !refused || cell.twinOf !== undefined) continue;
    const key = `${cell.codec}\n${cell.status}\n${cell.reason}`;
    const line = lines.get(key) ?? { cell, operations: [] };
    line.operations.push(cell.operation);
    lines.set(key, line);
  }
  const whole = operationsOf(record, "whole");
  const codecs = new Map<string, string[]>();
  for (const { cell, operations } of lines.values()) {
    const everywhere = whole.every((operation) => operations.includes(operation));
    const which = everywhere ? "" : ` (${operations.join(", ")})`;
    const what = `${which}: ${cell.status}: ${cell.reason}`;
    codecs.set(what, [...(codecs.get(what) ?? []), cell.codec]);
  }
  const all = codecsOf(record, dataset).length;
  return Array.from(codecs).flatMap(([what, names]) =>
    (names.length === all && all > 1 ? ["every codec"] : names).map((name) => oneLine(`${name}${what}`)),
  );
}

/** The codecs of a dataset by what is told of some of their cells: `one, two: reason`, a line for each reason. */
export function codecsByReason(
  { cells }: RunRecord,
  dataset: string,
  reasonOf: (cell: Cell) => string | undefined,
): string[] {
  const codecs = new Map<string, Set<string>>();
  for (const cell of cells) {
    const reason = cell.dataset === dataset ? reasonOf(cell) : undefined;
    if (reason !== undefined) codecs.set(reason, (codecs.get(reason) ?? new Set()).add(cell.codec));
  }
  return Array.from(codecs, ([reason, names]) => oneLine(`${[...names].join(", ")}: ${reason}`));
}
