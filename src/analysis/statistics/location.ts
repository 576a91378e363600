/** Robust statistics of timings. Inputs are never changed. */

/** Middle value; the mean of the two middle ones when there is an even number. NaN for none. */
export function median(values: ArrayLike<number>): number {
  return quantile(new Float64Array(values).sort(), 0.5);
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

/** Stretches of a process whose means are compared; each is long enough for several collections of garbage. */
export const STRETCHES = 5;

/**
 * Means of some equal stretches of batch means, in order; one a batch where there are fewer batches. What a turn of
 * the loop costs is taken off every batch first, and none is below 0.
 */
export function stretchesOf(batches: readonly number[], loop: number, stretches = STRETCHES): number[] {
  return inStretches(batches, stretches, (from, to) => {
    let sum = 0;
    for (let i = from; i < to; i++) sum += Math.max(batches[i]! - loop, 0);
    return sum / (to - from);
  });
}

/**
 * The means of the faster half of each such stretch. A quantile would jump where batches are at two levels, and about as many of
 * them at the lower one as it says: v8's decode, at 15.0 and 20.4 µs, had lower quartiles of either.
 */
export function fasterHalves(batches: readonly number[], loop: number): number[] {
  const copy = new Float64Array(batches);
  return inStretches(batches, STRETCHES, (from, to) => {
    const half = Math.ceil((to - from) / 2);
    leastFirst(copy, from, to, from + half);
    let sum = 0;
    for (let i = from; i < from + half; i++) sum += Math.max(copy[i]! - loop, 0);
    return sum / half;
  });
}

/**
 * Puts the least of the values from `from` up to `to` before `end`, in some order (Hoare, "Algorithm 65: find", 1961). A record has
 * as many stretches as it takes longer to sort than to read.
 */
function leastFirst(values: Float64Array, from: number, to: number, end: number): void {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (pivot < values[j]!) j--;
      if (i > j) break;
      const swapped = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swapped;
    }
    if (end <= j) high = j;
    else if (end >= i) low = i;
    else break;
  }
}

/** What `of` makes of each stretch, whose batches are those from an index up to another. */
function inStretches(
  { length }: readonly number[],
  stretches: number,
  of: (from: number, to: number) => number,
): number[] {
  const count = Math.min(stretches, length);
  const end = (stretch: number): number => Math.round((stretch * length) / count);
  return Array.from({ length: count }, (_, stretch) => of(end(stretch), end(stretch + 1)));
}

/**
 * Median of the means of some equal stretches: what happens throughout, as garbage collection does, counts with
 * its share, and what happens once, as a process of somebody else does, does not.
 */
export function medianOfMeans(values: readonly number[], stretches: number): number {
  return median(stretchesOf(values, 0, stretches));
}

/** Arithmetic mean; NaN for none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Fewest values from which their order alone gives a 95 % interval of the median: 1 - 2 / 2^6 is 0.97. */
const ORDERED = 6;

/**
 * 95 % confidence interval of the median of what the values are drawn from. From six values on it takes their
 * order alone, whatever they are distributed like; below, it takes their logarithms to be normal, because nothing
 * less would do. Null for fewer than two values, and where one is not positive.
 */
export function confidenceInterval(values: readonly number[]): [number, number] | null {
  if (values.length < 2 || values.some((value) => !(value > 0))) return null;
  return values.length < ORDERED ? logNormalInterval(values) : orderInterval(values);
}

/**
 * Interval between order statistics, interpolated between the two pairs whose coverage is next to 95 %
 * (Hettmansperger and Sheather, "Confidence intervals based on interpolated order statistics", 1986).
 */
function orderInterval(values: readonly number[]): [number, number] {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  // The d-th values from both ends cover the median with 1 - 2 P(fewer than d of n below it).
  let d = 1;
  let tail = 0.5 ** n;
  let choose = 1;
  let outer = 1 - 2 * tail;
  let inner = outer;
  for (;;) {
    choose = (choose * (n - d + 1)) / d;
    tail += choose * 0.5 ** n;
    inner = 1 - 2 * tail;
    if (inner < LEVEL) break;
    d += 1;
    outer = inner;
  }
  const share = (outer - LEVEL) / (outer - inner);
  const weight = ((n - d) * share) / (d + (n - 2 * d) * share);
  const between = (out: number, further: number): number => out + weight * (further - out);
  return [between(sorted[d - 1]!, sorted[d]!), between(sorted[n - d]!, sorted[n - d - 1]!)];
}

const LEVEL = 0.95;

/** Student's t on the logarithms, carried back. */
function logNormalInterval(values: readonly number[]): [number, number] {
  const n = values.length;
  const logs = values.map(Math.log);
  const middle = mean(logs);
  const variance = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (n - 1);
  const half = STUDENT_T_975[n - 2]! * Math.sqrt(variance / n);
  return [Math.exp(middle - half), Math.exp(middle + half)];
}

/** Two-sided 95 % points of Student's t with 1 to 4 degrees of freedom. */
const STUDENT_T_975 = [12.7062, 4.3027, 3.1824, 2.7764];

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
