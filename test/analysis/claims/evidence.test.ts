/** How far figures of one run between processes are trusted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { medianEstimate, shareEstimate } from "../../../src/analysis/claims/evidence.ts";
import { timesOf } from "../../reports/ipc-record.ts";
import { runs, SEED } from "../../seed.ts";

describe("evidence", () => {
  it("has no interval below 24 messages", () => {
    expect(medianEstimate(timesOf(23, 100))).toBeUndefined();
    expect(medianEstimate(undefined)).toBeUndefined();
    expect(medianEstimate(timesOf(24, 100))).toBeDefined();
  });

  it("narrows with the messages, and to a tenth at most", () => {
    const of = (n: number) => medianEstimate({ n, min: 0, p50: 100, p90: 200, max: 900 })!;
    expect(of(100).low).toBeCloseTo(100 - 100 * (0.196 / 0.5), 2);
    expect(of(100).high).toBeCloseTo(100 + 100 * (0.196 / 0.4), 2);
    expect(of(100_000)).toEqual({ middle: 100, low: 100 / 1.1, high: expect.closeTo(110) });
  });

  it("holds the order statistics of independent messages that it stands for", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 5000 }),
        fc.double({ min: 1, max: 6, noNaN: true }),
        (n, power) => {
          // Quantiles of a distribution with a tail above, as times have.
          const quantile = (q: number): number => 100 + (q / (1.02 - q)) ** power;
          const { low, high } = medianEstimate({
            n,
            min: quantile(0),
            p50: quantile(0.5),
            p90: quantile(0.9),
            max: quantile(1),
          })!;
          const far = 0.98 / Math.sqrt(n);
          expect(low).toBeLessThanOrEqual(quantile(0.5 - far));
          expect(high).toBeGreaterThanOrEqual(quantile(0.5 + far));
        },
      ),
      { seed: SEED, numRuns: runs(100) },
    );
  });

  it("has a share between none and all", () => {
    expect(shareEstimate(0, 200)).toEqual({ middle: 0, low: 0, high: expect.closeTo(0.0713, 3) });
    expect(shareEstimate(200, 200).high).toBeCloseTo(1);
    const { low, high } = shareEstimate(100, 200);
    expect(low + high).toBeCloseTo(1);
  });
});
