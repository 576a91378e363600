import { quantile } from "./location.ts";

/** Interquartile ranges beyond the quartiles at which the fences stand. */
const FENCE = 1.5;

/**
 * Indexes of the values beyond Tukey's inner fences ("Exploratory data analysis", 1977): more than 1.5 interquartile
 * ranges below the lower quartile or above the upper one. Times are skewed, so it is their logarithms that are looked
 * at, unless one of the values is not positive. Of fewer than four values none can be so far out.
 */
export function outliersOf(values: readonly number[]): number[] {
  const scaled = values.every((value) => value > 0) ? values.map(Math.log) : values;
  const sorted = Float64Array.from(scaled).sort();
  const [lower, upper] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = FENCE * (upper - lower);
  return scaled.flatMap((value, i) => (value < lower - reach || value > upper + reach ? [i] : []));
}
