import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../../../src/analysis/statistics/wilson.ts";

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
