import type { Points } from "./decimate.ts";
import { nearestRank } from "./value-axis.ts";

/** Messages that follow each other, in one line. */
export interface Window {
  /** Index of the middle one. */
  readonly index: number;
  readonly lowest: number;
  readonly median: number;
  readonly highest: number;
}

/** Fewest messages that a window's median is of. */
const LEAST = 5;

/** At most so many windows of equally many messages each, in order of the index. */
export function windowsOf({ index, ms }: Points, most: number): Window[] {
  const order = Array.from(index, (_, at) => at).sort((a, b) => index[a]! - index[b]!);
  const count = Math.min(most, Math.ceil(order.length / LEAST));
  return Array.from({ length: count }, (_, n) => {
    const from = Math.floor((n * order.length) / count);
    const within = order.slice(from, Math.floor(((n + 1) * order.length) / count));
    const sorted = Float64Array.from(within, (at) => ms[at]!).sort();
    return {
      index: index[within[within.length >> 1]!]!,
      lowest: sorted[0]!,
      median: nearestRank(sorted, 0.5),
      highest: sorted.at(-1)!,
    };
  });
}
