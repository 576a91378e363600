import type { Interval, Way } from "./ways.ts";

/** Two ways to send a message, over all bandwidths. */
export interface Comparison {
  /** The one of fewer bytes; of equally many, the one that takes less time. */
  readonly lighter: Way;
  readonly heavier: Way;
  readonly outcome: Outcome;
}

/**
 * `always`: the lighter one takes less time at every bandwidth; noise could change that unless it is certain.
 * `crossover`: it does below a bandwidth, in bit/s, and the heavier one above; the interval is null where it cannot
 * be known. `undecided`: it does up to `below`, which is 0 for ways of equal size, and above it cannot be told.
 */
export type Outcome =
  | { readonly kind: "always"; readonly certain: boolean }
  | { readonly kind: "crossover"; readonly bandwidth: number; readonly ci95: Interval | null }
  | { readonly kind: "undecided"; readonly below: number };

/** Compares two ways. `gate` is the share within which times are not called different. */
export function compareWays(a: Way, b: Way, gate: number): Comparison {
  const [lighter, heavier] = byWeight(a, b) <= 0 ? [a, b] : [b, a];
  return { lighter, heavier, outcome: outcomeOf(lighter, heavier, gate) };
}

/** Every pair of ways, in order of size. */
export function crossovers(ways: readonly Way[], gate: number): Comparison[] {
  const sorted = [...ways].sort(byWeight);
  return sorted.flatMap((way, i) => sorted.slice(i + 1).map((other) => compareWays(way, other, gate)));
}

/** For each compressed way, how it compares with the same codec's message as it is. */
export function compressionCrossovers(ways: readonly Way[], gate: number): Comparison[] {
  return ways.flatMap((way) => {
    const plain = ways.find(({ codec, compression }) => codec === way.codec && compression === null);
    return way.compression === null || plain === undefined ? [] : [compareWays(way, plain, gate)];
  });
}

/** How much longer one way takes than another, without the link. */
export interface TimeDifference {
  readonly nanos: number;
  /** Null where it cannot be known. */
  readonly ci95: Interval | null;
}

/**
 * The time of `a` less that of `b`. The intervals of what different processes measured are combined as squares (Zou
 * and Donner, "Construction of confidence limits about effect measures", 2008); what both ways have in common
 * cancels. No difference is taken to be known to less than the gate's share of the shorter time, nor
 * the compressions of one codec to less than that share of theirs.
 */
export function timeDifference(a: Way, b: Way, gate: number): TimeDifference {
  const sameCodec = a.codec === b.codec;
  const nanos = sameCodec ? a.compressionNanos - b.compressionNanos : a.nanos - b.nanos;
  const one = margins(a, sameCodec);
  const other = margins(b, sameCodec);
  if (one === null || other === null) return { nanos, ci95: null };
  const least =
    gate * (sameCodec ? Math.hypot(a.compressionNanos, b.compressionNanos) : Math.min(a.nanos, b.nanos));
  const below = Math.max(Math.hypot(one.below, other.above), least);
  const above = Math.max(Math.hypot(one.above, other.below), least);
  return { nanos, ci95: [nanos - below, nanos + above] };
}

/** Order by size, and of equal sizes by time. */
export function byWeight(a: Way, b: Way): number {
  return a.bytes - b.bytes || a.nanos - b.nanos;
}

/** Bit/s at which two ways take equally long: those bits take the link as long as the difference in time. */
export function crossoverBandwidth(moreBytes: number, lessNanos: number): number {
  return (moreBytes * 8e9) / lessNanos;
}

function outcomeOf(lighter: Way, heavier: Way, gate: number): Outcome {
  const moreBytes = heavier.bytes - lighter.bytes;
  const { nanos, ci95 } = timeDifference(lighter, heavier, gate);
  const at = (lessNanos: number): number => crossoverBandwidth(moreBytes, lessNanos);
  if (ci95 === null) {
    if (nanos > 0) return { kind: "crossover", bandwidth: at(nanos), ci95 };
    return { kind: "always", certain: false };
  }
  const [low, high] = ci95;
  if (moreBytes === 0) return high < 0 ? { kind: "always", certain: true } : { kind: "undecided", below: 0 };
  if (high <= 0) return { kind: "always", certain: true };
  if (low > 0) return { kind: "crossover", bandwidth: at(nanos), ci95: [at(high), at(low)] };
  return { kind: "undecided", below: at(high) };
}

/** How far the interval of a way's time reaches from it; without the codec's share, if that cancels. */
function margins(way: Way, withoutCodec: boolean): { below: number; above: number } | null {
  const { nanos, compressionNanos, compressionCi95, codecCi95 } = way;
  const codecNanos = nanos - compressionNanos;
  const codec = withoutCodec ? [codecNanos, codecNanos] : codecCi95;
  if (codec === null) return null;
  const [codecLow = 0, codecHigh = 0] = codec;
  const [low, high] = compressionCi95;
  return {
    below: Math.hypot(codecNanos - codecLow, compressionNanos - low),
    above: Math.hypot(codecHigh - codecNanos, high - compressionNanos),
  };
}
