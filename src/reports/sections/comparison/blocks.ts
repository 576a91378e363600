import type { ComparedSide, Comparison, LoneCell, SlowerLimit } from "../../../model/records/comparison.ts";
import { formatShare } from "../../../model/share.ts";
import { oneLine } from "../../escape.ts";
import { libraryName } from "../../provenance.ts";
import type { Table } from "../../table.ts";
import { formatChange } from "../../units.ts";
import { changeTable, memoryChangeTable, sizeChangeTable } from "./tables.ts";

/** How the parts of a comparison are shown: on a terminal, or in Markdown. */
export interface ComparisonStyle {
  heading(text: string): string;
  table(table: Table): string;
  list(lines: readonly string[]): string;
  /** A list with a title. */
  titledList(title: string, lines: readonly string[]): string;
}

/** A comparison in blocks: a table per dataset, sizes, memory, and how sure all that is. */
export function comparisonBlocks(comparison: Comparison, style: ComparisonStyle): string[] {
  const { base, head, cells, alone, failIfSlower, warnings } = comparison;
  const datasets = [...new Set(cells.map(({ dataset }) => dataset))];
  return [
    style.list([sideLine("base", base), sideLine("head", head)]),
    ...datasets.flatMap((dataset) => [
      style.heading(oneLine(dataset)),
      style.table(changeTable(comparison, dataset)),
    ]),
    ...sizeBlocks(comparison, style),
    ...memoryBlocks(comparison, style),
    ...(alone.length === 0 ? [] : [style.titledList("on one side only", loneLines(alone))]),
    ...(warnings.length === 0 ? [] : [style.list(warnings.map((warning) => `warning: ${oneLine(warning)}`))]),
    style.list(summaryLines(comparison)),
    ...(failIfSlower === undefined ? [] : [style.list(limitLines(failIfSlower))]),
  ];
}

function sideLine(side: "base" | "head", { source, startedAt, libraries, profile }: ComparedSide): string {
  const known = libraries.slice(0, 4).map(libraryName);
  const more = libraries.length > known.length ? ", …" : "";
  return oneLine(`${side}  ${source}: ${startedAt}, ${profile}, ${known.join(", ")}${more}`);
}

function sizeBlocks(comparison: Comparison, { table: show }: ComparisonStyle): string[] {
  const table = sizeChangeTable(comparison);
  const { length } = comparison.sizes;
  if (length === 0) return ["sizes: none that both sides have"];
  if (table === undefined) return [`sizes: all ${length} equal`];
  const equal = length - table.rows.length;
  return [
    `sizes: ${table.rows.length} of ${length} changed${equal === 0 ? "" : ", the others are equal"}`,
    show(table),
  ];
}

function memoryBlocks(comparison: Comparison, { table: show }: ComparisonStyle): string[] {
  if (!comparison.cells.some(({ memory }) => memory !== undefined)) return [];
  const table = memoryChangeTable(comparison);
  if (table === undefined) return ["memory: nothing differs by more than two runs of the same code do"];
  return [
    "memory: what differs by a fifth or more; it is measured once in each run, and has no interval",
    show(table),
  ];
}

/** A line per codec, dataset and reason, with the operations. */
function loneLines(alone: readonly LoneCell[]): string[] {
  const lines = new Map<string, { readonly cell: LoneCell; readonly operations: string[] }>();
  for (const cell of alone) {
    const { dataset, codec, side, other, reason } = cell;
    const key = JSON.stringify([dataset, codec, side, other, reason]);
    const line = lines.get(key) ?? { cell, operations: [] };
    line.operations.push(cell.operation);
    lines.set(key, line);
  }
  return [...lines.values()].map(({ cell, operations }) => {
    const { dataset, codec, side, other, reason } = cell;
    const why = reason === undefined ? "" : `: ${reason}`;
    const there = other === "absent" ? "" : `; in the ${side === "base" ? "head" : "base"} ${other}${why}`;
    return oneLine(`${side}: ${codec} on ${dataset} (${operations.join(", ")})${there}`);
  });
}

/** What all cells together say, and what could have been seen. */
function summaryLines(comparison: Comparison): string[] {
  const { method, counts, cells, gate, noiseMeasured, detectable, shift } = comparison;
  if (cells.length === 0) return ["no times: there is nothing that both sides measured"];
  const { slower, faster, same, undecided } = counts;
  const count = cells.length === 1 ? "1 cell" : `${cells.length} cells`;
  const noise = noiseMeasured
    ? "the larger of the threshold and the noise that the runs measured"
    : "the threshold";
  return [
    `${count}: ${slower} slower, ${faster} faster, ${same} the same within the threshold, ${undecided} undecided`,
    `gate: ${formatShare(gate)}, ${noise}; p is adjusted for ${count} (Holm)`,
    "base and head are medians of processes; the change is of robust means (Huber), which may move otherwise",
    ...(detectable === null
      ? []
      : [
          `least difference found four times in five, in the middle of the cells: ${formatShare(detectable)}`,
        ]),
    ...(shift === null
      ? []
      : [
          shift.median === 1
            ? "all cells together: they did not move"
            : `all cells together: ${formatChange(shift.median)} in the middle, ${shift.together} of ${shift.cells} on that side`,
        ]),
    method === "paired"
      ? "both sides were measured in the same blocks: a drift of the machine meets both"
      : "two runs share no blocks: whatever the machine did between them counts as a difference; --base and --head measure both at once",
  ];
}

function limitLines({ limit, slower, failed }: SlowerLimit): string[] {
  if (slower.length === 0 && failed.length === 0) return [`slower by more than ${formatShare(limit)}: none`];
  return [
    ...slower.map(
      ({ operation, dataset, codec, ratio }) =>
        `slower by more than ${formatShare(limit)}: ${operation}/${dataset}/${codec}, ${formatChange(ratio)}`,
    ),
    ...failed.map(({ operation, dataset, codec }) => `failed in the head: ${operation}/${dataset}/${codec}`),
  ].map(oneLine);
}
