/** How far apart two levels are at least, and how many processes flip, at the limits. */
import { describe, expect, it } from "vitest";
import { flippingLevels, twoLevels } from "../../../src/analysis/statistics/modes.ts";

/** Times at two levels whose logarithms lie 0.05 to each side of them; the levels are so many deviations apart. */
function apart(deviations: number, count: number): number[] {
  const deviation = 0.05 * Math.sqrt(count / (count - 2));
  const upper = 0.1 + deviations * deviation;
  return Array.from({ length: count }, (_, i) =>
    Math.exp((i % 2 === 0 ? 0.05 : -0.05) + (i % 4 < 2 ? 0 : upper)),
  );
}

describe("two levels", () => {
  it.each([
    [8, 6.7, false],
    [8, 6.8, true],
    [16, 4.7, false],
    [16, 4.9, true],
  ])("of %d times that are %d deviations apart are two: %s", (count, deviations, expected) => {
    expect(twoLevels(apart(deviations, count)) !== undefined).toBe(expected);
  });
});

describe("processes that flip", () => {
  /** Twenty batches that stay at a level, or go to twice of it and back. */
  const still = Array.from({ length: 20 }, (_, i) => 100 + (i % 2));
  const flips = still.map((time, i) => (i > 6 && i < 14 ? 2 * time : time));
  const some = (flipping: number, of: number) =>
    flippingLevels(
      Array.from({ length: of }, (_, i) => (i < flipping ? flips : still)),
      Array<number>(of).fill(0),
    );

  it.each([
    [1, 8, false],
    [2, 8, true],
    [2, 12, false],
    [3, 12, true],
  ])("are %d of %d: %s", (flipping, of, expected) => {
    expect(some(flipping, of) !== undefined).toBe(expected);
  });

  it("have the share of stretches that are at each level", () => {
    const [lower, upper] = some(8, 8)!;
    expect([lower, upper].map(({ share }) => share)).toEqual([13 / 20, 7 / 20]);
    expect(lower.nanos).toBe(Math.exp(Math.log(100)));
    expect(upper.nanos).toBeCloseTo(202, 9);
  });
});
