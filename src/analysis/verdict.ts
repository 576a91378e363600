import type { Nanos, Verdict } from "../model/records/run.ts";
import { stretchesOf } from "./statistics/location.ts";
import type { Replicate } from "./statistics/ratio.ts";

/** The accepted probability of calling equal things different: in all of a record, or in a table's tiers. */
export const LEVEL = 0.05;

/**
 * The processes of a cell as what comparisons are made of.
 * @param timesOf what stands for each stretch of a process: by default its mean
 */
export function replicatesOf({ batches, blocks, loops }: Nanos, timesOf = stretchesOf): Replicate[] {
  return batches.map((means, i) => ({ block: blocks[i] ?? i, stretches: timesOf(means, loops[i] ?? 0) }));
}

/** What a ratio is known by: see `Standing`. */
export interface Compared {
  readonly ratio: number;
  readonly ci95: readonly [number, number] | null;
  readonly p: number | null;
}

/** From where on a difference counts, as shares. */
export interface Limits {
  /** Below this nobody asks. */
  readonly threshold: number;
  /** The larger of the threshold and of what noise alone has made. */
  readonly gate: number;
}

/**
 * `faster` and `slower` where the probability is below 5 % and the ratio further from 1 than the gate; `same` where the
 * whole interval is within the threshold, however noisy the run was; else `undecided`, as is what has no interval.
 */
export function verdictOf({ ratio, ci95, p }: Compared, { threshold, gate }: Limits): Verdict {
  // A share of the shorter time, so that who is compared with whom changes no verdict but its direction.
  const beyond = Math.max(ratio, 1 / ratio) > 1 + gate;
  if (p !== null && p < LEVEL && beyond) return ratio < 1 ? "faster" : "slower";
  if (ci95 !== null && ci95[0] >= 1 / (1 + threshold) && ci95[1] <= 1 + threshold) return "same";
  return "undecided";
}
