/** How long a process recovers from a collection: until its calls get no faster. */
import { describe, expect, it } from "vitest";
import { type AimedBatch, recovered } from "../../src/measure/warming.ts";

const AIMED: AimedBatch = { micros: 64, leastMicros: 16 };

/** Recovers for 16 ms with calls that take so many microseconds, by the milliseconds that were spent before. */
function recovery(microsAt: (ms: number) => number): { readonly calls: number; readonly spentMs: number } {
  let spentMs = 0;
  const batchOf = (count: number) => {
    const ms = (count * microsAt(spentMs)) / 1000;
    spentMs += ms;
    return { ms, wallMs: ms, waited: undefined, slowdown: undefined };
  };
  return { calls: recovered(batchOf, 1, 16, AIMED), spentMs };
}

describe("a recovery", () => {
  it("takes its time where calls take the same", () => {
    const { calls, spentMs } = recovery(() => 4);
    expect(calls).toBe(8);
    expect(spentMs).toBeGreaterThanOrEqual(16);
    expect(spentMs).toBeLessThan(17.5);
  });

  it("goes on while calls get faster, and finds batches for those that they have become", () => {
    // The fourth part of 4 ms is faster than the third, and the fifth is no faster.
    const { calls, spentMs } = recovery((ms) => (ms < 13 ? 8 : 2));
    expect(calls).toBe(16);
    expect(spentMs).toBeGreaterThanOrEqual(20);
    expect(spentMs).toBeLessThan(22);
  });

  it("does not go on for calls that are faster by less than 3 %, or slower", () => {
    for (const later of [3.95, 8]) expect(recovery((ms) => (ms < 13 ? 4 : later)).spentMs).toBeLessThan(18);
  });

  it("takes twice its time at most", () => {
    const { spentMs } = recovery((ms) => 8 * Math.exp(-ms / 20));
    expect(spentMs).toBeGreaterThanOrEqual(32);
    expect(spentMs).toBeLessThan(38);
  });

  it("has one call where that takes longer", () => {
    expect(recovery(() => 40_000)).toEqual({ calls: 1, spentMs: 40 });
  });
});
