/** How much alike neighbours are, by Hamed and Rao's sum over numpy's correlations of scipy's ranks. */
import { describe, expect, it } from "vitest";
import { dependenceOf } from "../../../src/analysis/statistics/trend.ts";

const ramp = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("the dependence of neighbours", () => {
  // The lags of a ramp are all looked at, up to half of its length, and up to a thousand.
  it.each([
    [10, 5.691778125000001],
    [11, 6.286955649062329],
    [12, 7.543294216882086],
    [13, 8.268357088439155],
    [2100, 1809.0752178240639],
  ])("of a ramp of %d is %d", (count, expected) => {
    expect(dependenceOf(Float64Array.from(ramp(count))) / expected).toBeCloseTo(1, 9);
  });

  it.each([
    [[1, 5, 2, 6, 3, 7, 4, 8, 5, 9, 1, 7], 2.041743236175675],
    [[1, 1, 2, 2, 2, 3, 1, 4, 4, 4, 5, 5], 5.824910751657559],
    [Array<number>(8).fill(3), 2.2294416511024053],
    [
      Array.from({ length: 60 }, (_, i) => Math.round(100 * Math.sin(i / 5) + ((i * 37) % 11))),
      14.784420828233905,
    ],
  ])("of %j is %d", (values, expected) => {
    expect(dependenceOf(Float64Array.from(values))).toBeCloseTo(expected, 9);
  });
});
