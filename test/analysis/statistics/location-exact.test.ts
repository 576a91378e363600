/** Intervals of medians to nine digits, and what lies beside quantiles and fences: see golden.py. */
import { describe, expect, it } from "vitest";
import {
  confidenceInterval,
  fasterHalves,
  mean,
  median,
  outliersOf,
  quantile,
  stretchesOf,
} from "../../../src/analysis/statistics/location.ts";
import golden from "./golden.json" with { type: "json" };

describe("the interval of a median", () => {
  it.each(golden.intervals)("of %j is %j", (values, expected) => {
    const [low, high] = confidenceInterval([...values!].reverse())!;
    // Of few values, Student's points have four decimals.
    const digits = values!.length < 6 ? 3 : 9;
    expect(low / expected![0]!).toBeCloseTo(1, digits);
    expect(high / expected![1]!).toBeCloseTo(1, digits);
  });

  it("is not known of one value, of 0 among others and of none below it", () => {
    expect(confidenceInterval([3])).toBeNull();
    expect(confidenceInterval([1, 2, 3, 4, 5, 6, 0])).toBeNull();
    expect(confidenceInterval([1, -2])).toBeNull();
    expect(confidenceInterval([1, 2])).not.toBeNull();
  });
});

describe("quantiles", () => {
  it.each([
    [[], 0.5, Number.NaN],
    [[7], 0.9, 7],
    [[1, 2], 0, 1],
    [[1, 2], 1, 2],
    [[1, 2, 10], 0.75, 6],
  ])("of %j at %d is %d", (values, q, expected) => {
    expect(quantile(values, q)).toBe(expected);
  });

  it("of none are no numbers, nor is a mean", () => {
    expect(median([])).toBeNaN();
    expect(mean([])).toBeNaN();
    expect(mean([1, 2, 6])).toBe(3);
  });
});

it("stretches are five, of no time below 0", () => {
  expect(stretchesOf([5, 5, 1, 1, 9, 9, 3, 3, 2, 4], 2)).toEqual([3, 0, 7, 1, 1]);
});

describe("fences", () => {
  // The quartiles are 1 and 2, and the fences stand at -0.5 and 3.5; times of 0 are looked at as they are.
  const values = (one: number): number[] => [0, 1, 1, 1.5, 2, 2, one];

  it.each([
    [3.5, []],
    [3.51, [6]],
  ])("let a time of %d be an outlier or not: %j", (one, expected) => {
    expect(outliersOf(values(one))).toEqual(expected);
  });

  it.each([
    [-0.49, []],
    [-0.51, [7]],
    [3.49, []],
    [3.51, [7]],
  ])("stand where the logarithms have them: of %d, %j", (log, expected) => {
    expect(outliersOf([1, 1, 1, 1.5, 2, 2, 2, log].map(Math.exp))).toEqual(expected);
  });
});

it("faster halves are the means of the lesser half of each stretch, and of the middle one too where they are odd", () => {
  expect(fasterHalves([9, 1, 2, 8, 3, 5, 7, 7, 7, 100], 1)).toEqual([0, 1, 2, 6, 6]);
  expect(fasterHalves([4, 9, 6], 0)).toEqual([4, 9, 6]);
  expect(fasterHalves([1, 2, 9, 1, 3, 9, 1, 2, 3, 1, 1, 2, 5, 4, 6], 0)).toEqual([1.5, 2, 1.5, 1, 4.5]);
});

it("faster halves move a little where batches are at two levels and a few more are at one of them", () => {
  const at = (low: number): number[] => Array.from({ length: 500 }, (_, i) => (i % 100 < low ? 15 : 20));
  const [less, more] = [fasterHalves(at(24), 0), fasterHalves(at(26), 0)];
  expect(more[0]! / less[0]!).toBeGreaterThan(0.98);
});
