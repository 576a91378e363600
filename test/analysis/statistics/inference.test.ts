import { describe, expect, it } from "vitest";
import { familyOf, holm, rankOrder, wilsonInterval } from "../../../src/analysis/statistics/inference.ts";

describe("the interval of a rate", () => {
  it.each([
    [1, 10],
    [5, 10],
    [10, 200],
    [90, 100],
  ])("of %i of %i ends at the rates that are 1.96 standard errors of their own away", (count, of) => {
    for (const rate of wilsonInterval(count, of)) {
      expect(Math.abs(rate - count / of) / Math.sqrt((rate * (1 - rate)) / of)).toBeCloseTo(1.959964, 5);
    }
  });

  it.each([
    [0, 10, 0, 0.2775],
    [5, 5, 0.5655, 1],
    [0, 100, 0, 0.037],
  ])("of %i of %i is %f to %f", (count, of, low, high) => {
    const [from, to] = wilsonInterval(count, of);
    expect(from).toBeCloseTo(low, 4);
    expect(to).toBeCloseTo(high, 4);
  });

  it("holds the rate itself, and lies between 0 and 1", () => {
    for (let of = 1; of <= 60; of++) {
      for (let count = 0; count <= of; count++) {
        const [low, high] = wilsonInterval(count, of);
        expect(low >= 0 && low <= count / of && high >= count / of && high <= 1, `${count} of ${of}`).toBe(
          true,
        );
      }
    }
  });
});

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

describe("ranks", () => {
  it("tells an order from four and four that lie apart, and from nothing less", () => {
    expect(rankOrder([1, 2, 3, 4], [5, 6, 7, 8])).toBe(-1);
    expect(rankOrder([5, 6, 7, 8], [1, 2, 3, 4])).toBe(1);
    expect(rankOrder([1, 2, 3, 5], [4, 6, 7, 8])).toBe(0);
    expect(rankOrder([1, 2, 3], [5, 6, 7])).toBe(0);
    expect(rankOrder([1, 1, 1, 1], [1, 1, 1, 1])).toBe(0);
    expect(rankOrder([], [])).toBe(0);
  });
});

describe("a family of tests", () => {
  it("is adjusted for those whose probability is known, and asks the next one for what Holm asks", () => {
    const { adjusted, level } = familyOf(
      ["a", "b", "c", "d"],
      (name) => PROBABILITIES.get(name) ?? null,
      0.05,
    );
    expect([...adjusted]).toEqual([
      ["a", expect.closeTo(0.003, 12)],
      ["b", 1],
      ["c", 1],
    ]);
    expect(level).toBeCloseTo(0.025, 12);
  });

  it("has rejected none whose probability is the level itself", () => {
    const { adjusted, level } = familyOf([0.025, 0.9], (p) => p, 0.05);
    expect([...adjusted.values()]).toEqual([0.05, 0.9]);
    expect(level).toBe(0.025);
  });

  it("of none asks for the level itself", () => {
    expect(familyOf([], () => 0, 0.05)).toEqual({ adjusted: new Map(), level: 0.05 });
  });
});

const PROBABILITIES = new Map([
  ["a", 0.001],
  ["b", 0.9],
  ["c", 0.8],
]);
