import { median } from "./location.ts";

/** One turn of a warm-up: how long it took, and the time per call in it. */
export interface Turn {
  readonly elapsedMs: number;
  readonly nanos: number;
}

/** How far from the level, as a share, counts as near. */
const NEAR = 0.1;

/** Turns to each side of one that its running median is taken of. */
const REACH = 2;

/**
 * Nanoseconds from the start of the first turn until the time per call stays near `level` for good: until the start of
 * the first turn from which every running median of five turns (of fewer at the ends) is within 10 % of it. So a turn or
 * two in which something else ran do not count. Null where the last one is not near, and where there are no turns.
 */
export function steadyTime(turns: readonly Turn[], level: number): number | null {
  let first = turns.length;
  while (first > 0 && isNear(runningMedian(turns, first - 1), level)) first -= 1;
  if (first === turns.length) return null;
  return turns.slice(0, first).reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) * 1e6;
}

function isNear(nanos: number, level: number): boolean {
  return Math.abs(nanos / level - 1) <= NEAR;
}

function runningMedian(turns: readonly Turn[], at: number): number {
  return median(turns.slice(Math.max(at - REACH, 0), at + REACH + 1).map(({ nanos }) => nanos));
}
