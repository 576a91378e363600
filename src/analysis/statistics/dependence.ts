/** Furthest lag that is looked at; what is alike over more messages than that cannot be told from a drift. */
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
