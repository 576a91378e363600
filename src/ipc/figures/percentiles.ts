import { NORMAL_975 } from "../../analysis/statistics/inference.ts";
import { median } from "../../analysis/statistics/location.ts";
import { PairwiseSlopes } from "../../analysis/statistics/theil-sen.ts";
import { dependenceOf } from "../../analysis/statistics/trend.ts";
import type { IpcDrift, IpcPercentiles } from "../../model/records/ipc.ts";

/** The percentiles that there are, in thousandths: whole numbers, so that 1,000 values are enough for p99. */
const PERCENTILES = [
  ["p50", 500],
  ["p90", 900],
  ["p99", 990],
  ["p999", 999],
] as const;

/** Values that have to lie above a percentile before it says something. */
const ABOVE = 10;

/**
 * Nearest-rank percentiles, each from as many values on as it needs: n ≥ 10 / (1 − q). Least and greatest from one
 * value on. The input is not changed.
 */
export function percentilesOf(values: Float64Array): IpcPercentiles {
  const n = values.length;
  if (n === 0) return { n };
  const sorted = values.toSorted();
  const known = PERCENTILES.filter(([, thousandths]) => n * (1000 - thousandths) >= ABOVE * 1000);
  return {
    n,
    min: sorted[0]!,
    ...Object.fromEntries(
      known.map(([name, thousandths]) => [name, sorted[Math.ceil((n * thousandths) / 1000) - 1]!]),
    ),
    max: sorted[n - 1]!,
  };
}

/** Fewest messages that have a trend: from there on a tenth of them has two. */
const FEWEST = 20;

/**
 * The trend of end-to-end times, given in the order of the messages: Theil and Sen's slope, which a spike does not
 * move, and its 95 % interval by Kendall's tau (Sen, "Estimates of the regression coefficient based on Kendall's
 * tau", 1968), widened for what neighbouring messages have in common ({@link dependenceOf}). Undefined below 20.
 */
export function driftOf(latencies: Float64Array): IpcDrift | undefined {
  const n = latencies.length;
  if (n < FEWEST) return undefined;
  const slopes = new PairwiseSlopes(latencies);
  const slope = slopes.median();
  const dependence = dependenceOf(latencies.map((latency, i) => latency - slope * i));
  const half = NORMAL_975 * Math.sqrt((dependence * n * (n - 1) * (2 * n + 5)) / 18);
  const lowest = Math.max(0, Math.floor((slopes.count - half) / 2));
  const tenth = Math.floor(n / 10);
  return {
    slopePer1000: slope * 1000,
    ci95: [slopes.at(lowest) * 1000, slopes.at(slopes.count - 1 - lowest) * 1000],
    firstDecile: median(latencies.subarray(0, tenth)),
    lastDecile: median(latencies.subarray(n - tenth)),
  };
}
