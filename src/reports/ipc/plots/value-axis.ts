import type { Axis } from "vega";

/** How many times the usual latency the highest one may be before a linear axis would flatten the usual ones. */
const SPREAD = 8;

/** Where values are on the vertical axis. */
export interface ValueScale {
  readonly name: "y";
  readonly type: "linear" | "log";
  readonly domain: [number, number];
  readonly range: "height";
}

/**
 * A scale, named `y`, on which both the usual values and the spikes can be told: logarithmic where the highest value
 * is far above the lowest median, otherwise from zero.
 */
export function valueScale(series: readonly ArrayLike<number>[]): ValueScale {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let usual = Number.POSITIVE_INFINITY;
  for (const values of series) {
    if (values.length === 0) continue;
    const sorted = Float64Array.from(values).sort();
    lowest = Math.min(lowest, sorted[0]!);
    highest = Math.max(highest, sorted.at(-1)!);
    usual = Math.min(usual, nearestRank(sorted, 0.5));
  }
  if (lowest > 0 && highest > SPREAD * usual)
    return { name: "y", type: "log", domain: [lowest / 1.15, highest * 1.15], range: "height" };
  const top = highest > 0 ? highest * 1.05 : 1;
  return { name: "y", type: "linear", domain: [Math.min(0, lowest), top], range: "height" };
}

/** The vertical axis of such a scale. */
export function valueAxis({ type }: ValueScale): Axis {
  const title = `end-to-end latency (ms${type === "log" ? ", log scale" : ""})`;
  return { scale: "y", orient: "left", title, format: ",~r", grid: true, tickCount: 6 };
}

/** The smallest of these ascending values that is no less than the share `q` of them. */
export function nearestRank(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)]!;
}
