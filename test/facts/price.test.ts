import { describe, expect, it } from "vitest";
import { isPrice, priceOf } from "../../src/facts/price.ts";

/** Work that an engine cannot leave out. */
function work(steps: number): () => number {
  let sum = 1;
  return () => {
    for (let step = 0; step < steps; step++) sum = Math.imul(sum ^ step, 0x9e3779b1);
    return sum;
  };
}

describe("priceOf", () => {
  it("says what costs twice as much, with an interval", () => {
    const { price, priceCi95 } = priceOf(work(2_000), work(4_000));
    expect(price).toBeGreaterThan(0.6);
    expect(price).toBeLessThan(1.5);
    expect(priceCi95[0]).toBeLessThanOrEqual(price);
    expect(priceCi95[1]).toBeGreaterThanOrEqual(price);
  });

  it("finds a price of what costs less too", () => {
    expect(priceOf(work(4_000), work(2_000)).price).toBeLessThan(-0.3);
  });

  it("ends for work that takes longer than a round", () => {
    const { priceCi95 } = priceOf(work(20_000_000), work(20_000_000));
    expect(priceCi95.every(Number.isFinite)).toBe(true);
  });
});

it("knows rows of prices by their names", () => {
  expect(["price of verifying", "add a field at the end of M"].map(isPrice)).toEqual([true, false]);
});
