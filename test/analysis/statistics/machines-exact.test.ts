/** One ratio on several machines: Welch's test by scipy (see golden.py), and what is no contradiction at the limits. */
import { describe, expect, it } from "vitest";
import { machinesContradict, machinesRatio } from "../../../src/analysis/statistics/machines.ts";
import type { RatioEstimate } from "../../../src/analysis/statistics/ratio.ts";
import { studentPoint, studentTails } from "../../../src/analysis/statistics/student.ts";
import golden from "./golden.json" with { type: "json" };

function known(ratio: number, standardError = 0.01, degrees = 7): RatioEstimate {
  return { ratio, standardError, degrees, ci95: [ratio, ratio], p: 0.5, detectable: 1 };
}

describe("machines that differ", () => {
  it.each(golden.welch as unknown as [number[], number[], number[], number][])(
    "by %j with variances of %j and %j degrees do so by chance with %d",
    (logs, variances, degrees, p) => {
      const each = logs.map((log, i) => known(Math.exp(log), Math.sqrt(variances[i]!), degrees[i]));
      expect(machinesRatio(each).differ! / p).toBeCloseTo(1, 9);
    },
  );

  it("and do not vary differ for certain, or not at all", () => {
    expect(machinesRatio([known(0.5, 0), known(0.5, 0)])).toMatchObject({ differ: 1, p: 0, degrees: 2 });
    expect(machinesRatio([known(0.5, 0), known(0.5, 0), known(0.6, 0)])).toMatchObject({
      differ: 0,
      degrees: 3,
    });
    expect(machinesRatio([known(0.5, 0.02), known(0.5, 0)]).differ).toBe(1);
  });

  it.each<[string, number[], number]>([
    ["both are slower", [1.2, 1.6], 0.01],
    ["both are faster", [0.8, 0.5], 0.01],
    ["they may agree", [1.01, 0.99], 0.02],
  ])("have a probability of their mean where %s", (_, ratios, error) => {
    const { p, ratio, standardError, degrees } = machinesRatio(ratios.map((one) => known(one, error)));
    expect(p).toBeCloseTo(studentTails(Math.log(ratio) / standardError!, degrees!), 12);
    expect(machinesRatio([known(1, 0), known(1, 0)]).p).toBe(1);
  });

  it("have nothing but a ratio where one of them is no number", () => {
    expect(machinesRatio([known(0), known(1)])).toMatchObject({
      ratio: 0,
      ci95: null,
      p: null,
      differ: null,
    });
  });
});

it("the interval on one machine ends at one of the two outermost levels of 32 on each side", () => {
  const ends = machinesRatio([known(1.2, 0.02)]).ci95!.map((end) => Math.log(end / 1.2) / 0.02);
  const [outer, next] = [studentPoint(1 / 32, 7), studentPoint(3 / 32, 7)];
  for (const [i, side] of [-1, 1].entries()) {
    expect(side * ends[i]!).toBeLessThan(outer + 1e-9);
    expect(side * ends[i]!).toBeGreaterThan(next - 1e-9);
  }
});

it.each<[number[], number | null, boolean]>([
  [[0.9, 1.5], 0.024, true],
  [[0.9, 1.5], 0.025, false],
  [[0.9, 1.5], null, false],
  [[1, 1.25], 0.01, false],
  [[1, 1.26], 0.01, true],
  [[1.25, 1.6], 0.01, true],
  [[1.26, 1.6], 0.01, false],
  [[0.5, 0.8], 0.01, true],
  [[0.5, 0.79], 0.01, false],
])(
  "ratios of %j that differ by chance with %d contradict each other behind a gate of 0.25: %s",
  (ratios, p, expected) => {
    expect(machinesContradict(machinesRatio(ratios.map((ratio) => known(ratio))), p, 0.25)).toBe(expected);
    expect(machinesContradict(known(0.5), p, 0.25)).toBe(false);
  },
);
