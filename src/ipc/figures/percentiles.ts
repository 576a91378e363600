import type { IpcPercentiles } from "../../model/records/ipc.ts";

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
 * Nearest-rank percentiles, each only from as many values on as tell it: n ≥ 10 / (1 − q). Least and greatest from
 * one value on. The input is not changed.
 */
export function percentilesOf(values: Float64Array): IpcPercentiles {
  const n = values.length;
  if (n === 0) return { n };
  const sorted = values.toSorted();
  const told = PERCENTILES.filter(([, thousandths]) => n * (1000 - thousandths) >= ABOVE * 1000);
  return {
    n,
    min: sorted[0]!,
    ...Object.fromEntries(
      told.map(([name, thousandths]) => [name, sorted[Math.ceil((n * thousandths) / 1000) - 1]!]),
    ),
    max: sorted[n - 1]!,
  };
}
