/** How the time per call went: while it was measured, and until then. */
import type { WarmUp } from "../../model/records/run.ts";
import { median, quantile } from "./location.ts";
import { trendOf } from "./trend.ts";

/** Stretches of a phase whose medians are looked at: few enough that a collection of garbage or two is in each. */
const STRETCHES = 20;

/** Fewer than these show no order: of three values in a row, every sixth rises all the way by chance. */
const FEWEST = 5;

/** The normal statistic of 1 %, to both sides: a run has hundreds of processes, and 5 % would name dozens of them. */
const TREND = 2.576;

/**
 * How much faster or slower, as a share, the last quarter of the phase has to be than the first. A process's time comes
 * from the middle of its phase and would be off by half of it: 2.5 %, about what two processes differ by anyway.
 */
const CHANGE = 0.05;

/**
 * The greatest robust standard deviation of stretches, as a share of their median, that is not called erratic. A phase in
 * two states lies above it where one takes a quarter longer than the other.
 */
const SPREAD = 0.08;

/** From the 10th to the 90th percentile of a normal distribution, in standard deviations. */
const DECILES = 2.563;

/**
 * How the time per call went over a phase, from its batch means in order. It is cut into up to twenty stretches, and
 * their medians are looked at. `warming` and `slowing`: Mann and Kendall's test, corrected for neighbours that are
 * alike, finds a trend at the level of 1 %, and the medians of the first and last quarter differ by more than 5 % in
 * its direction; so neither a difference too small to matter nor a disturbance counts. `erratic`: no such trend, and the
 * middle four fifths of the stretches spread like a standard deviation above 8 %: what one or two stretches do does
 * not count. Fewer than five batches show nothing: they are `steady`. Of phases without a trend whose noise is
 * a few percent, 3 % are said to have one; of those that wander slowly, one in ten.
 */
export function warmUpVerdict(batches: readonly number[]): WarmUp {
  if (batches.length < FEWEST) return "steady";
  const stretches = stretchMedians(batches);
  const quarter = Math.max(1, Math.floor(stretches.length / 4));
  const change = median(stretches.slice(-quarter)) / median(stretches.slice(0, quarter)) - 1;
  const z = trendOf(stretches);
  if (z < -TREND && change < -CHANGE) return "warming";
  if (z > TREND && change > CHANGE) return "slowing";
  return spreadOf(stretches) > SPREAD ? "erratic" : "steady";
}

function stretchMedians(batches: readonly number[]): number[] {
  const count = Math.min(STRETCHES, batches.length);
  const edge = (i: number): number => Math.round((i * batches.length) / count);
  return Array.from({ length: count }, (_, i) => median(batches.slice(edge(i), edge(i + 1))));
}

function spreadOf(stretches: readonly number[]): number {
  const sorted = Float64Array.from(stretches).sort();
  return (quantile(sorted, 0.9) - quantile(sorted, 0.1)) / DECILES / quantile(sorted, 0.5);
}

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
