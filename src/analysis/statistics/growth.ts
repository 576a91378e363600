import { mean } from "./location.ts";
import { studentPoint } from "./student.ts";

/** What an operation takes at one size. */
export interface GrowthPoint {
  readonly size: number;
  readonly nanos: number;
}

/** How time grows with size: as its power `exponent`. */
export interface Growth {
  readonly exponent: number;
  /** 95 % confidence interval; null for two sizes, through which a line always goes. */
  readonly ci95: readonly [number, number] | null;
  /** The exponent between each size and the next larger one. */
  readonly local: readonly LocalGrowth[];
}

/** The exponent between two sizes that are next to each other. */
export interface LocalGrowth {
  readonly from: number;
  readonly to: number;
  readonly exponent: number;
}

/**
 * How much above 1 an exponent may be that is still called linear. Linear work leaves the processor's caches as it
 * grows: a third more per byte over a thousandfold size is an exponent of 1.04. n log n from 1,000 to 1,000,000 is 1.1.
 */
const LINEAR = 0.05;

/**
 * Least squares of the logarithm of time on the logarithm of size, with Student's t for the interval. What does not grow
 * at all makes small sizes cost more than their share, and so the exponent too small: the local ones show it. Null for
 * fewer than two sizes, and where a size or a time is not positive.
 */
export function growth(points: readonly GrowthPoint[]): Growth | null {
  if (points.some(({ size, nanos }) => !isPositive(size) || !isPositive(nanos))) return null;
  const logs = points
    .map(({ size, nanos }) => ({ size, x: Math.log(size), y: Math.log(nanos) }))
    .sort((a, b) => a.x - b.x);
  if (logs.length < 2 || logs[0]!.size === logs.at(-1)!.size) return null;

  const x = mean(logs.map((log) => log.x));
  const y = mean(logs.map((log) => log.y));
  const width = logs.reduce((sum, log) => sum + (log.x - x) ** 2, 0);
  const exponent = logs.reduce((sum, log) => sum + (log.x - x) * (log.y - y), 0) / width;
  const left = logs.reduce((sum, log) => sum + (log.y - y - exponent * (log.x - x)) ** 2, 0);
  const degrees = logs.length - 2;
  const half = degrees > 0 ? studentPoint(0.05, degrees) * Math.sqrt(left / degrees / width) : 0;
  const local = logs.slice(1).flatMap((to, i) => {
    const from = logs[i]!;
    if (from.size === to.size) return [];
    return { from: from.size, to: to.size, exponent: (to.y - from.y) / (to.x - from.x) };
  });
  return { exponent, ci95: degrees > 0 ? [exponent - half, exponent + half] : null, local };
}

/** Whether time grows faster than size beyond doubt: the whole interval is above 1.05. Never without an interval. */
export function isWorseThanLinear({ ci95 }: Growth): boolean {
  return ci95 !== null && ci95[0] > 1 + LINEAR;
}

function isPositive(value: number): boolean {
  return value > 0 && Number.isFinite(value);
}
