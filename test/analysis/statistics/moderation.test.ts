import { describe, expect, it } from "vitest";
import { moderated, type Variance } from "../../../src/analysis/statistics/moderation.ts";
import { studentTails } from "../../../src/analysis/statistics/student.ts";
import { cases, SEED } from "../../seed.ts";
import { seededNormal } from "./normal.ts";

function variancesOf(variances: readonly number[], degrees: readonly number[]): Variance[] {
  return variances.map((variance, i) => ({ variance, degrees: degrees[i]! }));
}

describe("moderated variances", () => {
  // By scipy 1.17.1: limma's fitFDist with digamma, polygamma(1, …) and brentq for its inverse; then of each the mean of its
  // own and the fitted variance, with (n - 3) / (n - 1) of min(fitted degrees, 2 own degrees, those of all others).
  it.each([
    {
      title: "that differ somewhat",
      variances: [4, 1, 9, 2.5, 0.3, 40],
      degrees: [2, 2, 2, 2, 2, 2],
      expected: [
        [3.8196256211229707, 3.447524280521492],
        [2.0792462903957025, 3.447524280521492],
        [6.720257839001751, 3.447524280521492],
        [2.949435955759337, 3.447524280521492],
        [1.6731577798926733, 3.447524280521492],
        [24.704177589850186, 3.447524280521492],
      ],
    },
    {
      title: "that do not differ, and get as many degrees as they may",
      variances: [1, 1.1, 0.9, 1.05, 0.95],
      degrees: [7, 7, 7, 7, 7],
      expected: [
        [1.0792323735432752, 14],
        [1.1292323735432752, 14],
        [1.0292323735432751, 14],
        [1.1042323735432753, 14],
        [1.054232373543275, 14],
      ],
    },
    {
      title: "of several degrees, one of them 0",
      variances: [0.02, 0.5, 0, 3, 1.1, 0.7, 12],
      degrees: [2.4, 3, 7, 9.5, 2, 15, 4],
      expected: [
        [0.01860644083072612, 2.687288430190554],
        [0.45691179982170554, 3.2872884301905545],
        [0.00027457032757836176, 7.2872884301905545],
        [2.912144775998649, 9.787288430190554],
        [0.9627123733529254, 2.2872884301905545],
        [0.6869760403310798, 15.287288430190554],
        [11.19635444518901, 4.2872884301905545],
      ],
    },
    {
      title: "that have nothing in common, and stay nearly as they are",
      variances: [1e-4, 1e2, 3, 1e-2],
      degrees: [8, 8, 8, 8],
      expected: [
        [0.00012104622175764627, 8.111525750349697],
        [98.62511770181533, 8.111525750349697],
        [2.958775279547142, 8.111525750349697],
        [0.009884930654545843, 8.111525750349697],
      ],
    },
  ])("$title", ({ variances, degrees, expected }) => {
    const found = moderated(variancesOf(variances, degrees));
    for (const [i, [variance, total]] of expected.entries()) {
      expect(found[i]!.variance / variance!).toBeCloseTo(1, 9);
      expect(found[i]!.degrees / total!).toBeCloseTo(1, 9);
    }
  });

  it.each([
    { title: "none", items: [] },
    { title: "one", items: variancesOf([3], [2]) },
    { title: "three", items: variancesOf([3, 1, 2], [2, 2, 2]) },
    { title: "half of which are 0", items: variancesOf([0, 0, 0, 0, 1, 2, 3], [2, 2, 2, 2, 2, 2, 2]) },
    {
      title: "three that are known",
      items: variancesOf([3, 1, 2, Number.NaN, 4, Number.POSITIVE_INFINITY], [2, 2, 2, 2, 0, 2]),
    },
  ])("are the given ones of $title", ({ items }) => {
    expect(moderated(items)).toEqual(items);
  });

  it("leave out what is not known, and give it back as it is", () => {
    const known = variancesOf([4, 1, 9, 2.5], [2, 2, 2, 2]);
    const unknown = { variance: Number.NaN, degrees: 2 };
    const [first, ...others] = moderated([unknown, ...known]);
    expect(first).toEqual(unknown);
    expect(others).toEqual(moderated(known));
  });

  it("move with the unit", () => {
    const items = variancesOf([4, 1, 9, 2.5, 0.3], [2, 3, 2, 2.5, 2]);
    const scaled = moderated(items.map(({ variance, degrees }) => ({ variance: 1e-6 * variance, degrees })));
    for (const [i, { variance, degrees }] of moderated(items).entries()) {
      expect(scaled[i]!.variance / variance).toBeCloseTo(1e-6, 12);
      expect(scaled[i]!.degrees).toBeCloseTo(degrees, 9);
    }
  });

  it.each([
    { size: 4, blocks: 3 },
    { size: 6, blocks: 3 },
    { size: 30, blocks: 3 },
    { size: 6, blocks: 8 },
    { size: 30, blocks: 8 },
  ])(
    "keep a test of $size cells in $blocks blocks at its level, whose deviations differ",
    ({ size, blocks }) => {
      const normal = seededNormal(SEED);
      const families = cases(3000);
      let wrong = 0;
      for (let family = 0; family < families; family++) {
        const cells = Array.from({ length: size }, () => {
          const deviation = Math.exp(0.5 * normal());
          const values = Array.from({ length: blocks }, () => deviation * normal());
          const middle = values.reduce((sum, value) => sum + value, 0) / blocks;
          const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
          return { middle, variance: squares / (blocks - 1) / blocks, degrees: blocks - 1 };
        });
        const found = moderated(cells);
        const isFound = cells.some(({ middle }, i) => {
          const { variance, degrees } = found[i]!;
          return studentTails(middle / Math.sqrt(variance), degrees) * size < 0.05;
        });
        if (isFound) wrong += 1;
      }
      // Of 3,000 families 5 to 6 % with a standard error of 0.4 %.
      expect(wrong / families).toBeLessThan(0.06 + 3 * Math.sqrt(0.05 / families));
    },
  );
});
