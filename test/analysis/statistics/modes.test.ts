/** One level or two of times, and processes that go from one to the other. */
import { describe, expect, it } from "vitest";
import { between, flippingLevels, twoLevels } from "../../../src/analysis/statistics/modes.ts";
import { SEED } from "../../seed.ts";
import { seededNormal } from "./normal.ts";

describe("two levels", () => {
  it("have their medians and shares, the lower one first", () => {
    const levels = twoLevels([52, 23, 24, 53, 23.5, 52.5, 23.2, 24.1])!;
    expect(levels.map(({ share }) => share)).toEqual([5 / 8, 3 / 8]);
    expect(levels[0].nanos).toBeCloseTo(23.5, 6);
    expect(levels[1].nanos).toBeCloseTo(52.5, 6);
    expect(between(levels)).toBeCloseTo(Math.sqrt(23.5 * 52.5), 6);
  });

  it("are found where the times of each are equal", () => {
    expect(twoLevels([1, 1, 1, 1, 1, 2, 2, 2])).toEqual([
      { nanos: 1, share: 5 / 8 },
      { nanos: expect.closeTo(2, 9), share: 3 / 8 },
    ]);
  });

  it.each([
    ["there are fewer than eight times", [1, 1, 1, 1, 2, 2, 2]],
    ["all are equal", [5, 5, 5, 5, 5, 5, 5, 5]],
    ["only two are elsewhere", [1, 1, 1, 1, 1, 1, 2, 2]],
    ["they are less than a tenth apart", [100, 100, 100, 100, 109, 109, 109, 109]],
    ["one time is 0", [0, 1, 1, 1, 1, 2, 2, 2]],
  ])("are none where %s", (_, times) => {
    expect(twoLevels(times)).toBeUndefined();
  });
});

describe("processes that flip", () => {
  const normal = seededNormal(SEED);
  /** 400 batches that change their level every so many. */
  const flipping = (every: number, ratio: number): number[] =>
    Array.from(
      { length: 400 },
      (_, i) => 20_000 * Math.exp(0.03 * normal()) * (Math.floor(i / every) % 2 === 1 ? ratio : 1),
    );

  it("are found with their levels and how much of the time they are at each", () => {
    const batches = Array.from({ length: 8 }, (_, i) => flipping(100, i < 6 ? 2 : 1));
    const levels = flippingLevels(batches, Array(8).fill(1000))!;
    expect(levels[0].nanos).toBeGreaterThan(18_500);
    expect(levels[0].nanos).toBeLessThan(19_500);
    expect(levels[1].nanos / levels[0].nanos).toBeCloseTo(39 / 19, 1);
    expect(levels.map(({ share }) => share)).toEqual([0.625, 0.375]);
  });

  it("are none where each goes to another level once, and where only one flips", () => {
    const once = Array.from({ length: 8 }, () => flipping(200, 2));
    expect(flippingLevels(once, Array(8).fill(0))).toBeUndefined();
    const one = Array.from({ length: 8 }, (_, i) => flipping(50, i === 0 ? 2 : 1));
    expect(flippingLevels(one, Array(8).fill(0))).toBeUndefined();
    expect(flippingLevels(Array(8).fill([1, 2, 1]), Array(8).fill(0))).toBeUndefined();
  });

  it("are none of fewer than eight", () => {
    const batches = Array.from({ length: 8 }, () => flipping(100, 2));
    expect(flippingLevels(batches, Array(8).fill(0))).toBeDefined();
    expect(flippingLevels(batches.slice(1), Array(7).fill(0))).toBeUndefined();
  });
});
