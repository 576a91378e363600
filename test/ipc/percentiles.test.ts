import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { percentilesOf } from "../../src/ipc/figures/percentiles.ts";
import { runs, SEED } from "../seed.ts";

/** 1 to n, from the greatest down. */
function countdown(n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => n - i);
}

describe("percentiles", () => {
  it.each([
    [0, { n: 0 }],
    [1, { n: 1, min: 1, max: 1 }],
    [19, { n: 19, min: 1, max: 19 }],
    [20, { n: 20, min: 1, p50: 10, max: 20 }],
    [99, { n: 99, min: 1, p50: 50, max: 99 }],
    [100, { n: 100, min: 1, p50: 50, p90: 90, max: 100 }],
    [999, { n: 999, min: 1, p50: 500, p90: 900, max: 999 }],
    [1000, { n: 1000, min: 1, p50: 500, p90: 900, p99: 990, max: 1000 }],
    [9999, { n: 9999, min: 1, p50: 5000, p90: 9000, p99: 9900, max: 9999 }],
    [10_000, { n: 10_000, min: 1, p50: 5000, p90: 9000, p99: 9900, p999: 9990, max: 10_000 }],
  ])("of %d values are those that so many tell", (n, expected) => {
    expect(percentilesOf(countdown(n))).toEqual(expected);
  });

  it("have the least value with so many at or below it, and leave the input as it is", () => {
    const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 1500 });
    fc.assert(
      fc.property(values, (list) => {
        const input = Float64Array.from(list);
        const told = percentilesOf(input);
        expect(input).toEqual(Float64Array.from(list));
        for (const [name, q] of [
          ["p50", 0.5],
          ["p90", 0.9],
          ["p99", 0.99],
        ] as const) {
          const value = told[name];
          if (value === undefined) continue;
          const share = (count: (one: number) => boolean): number => list.filter(count).length / list.length;
          expect(list).toContain(value);
          expect(share((one) => one <= value)).toBeGreaterThanOrEqual(q);
          expect(share((one) => one < value)).toBeLessThan(q);
        }
      }),
      { seed: SEED, numRuns: runs(100) },
    );
  });
});
