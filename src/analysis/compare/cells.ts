/** The cells of two sides beside each other: which both have, what became of their times and sizes, and what moved all. */
import { defined } from "../../model/defined.ts";
import type {
  CellSide,
  ComparedBytes,
  ComparedCell,
  ComparedSize,
  LoneCell,
  MemoryFigure,
  Shift,
  SlowerLimit,
} from "../../model/records/comparison.ts";
import { type Cell, cellKey, type Memory, type RunRecord } from "../../model/records/run.ts";
import { isMeasured, type MeasuredCell } from "../cells.ts";
import { familyOf } from "../statistics/inference.ts";
import { median } from "../statistics/location.ts";
import { detectableShare, type RatioEstimate, type Replicate } from "../statistics/ratio.ts";
import { LEVEL, type Limits, replicatesOf, verdictOf } from "../verdict.ts";

/** A codec's name on each side, and the one that both have in a comparison. */
export interface NamePair {
  readonly codec: string;
  readonly base: string;
  readonly head: string;
}

/** One cell on both sides. */
export interface CellPair {
  readonly codec: string;
  readonly base: MeasuredCell;
  readonly head: MeasuredCell;
}

/** Cells that both sides measured, and those that one did. */
export interface MatchedCells {
  readonly pairs: readonly CellPair[];
  readonly alone: readonly LoneCell[];
}

/** Puts the cells of two records beside each other, by operation, dataset and codec. Second measurements stay out. */
export function matchedCells(base: RunRecord, head: RunRecord, names: readonly NamePair[]): MatchedCells {
  const pairs: CellPair[] = [];
  const alone: LoneCell[] = [];
  const [before, after] = [byName(base), byName(head)];
  const codecs = {
    base: new Map(names.map((name) => [name.base, name])),
    head: new Map(names.map((name) => [name.head, name])),
  };
  for (const cell of before.values()) {
    const name = codecs.base.get(cell.codec);
    if (name === undefined) continue;
    const other = after.get(cellKey({ ...cell, codec: name.head }));
    if (isMeasured(cell) && isMeasured(other)) pairs.push({ codec: name.codec, base: cell, head: other });
    else if (isMeasured(cell)) alone.push(lone(cell, name, "base", other));
  }
  for (const cell of after.values()) {
    const name = codecs.head.get(cell.codec);
    if (name === undefined || !isMeasured(cell)) continue;
    const other = before.get(cellKey({ ...cell, codec: name.base }));
    if (!isMeasured(other)) alone.push(lone(cell, name, "head", other));
  }
  return { pairs, alone };
}

function byName(record: RunRecord): Map<string, Cell> {
  const own = record.cells.filter(({ twinOf }) => twinOf === undefined);
  return new Map(own.map((cell) => [cellKey(cell), cell]));
}

function lone(cell: Cell, { codec }: NamePair, side: LoneCell["side"], other: Cell | undefined): LoneCell {
  const { operation, dataset } = cell;
  const status = other?.status === "unsupported" || other?.status === "failed" ? other.status : "absent";
  return { operation, dataset, codec, side, other: status, ...defined({ reason: other?.reason }) };
}

/**
 * Judges all cells of a comparison: each has a ratio and an interval of its own, and a probability that is adjusted for
 * how many there are (Holm). A difference is called one only where it is beyond the gate too.
 */
export function judged(
  pairs: readonly CellPair[],
  estimate: (head: readonly Replicate[], base: readonly Replicate[]) => RatioEstimate,
  limits: Limits,
): ComparedCell[] {
  const estimates = pairs.map(({ base, head }) =>
    estimate(replicatesOf(head.nanos), replicatesOf(base.nanos)),
  );
  const { adjusted, level } = familyOf(estimates, ({ p }) => p, LEVEL);
  return pairs.map(({ codec, base, head }, index) => {
    const { ratio, ci95, standardError, degrees } = estimates[index]!;
    const p = adjusted.get(estimates[index]!) ?? null;
    const compared = { ratio, ci95, p };
    return {
      operation: base.operation,
      ...defined({ part: base.part }),
      dataset: base.dataset,
      codec,
      verdict: verdictOf(compared, limits),
      ratio: Number.isFinite(ratio) && ratio > 0 ? ratio : null,
      ci95,
      p,
      detectable:
        standardError === null || degrees === null
          ? null
          : detectableShare(standardError, degrees, level, limits.gate),
      base: sideOf(base),
      head: sideOf(head),
      ...comparedMemory(base.memory, head.memory),
    };
  });
}

function sideOf({ nanos, bytes, library, version, build }: MeasuredCell): CellSide {
  return {
    median: nanos.median,
    processes: nanos.processes.length,
    bytes,
    library,
    version,
    ...defined({ build }),
  };
}

function comparedMemory(base: Memory | undefined, head: Memory | undefined): Pick<ComparedCell, "memory"> {
  if (base === undefined || head === undefined) return {};
  const compared = (figure: MemoryFigure): ComparedBytes => ({
    base: base[figure],
    head: head[figure],
    ratio: base[figure] === 0 ? null : head[figure] / base[figure],
  });
  return {
    memory: {
      heapBytes: compared("heapBytes"),
      externalBytes: compared("externalBytes"),
      retainedBytes: compared("retainedBytes"),
    },
  };
}

const MEASURES = ["bytes", "gzip", "brotli", "zstd"] as const;

/**
 * The sizes that both records have, in the order of the base: of its first message as it is and compressed, or, where
 * no message was compressed, as its cells have it.
 */
export function comparedSizes(base: RunRecord, head: RunRecord, names: readonly NamePair[]): ComparedSize[] {
  const [before, after] = [sizesOf(base), sizesOf(head)];
  return base.datasets.flatMap(({ name: dataset }) =>
    names.flatMap((name) => {
      const from = before.get(sizeKey(dataset, name.base));
      const to = after.get(sizeKey(dataset, name.head));
      if (from === undefined || to === undefined) return [];
      return MEASURES.flatMap((measure): ComparedSize[] => {
        const [one, other] = [from[measure], to[measure]];
        if (one === undefined || other === undefined) return [];
        return [{ dataset, codec: name.codec, measure, base: one, head: other, change: other - one }];
      });
    }),
  );
}

type Sizes = Partial<Record<(typeof MEASURES)[number], number>>;

function sizesOf({ payloads, cells }: RunRecord): Map<string, Sizes> {
  const sizes = new Map<string, Sizes>();
  for (const { dataset, codec, bytes, status } of cells) {
    const sized = status === "measured" || status === "ok";
    if (sized && bytes !== undefined) sizes.set(sizeKey(dataset, codec), { bytes });
  }
  for (const { dataset, codec, ...payload } of payloads) sizes.set(sizeKey(dataset, codec), payload);
  return sizes;
}

function sizeKey(dataset: string, codec: string): string {
  return JSON.stringify([dataset, codec]);
}

/** Share of the cells that must have moved alike before the machine is blamed. */
const MOST = 0.75;

/** Cells below which it may be chance: six go the same way once in 32 times. */
const FEWEST = 6;

/** Codecs below which nothing tells a machine that changed from a codec that did. */
const CODECS = 3;

/**
 * How the cells moved together; null for none. Where most of them moved the same way and their median is beyond the
 * threshold, what they have in common changed: the machine. The noise of a run does not matter here: what moves all alike
 * is not in it.
 */
export function shiftOf(cells: readonly ComparedCell[], threshold: number): Shift | null {
  const ratios = cells.flatMap(({ ratio }) => (ratio === null ? [] : [ratio]));
  if (ratios.length === 0) return null;
  // Of logarithms, so that half the time and twice the time are equally far from 1.
  const middle = Math.exp(median(ratios.map(Math.log)));
  const together = ratios.filter((ratio) => (middle < 1 ? ratio < 1 : ratio > 1)).length;
  const codecs = new Set(cells.map(({ codec }) => codec)).size;
  const machine =
    Math.max(middle, 1 / middle) > 1 + threshold &&
    ratios.length >= FEWEST &&
    together >= MOST * ratios.length &&
    codecs >= CODECS;
  return { median: middle, cells: ratios.length, together, machine };
}

/**
 * The cells that break a limit. A gate that is run again and again must not fail by chance: a cell breaks it that is
 * slower by its verdict and whose ratio, not only the end of its interval, is beyond.
 * @param limit a share
 */
export function slowerLimit(
  limit: number,
  cells: readonly ComparedCell[],
  alone: readonly LoneCell[],
): SlowerLimit {
  const slower = cells.filter(
    ({ verdict, ratio }) => verdict === "slower" && ratio !== null && ratio > 1 + limit,
  );
  const failed = alone.filter(({ side, other }) => side === "base" && other === "failed");
  return {
    limit,
    slower: slower.map(({ operation, dataset, codec, ratio }) => ({ operation, dataset, codec, ratio })),
    failed: failed.map(({ operation, dataset, codec }) => ({ operation, dataset, codec })),
  };
}
