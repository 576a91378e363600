import { describe, expect, it } from "vitest";
import {
  confidenceInterval,
  median,
  medianAbsoluteDeviation,
  quantile,
  studentT975,
} from "../../src/bench/statistics.ts";
import { seededRandom } from "../../src/model/random.ts";

describe("median", () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[5], 5],
  ])("of %j is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it("does not change its input", () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

it("measures spread by the median absolute deviation", () => {
  expect(medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9])).toBe(1);
});

it("interpolates quantiles", () => {
  expect(quantile([0, 10, 20, 30], 0.5)).toBe(15);
  expect(quantile([0, 10, 20, 30], 0.99)).toBeCloseTo(29.7);
});

// Points of scipy.stats.t.ppf(0.975, df).
it.each([
  [1, 12.7062],
  [7, 2.3646],
  [30, 2.0423],
  [40, 2.0211],
  [120, 1.9799],
])("knows Student's t at %d degrees of freedom", (degrees, expected) => {
  expect(studentT975(degrees)).toBeCloseTo(expected, 3);
});

describe("confidenceInterval", () => {
  it("is not known from one process", () => {
    expect(confidenceInterval([5])).toBeNull();
  });

  it("covers the true location in 95 % of repetitions", () => {
    const random = seededRandom(7);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let covered = 0;
    const repetitions = 4000;
    for (let i = 0; i < repetitions; i++) {
      const medians = Array.from({ length: 5 }, () => 100 * Math.exp(0.05 * normal()));
      const [low, high] = confidenceInterval(medians) ?? [0, 0];
      if (low <= 100 && 100 <= high) covered += 1;
    }
    expect(covered / repetitions).toBeGreaterThan(0.94);
    expect(covered / repetitions).toBeLessThan(0.96);
  });
});
