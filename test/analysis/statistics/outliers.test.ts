import { describe, expect, it } from "vitest";
import { outliersOf } from "../../../src/analysis/statistics/outliers.ts";

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
