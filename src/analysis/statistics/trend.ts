import { dependenceOf } from "./dependence.ts";
import { risingFit } from "./monotone-fit.ts";

/**
 * Whether values rise or fall in their order, as a statistic that is standard normal where they do neither, below 0 for
 * a fall: the test of Mann ("Nonparametric tests against trend", 1945) and Kendall. Its variance is corrected for ties
 * and, by {@link dependenceOf}, for neighbours that are alike. How alike they are is told from what lies beside the
 * nearest rise or fall of any shape: beside a line, a warm-up that ends early would look like neighbours that are alike.
 * That fit follows some of the noise too, so slow noise is sometimes called a trend. 0 for fewer than three values.
 */
export function trendOf(values: readonly number[]): number {
  const n = values.length;
  if (n < 3) return 0;
  let score = 0;
  for (let later = 1; later < n; later++)
    for (let earlier = 0; earlier < later; earlier++) score += Math.sign(values[later]! - values[earlier]!);
  const sign = Math.sign(score);
  const fit = risingFit(values.map((value) => sign * value));
  const residuals = fit.map((fitted, i) => sign * values[i]! - fitted);
  // Where nothing is beside the fit, nothing says that neighbours are alike.
  const dependence = residuals.some((residual) => residual !== 0) ? dependenceOf(residuals) : 1;
  const deviation = Math.sqrt(varianceWithTies(values) * dependence);
  // The score moves in steps of two: half a step is taken off.
  return deviation === 0 ? 0 : (sign * Math.max(Math.abs(score) - 1, 0)) / deviation;
}

function varianceWithTies(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const term = (count: number): number => count * (count - 1) * (2 * count + 5);
  const ties = [...counts.values()].reduce((sum, count) => sum + term(count), 0);
  return (term(values.length) - ties) / 18;
}
