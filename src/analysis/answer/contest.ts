/** Who of several codecs may be the best, for all that was measured. */

import type { Verdict } from "../../model/records/run.ts";
import { familyOf } from "../statistics/inference.ts";
import { detectableShare, moderatedRatios, pairedRatio, type Replicate } from "../statistics/ratio.ts";
import { isDifferent } from "../tiers.ts";
import { LEVEL, type Limits, verdictOf } from "../verdict.ts";

/** Two codecs beside each other: the value of one as a multiple of the other's. */
export interface Compared {
  readonly ratio: number;
  readonly ci95: readonly [number, number] | null;
  /** `faster` is less, of whatever is compared. */
  readonly verdict: Verdict;
  /** The least difference, as a share, that would have been found four times in five; null where it cannot be known. */
  readonly detectable: number | null;
}

/** Codecs by what they take, with what is known of any two. */
export interface Contest {
  /** What each takes. */
  readonly values: ReadonlyMap<string, number>;
  compare(codec: string, other: string): Compared;
}

/** A codec of a contest of times. */
export interface Contender {
  readonly codec: string;
  /** Nanoseconds. */
  readonly value: number;
  readonly replicates: readonly Replicate[];
}

/**
 * A contest of times: all pairs of codecs are compared in the blocks that both have. Their variances are moderated over
 * all pairs, and which of them are compared is decided by the data: they are one family for Holm. A difference counts beyond
 * the gate, and where the interval of its own comparison is on one side of 1.
 */
export function timeContest(contenders: readonly Contender[], limits: Limits): Contest {
  const pairs = contenders.flatMap((of, i) => contenders.slice(i + 1).map((to) => ({ of, to })));
  const estimates = moderatedRatios(pairs.map(({ of, to }) => pairedRatio(of.replicates, to.replicates)));
  const { adjusted, level } = familyOf(estimates, ({ p }) => p, LEVEL);
  const known = new Map<string, Compared>();
  for (const [i, { of, to }] of pairs.entries()) {
    const { ratio, ci95, standardError, degrees, p } = estimates[i]!;
    const verdict = verdictOf({ ratio, ci95, p: adjusted.get(estimates[i]!) ?? p }, limits);
    const isClear = !isDifferent(verdict) || (ci95 !== null && (ci95[1] < 1 || ci95[0] > 1));
    const detectable =
      standardError === null || degrees === null
        ? null
        : detectableShare(standardError, degrees, level, limits.gate);
    const one: Compared = { ratio, ci95, verdict: isClear ? verdict : "undecided", detectable };
    known.set(pairKey(of.codec, to.codec), one);
    known.set(pairKey(to.codec, of.codec), inverse(one));
  }
  return contestOf(contenders, (codec, other) => known.get(pairKey(codec, other)) ?? UNKNOWN);
}

/**
 * A contest of figures that have no interval but are known to be right within a factor: 1 for those that are exact, as
 * sizes are. What both take nothing of is the same.
 */
export function figureContest(
  figures: readonly { readonly codec: string; readonly value: number }[],
  factor: number,
): Contest {
  const values = new Map(figures.map(({ codec, value }) => [codec, value]));
  return contestOf(figures, (codec, other) => {
    const [own, others] = [values.get(codec) ?? Number.NaN, values.get(other) ?? Number.NaN];
    if (own === others) return { ratio: 1, ci95: [1, 1], verdict: "same", detectable: null };
    const ratio = own / others;
    if (!Number.isFinite(ratio)) return UNKNOWN;
    const ci95 = [ratio / factor, ratio * factor] as const;
    const verdict = ci95[1] < 1 ? "faster" : ci95[0] > 1 ? "slower" : "undecided";
    return { ratio, ci95, verdict, detectable: null };
  });
}

/**
 * Those of a pool that may have the least, by their values: of whom no other of the pool is known to have less. Empty where
 * none of the pool is in the contest.
 */
export function candidatesOf(contest: Contest, pool: readonly string[]): string[] {
  const { values, compare } = contest;
  const members = pool.filter((codec) => values.has(codec));
  const beaten = (codec: string): boolean =>
    members.some((other) => other !== codec && compare(other, codec).verdict === "faster");
  return members.filter((codec) => !beaten(codec)).sort((a, b) => values.get(a)! - values.get(b)!);
}

function contestOf(
  contenders: readonly { readonly codec: string; readonly value: number }[],
  compare: Contest["compare"],
): Contest {
  return { values: new Map(contenders.map(({ codec, value }) => [codec, value])), compare };
}

const UNKNOWN: Compared = { ratio: Number.NaN, ci95: null, verdict: "undecided", detectable: null };

const OPPOSITE: Readonly<Record<Verdict, Verdict>> = {
  faster: "slower",
  slower: "faster",
  same: "same",
  undecided: "undecided",
};

function inverse({ ratio, ci95, verdict, detectable }: Compared): Compared {
  return {
    ratio: 1 / ratio,
    ci95: ci95 && [1 / ci95[1], 1 / ci95[0]],
    verdict: OPPOSITE[verdict],
    detectable,
  };
}

function pairKey(codec: string, other: string): string {
  return JSON.stringify([codec, other]);
}
