/** The cells of two sides beside each other: which both have, what became of their times and sizes, and what moved all. */
import { defined } from "../../model/defined.ts";
import type {
  CellSide,
  ComparedCell,
  ComparedSize,
  Comparison,
  LoneCell,
  Shift,
} from "../../model/records/comparison.ts";
import { type Cell, cellKey, type PayloadRecord, type RunRecord } from "../../model/records/run.ts";
import { isMeasured, type MeasuredCell } from "../cells.ts";
import { familyOf } from "../statistics/inference.ts";
import { fasterHalves, median } from "../statistics/location.ts";
import { detectableShare, type RatioEstimate } from "../statistics/ratio.ts";
import { LEVEL, type Limits, verdictOf } from "../verdict.ts";
import { comparedMemory } from "./memory.ts";
import { processesOf } from "./processes.ts";

/** A codec's name on each side, and the one that both have in a comparison. */
export interface NamePair {
  readonly codec: string;
  readonly base: string;
  readonly head: string;
}

/** One cell on both sides, in the order of their records. */
export interface CellPair {
  readonly codec: string;
  readonly base: readonly MeasuredCell[];
  readonly head: readonly MeasuredCell[];
}

/** Cells that all records measured, and those that only some did. */
export interface MatchedCells {
  readonly pairs: readonly CellPair[];
  readonly alone: readonly LoneCell[];
}

/** Puts the cells of records beside each other, by operation, dataset and codec. Second measurements stay out. */
export function matchedCells(
  bases: readonly RunRecord[],
  heads: readonly RunRecord[],
  names: readonly NamePair[],
): MatchedCells {
  const records = { base: bases.map(ownCells), head: heads.map(ownCells) };
  const codecs = {
    base: new Map(names.map((name) => [name.base, name])),
    head: new Map(names.map((name) => [name.head, name])),
  };
  const pairs: CellPair[] = [];
  const alone: LoneCell[] = [];
  const seen = new Set<string>();
  for (const side of ["base", "head"] as const) {
    for (const cell of records[side].flatMap((cells) => [...cells.values()])) {
      const name = codecs[side].get(cell.codec);
      if (name === undefined) continue;
      const key = cellKey({ ...cell, codec: name.codec });
      if (seen.has(key)) continue;
      seen.add(key);
      const all = (of: "base" | "head"): (Cell | undefined)[] =>
        records[of].map((cells) => cells.get(cellKey({ ...cell, codec: name[of] })));
      const [base, head] = [all("base"), all("head")];
      if (base.every(isMeasured) && head.every(isMeasured)) pairs.push({ codec: name.codec, base, head });
      else if ([...base, ...head].some(isMeasured)) alone.push(lone(cell, name.codec, base, head));
    }
  }
  return { pairs, alone };
}

function ownCells(record: RunRecord): Map<string, Cell> {
  const own = record.cells.filter(({ twinOf }) => twinOf === undefined);
  return new Map(own.map((cell) => [cellKey(cell), cell]));
}

type Found = readonly (Cell | undefined)[];

/** A cell is of the side whose records all measured it, or of the first that has it at all. */
function lone({ operation, dataset }: Cell, codec: string, base: Found, head: Found): LoneCell {
  const isBase = !head.every(isMeasured) && base.some(isMeasured);
  const others = isBase ? head : base;
  const refused = others.find((cell) => cell?.status === "failed" || cell?.status === "unsupported");
  return {
    operation,
    dataset,
    codec,
    side: isBase ? "base" : "head",
    other: refused === undefined ? "absent" : (refused.status as "failed" | "unsupported"),
    ...defined({ reason: refused?.reason }),
  };
}

/** What is known of a cell's ratio. */
export interface CellEstimate extends RatioEstimate {
  /** See {@link ComparedCell}. */
  readonly reference?: true;
}

/**
 * Judges all cells of a comparison, whose estimates are in the same order: each keeps its ratio and interval, and its
 * probability is adjusted for how many there are (Holm). A difference is called one only where it is beyond the gate too,
 * and where `blamed` is false: with it, nothing tells a cell that changed from a machine that did.
 */
export function judged(
  pairs: readonly CellPair[],
  estimates: readonly CellEstimate[],
  limits: Limits,
  { blamed, basis }: { readonly blamed: boolean; readonly basis: Comparison["basis"] },
): ComparedCell[] {
  const { adjusted, level } = familyOf(estimates, ({ p, reference }) => (reference ? null : p), LEVEL);
  return pairs.map(({ codec, base, head }, index) => {
    const { ratio, ci95, standardError, degrees, reference } = estimates[index]!;
    const p = adjusted.get(estimates[index]!) ?? null;
    const [{ operation, part, dataset }] = base as readonly [MeasuredCell];
    const verdict = verdictOf({ ratio, ci95, p }, limits);
    return {
      operation,
      ...defined({ part }),
      dataset,
      codec,
      verdict: blamed && verdict !== "same" ? "undecided" : verdict,
      ...defined({ reference }),
      ratio: Number.isFinite(ratio) && ratio > 0 ? ratio : null,
      ci95,
      p,
      detectable:
        standardError === null || degrees === null
          ? null
          : detectableShare(standardError, degrees, level, limits.gate),
      base: sideOf(base, basis),
      head: sideOf(head, basis),
      ...comparedMemory(base, head),
    };
  });
}

function sideOf(cells: readonly MeasuredCell[], basis: Comparison["basis"]): CellSide {
  const [{ bytes, library, version, build }] = cells as readonly [MeasuredCell];
  return {
    median: median(cells.map(({ nanos }) => nanos.median)),
    ...defined({ fasterHalf: basis && median(cells.map(fasterHalfOf)) }),
    processes: cells.reduce((sum, { nanos }) => sum + nanos.processes.length, 0),
    bytes,
    library,
    version,
    ...defined({ build }),
  };
}

/** The median over processes, as a cell's time is that of their means. */
function fasterHalfOf(cell: MeasuredCell): number {
  return median(processesOf(cell, fasterHalves).map(({ stretches }) => median(stretches)));
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
        // Brotli at another quality is another measure.
        if (measure === "brotli" && from.brotliQuality !== to.brotliQuality) return [];
        return [{ dataset, codec: name.codec, measure, base: one, head: other, change: other - one }];
      });
    }),
  );
}

type Sizes = Partial<Pick<PayloadRecord, (typeof MEASURES)[number] | "brotliQuality">>;

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

/** Cells below which their median is no measure of what they share: six go the same way by chance once in 32 times. */
const FEWEST = 6;

/** Codecs below which nothing tells a machine that changed from a codec that did. */
const CODECS = 3;

/** Whether so many cells, of so many codecs, are common that what they share is not of one codec. */
export function areEnough(pairs: readonly CellPair[]): boolean {
  return pairs.length >= FEWEST && new Set(pairs.map(({ codec }) => codec)).size >= CODECS;
}

/** How the cells moved together, by their ratios as they were measured; null for none. */
export function shiftOf(
  pairs: readonly CellPair[],
  measured: readonly number[],
  threshold: number,
): Shift | null {
  const ratios = measured.filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  if (ratios.length === 0) return null;
  // Of logarithms, so that half the time and twice the time are equally far from 1.
  const middle = Math.exp(median(ratios.map(Math.log)));
  const together = ratios.filter((ratio) => (middle < 1 ? ratio < 1 : ratio > 1)).length;
  const shift = { median: middle, cells: ratios.length, together };
  return { ...shift, machine: movedTogether(shift, threshold) && areEnough(pairs) };
}

/** Share of the cells that must have moved alike before what they share is blamed. */
const MOST = 0.75;

/**
 * Whether most cells moved the same way, and their median is beyond the threshold. The noise of a run does not matter
 * here: what moves all alike is not in it.
 */
export function movedTogether(
  { median: middle, cells, together }: Omit<Shift, "machine">,
  threshold: number,
): boolean {
  return Math.max(middle, 1 / middle) > 1 + threshold && together >= MOST * cells;
}
