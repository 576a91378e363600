/** The location and its bootstrap, by every draw there is; and the levels of a median: see golden.py. */
import { describe, expect, it } from "vitest";
import { bootstrapLocation, stretchLevels } from "../../../src/analysis/statistics/bootstrap.ts";
import { seededRandom } from "../../../src/model/random.ts";
import golden from "./golden.json" with { type: "json" };

/** Random numbers with which so many values are drawn out of `total` in every way; two are drawn by one number. */
function* everyDraw(total: number, units: number): Generator<number, number> {
  for (let draw = 0; draw < total ** units; draw++) {
    const at = (i: number): number => Math.floor(draw / total ** i) % total;
    for (let i = 0; i < units; i += 2) {
      const next = i + 1 < units ? at(i + 1) : 0;
      yield (at(i) + (next + 0.5) / total) / total;
    }
  }
  return Number.NaN;
}

describe("the bootstrap of a location", () => {
  it.each(golden.bootstraps)("of $values in $units units", ({ values, inner, units, location, variance }) => {
    const total = (inner.length * units) / values.length;
    const draws = everyDraw(total, units);
    const random = (): number => draws.next().value;
    const found = bootstrapLocation(values, Float64Array.from(inner), random, total ** units, units);
    expect(found.location).toBeCloseTo(location, 9);
    expect(found.variance / (variance || 1)).toBeCloseTo(Math.sign(variance), 9);
    expect(random()).toBeNaN();
  });

  it("takes values for equal that differ by rounding alone, which lie at their middle", () => {
    const values = [0, 0, 0, 1e-13];
    const { location } = bootstrapLocation(values, Float64Array.from(values), () => 0, 1);
    expect(location).toBe(0);
  });

  it("is the mean where no value is far, though it lies as far above 0 as the median below", () => {
    const values = [-2.5, -2, -0.5, 3, 4.5];
    expect(bootstrapLocation(values, Float64Array.from(values), () => 0, 1).location).toBe(0.5);
  });

  it("counts what lies just at the corner as near", () => {
    // 1.5 times the scale of eight values around 0, whose median deviation is 1.
    const corner = 1.5 * (1.4826 * 1.129);
    const of = (edge: number): ReturnType<typeof bootstrapLocation> => {
      const values = [-edge, edge, -1, 1, -1, 1, -1, 1];
      return bootstrapLocation(values, Float64Array.from(values), seededRandom(1), 100);
    };
    const [near, at, far] = [corner * (1 - 1e-12), corner, corner * (1 + 1e-12)].map(of);
    expect(at!.variance / near!.variance).toBeCloseTo(1, 9);
    expect(far!.variance / near!.variance).toBeGreaterThan(1.5);
    expect([near!.least, at!.least]).toEqual([0, 0]);
    expect(far!.least).toBeGreaterThan(0);
  });

  it("takes each value for a unit where nothing else is said", () => {
    const [two] = golden.bootstraps;
    const draws = everyDraw(2, 2);
    const random = (): number => draws.next().value;
    expect(bootstrapLocation(two!.values, Float64Array.from(two!.inner), random, 4).variance).toBe(
      two!.variance,
    );
  });
});

describe("the least variance of a location", () => {
  const leastOf = (values: readonly number[], units = values.length): number =>
    bootstrapLocation(values, Float64Array.from(values), () => 0, 1, units).least;
  /** Values near 0, and some that are off. */
  const near = (count: number, off: readonly number[]): number[] => [
    ...Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 0.01 : -0.01)),
    ...off,
  ];

  it("is the mean's where few that lie far out may be all that is seen of a second level", () => {
    expect(leastOf(near(7, [0.2]))).toBeCloseTo(0.0050268 / 8, 7);
    expect(leastOf(near(6, [0.2, 0.2]))).toBeCloseTo(0.0086571 / 8, 7);
    expect(leastOf(near(12, [0.2, 0.2, 0.2, 0.2]))).toBeCloseTo(0.00808 / 16, 7);
  });

  it("is 0 where two levels that are as likely would not leave so few to one of them", () => {
    expect(leastOf(near(8, []))).toBe(0);
    expect(leastOf(near(8, []).map((value) => value + 1))).toBe(0);
    expect(leastOf(near(13, [0.2, 0.2, 0.2]))).toBe(0);
  });

  it("is the mean's of units, and 0 of equal values", () => {
    expect(leastOf([1, 3, 2, 4, 4, 6], 3)).toBeCloseTo(7 / 9, 12);
    expect(leastOf([0.1 + 0.2, 0.3, 0.3])).toBe(0);
  });
});

describe("the median of stretches that are drawn again", () => {
  it.each(golden.levels)("of %j is as likely each of %j", (stretches, levels) => {
    for (const order of [stretches, [...stretches!].reverse()])
      expect([...stretchLevels(order!)]).toEqual(levels);
    // What is known of so many stretches is used again.
    expect([...stretchLevels(stretches!)]).toEqual(levels);
  });

  it("is no number of none", () => {
    expect([...stretchLevels([])]).toEqual(Array(16).fill(Number.NaN));
  });
});
