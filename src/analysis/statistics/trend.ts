/** Whether values rise or fall in their order, where neighbours may be alike. */

/**
 * Whether values rise or fall in their order, as a statistic that is standard normal where they do neither, below 0 for
 * a fall: the test of Mann ("Nonparametric tests against trend", 1945) and Kendall. Its variance is corrected for ties
 * and, by {@link dependenceOf}, for neighbours that are alike. How alike they are is seen in what lies beside the
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

/** Furthest lag that is looked at; what is alike over more messages than that looks like a drift. */
const FURTHEST = 1000;

/** How often the correlations are corrected for the line that was taken off. */
const CORRECTIONS = 3;

/**
 * By what factor the variance of Kendall's S is larger than for independent values, because neighbours are alike:
 * Hamed and Rao's ("A modified Mann-Kendall trend test for autocorrelated data", 1998), from the autocorrelations of
 * the ranks. `residuals` are the values without their line. Of the correlations the initial positive sequence counts
 * (Geyer, "Practical Markov chain Monte Carlo", 1992). Each is too small by about 2 f / n, as a line was fitted
 * through the values, and f is what is sought: three rounds settle it. Never below 1.
 */
export function dependenceOf(residuals: Float64Array): number {
  const n = residuals.length;
  const correlations = autocorrelations(centredRanks(residuals));
  let factor = sumOf(n, correlations, 0);
  for (let round = 0; round < CORRECTIONS; round++) factor = sumOf(n, correlations, (2 * factor) / n);
  return factor;
}

/** Ranks around 0; equal values share theirs. */
function centredRanks(values: Float64Array): Float64Array {
  const n = values.length;
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(n);
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && values[order[end]!] === values[order[start]!]) end += 1;
    for (let k = start; k < end; k++) ranks[order[k]!] = (start + end - n) / 2;
    start = end;
  }
  return ranks;
}

/** What the correlation at each lag from 1 on is; made when it is asked for. */
function autocorrelations(ranks: Float64Array): (lag: number) => number {
  const known: number[] = [];
  const squares = productSum(ranks, 0);
  return (lag) => {
    while (known.length <= lag) known.push(squares === 0 ? 0 : productSum(ranks, known.length) / squares);
    return known[lag]!;
  };
}

function productSum(ranks: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < ranks.length; i++) sum += ranks[i]! * ranks[i - lag]!;
  return sum;
}

/** Hamed and Rao's sum over the pairs of neighbouring lags, until one is not positive. */
function sumOf(n: number, correlation: (lag: number) => number, correction: number): number {
  const term = (lag: number): number => correlation(lag) + correction;
  const weight = (lag: number): number => (n - lag) * (n - lag - 1) * (n - lag - 2);
  const last = Math.min(FURTHEST, Math.floor(n / 2)) - 1;
  let sum = 0;
  for (let lag = 1; lag <= last && term(lag) + term(lag + 1) > 0; lag += 2)
    sum += weight(lag) * term(lag) + weight(lag + 1) * term(lag + 1);
  return Math.max(1, 1 + (2 * sum) / weight(0));
}

/**
 * The values that never fall and lie nearest to the given ones by least squares: neighbours in the wrong order are pooled
 * (Ayer, Brunk, Ewing, Reid and Silverman, "An empirical distribution function for sampling with incomplete
 * information", 1955).
 */
export function risingFit(values: readonly number[]): Float64Array {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (
      let last = pools.at(-1);
      last && last.sum / last.count > pool.sum / pool.count;
      last = pools.at(-1)
    ) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const fit = new Float64Array(values.length);
  let at = 0;
  for (const { sum, count } of pools) {
    fit.fill(sum / count, at, at + count);
    at += count;
  }
  return fit;
}
