/** What is drawn of more messages than there are pixels: messages that were measured, and never an average. */

/** Messages that arrived: the n-th number of both is of the same message. Their order does not matter. */
export interface Points {
  /** Place of the message in the test, from 0. */
  readonly index: ArrayLike<number>;
  readonly ms: ArrayLike<number>;
}

/** What is drawn of the messages in one column of pixels: positions in {@link Points}. */
export interface Column {
  /** How many messages it stands for. */
  readonly count: number;
  readonly lowest: number;
  /** One of middle rank. */
  readonly middle: number;
  readonly highest: number;
}

/**
 * Of every column of pixels the lowest, a middle and the highest message, from left to right; columns without messages
 * are left out. All three are messages that were measured: an average would hide the spikes.
 *
 * @param last The index at the right edge of the last column; 0 is at the left edge of the first.
 */
export function decimate({ index, ms }: Points, columns: number, last: number): Column[] {
  const inColumn: number[][] = [];
  for (let at = 0; at < index.length; at++) {
    const column = columnOf(index[at]!, columns, last);
    const others = inColumn[column];
    if (others === undefined) inColumn[column] = [at];
    else others.push(at);
  }
  // Passes over the empty columns, in order.
  return Object.values(inColumn).map((positions) => {
    positions.sort((a, b) => ms[a]! - ms[b]!);
    const count = positions.length;
    return {
      count,
      lowest: positions[0]!,
      middle: positions[(count - 1) >> 1]!,
      highest: positions[count - 1]!,
    };
  });
}

/** One of these indices for every column of pixels that has any. */
export function thin(indices: ArrayLike<number>, columns: number, last: number): number[] {
  const kept = new Map<number, number>();
  for (const index of Array.from(indices)) kept.set(columnOf(index, columns, last), index);
  return [...kept.values()];
}

/** The column of pixels that an index is drawn in. */
function columnOf(index: number, columns: number, last: number): number {
  return Math.min(columns - 1, Math.floor((index / last) * columns));
}

/** The highest of all these indices, but at least 1, so that an axis up to it has a length. */
export function lastIndex(indices: readonly ArrayLike<number>[]): number {
  let last = 1;
  for (const some of indices) for (let at = 0; at < some.length; at++) last = Math.max(last, some[at]!);
  return last;
}

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

/** The smallest of these ascending values that is no less than the share `q` of them. */
export function nearestRank(sorted: ArrayLike<number>, q: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)]!;
}
