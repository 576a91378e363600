/** How a verdict follows from figures: pure rules over ratios and their intervals. */
import type { ClaimVerdict } from "../../model/records/claims.ts";
import type { Estimate } from "./evidence.ts";

/** How a ratio is judged. */
export type Rule =
  /**
   * It is on the published side of 1. `bound` is from where on it is as much as was published; by default half of the weakest
   * published ratio, as logarithms.
   */
  | { readonly kind: "order"; readonly bound?: number }
  /** It is that much or more. */
  | { readonly kind: "at-least"; readonly least: number }
  /** The published bytes can be had at all. */
  | { readonly kind: "possible"; readonly bytes: number; readonly least: number };

/** A verdict, and why there is none where it is `not testable`. */
export interface Judged {
  readonly verdict: ClaimVerdict;
  readonly reason?: string;
}

/** What may have made a difference besides what is compared, as a share: see `Noise` of a run. */
export type Gate = number;

/** The verdict on a ratio. @param published ratios, which say the direction; more than none */
export function judgeRatio(
  ratio: Estimate,
  published: readonly number[],
  rule: Rule = { kind: "order" },
  gate: Gate = 0,
): Judged {
  switch (rule.kind) {
    case "order":
      return judgeOrder(ratio, published, rule.bound, gate);
    case "at-least":
      if (ratio.low >= rule.least) return { verdict: "holds" };
      return ratio.high < rule.least ? { verdict: "does not hold" } : chance(ratio);
    case "possible":
      return rule.bytes < rule.least
        ? { verdict: "impossible" }
        : judgeOrder(ratio, published, undefined, gate);
  }
}

function judgeOrder(
  ratio: Estimate,
  published: readonly number[],
  bound: number | undefined,
  gate: Gate,
): Judged {
  const logs = published.map(Math.log);
  const side = (logs[0] ?? 0) < 0 ? "below" : "above";
  const weakest = Math.min(...logs.map(Math.abs));
  return judgeSide(ratio, side, bound === undefined ? weakest / 2 : Math.abs(Math.log(bound)), gate);
}

/**
 * Whether a ratio is on the claimed side of 1, and so far as is needed. `holds weaker` where only the side is certain, `reversed`
 * where the other side is. There is no such difference where the interval excludes what is needed.
 * @param needed as a logarithm, of 0 or more
 */
export function judgeSide(
  { middle, low, high }: Estimate,
  side: "below" | "above",
  needed = 0,
  gate: Gate = 0,
): Judged {
  const along = (ratio: number): number => (side === "above" ? Math.log(ratio) : -Math.log(ratio));
  const [worst, best] = side === "above" ? [along(low), along(high)] : [along(high), along(low)];
  const noise = Math.log1p(gate);
  if (worst > 0 && along(middle) > noise) return { verdict: worst >= needed ? "holds" : "holds weaker" };
  if (best < 0 && along(middle) < -noise) return { verdict: "reversed" };
  return best < needed ? { verdict: "does not hold" } : chance({ middle, low, high });
}

/** Chance may have made a difference either way. */
function chance({ low, high }: Estimate): Judged {
  const [from, to] = [low, high].map((end) => end.toPrecision(3));
  return { verdict: "not testable", reason: `chance may have made it: the interval is ${from} to ${to}` };
}

/**
 * The verdict on a claim of several parts: all of them have to hold. One that is impossible makes the claim so. It is reversed where
 * all are, and does not hold where one fails, whatever could not be tested.
 */
export function verdictOfParts(parts: readonly Judged[]): Judged {
  const verdicts = new Set(parts.map(({ verdict }) => verdict));
  const all = (...wanted: readonly ClaimVerdict[]): boolean =>
    parts.every(({ verdict }) => wanted.includes(verdict));
  if (parts.length === 0) return { verdict: "not testable", reason: "nothing was measured" };
  if (verdicts.has("impossible")) return { verdict: "impossible" };
  if (all("reversed")) return { verdict: "reversed" };
  if (verdicts.has("does not hold") || verdicts.has("reversed")) return { verdict: "does not hold" };
  const untested = parts.find(({ verdict }) => verdict === "not testable");
  if (untested !== undefined) return untested;
  return { verdict: all("holds") ? "holds" : "holds weaker" };
}
