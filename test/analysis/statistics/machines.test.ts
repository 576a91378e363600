/** One ratio on several machines. */
import { describe, expect, it } from "vitest";
import { machinesContradict, machinesRatio } from "../../../src/analysis/statistics/machines.ts";
import type { RatioEstimate } from "../../../src/analysis/statistics/ratio.ts";
import { fisherTail, studentTails } from "../../../src/analysis/statistics/student.ts";

function known(ratio: number, standardError: number, degrees: number): RatioEstimate {
  return { ratio, standardError, degrees, ci95: [ratio, ratio], p: 0.5, detectable: 1 };
}

const UNKNOWN = { ci95: null, standardError: null, p: null, detectable: null, degrees: null };

describe("Fisher's F", () => {
  it.each([
    // Of R's pf(f, above, below, lower.tail = FALSE).
    [3.5, 2, 10, 0.0704254],
    [4.0, 4, 4.5, 0.08714],
    [1, 5, 5, 0.5],
    [0, 3, 3, 1],
  ])("is beyond %f with %f and %f degrees in %f", (f, above, below, tail) => {
    expect(fisherTail(f, above, below)).toBeCloseTo(tail, 2);
  });

  it("is Student's t squared", () => {
    for (const t of [0.3, 1, 2.5, 12])
      expect(fisherTail(t * t, 1, 7.5)).toBeCloseTo(studentTails(t, 7.5), 10);
  });
});

describe("a ratio on several machines", () => {
  it("is the geometric mean, each machine counting as much, with the standard error of the strata", () => {
    const both = machinesRatio([known(0.5, 0.03, 7), known(0.8, 0.04, 7)]);
    expect(both.ratio).toBeCloseTo(Math.sqrt(0.4), 12);
    expect(both.standardError).toBeCloseTo(0.025, 12);
    expect(both.degrees).toBeCloseTo(0.0025 ** 2 / ((0.0009 ** 2 + 0.0016 ** 2) / 7), 10);
    expect(both.ratios).toEqual([0.5, 0.8]);
    expect(both.p).toBeLessThan(1e-6);
  });

  it("has an interval that spans machines that differ", () => {
    const [low, high] = machinesRatio([known(0.5, 0.01, 7), known(0.8, 0.01, 7)]).ci95 ?? [1, 1];
    expect(low).toBeGreaterThan(0.47);
    expect(low).toBeLessThan(0.51);
    expect(high).toBeGreaterThan(0.79);
    expect(high).toBeLessThan(0.85);
  });

  it("of one block there is as unsure as those of the others are, and unknown where all are", () => {
    const { ratio, standardError, degrees } = machinesRatio([
      known(0.5, 0.02, 3),
      { ratio: 0.5, ...UNKNOWN },
    ]);
    expect(ratio).toBeCloseTo(0.5, 12);
    expect(standardError).toBeCloseTo(Math.sqrt(0.0004 + 0.0016) / 2, 12);
    expect(degrees).toBeGreaterThan(3);
    const none = { ratio: 0.5, ...UNKNOWN };
    expect(machinesRatio([none, none])).toMatchObject({ ...UNKNOWN, differ: null });
  });

  it.each<[string, readonly number[], number, boolean]>([
    ["one faster and one slower", [0.8, 1.25], 0.001, true],
    ["one faster and one the same", [0.8, 1.0], 0.001, true],
    ["one much faster than another, and both faster", [0.5, 0.8], 0.001, false],
    ["both within the gate", [0.995, 1.004], 0.001, false],
    ["what chance may do", [0.8, 1.25], 0.05, false],
  ])("is contradicted by %s: %j with p = %f is %s", (_, ratios, p, expected) => {
    const estimate = machinesRatio(ratios.map((ratio) => known(ratio, 0.01, 7)));
    expect(machinesContradict(estimate, p, 0.01)).toBe(expected);
  });

  it("says nothing of a mean that no machine has", () => {
    const estimate = machinesRatio([known(0.5, 0.01, 7), known(1.2, 0.01, 7)]);
    expect(estimate.ratio).toBeCloseTo(Math.sqrt(0.6), 12);
    expect(estimate.p).toBe(1);
    expect(estimate.differ).toBeLessThan(1e-6);
  });
});
