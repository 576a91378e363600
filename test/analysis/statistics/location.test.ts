import { describe, expect, it } from "vitest";
import {
  confidenceInterval,
  fasterHalves,
  mean,
  median,
  medianAbsoluteDeviation,
  medianOfMeans,
  outliersOf,
  quantile,
} from "../../../src/analysis/statistics/location.ts";
import { seededRandom } from "../../../src/model/random.ts";

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

describe("medianOfMeans", () => {
  it("counts what happens throughout with its share", () => {
    const collected = Array.from({ length: 1000 }, (_, i) => (i % 50 === 0 ? 1000 : 10));
    expect(median(collected)).toBe(10);
    expect(medianOfMeans(collected, 5)).toBeCloseTo(mean(collected));
  });

  it("leaves out what happens once", () => {
    const disturbed = Array.from({ length: 1000 }, (_, i) => (i >= 300 && i < 390 ? 1000 : 10));
    expect(medianOfMeans(disturbed, 5)).toBe(10);
  });

  it("weighs values of several sizes alike", () => {
    const mixed = Array.from({ length: 300 }, (_, i) => [1, 1, 1000][i % 3]!);
    expect(medianOfMeans(mixed, 5)).toBeCloseTo(334);
  });

  it("is the median where there are few values", () => {
    expect(medianOfMeans([3, 1, 2], 5)).toBe(2);
  });
});

it("measures spread by the median absolute deviation", () => {
  expect(medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9])).toBe(1);
});

it("interpolates quantiles", () => {
  expect(quantile([0, 10, 20, 30], 0.5)).toBe(15);
  expect(quantile([0, 10, 20, 30], 0.99)).toBeCloseTo(29.7);
});

describe("confidenceInterval", () => {
  it.each([[[5]], [[]], [[0, 0, 0]], [[3, Number.NaN]]])("is not known from %j", (values) => {
    expect(confidenceInterval(values)).toBeNull();
  });
});

describe("outliers", () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ["a slow one", [100, 101, 99, 180, 102, 98, 100, 101], [3]],
    ["a fast one", [100, 101, 99, 102, 60, 98, 100, 101], [4]],
    ["one on each side, in order", [300, 101, 99, 102, 60, 98, 100, 101], [0, 4]],
    ["none of what varies alike", [100, 110, 90, 105, 95, 102, 98, 107], []],
    ["none by its logarithm that is far by its value", [1, 2, 4, 8, 16, 32, 64, 128], []],
    ["one of four", [100, 100, 100, 101], [3]],
    ["none of three", [1, 1, 1000], []],
    ["none of one", [5], []],
    ["none of none", [], []],
    ["none of equals", [7, 7, 7, 7], []],
    ["one among times of nothing", [0, 0, 0, 0, 3], [4]],
  ])("are %s", (_, values, outliers) => {
    expect(outliersOf(values)).toEqual(outliers);
  });
});

describe("fasterHalves", () => {
  it("are the means of the lower half of each of five stretches, without the loop", () => {
    const stretch = [9, 1, 5, 3, 7];
    const batches = [0, 10, 20, 30, 40].flatMap((more) => stretch.map((value) => value + more));
    expect(fasterHalves(batches, 1)).toEqual([2, 12, 22, 32, 42]);
  });

  it("are those of sorted batches, also where many are equal", () => {
    const random = seededRandom(7);
    for (let round = 0; round < 500; round++) {
      const values = 1 + Math.floor(random() * 60);
      const distinct = 1 + Math.floor(random() * 30);
      const batches = Array.from({ length: values }, () => 2 + Math.floor(random() * distinct));
      const before = [...batches];
      const stretches = Math.min(5, values);
      const wanted = Array.from({ length: stretches }, (_, i) => {
        const [from, to] = [i, i + 1].map((at) => Math.round((at * values) / stretches)) as [number, number];
        const sorted = batches.slice(from, to).sort((a, b) => a - b);
        return mean(sorted.slice(0, Math.ceil(sorted.length / 2)).map((batch) => Math.max(batch - 3, 0)));
      });
      const found = fasterHalves(batches, 3);
      expect(found).toHaveLength(stretches);
      found.forEach((value, i) => {
        expect(value).toBeCloseTo(wanted[i]!, 10);
      });
      expect(batches).toEqual(before);
    }
  });
});
