/** How a verdict follows from figures. */
import { describe, expect, it } from "vitest";
import type { Estimate } from "../../../src/analysis/claims/evidence.ts";
import { judgeRatio, judgeSide, type Rule, verdictOfParts } from "../../../src/analysis/claims/rules.ts";
import type { ClaimVerdict } from "../../../src/model/records/claims.ts";

const around = (middle: number, by = 1.05): Estimate => ({ middle, low: middle / by, high: middle * by });
const exact = (ratio: number): Estimate => ({ middle: ratio, low: ratio, high: ratio });

describe("a ratio", () => {
  it.each<[ClaimVerdict, string, Estimate, readonly number[], Rule?]>([
    ["holds", "as published", around(0.25), [0.25]],
    ["holds", "stronger than published", around(0.01), [0.25]],
    ["holds", "half of it, as logarithms, for certain", around(0.47), [0.25]],
    ["holds weaker", "on the right side, and maybe half of it", around(0.49), [0.25]],
    ["holds weaker", "on the right side, and less than half of it", around(0.9), [0.25]],
    ["does not hold", "1", around(1), [0.25]],
    ["reversed", "on the other side", around(4), [0.25]],
    ["not testable", "of an interval from no difference to the claimed one", around(0.6, 2), [0.25]],
    ["holds", "above 1, as published", around(4), [4]],
    ["holds weaker", "above 1, and less", around(1.2), [4]],
    ["reversed", "below 1 where above was published", around(0.8), [4]],
    ["holds", "half of the weaker of two published ones", around(0.45), [0.1, 0.25]],
    ["holds", "within a bound of its own", exact(0.79), [0.756], { kind: "order", bound: 0.8 }],
    ["holds weaker", "short of a bound of its own", exact(0.81), [0.756], { kind: "order", bound: 0.8 }],
    ["holds", "at least so much", exact(0.99), [0.982], { kind: "at-least", least: 0.98 }],
    ["does not hold", "less than at least so much", exact(0.95), [0.982], { kind: "at-least", least: 0.98 }],
    ["not testable", "at least so much by chance", around(0.98), [0.982], { kind: "at-least", least: 0.98 }],
    [
      "impossible",
      "of bytes that nothing can have",
      exact(2.1),
      [0.36],
      { kind: "possible", bytes: 304, least: 1784 },
    ],
    [
      "holds",
      "of bytes that something can have",
      exact(0.3),
      [0.36],
      { kind: "possible", bytes: 1784, least: 1784 },
    ],
  ])("%s where it is %s", (verdict, _, ratio, published, rule) => {
    expect(judgeRatio(ratio, published, rule).verdict).toBe(verdict);
  });

  it("is a difference only beyond what a codec differs from itself", () => {
    expect(judgeRatio(around(0.97, 1.01), [0.9], undefined, 0.01).verdict).toBe("holds weaker");
    expect(judgeRatio(around(0.97, 1.01), [0.9], undefined, 0.05).verdict).toBe("does not hold");
    expect(judgeRatio(around(1.03, 1.01), [0.9], undefined, 0.05).verdict).toBe("does not hold");
  });

  it("has its interval in the reason where chance may have made it", () => {
    expect(judgeRatio(around(0.6, 2), [0.25]).reason).toBe(
      "chance may have made it: the interval is 0.300 to 1.20",
    );
  });

  it("of which only the side was published holds on that side", () => {
    expect(judgeSide(around(1.2), "above").verdict).toBe("holds");
    expect(judgeSide(around(1.2), "below").verdict).toBe("reversed");
    expect(judgeSide(around(1.02), "above").verdict).toBe("not testable");
  });
});

describe("a claim of several parts", () => {
  const of = (...verdicts: ClaimVerdict[]): ClaimVerdict =>
    verdictOfParts(verdicts.map((verdict) => ({ verdict }))).verdict;

  it.each<[ClaimVerdict, ClaimVerdict[]]>([
    ["holds", ["holds", "holds"]],
    ["holds weaker", ["holds", "holds weaker"]],
    ["does not hold", ["holds", "does not hold"]],
    ["does not hold", ["holds", "reversed"]],
    ["does not hold", ["not testable", "reversed"]],
    ["reversed", ["reversed", "reversed"]],
    ["not testable", ["holds", "not testable"]],
    ["impossible", ["impossible", "holds"]],
    ["not testable", []],
  ])("%s where they are %j", (whole, parts) => {
    expect(of(...parts)).toBe(whole);
  });

  it("keeps the reason of what could not be tested", () => {
    const parts = [{ verdict: "holds" }, { verdict: "not testable", reason: "no g++" }] as const;
    expect(verdictOfParts(parts).reason).toBe("no g++");
  });
});
