/**
 * How far figures of one run can be trusted. Messages of one process are not independent of each other, and another
 * process of the same program differs too, which one run does not tell; both are allowed for by rule.
 */
import type { IpcPercentiles } from "../../../../model/records/ipc.ts";

/** Of so many messages one counts as independent, as with an autocorrelation of 0.6. */
const ALIKE = 4;

/** Least half-width of any interval, as a share: what another process might differ by. */
export const LEAST_NOISE = 0.1;

/** Fewest messages for an interval: six independent ones (1 - 2 / 2^6 is 0.97). */
export const FEWEST = 6 * ALIKE;

/** Two-sided 95 % point of the normal distribution. */
const Z_975 = 1.959964;

/** The rules of this file, for readers. */
export const NOISE_RULES = [
  "Intervals are of 95 %, and every fourth message counts as independent of the others.",
  `No interval of times or rates is narrower than ±${LEAST_NOISE * 100} %: another process of the same program may differ by that much, which one run does not tell.`,
  "The interval of a median is that of order statistics, between the percentiles that the record has; that of a share of drops is Wilson's.",
];

/** A figure and its 95 % interval. */
export interface Interval {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** The median and its interval from order statistics; undefined below {@link FEWEST} messages. */
export function medianInterval(times: IpcPercentiles | undefined): Interval | undefined {
  const { n = 0, min, p50, p90, max } = times ?? {};
  if (min === undefined || p50 === undefined || max === undefined || n < FEWEST) return undefined;
  // Order statistics so far from the middle as the binomial distribution has it: shares of all messages.
  const far = Math.min(0.5, Z_975 / 2 / Math.sqrt(n / ALIKE));
  const [above, at] = p90 === undefined ? [max, 0.5] : [p90, 0.4];
  return widened({
    middle: p50,
    low: p50 - (p50 - min) * (far / 0.5),
    high: p50 + (above - p50) * Math.min(1, far / at),
  });
}

/** A figure of which nothing but itself is known. */
export function bareInterval(middle: number): Interval {
  return widened({ middle, low: middle, high: middle });
}

/** One figure as a multiple of another. */
export function ratioOf(one: Interval, other: Interval): Interval {
  return { middle: one.middle / other.middle, low: one.low / other.high, high: one.high / other.low };
}

/** A share of messages, by Wilson's score interval ("Probable inference", 1927). */
export function shareInterval(count: number, of: number): Interval {
  const n = of / ALIKE;
  const share = count / of;
  const centre = (share + Z_975 ** 2 / (2 * n)) / (1 + Z_975 ** 2 / n);
  const half =
    (Z_975 / (1 + Z_975 ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + Z_975 ** 2 / (4 * n ** 2));
  return { middle: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * Whether the first figures are lower (-1) or higher (1) than the others, or neither (0) for certain: Wilcoxon's
 * rank test as Mann and Whitney have it, with a correction for continuity; of four and four, all have to be.
 */
export function rankOrder(ones: readonly number[], others: readonly number[]): -1 | 0 | 1 {
  const pairs = ones.length * others.length;
  const above = ones.flatMap((one) => others.map((other) => (Math.sign(one - other) + 1) / 2));
  const beyond = above.reduce((sum, count) => sum + count, 0) - pairs / 2;
  const deviation = Math.sqrt((pairs * (ones.length + others.length + 1)) / 12);
  return Math.abs(beyond) - 0.5 > Z_975 * deviation ? (beyond > 0 ? 1 : -1) : 0;
}

function widened({ middle, low, high }: Interval): Interval {
  return {
    middle,
    low: Math.min(low, middle / (1 + LEAST_NOISE)),
    high: Math.max(high, middle * (1 + LEAST_NOISE)),
  };
}
