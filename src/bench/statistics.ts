/** Robust statistics of timings. Inputs are never changed. */

/** Middle value; the mean of the two middle ones when there is an even number. NaN for none. */
export function median(values: ArrayLike<number>): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

/** Median absolute deviation from the median, not scaled. */
export function medianAbsoluteDeviation(values: ArrayLike<number>): number {
  const middle = median(values);
  return median(Array.from(values, (value) => Math.abs(value - middle)));
}

/** The q-quantile of sorted values, linear between neighbours (Hyndman and Fan's type 7). */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}

/**
 * 95 % confidence interval of a typical process: Student's t on the logarithms of the processes' medians,
 * carried back. Timings are positive and skewed to the right, so their logarithms are nearer to normal; with
 * as few processes as a run has, resampling them would give intervals that are too narrow.
 * Null for fewer than two processes.
 */
export function confidenceInterval(medians: readonly number[]): [number, number] | null {
  const n = medians.length;
  if (n < 2) return null;
  const logs = medians.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (n - 1);
  const half = studentT975(n - 1) * Math.sqrt(variance / n);
  return [Math.exp(mean - half), Math.exp(mean + half)];
}

/**
 * Two-sided 95 % point of Student's t: a table to 30 degrees of freedom, then the first terms of its expansion
 * around the normal point (Abramowitz and Stegun, 26.7.5), which are within 0.0001 there.
 */
export function studentT975(degrees: number): number {
  const z = 1.959964;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  return T_TABLE[degrees - 1] ?? z + first / degrees + second / degrees ** 2;
}

const T_TABLE = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604,
  2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555,
  2.0518, 2.0484, 2.0452, 2.0423,
];

/** Geometric mean of positive ratios. */
export function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
