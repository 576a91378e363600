import { byWeight, crossoverBandwidth, timeDifference } from "./crossovers.ts";
import type { Way } from "./ways.ts";

/** The ways that no other beats on both size and time. */
export interface ParetoFront {
  /** In order of size, and so of falling time. Noise could take a way off the front unless it is certain. */
  readonly ways: readonly { readonly way: Way; readonly certain: boolean }[];
  /** Those that are not on it, but that noise could have kept off it; in order of size. */
  readonly near: readonly Way[];
}

/** Finds the Pareto front of some ways. Sizes are exact, times are not; `gate` is as for `compareWays`. */
export function paretoFront(ways: readonly Way[], gate: number): ParetoFront {
  const sorted = [...ways].sort(byWeight);
  const noLarger = (way: Way): Way[] => sorted.filter((other) => other !== way && other.bytes <= way.bytes);
  const onFront = (way: Way): boolean => noLarger(way).every((other) => !dominates(other, way));
  return {
    ways: sorted.filter(onFront).map((way) => ({
      way,
      certain: noLarger(way).every((other) => (timeDifference(other, way, gate).ci95?.[0] ?? -1) > 0),
    })),
    near: sorted.filter(
      (way) =>
        !onFront(way) &&
        noLarger(way).every((other) => (timeDifference(way, other, gate).ci95?.[0] ?? -1) < 0),
    ),
  };
}

/** The bandwidths in bit/s, from and to, at which a way takes the least time of all. */
export interface Leg {
  readonly way: Way;
  /** 0 for the first leg. */
  readonly from: number;
  /** Infinity for the last leg. */
  readonly to: number;
}

/**
 * Which way takes the least time at which bandwidth, from the slowest link to the fastest: the convex part of the
 * Pareto front. Noise is left out of account. Empty for no ways.
 */
export function bandwidthLegs(ways: readonly Way[]): Leg[] {
  const [lightest] = [...ways].sort(byWeight);
  const legs: Leg[] = [];
  let leg: Leg | undefined = lightest && { way: lightest, from: 0, to: Number.POSITIVE_INFINITY };
  while (leg !== undefined) {
    const { way, from } = leg;
    const next = successor(way, ways);
    legs.push({ way, from, to: next?.from ?? Number.POSITIVE_INFINITY });
    leg = next;
  }
  return legs;
}

/** The way that takes over from this one as the bandwidth rises: where several do at once, the one of least time. */
function successor(way: Way, ways: readonly Way[]): Leg | undefined {
  let best: Leg | undefined;
  for (const other of ways) {
    if (other.nanos >= way.nanos) continue;
    const from = crossoverBandwidth(other.bytes - way.bytes, way.nanos - other.nanos);
    const sooner = best === undefined || from < best.from;
    if (sooner || (from === best?.from && other.nanos < best.way.nanos)) {
      best = { way: other, from, to: Number.POSITIVE_INFINITY };
    }
  }
  return best;
}

function dominates(a: Way, b: Way): boolean {
  return a.bytes <= b.bytes && a.nanos <= b.nanos && (a.bytes < b.bytes || a.nanos < b.nanos);
}
