import { blindWarning } from "../../analysis/compare/gates.ts";
import type {
  BlindCell,
  ComparedCell,
  ComparedSide,
  Comparison,
  LoneCell,
  MemoryFigure,
  SlowerLimit,
  UndecidedLimit,
} from "../../model/records/comparison.ts";
import { formatShare } from "../../model/share.ts";
import { oneLine } from "../escape.ts";
import { libraryName } from "../provenance.ts";
import { left, right, type Table, tableOf, tableOfAny } from "../table.ts";
import { counted, formatBytes, formatChange, formatChanges, formatNanos } from "../units.ts";
import { instructionBlocks } from "./counters.ts";

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
  const { base, head, bases = [base], heads = [head], cells, alone } = comparison;
  // A gate that sees nothing must not look like one that does: that stands last.
  const blind = blindWarning(comparison);
  const warnings = comparison.warnings.filter((warning) => warning !== blind);
  const gates = [...gateLines(comparison), ...warningLines(blind === undefined ? [] : [blind])];
  const datasets = [...new Set(cells.map(({ dataset }) => dataset))];
  return [
    style.list([...bases.map((run) => sideLine("base", run)), ...heads.map((run) => sideLine("head", run))]),
    ...datasets.flatMap((dataset) => [
      style.heading(oneLine(dataset)),
      style.table(changeTable(comparison, dataset)),
    ]),
    ...instructionBlocks(comparison.instructions, style.table),
    ...sizeBlocks(comparison, style),
    ...memoryBlocks(comparison, style),
    ...(alone.length === 0 ? [] : [style.titledList("on one side only", loneLines(alone))]),
    ...(warnings.length === 0 ? [] : [style.list(warningLines(warnings))]),
    style.list(summaryLines(comparison)),
    ...(gates.length === 0 ? [] : [style.list(gates)]),
  ];
}

function warningLines(warnings: readonly string[]): string[] {
  return warnings.map((warning) => `warning: ${oneLine(warning)}`);
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
  if (table === undefined) return ["memory: nothing differs by a fifth"];
  return [
    "memory: what differs by a fifth or more; it is measured in one process of each run, and has no interval",
    show(table),
    ...undecidedMemoryLines(comparison),
  ];
}

function undecidedMemoryLines({ method, cells }: Comparison): string[] {
  const verdicts = cells.flatMap(({ memory = {} }) => Object.values(memory).map(({ verdict }) => verdict));
  if (!verdicts.includes("undecided")) return [];
  const remedy = method === "records" ? "; four runs of each side tell" : "";
  return [
    `undecided memory: runs of equal code differ by as much, as their processes compile in other ways${remedy}`,
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
  const { counts, cells, gate, noiseMeasured, detectable, betweenRuns, basis } = comparison;
  if (cells.length === 0) return ["no times: there is nothing that both sides measured"];
  const { slower, faster, same, undecided } = counts;
  const count = cellCount(slower + faster + same + undecided);
  const noise =
    noiseMeasured && betweenRuns === undefined
      ? "the larger of the threshold and the noise that the runs measured"
      : "the threshold";
  return [
    `${count}: ${slower} slower, ${faster} faster, ${same} the same within the threshold, ${undecided} undecided`,
    `gate: ${formatShare(gate)}, ${noise}; p is adjusted for ${count} (Holm)`,
    ...(basis === undefined
      ? []
      : [
          "base, head and change are of the faster halves of batches, which differ less from process to process than means: they are less than a run's times, and what garbage collection costs is not in them",
        ]),
    "base and head are medians of processes; the change is of robust means (Huber), which may move otherwise",
    ...(detectable === null
      ? []
      : [
          `least difference found four times in five, in the middle of the cells: ${formatShare(detectable)}`,
        ]),
    ...sharedLines(comparison),
    ...betweenLines(comparison),
  ];
}

/** What all cells did together, and what became of it. */
function sharedLines({ method, shift, calibration, absolute, steadyArgv }: Comparison): string[] {
  if (shift === null) return [];
  const moved =
    shift.median === 1
      ? "all cells together: they did not move"
      : `all cells together: ${formatChange(shift.median)} in the middle, ${shift.together} of ${shift.cells} on that side`;
  if (method === "paired") {
    return [
      moved,
      "both sides were measured in the same blocks: a drift of the machine meets both",
      ...(steadyArgv === undefined
        ? []
        : [
            `both sides were measured with ${steadyArgv.join(" ")}, so that the engine makes the same code in every process: their times are no run's`,
          ]),
    ];
  }
  if (calibration?.by === "cells") {
    return [
      `${moved}; taken off: each change is of the ratio divided by ${formatFactor(calibration.factor)}, the median of ${cellCount(calibration.cells)} (--absolute does not)`,
    ];
  }
  if (calibration !== undefined) {
    return [
      `${moved}; each change is of the ratio to ${calibration.baseline}, which itself moved by ${formatChange(calibration.factor)} (--absolute compares times)`,
    ];
  }
  const why =
    absolute === true ? "absolute: nothing is taken off" : "nothing is taken off: too few cells are common";
  return [
    moved,
    `${why}, and what the machine did between the runs counts; --base and --head measure both at once`,
  ];
}

function betweenLines({ betweenRuns, bases = [], heads = [] }: Comparison): string[] {
  if (betweenRuns === undefined) return [];
  const share = formatShare(betweenRuns.deviation);
  return [
    betweenRuns.source === "runs"
      ? `between runs: ratios of equal code vary by ${share} (standard deviation), measured by ${bases.length || 1} runs of the base and ${heads.length || 1} of the head`
      : `between runs: ratios of equal code vary by ${share} beside what processes do (standard deviation), estimated from the cells; several runs before -- measure it`,
  ];
}

/** What was to be found out, cell by cell. */
function gateLines({ failIfSlower, failIfUndecided, failIfShifted, shift }: Comparison): string[] {
  return [
    ...(failIfSlower === undefined ? [] : limitLines(failIfSlower)),
    ...(failIfShifted === undefined
      ? []
      : [
          `all cells together slower by more than ${formatShare(failIfShifted.limit)}: ${failIfShifted.shifted ? formatChange(shift?.median ?? null) : "no"}`,
        ]),
    ...(failIfUndecided === undefined ? [] : undecidedLines(failIfUndecided)),
  ];
}

function limitLines({ limit, slower, failed }: SlowerLimit): string[] {
  if (slower.length === 0 && failed.length === 0) return [`slower by more than ${formatShare(limit)}: none`];
  return [
    ...slower.map(
      (cell) => `slower by more than ${formatShare(limit)}: ${cellName(cell)}, ${formatChange(cell.ratio)}`,
    ),
    ...failed.map((cell) => `failed in the head: ${cellName(cell)}`),
  ].map(oneLine);
}

function undecidedLines({ limit, cells, failed = [], nothing }: UndecidedLimit): string[] {
  const untold = [...failed.map((cell) => `${cellName(cell)}, failed in the head`), ...cells.map(blindText)];
  const found = untold.length > 0 ? untold : ["none"];
  return [
    ...(nothing ? ["cannot tell: both sides have measured no cell"] : []),
    ...(nothing && untold.length === 0 ? [] : found).map((cell) =>
      oneLine(`cannot tell whether slower by more than ${formatShare(limit)}: ${cell}`),
    ),
  ];
}

/** A cell, and how far its interval reaches. */
export function blindText(cell: BlindCell): string {
  return `${cellName(cell)}, ${formatChanges(cell.ci95) || "no interval"}`;
}

/** A cell as it is named on a line. */
export function cellName({
  operation,
  dataset,
  codec,
}: Pick<ComparedCell, "operation" | "dataset" | "codec">): string {
  return `${operation}/${dataset}/${codec}`;
}

function cellCount(count: number): string {
  return counted(count, "cell");
}

function formatFactor(factor: number): string {
  return factor.toPrecision(3);
}

/** What is new comes first. */
const ORDER = ["slower", "faster", "undecided", "same"] as const;

/** The cells of a dataset, those that changed first, the most changed of them at the top. */
function changeTable({ cells }: Comparison, dataset: string): Table {
  const own = cells.filter((cell) => cell.dataset === dataset);
  const rank = ({ verdict }: ComparedCell): number => ORDER.indexOf(verdict);
  const far = ({ verdict, ratio }: ComparedCell): number =>
    verdict === "slower" || verdict === "faster" ? -Math.abs(Math.log(ratio ?? 1)) : 0;
  return tableOf(
    own.toSorted((a, b) => rank(a) - rank(b) || far(a) - far(b)),
    [
      left("", ({ verdict, reference }) => (reference ? "baseline" : verdict)),
      left("operation", ({ operation }) => operation),
      left("codec", ({ codec }) => codec),
      right("base", ({ base }) => formatNanos(base.fasterHalf ?? base.median)),
      right("head", ({ head }) => formatNanos(head.fasterHalf ?? head.median)),
      right("change", ({ ratio, reference }) => (reference ? "" : formatChange(ratio))),
      right("95 %", ({ ci95, reference }) => (reference ? "" : formatChanges(ci95))),
      right("p", ({ p }) => (p === null ? "" : formatProbability(p))),
    ],
  );
}

/** The sizes that changed; undefined where none did. */
function sizeChangeTable({ sizes }: Comparison): Table | undefined {
  return tableOfAny(
    sizes.filter(({ change }) => change !== 0),
    [
      left("dataset", ({ dataset }) => dataset),
      left("codec", ({ codec }) => codec),
      left("size", ({ measure }) => (measure === "bytes" ? "as it is" : measure)),
      right("bytes", ({ base, head }) => bytesText(base, head)),
      right("change", ({ change }) => `${change > 0 ? "+" : ""}${formatBytes(change)}`),
    ],
  );
}

const FIGURES: Readonly<Record<MemoryFigure, string>> = {
  heapBytes: "heap per call",
  externalBytes: "outside of the heap per call",
  retainedBytes: "kept alive by a result",
};

/** What is sure comes first. */
const MEMORY_ORDER = ["more", "less", "undecided"] as const;

/** What calls allocate and keep, where it is not the same; undefined where all is. */
function memoryChangeTable({ cells }: Comparison): Table | undefined {
  const changes = cells.flatMap((cell) =>
    (Object.keys(FIGURES) as MemoryFigure[]).flatMap((figure) => {
      const bytes = cell.memory?.[figure];
      return bytes === undefined || bytes.verdict === "same" ? [] : [{ ...bytes, cell, figure }];
    }),
  );
  return tableOfAny(
    MEMORY_ORDER.flatMap((verdict) => changes.filter((change) => change.verdict === verdict)),
    [
      left("", ({ verdict }) => verdict),
      left("dataset", ({ cell }) => cell.dataset),
      left("operation", ({ cell }) => cell.operation),
      left("codec", ({ cell }) => cell.codec),
      left("memory", ({ figure }) => FIGURES[figure]),
      right("bytes", ({ base, head }) => bytesText(base, head)),
      right("change", ({ ratio }) => formatChange(ratio)),
    ],
  );
}

function bytesText(base: number, head: number): string {
  return `${formatBytes(base)} -> ${counted(head, "byte")}`;
}

function formatProbability(p: number): string {
  if (p < 0.001) return "<0.001";
  return p > 0.999 ? "1" : p.toFixed(3);
}
