/** Ratios by the definitions and scipy, with the same draws: see golden.py. */
import { describe, expect, it } from "vitest";
import { moderated } from "../../../src/analysis/statistics/moderation.ts";
import {
  detectableShare,
  estimateOf,
  logTime,
  moderatedRatios,
  pairedRatio,
  type RatioEstimate,
  type Replicate,
  summedVariance,
  unpairedRatio,
} from "../../../src/analysis/statistics/ratio.ts";
import golden from "./golden.json" with { type: "json" };

const replicates = (processes: readonly (readonly (number | readonly number[])[])[]): Replicate[] =>
  processes.map(([block, stretches]) => ({ block: block as number, stretches: stretches as number[] }));

function expectEstimate(found: RatioEstimate, expected: (typeof golden.ratios)[0]["paired"]): void {
  const { ci95, ...figures } = expected;
  expect(found.ci95![0]).toBeCloseTo(ci95[0]!, 9);
  expect(found.ci95![1]).toBeCloseTo(ci95[1]!, 9);
  for (const [name, value] of Object.entries(figures)) {
    expect((found[name as "ratio"] as number) / value, name).toBeCloseTo(1, 8);
  }
}

describe.each(golden.ratios)("of $name", ({ subject, baseline, paired, unpaired, seeded }) => {
  const [of, to] = [replicates(subject), replicates(baseline)];

  it("the ratio of what was measured together", () => {
    expectEstimate(pairedRatio(of, to), paired);
  });

  it("the ratio by fifty draws of another seed", () => {
    expectEstimate(pairedRatio(of, to, { seed: 7, resamples: 50 }), seeded);
  });

  it("the ratio of what was measured apart", () => {
    expectEstimate(unpairedRatio(of, to), unpaired);
  });
});

describe("what cannot be estimated", () => {
  const known = [1, 2, 3].map((block): Replicate => ({ block, stretches: [10 + block, 12, 14] }));
  const odd = (stretches: number[]): Replicate[] => [...known.slice(1), { block: 1, stretches }];

  it.each([[[0, 1, 2]], [[1, Number.POSITIVE_INFINITY, 2]], [[-1, 3, 2]], [[]]])(
    "has a ratio and nothing else, on either side: %j",
    (stretches) => {
      for (const { ratio: _, ...rest } of [
        pairedRatio(odd(stretches), known),
        pairedRatio(known, odd(stretches)),
        unpairedRatio(odd(stretches), known),
        unpairedRatio(known, odd(stretches)),
      ])
        expect(Object.values(rest)).toEqual([null, null, null, null, null]);
    },
  );

  it("keeps its ratio: the median of the pairs", () => {
    const [of, to] = [
      [
        { block: 0, stretches: [30] },
        { block: 0, stretches: [50] },
        { block: 0, stretches: [20] },
      ],
      [{ block: 0, stretches: [10] }],
    ];
    expect(pairedRatio(of!, to!).ratio).toBeCloseTo(3, 9);
    expect(logTime([{ block: 0, stretches: [7] }])).toEqual({ log: Math.log(7), variance: null });
    expect(unpairedRatio([known[0]!], known).ratio).toBeCloseTo(1, 0);
  });
});

describe("a sum of independent variances", () => {
  it("has Welch's degrees, or all of them where nothing varies", () => {
    const sum = summedVariance([
      { variance: 1, degrees: 2 },
      { variance: 3, degrees: 4 },
    ]);
    expect(sum).toEqual({ variance: 4, degrees: 16 / (1 / 2 + 9 / 4) });
    expect(summedVariance([1, 2].map((degrees) => ({ variance: 0, degrees })))).toEqual({
      variance: 0,
      degrees: 3,
    });
  });
});

describe("moderated ratios", () => {
  const estimates = [0.01, 0.02, 0.015, 0.05, 0.03].map((error, i) =>
    estimateOf({ log: 0.1 * i - 0.2, variance: { variance: error ** 2, degrees: 2 + i } }),
  );

  it("have the variances of one process of each moderated", () => {
    const alone = estimateOf({ log: 1, variance: null });
    const found = moderatedRatios([alone, ...estimates]);
    expect(found[0]).toBe(alone);
    const processes = estimates.map(({ standardError, degrees }) => ({
      variance: standardError! ** 2 * (degrees! + 1),
      degrees: degrees!,
    }));
    for (const [i, { variance, degrees }] of moderated(processes).entries()) {
      expect(found[i + 1]!.standardError! ** 2 * (3 + i)).toBeCloseTo(variance, 12);
      expect(found[i + 1]!.degrees).toBeCloseTo(degrees, 12);
      expect(found[i + 1]!.ratio).toBeCloseTo(estimates[i]!.ratio, 12);
    }
  });
});

describe("the share that can be found", () => {
  it("is beyond the gate by what power asks for", () => {
    // Of scipy's t.isf(0.2, 7): 0.896029643.
    expect(Math.log1p(detectableShare(0.01, 7, 0.05, 0.2))).toBeCloseTo(Math.log(1.2) + 0.00896029644, 9);
    expect(Math.log1p(detectableShare(0.01, 7, 0.4))).toBeCloseTo(2 * 0.00896029644, 9);
  });
});
