/** Whether times are of one level or of two. A median between two levels is a time that nothing ever took. */
import type { Level } from "../../model/records/run.ts";
import { median } from "./location.ts";

/** Two levels, the lower one first. */
export type Levels = readonly [Level, Level];

/** Fewer values than these say nothing of levels. */
const FEWEST = 8;

/** Values of a level at least: one or two may be outliers. */
const LEAST_OF_LEVEL = 3;

/** How much higher the upper level is at least, as a share: what lies closer matters to nobody. */
const APART = 0.1;

/**
 * The least gap between two levels, in standard deviations within them, that is more than chance. It is the 99th percentile of
 * the statistic for the worst of nine unimodal distributions (normal, uniform, exponential, Gumbel, Laplace, log-normal, t with 2 and with
 * 3 degrees of freedom, and a normal one of which a fifth is 8 times as wide), by 40,000 simulations each: 6.6 of 8 values,
 * where the uniform one is the worst, 4.5 of 12, and from there on 4.1 to 4.7, where the last is.
 */
function leastGap(count: number): number {
  return Math.max(4.8, 54 / count);
}

/**
 * The two levels of values; undefined where one explains them. On logarithms, all divisions of the sorted values with
 * three or more on each side are tried, and the widest gap between neighbours is taken as a multiple of the standard deviation within
 * both sides. Values of one level are said to have two in at most 1 % of cases. Of fewer than eight, and where one is
 * not positive, nothing is said.
 */
export function twoLevels(values: readonly number[]): Levels | undefined {
  const { length: count } = values;
  if (count < FEWEST || values.some((value) => !(value > 0))) return undefined;
  const sorted = Float64Array.from(values, Math.log).sort();
  let best = { gap: 0, at: 0 };
  for (let at = LEAST_OF_LEVEL; at <= count - LEAST_OF_LEVEL; at++) {
    const within = squares(sorted.subarray(0, at)) + squares(sorted.subarray(at));
    const gap = (sorted[at]! - sorted[at - 1]!) / Math.sqrt(within / (count - 2));
    if (gap > best.gap) best = { gap, at };
  }
  if (best.gap < leastGap(count)) return undefined;
  const [lower, upper] = [sorted.subarray(0, best.at), sorted.subarray(best.at)];
  const levels = [lower, upper].map((level) => ({
    nanos: Math.exp(median(level)),
    share: level.length / count,
  })) as [Level, Level];
  return levels[1].nanos / levels[0].nanos < 1 + APART ? undefined : levels;
}

/** Sum of squared distances from the mean. */
function squares(values: Float64Array): number {
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}

/** Stretches of a process's batches whose medians are looked at, as for its warm-up: a collection of garbage is in each. */
const STRETCHES = 20;

/** Processes that flip at least: in one of a hundred, chance alone does. */
const FLIPPING = { least: 2, share: 0.25 };

/**
 * The two levels between which processes flip while they are measured; undefined where they do not. A process flips where the
 * medians of twenty stretches have {@link twoLevels} and go from one to the other and back: a single step is a warm-up. It takes two
 * processes, and a quarter of all; of fewer than eight nothing is said.
 * @param batches batch means of each process, in order
 * @param loops what a turn of the loop costs in each, which is taken off
 */
export function flippingLevels(
  batches: readonly (readonly number[])[],
  loops: readonly number[],
): Levels | undefined {
  const medians = batches.map((of, process) => stretchMedians(of, loops[process] ?? 0));
  const flips = medians.flatMap((stretches) => {
    const levels = twoLevels(stretches);
    return levels !== undefined && crossings(stretches, between(levels)) >= 2 ? [levels] : [];
  });
  if (batches.length < FEWEST || flips.length < Math.max(FLIPPING.least, FLIPPING.share * batches.length))
    return undefined;
  const lower = median(flips.map(([level]) => level.nanos));
  const upper = median(flips.map(([, level]) => level.nanos));
  const all = medians.flat();
  const share = all.filter((stretch) => stretch > Math.sqrt(lower * upper)).length / all.length;
  return [
    { nanos: lower, share: 1 - share },
    { nanos: upper, share },
  ];
}

/** What parts two levels: their geometric mean. */
export function between([lower, upper]: Levels): number {
  return Math.sqrt(lower.nanos * upper.nanos);
}

function stretchMedians(batches: readonly number[], loop: number): number[] {
  if (batches.length < STRETCHES) return [];
  const edge = (i: number): number => Math.round((i * batches.length) / STRETCHES);
  return Array.from({ length: STRETCHES }, (_, i) => median(batches.slice(edge(i), edge(i + 1))) - loop);
}

function crossings(values: readonly number[], level: number): number {
  return values.slice(1).filter((value, i) => value > level !== values[i]! > level).length;
}
