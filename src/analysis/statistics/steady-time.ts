import { median } from "./location.ts";

/** One batch of calls in a warm-up: how long it took, and the time per call in it. */
export interface Batch {
  readonly elapsedMs: number;
  readonly nanos: number;
}

/** How far from the level, as a share, counts as near. */
const NEAR = 0.1;

/** Batches to each side of one that its running median is taken of. */
const REACH = 2;

/**
 * Nanoseconds from the start of the first batch until the time per call stays near `level` for good: until the start of
 * the first batch from which every running median of five (of fewer at the ends) is within 10 % of it. So a batch or
 * two in which something else ran do not count. Null where the last one is not near, and where there are none.
 */
export function steadyTime(batches: readonly Batch[], level: number): number | null {
  let first = batches.length;
  while (first > 0 && isNear(runningMedian(batches, first - 1), level)) first -= 1;
  if (first === batches.length) return null;
  return batches.slice(0, first).reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) * 1e6;
}

function isNear(nanos: number, level: number): boolean {
  return Math.abs(nanos / level - 1) <= NEAR;
}

function runningMedian(batches: readonly Batch[], at: number): number {
  return median(batches.slice(Math.max(at - REACH, 0), at + REACH + 1).map(({ nanos }) => nanos));
}
