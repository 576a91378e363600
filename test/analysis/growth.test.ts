import { describe, expect, it } from "vitest";
import { growth, isWorseThanLinear } from "../../src/analysis/growth-study.ts";
import { seededNormal } from "./statistics/normal.ts";

const SIZES = [100, 1000, 10_000, 100_000, 1_000_000];
const points = (time: (size: number) => number, sizes = SIZES): { size: number; nanos: number }[] =>
  sizes.map((size) => ({ size, nanos: time(size) }));

describe("growth", () => {
  it.each([
    ["constant", () => 5, 0, false],
    ["linear", (size: number) => 3 * size, 1, false],
    ["quadratic", (size: number) => size * size, 2, true],
    ["of a square root", (size: number) => Math.sqrt(size), 0.5, false],
  ])("of what is %s is its power", (_name, time, exponent, worse) => {
    const found = growth(points(time))!;
    expect(found.exponent).toBeCloseTo(exponent, 9);
    expect(found.ci95![0]).toBeCloseTo(exponent, 6);
    expect(found.local.map((local) => local.exponent)).toEqual(
      [1, 2, 3, 4].map(() => expect.closeTo(exponent, 9)),
    );
    expect(isWorseThanLinear(found)).toBe(worse);
  });

  // x = ln size is -1, 0, 1 around its mean and y 0, 3, 2: slope 1, residual variance 8/3.
  it("has the interval of the least squares line", () => {
    const found = growth([0, 1, 2].map((x, i) => ({ size: Math.E ** x, nanos: Math.E ** [0, 3, 2][i]! })))!;
    expect(found.exponent).toBeCloseTo(1, 9);
    expect(found.ci95![1]! - 1).toBeCloseTo(12.7062 * Math.sqrt(8 / 3 / 2), 3);
  });

  it("calls n log n worse than linear, and caches not", () => {
    expect(isWorseThanLinear(growth(points((size) => size * Math.log(size)))!)).toBe(true);
    expect(isWorseThanLinear(growth(points((size) => size ** 1.04))!)).toBe(false);
  });

  it("calls nothing worse that could be chance", () => {
    const normal = seededNormal(2);
    const noisy = Array.from(
      { length: 200 },
      () => growth(points((size) => size * Math.exp(0.1 * normal())))!,
    );
    expect(noisy.filter(isWorseThanLinear).length).toBeLessThan(8);
  });

  it("has no interval from two sizes, and shows where it changes", () => {
    expect(growth(points((size) => size, [10, 100]))).toMatchObject({ ci95: null });
    expect(growth(points((size) => Math.max(size, 10_000)))!.local).toEqual([
      { from: 100, to: 1000, exponent: 0 },
      { from: 1000, to: 10_000, exponent: 0 },
      { from: 10_000, to: 100_000, exponent: expect.closeTo(1, 9) },
      { from: 100_000, to: 1_000_000, exponent: expect.closeTo(1, 9) },
    ]);
  });

  it.each([
    [[]],
    [[{ size: 5, nanos: 1 }]],
    [
      [
        { size: 5, nanos: 1 },
        { size: 5, nanos: 2 },
      ],
    ],
    [points(() => 0)],
    [points(() => 1, [0, 1, 2])],
  ])("is not known from %j", (given) => {
    expect(growth(given)).toBeNull();
  });
});
