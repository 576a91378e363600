import { afterEach, describe, expect, it, vi } from "vitest";
import { InversionCounter, PairwiseSlopes } from "../../../src/analysis/statistics/theil-sen.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { cases } from "../../seed.ts";

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

  it("have the mean of the two middle ones for their median where they are even in number", () => {
    // Of 0, 0, 0, 2, 3 and 6.
    expect(new PairwiseSlopes(Float64Array.of(0, 0, 0, 6)).median()).toBe(1);
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
    const some = Array.from({ length: cases(20) }, () => Math.floor(random() * all.length));
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

  it("are exact of as many as a thousand values", () => {
    const values = Float64Array.from({ length: 1000 }, () => random());
    const all = allSlopes(values);
    const slopes = new PairwiseSlopes(values);
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const rank = Math.floor(share * all.length);
      expect(slopes.at(rank)).toBe(all[rank]);
    }
  });

  it("are told apart from many equal ones that they follow or precede", () => {
    const values = Float64Array.from({ length: 1100 }, () => (random() < 0.5 ? 1 : 2));
    const slopes = new PairwiseSlopes(values);
    const all = allSlopes(values);
    const [first, last] = [all.indexOf(0), all.lastIndexOf(0)];
    expect(slopes.at(first - 1)).toBeLessThan(-1 / 1100);
    expect([slopes.at(first), slopes.at(last)]).toEqual([0, 0]);
    expect(slopes.at(last + 1)).toBeGreaterThan(1 / 1100);
  });

  it.each([4, 1100])("are exact where many of %d are equal, and none is -0", (count) => {
    const level = new PairwiseSlopes(
      Float64Array.from({ length: count }, (_, i) => (i === count - 1 ? -0 : 0)),
    );
    expect(level.at(0)).toBe(0);
    expect(level.median()).toBe(0);
    const falling = new PairwiseSlopes(Float64Array.from({ length: count }, (_, i) => -3 * i));
    expect([falling.at(0), falling.median(), falling.at(falling.count - 1)]).toEqual([-3, -3, -3]);
    const rising = new PairwiseSlopes(Float64Array.from({ length: count }, (_, i) => 3 * i));
    expect([rising.at(0), rising.median(), rising.at(rising.count - 1)]).toEqual([3, 3, 3]);
  });
});

describe("a slope among half a million and more", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([0.1, 0.25, 0.5, 0.75, 0.9])(
    "takes fewer countings than bisection of all, at %d of them",
    (share) => {
      const draw = seededRandom(7);
      const slopes = new PairwiseSlopes(Float64Array.from({ length: 1100 }, () => draw()));
      const counts = (["below", "atMost"] as const).map((name) => vi.spyOn(InversionCounter.prototype, name));
      slopes.at(Math.round(share * slopes.count));
      const countings = counts.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      // From -1 to 1, which no slope is beyond, it takes 40 to halve as often as is asked for.
      expect(countings).toBeGreaterThan(20);
      expect(countings).toBeLessThan(34);
    },
  );
});

describe("pairs whose slope is below another", () => {
  it.each([1, 2, 3, 4, 7, 8, 9, 33])("are counted as one by one, equal ones apart, of %d values", (count) => {
    const values = Float64Array.from({ length: count }, () => Math.floor(8 * random()));
    const all = allSlopes(values);
    const counter = new InversionCounter(values);
    for (const slope of [-9, -2, -1, -0.5, 0, 0.25, 1, 3, 9]) {
      expect(counter.below(slope)).toBe(all.filter((one) => one < slope).length);
      expect(counter.atMost(slope)).toBe(all.filter((one) => one <= slope).length);
    }
  });
});
