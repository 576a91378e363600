import type { Interval, LinkChoice } from "./choices.ts";

/** Two choices of how to send a message, over all bandwidths. */
export interface Crossover {
  /** The one of fewer bytes; of equally many, the one that takes less time. */
  readonly lighter: LinkChoice;
  readonly heavier: LinkChoice;
  readonly outcome: CrossoverOutcome;
}

/**
 * `always`: the lighter one takes less time at every bandwidth; noise could change that unless it is certain.
 * `crossover`: it does below a bandwidth, in bit/s, and the heavier one above; the interval is null where it cannot
 * be known. `undecided`: it does up to `below`, which is 0 for choices of equal size, and above it cannot be told.
 */
export type CrossoverOutcome =
  | { readonly kind: "always"; readonly certain: boolean }
  | { readonly kind: "crossover"; readonly bandwidth: number; readonly ci95: Interval | null }
  | { readonly kind: "undecided"; readonly below: number };

/** Compares two choices. `gate` is the share within which times are not called different. */
export function crossoverOf(a: LinkChoice, b: LinkChoice, gate: number): Crossover {
  const [lighter, heavier] = byWeight(a, b) <= 0 ? [a, b] : [b, a];
  return { lighter, heavier, outcome: outcomeOf(lighter, heavier, gate) };
}

/** Every pair of choices, in order of size. */
export function crossovers(choices: readonly LinkChoice[], gate: number): Crossover[] {
  const sorted = [...choices].sort(byWeight);
  return sorted.flatMap((choice, i) => sorted.slice(i + 1).map((other) => crossoverOf(choice, other, gate)));
}

/** For each compressed choice, how it compares with the same codec's message as it is. */
export function compressionCrossovers(choices: readonly LinkChoice[], gate: number): Crossover[] {
  return choices.flatMap((choice) => {
    const plain = choices.find(({ codec, compression }) => codec === choice.codec && compression === null);
    return choice.compression === null || plain === undefined ? [] : [crossoverOf(choice, plain, gate)];
  });
}

/** How much longer one choice takes than another, without the link. */
interface TimeDifference {
  readonly nanos: number;
  /** Null where it cannot be known. */
  readonly ci95: Interval | null;
}

/**
 * The time of `a` less that of `b`. The intervals of what different processes measured are combined as squares (Zou
 * and Donner, "Construction of confidence limits about effect measures", 2008); what both choices have in common
 * cancels. No difference is taken to be known to less than the gate's share of the shorter time, nor
 * the compressions of one codec to less than that share of theirs.
 */
export function timeDifference(a: LinkChoice, b: LinkChoice, gate: number): TimeDifference {
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
export function byWeight(a: LinkChoice, b: LinkChoice): number {
  return a.bytes - b.bytes || a.nanos - b.nanos;
}

/** Bit/s at which two choices take equally long: those bits take the link as long as the difference in time. */
export function crossoverBandwidth(moreBytes: number, lessNanos: number): number {
  return (moreBytes * 8e9) / lessNanos;
}

function outcomeOf(lighter: LinkChoice, heavier: LinkChoice, gate: number): CrossoverOutcome {
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

/** How far the interval of a choice's time reaches from it; without the codec's share, if that cancels. */
function margins(choice: LinkChoice, withoutCodec: boolean): { below: number; above: number } | null {
  const { nanos, compressionNanos, compressionCi95, codecCi95 } = choice;
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

/** The choices that no other beats on both size and time. */
interface ParetoFront {
  /** In order of size, and so of falling time. Noise could take a choice off the front unless it is certain. */
  readonly choices: readonly { readonly choice: LinkChoice; readonly certain: boolean }[];
  /** Those that are not on it, but that noise could have kept off it; in order of size. */
  readonly near: readonly LinkChoice[];
}

/** Finds the Pareto front of some choices. Sizes are exact, times are not; `gate` is as for {@link crossoverOf}. */
export function paretoFront(choices: readonly LinkChoice[], gate: number): ParetoFront {
  const sorted = [...choices].sort(byWeight);
  const noLarger = (choice: LinkChoice): LinkChoice[] =>
    sorted.filter((other) => other !== choice && other.bytes <= choice.bytes);
  const onFront = (choice: LinkChoice): boolean =>
    noLarger(choice).every((other) => !dominates(other, choice));
  return {
    choices: sorted.filter(onFront).map((choice) => ({
      choice,
      certain: noLarger(choice).every((other) => (timeDifference(other, choice, gate).ci95?.[0] ?? -1) > 0),
    })),
    near: sorted.filter(
      (choice) =>
        !onFront(choice) &&
        noLarger(choice).every((other) => (timeDifference(choice, other, gate).ci95?.[0] ?? -1) < 0),
    ),
  };
}

/** The bandwidths in bit/s, from and to, at which a choice takes the least time of all. */
export interface Leg {
  readonly choice: LinkChoice;
  /** 0 for the first leg. */
  readonly from: number;
  /** Infinity for the last leg. */
  readonly to: number;
}

/**
 * Which choice takes the least time at which bandwidth, from the slowest link to the fastest: the convex part of the
 * Pareto front. Noise is left out of account. Empty for no choices.
 */
export function bandwidthLegs(choices: readonly LinkChoice[]): Leg[] {
  const [lightest] = [...choices].sort(byWeight);
  const legs: Leg[] = [];
  let leg: Leg | undefined = lightest && { choice: lightest, from: 0, to: Number.POSITIVE_INFINITY };
  while (leg !== undefined) {
    const { choice, from } = leg;
    const next = successor(choice, choices);
    legs.push({ choice, from, to: next?.from ?? Number.POSITIVE_INFINITY });
    leg = next;
  }
  return legs;
}

/** The choice that takes over from this one as the bandwidth rises: where several do at once, the one of least time. */
function successor(choice: LinkChoice, choices: readonly LinkChoice[]): Leg | undefined {
  let best: Leg | undefined;
  for (const other of choices) {
    if (other.nanos >= choice.nanos) continue;
    const from = crossoverBandwidth(other.bytes - choice.bytes, choice.nanos - other.nanos);
    const sooner = best === undefined || from < best.from;
    if (sooner || (from === best?.from && other.nanos < best.choice.nanos)) {
      best = { choice: other, from, to: Number.POSITIVE_INFINITY };
    }
  }
  return best;
}

function dominates(a: LinkChoice, b: LinkChoice): boolean {
  return a.bytes <= b.bytes && a.nanos <= b.nanos && (a.bytes < b.bytes || a.nanos < b.nanos);
}
