import type { ComparedCell, Shift } from "../../model/records/comparison.ts";
import { median } from "../statistics/location.ts";

/** Share of the cells that must have moved alike before the machine is blamed. */
const MOST = 0.75;

/** Cells below which it may be chance: six go the same way once in 32 times. */
const FEWEST = 6;

/** Codecs below which nothing tells a machine that changed from a codec that did. */
const CODECS = 3;

/**
 * How the cells moved together; null for none. Where most of them moved the same way and their median is beyond the
 * threshold, what they have in common changed: the machine. The noise of a run is of no account here: what moves all alike
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
