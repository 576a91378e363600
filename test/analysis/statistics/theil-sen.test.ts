import { describe, expect, it } from "vitest";
import { PairwiseSlopes } from "../../../src/analysis/statistics/theil-sen.ts";
import { seededRandom } from "../../../src/model/random.ts";

const random = seededRandom(6);

/** Every slope, sorted. */
function allSlopes(values: Float64Array): Float64Array {
  const slopes: number[] = [];
  values.forEach((later, j) => {
    for (let i = 0; i < j; i++) slopes.push((later - values[i]!) / (j - i));
  });
  return Float64Array.from(slopes).sort();
}

describe("the slopes between pairs", () => {
  it("of three values are three", () => {
    const slopes = new PairwiseSlopes(Float64Array.of(1, 4, 3));
    expect([slopes.count, slopes.at(0), slopes.at(1), slopes.at(2), slopes.median()]).toEqual([
      3, -1, 1, 3, 1,
    ]);
  });

  it.each([
    ["even", () => random()],
    ["whole", () => Math.floor(1e7 * random())],
    ["of two sizes", () => (random() < 0.5 ? 1 : 2)],
    ["all equal but one in a hundred", () => (random() < 0.01 ? 1000 : 5)],
    ["without a mean", () => Math.tan(Math.PI * (random() - 0.5))],
  ])("are found at every rank among half a million and more where times are %s", (_, time) => {
    const values = Float64Array.from({ length: 1050 }, time);
    const all = allSlopes(values);
    const slopes = new PairwiseSlopes(values);
    expect(slopes.count).toBe(all.length);
    const last = all.length - 1;
    const spread = all[(last * 0.9) | 0]! - all[(last * 0.1) | 0]!;
    const some = Array.from({ length: 20 }, () => Math.floor(random() * all.length));
    for (const rank of [
      0,
      1,
      200,
      last >> 2,
      last >> 1,
      (last >> 1) + 1,
      last - 50,
      last - 1,
      last,
      ...some,
    ]) {
      const expected = all[rank]!;
      const error = Math.abs(slopes.at(rank) - expected);
      expect(error, `rank ${rank}`).toBeLessThanOrEqual(1e-8 * Math.max(spread, Math.abs(expected)));
    }
  });
});
