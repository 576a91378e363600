import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { median } from "../../../src/analysis/statistics/location.ts";
import { driftOf, percentilesOf } from "../../../src/ipc/figures/percentiles.ts";
import { seededRandom } from "../../../src/model/random.ts";
import type { IpcDrift } from "../../../src/model/records/ipc.ts";
import { cases, runs, SEED } from "../../seed.ts";

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
        const known = percentilesOf(input);
        expect(input).toEqual(Float64Array.from(list));
        for (const [name, q] of [
          ["p50", 0.5],
          ["p90", 0.9],
          ["p99", 0.99],
        ] as const) {
          const value = known[name];
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

function drift(latencies: Float64Array): IpcDrift {
  const found = driftOf(latencies);
  if (found === undefined) throw new Error("there is no drift");
  return found;
}

function series(n: number, at: (i: number) => number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => at(i));
}

/** Theil and Sen's slope as it is defined. */
function medianSlope(values: Float64Array): number {
  return median(
    Array.from(values).flatMap((later, j) =>
      Array.from(values.subarray(0, j), (earlier, i) => (later - earlier) / (j - i)),
    ),
  );
}

describe("drift", () => {
  it("is not seen in fewer than 20 messages", () => {
    expect(driftOf(series(19, (i) => i))).toBeUndefined();
    expect(driftOf(series(20, (i) => i))).toBeDefined();
  });

  it.each([20, 333, 1000, 1001, 4096])("of a line of %d messages is its slope", (n) => {
    const tenth = Math.floor(n / 10);
    expect(drift(series(n, (i) => 5000 - 3 * i))).toEqual({
      slopePer1000: -3000,
      ci95: [-3000, -3000],
      firstDecile: 5000 - (3 * (tenth - 1)) / 2,
      lastDecile: 5000 - 3 * (n - 1) + (3 * (tenth - 1)) / 2,
    });
  });

  it.each([20, 1000, 20_000])("of %d equal times is nothing", (n) => {
    expect(drift(series(n, () => 7))).toEqual({
      slopePer1000: 0,
      ci95: [0, 0],
      firstDecile: 7,
      lastDecile: 7,
    });
  });

  it("of 20 known values is what Sen's procedure gives by hand", () => {
    // 190 slopes; S has a standard deviation of √950, so the interval is from the 65th to the 126th of them.
    const values = series(20, (i) => (i * 7) % 20);
    const slopes = Array.from({ length: 20 }, (_, j) =>
      Array.from({ length: j }, (_, i) => (values[j]! - values[i]!) / (j - i)),
    )
      .flat()
      .toSorted((a, b) => a - b);
    expect(drift(values)).toEqual({
      slopePer1000: ((slopes[94]! + slopes[95]!) / 2) * 1000,
      ci95: [slopes[64]! * 1000, slopes[125]! * 1000],
      firstDecile: 3.5,
      lastDecile: 9.5,
    });
  });

  it("agrees with the slopes made one by one", () => {
    const times = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 20, maxLength: 80 });
    fc.assert(
      fc.property(times, (list) => {
        const values = Float64Array.from(list);
        const { slopePer1000, ci95 } = drift(values);
        expect(slopePer1000).toBeCloseTo(medianSlope(values) * 1000, 5);
        expect(ci95[0]).toBeLessThanOrEqual(slopePer1000);
        expect(ci95[1]).toBeGreaterThanOrEqual(slopePer1000);
      }),
      { seed: SEED, numRuns: runs(200) },
    );
  });

  it("agrees with them where slopes are bisected", () => {
    const random = seededRandom(3);
    const values = series(1500, (i) => Math.round(1e7 + 1e6 * random() + 40 * i));
    expect(drift(values).slopePer1000 / 1000).toBeCloseTo(medianSlope(values), 5);
  });

  it("turns round with the times, and knows no unit and no offset", () => {
    const times = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(times, (list) => {
        const values = Float64Array.from(list);
        const { slopePer1000, ci95 } = drift(values);
        const turned = drift(values.toReversed());
        expect(turned.slopePer1000).toBeCloseTo(-slopePer1000, 5);
        expect(turned.ci95[0]).toBeCloseTo(-ci95[1], 5);
        const other = drift(values.map((value) => 4 * value + 1000));
        expect(other.slopePer1000).toBeCloseTo(4 * slopePer1000, 5);
        expect(other.ci95[1]).toBeCloseTo(4 * ci95[1], 5);
      }),
      { seed: SEED, numRuns: runs(100) },
    );
  });

  it.each([0, 1, 500, 998, 999])("is not moved by a spike of a hundred times, at message %d", (at) => {
    const random = seededRandom(4);
    const values = series(1000, (i) => 1e6 + 1e5 * random() + 30 * i);
    const quiet = drift(values);
    const spiked = drift(values.with(at, 1e8));
    const width = quiet.ci95[1] - quiet.ci95[0];
    expect(Math.abs(spiked.slopePer1000 - quiet.slopePer1000)).toBeLessThan(width / 20);
    expect(Math.abs(spiked.ci95[0] - quiet.ci95[0])).toBeLessThan(width / 10);
    expect(Math.abs(spiked.ci95[1] - quiet.ci95[1])).toBeLessThan(width / 10);
  });

  it("is found in 20,000 messages with spikes", () => {
    const random = seededRandom(5);
    const values = series(20_000, (i) => 1e7 + 1e6 * random() + (random() < 0.02 ? 1e8 : 0) + 2 * i);
    const { ci95, slopePer1000 } = drift(values);
    expect(slopePer1000).toBeGreaterThan(1500);
    expect(slopePer1000).toBeLessThan(2500);
    expect(ci95[0]).toBeGreaterThan(0);
    expect(ci95[0]).toBeLessThan(2000);
    expect(ci95[1]).toBeGreaterThan(2000);
  });
});

describe("the interval of a drift", () => {
  const random = seededRandom(11);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const independent = (n: number): Float64Array => series(n, normal);
  const skewed = (n: number): Float64Array => series(n, () => Math.exp(normal()));
  const heavy = (n: number): Float64Array => series(n, () => normal() / normal());
  /** Each value is like the one before. */
  const alike =
    (correlation: number) =>
    (n: number): Float64Array => {
      let state = normal();
      return series(n, () => {
        state = correlation * state + Math.sqrt(1 - correlation ** 2) * normal();
        return state;
      });
    };
  /** Two of thirty messages meet a collection of garbage. */
  const collected = (n: number): Float64Array => {
    const phase = Math.floor(random() * 30);
    return series(n, (i) => normal() + ((i + phase) % 30 < 2 ? 20 : 0));
  };
  /** A neighbour's work comes and goes, every 25 messages or so. */
  const disturbed = (n: number): Float64Array => {
    let slow = random() < 0.5;
    return series(n, () => {
      if (random() < 1 / 25) slow = !slow;
      return normal() + (slow ? 3 : 0);
    });
  };

  // The slope is added, and found again: the interval has to hold it, whatever the noise is like.
  it.each([
    ["20 independent", 20, independent, 1000, 0.94],
    ["100 independent", 100, independent, 500, 0.94],
    ["100 skewed", 100, skewed, 500, 0.94],
    ["100 with outliers", 100, heavy, 500, 0.94],
    ["100 with collections", 100, collected, 500, 0.94],
    ["100 with a correlation of 0.3", 100, alike(0.3), 500, 0.92],
    ["100 with a correlation of 0.6", 100, alike(0.6), 500, 0.92],
    ["400 with a correlation of 0.9", 400, alike(0.9), 150, 0.9],
    ["400 with disturbances", 400, disturbed, 150, 0.9],
    ["1200 with a correlation of 0.6", 1200, alike(0.6), 100, 0.9],
  ])(
    "covers it in 19 of 20 repetitions, or a few less where neighbours are alike: %s",
    (_, n, noise, repetitions, least) => {
      const truth = 0.25;
      // Fewer would not tell 19 of 20 from less.
      const tried = Math.max(cases(repetitions), repetitions / 2);
      let covered = 0;
      for (let i = 0; i < tried; i++) {
        const { ci95 } = drift(noise(n).map((value, k) => value + truth * k));
        if (ci95[0] <= truth * 1000 && truth * 1000 <= ci95[1]) covered += 1;
      }
      expect(covered / tried).toBeGreaterThan(least);
    },
  );

  it("is not needlessly wide: of independent messages it misses some", () => {
    let covered = 0;
    for (let i = 0; i < 600; i++) {
      const { ci95 } = drift(independent(100));
      if (ci95[0] <= 0 && 0 <= ci95[1]) covered += 1;
    }
    expect(covered / 600).toBeLessThan(0.985);
  });
});
