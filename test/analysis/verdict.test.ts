/** Which verdict a ratio gets, at the very limits too, and what processes are compared by. */
import { describe, expect, it } from "vitest";
import { type Compared, LEVEL, replicatesOf, verdictOf } from "../../src/analysis/verdict.ts";
import type { Nanos } from "../../src/model/records/run.ts";

const LIMITS = { threshold: 0.25, gate: 0.5 };

/** A ratio that is surely another than 1. */
function sure(ratio: number): Compared {
  return { ratio, ci95: [ratio * 0.99, ratio * 1.01], p: 0.001 };
}

describe("a verdict", () => {
  it.each([
    [1.5, "undecided"],
    [1.5001, "slower"],
    [1 / 1.5, "undecided"],
    [1 / 1.5001, "faster"],
  ])("of a sure ratio of %d behind a gate of 0.5 is %s", (ratio, verdict) => {
    expect(verdictOf(sure(ratio), LIMITS)).toBe(verdict);
  });

  it.each([
    [0.0499, "slower"],
    [LEVEL, "undecided"],
    [null, "undecided"],
  ])("of twice the time with a probability of %d is %s", (p, verdict) => {
    expect(verdictOf({ ratio: 2, ci95: [1.9, 2.1], p }, LIMITS)).toBe(verdict);
  });

  it.each<[Compared["ci95"], string]>([
    [[0.8, 1.25], "same"],
    [[0.7999, 1.25], "undecided"],
    [[0.8, 1.2501], "undecided"],
    [null, "undecided"],
  ])("of an interval of %j within a threshold of 0.25 is %s", (ci95, verdict) => {
    expect(verdictOf({ ratio: 1, ci95, p: 0.9 }, LIMITS)).toBe(verdict);
  });
});

describe("the processes of a cell", () => {
  const nanos = { batches: [[12, 14], [22]], blocks: [4, 7], loops: [2, 3] } as unknown as Nanos;

  it("have their blocks, and stretches without their own loops", () => {
    expect(replicatesOf(nanos)).toEqual([
      { block: 4, stretches: [10, 12] },
      { block: 7, stretches: [19] },
    ]);
  });

  it("are of blocks in their order, and without a loop, where nothing says more", () => {
    expect(replicatesOf({ ...nanos, blocks: [4], loops: [] })).toEqual([
      { block: 4, stretches: [12, 14] },
      { block: 1, stretches: [22] },
    ]);
  });
});
