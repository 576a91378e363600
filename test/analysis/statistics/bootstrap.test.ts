import { describe, expect, it } from "vitest";
import { LEVELS, stretchLevels } from "../../../src/analysis/statistics/bootstrap.ts";
import { median, stretchesOf } from "../../../src/analysis/statistics/location.ts";
import { seededRandom } from "../../../src/model/random.ts";

describe("stretchesOf", () => {
  it.each([
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0, 5, [1.5, 3.5, 5.5, 7.5, 9.5]],
    [[1, 2, 3, 4, 5, 6, 7], 0, 3, [1.5, 4, 6.5]],
    [[3, 1, 2], 1, 5, [2, 0, 1]],
    [[3, 1], 2, 1, [0.5]],
    [[], 0, 5, []],
  ])("of %j less %d, cut into %d, is %j", (batches, loop, count, expected) => {
    expect(stretchesOf(batches, loop, count)).toEqual(expected);
  });
});

describe("stretchLevels", () => {
  it.each([1, 2, 3, 4, 5, 7])("are distributed as medians of %d stretches drawn again", (count) => {
    const random = seededRandom(count);
    const stretches = Array.from({ length: count }, (_, i) => (i + 1) ** 2);
    const drawn = Array.from({ length: 4000 }, () =>
      median(stretches.map(() => stretches[Math.floor(random() * count)]!)),
    );
    const levels = stretchLevels(stretches);
    expect(levels).toHaveLength(LEVELS);
    for (const limit of stretches) {
      const share = (values: ArrayLike<number>): number =>
        Array.from(values).filter((value) => value <= limit).length / values.length;
      // An even number of stretches is treated a little more simply.
      expect(Math.abs(share(levels) - share(drawn))).toBeLessThan(count % 2 === 0 ? 0.15 : 0.05);
    }
  });
});
