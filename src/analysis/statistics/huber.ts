import { median, medianAbsoluteDeviation } from "./location.ts";

/** From how many times the scale on a value counts with less than its distance. */
const CORNER = 1.5;

/** Makes the median absolute deviation of a normal distribution its standard deviation. */
const NORMAL = 1.4826;

/**
 * By what the median absolute deviation of so few values, from 2 to 9, is too small on average, and above them
 * n / (n - 0.8) (Croux and Rousseeuw, "Time-efficient algorithms for two highly robust estimators of scale", 1992).
 */
const FEW = [1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107];

/** More rounds than the weights have ever needed to settle. */
const ROUNDS = 50;

/** A location and what belongs to it: see {@link huberLocation}. */
export interface HuberLocation {
  readonly location: number;
  /** Infinite where all values are equal: then each has the weight 1. */
  readonly scale: number;
  /**
   * How much further than a weighted mean the location itself moves when the values change, times Huber's correction of
   * its standard error for few values ("Robust regression: asymptotics, conjectures and Monte Carlo", 1973). At least 1.
   */
  readonly correction: number;
}

/**
 * Huber's M-estimate of location with the median absolute deviation for its scale ("Robust estimation of a location
 * parameter", 1964): a mean in which what lies far out counts as if it lay 1.5 scales away. It keeps 96 % of the
 * mean's precision where the values are normal, and loses little where a tenth of them is far off.
 */
export function huberLocation(values: readonly number[]): HuberLocation {
  const scale = scaleOf(values);
  let location = median(values);
  for (let round = 0; round < ROUNDS; round++) {
    const next = weightedMean(values, location, scale);
    const settled = Math.abs(next - location) <= 1e-12 * scale;
    location = next;
    if (settled) break;
  }
  let weights = 0;
  let within = 0;
  for (const value of values) {
    weights += huberWeight(value - location, scale);
    if (Math.abs(value - location) <= CORNER * scale) within += 1;
  }
  // So few within the corner that the location could not be told are an accident of few values.
  const share = Math.max(within / values.length, 0.25);
  const few = 1 + (1 - share) / share / values.length;
  return { location, scale, correction: (few * weights) / (share * values.length) };
}

/** What a value so far from the location counts: 1 near it, and less beyond 1.5 scales. */
export function huberWeight(distance: number, scale: number): number {
  const far = Math.abs(distance);
  const corner = CORNER * scale;
  return far <= corner ? 1 : corner / far;
}

/** Where half of the values or more are equal, their mean deviation stands in for the median one. */
function scaleOf(values: readonly number[]): number {
  const middle = median(values);
  const deviation = NORMAL * medianAbsoluteDeviation(values);
  const n = values.length;
  if (deviation > 0) return deviation * (FEW[n - 2] ?? n / (n - 0.8));
  const meanDeviation = values.reduce((sum, value) => sum + Math.abs(value - middle), 0) / n;
  return meanDeviation > 0 ? meanDeviation : Number.POSITIVE_INFINITY;
}

function weightedMean(values: readonly number[], location: number, scale: number): number {
  let sum = 0;
  let weights = 0;
  for (const value of values) {
    const weight = huberWeight(value - location, scale);
    sum += weight * value;
    weights += weight;
  }
  return sum / weights;
}
