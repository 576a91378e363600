import { describe, expect, it } from "vitest";
import { holm } from "../../../src/analysis/statistics/holm.ts";

describe("holm", () => {
  it.each([
    [[], []],
    [[0.03], [0.03]],
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.03, 0.06, 0.06, 0.02],
    ],
    [
      [0.9, 0.8, 0.001],
      [1, 1, 0.003],
    ],
    [
      [0.02, 0.02],
      [0.04, 0.04],
    ],
  ])("adjusts %j to %j", (probabilities, expected) => {
    expect(holm(probabilities)).toEqual(expected.map((p) => expect.closeTo(p, 12)));
  });
});
