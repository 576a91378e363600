/** One level or two: rarely two of one, and two where two are told apart by an eye. */
import { describe, expect, it } from "vitest";
import { flippingLevels, twoLevels } from "../../../src/analysis/statistics/modes.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { cases, SEED } from "../../seed.ts";

type Draw = (random: () => number) => number;

const normal: Draw = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const exponential: Draw = (random) => -Math.log(1 - random());

const student =
  (freedom: number): Draw =>
  (random) => {
    const squares = Array.from({ length: freedom }, () => normal(random) ** 2);
    return normal(random) / Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / freedom);
  };

/** What the logarithms of a cell's process times may be like that has one level. */
const UNIMODAL: readonly (readonly [string, Draw])[] = [
  ["normal", normal],
  ["uniform", (random) => random()],
  ["exponential", exponential],
  ["skewed", (random) => Math.exp(0.7 * normal(random))],
  ["Gumbel's", (random) => -Math.log(exponential(random))],
  ["Laplace's", (random) => exponential(random) * (random() < 0.5 ? -1 : 1)],
  ["heavy-tailed", student(3)],
  ["very heavy-tailed", student(2)],
  ["disturbed in a fifth", (random) => normal(random) * (random() < 0.2 ? 8 : 1)],
];

/** Times around 20 µs whose logarithms are spread by a third: so that no gap is too small to be looked at. */
function timesOf(draw: Draw, count: number, random: () => number, spread = 0.3): number[] {
  return Array.from({ length: count }, () => 20_000 * Math.exp(spread * draw(random)));
}

describe("two levels", () => {
  it.each(UNIMODAL)("are found in at most one of a hundred cells of one level: %s", (_, draw) => {
    for (const count of [8, 16]) {
      const random = seededRandom(SEED + count);
      const times = cases(20_000);
      let found = 0;
      for (let i = 0; i < times; i++) if (twoLevels(timesOf(draw, count, random)) !== undefined) found += 1;
      // Three standard errors of a share of 1 %.
      expect(found / times).toBeLessThanOrEqual(0.01 + 3 * Math.sqrt(0.0099 / times));
    }
  });

  it.each([
    // 86,000 and 109,000 instructions a call: protobufjs's encode, whose processes of one code are 2 % apart.
    { what: "two codes of a function", ratio: 109 / 86, spread: 0.02, least: { 8: 0.5, 16: 0.9 } },
    // flatbuffers' encode, whose garbage another thread frees.
    { what: "another thread in the way", ratio: 52.4 / 23, spread: 0.05, least: { 8: 0.5, 16: 0.9 } },
  ])("are found where there are two: $what", ({ ratio, spread, least }) => {
    for (const count of [8, 16] as const) {
      const random = seededRandom(SEED + count);
      const times = cases(2000);
      let found = 0;
      for (let i = 0; i < times; i++) {
        const cell = timesOf(normal, count, random, spread).map(
          (time) => (random() < 0.5 ? ratio : 1) * time,
        );
        if (twoLevels(cell) !== undefined) found += 1;
      }
      expect(found / times).toBeGreaterThan(least[count]);
    }
  });
});

describe("processes that flip", () => {
  it("are found in at most one of a hundred cells that wander at one level and collect garbage", () => {
    const random = seededRandom(SEED);
    const times = cases(1000);
    let found = 0;
    for (let i = 0; i < times; i++) {
      const batches = Array.from({ length: 8 }, () => {
        let drift = 0;
        return timesOf(normal, 200, random, 0.05).map((time) => {
          drift = 0.98 * drift + 0.01 * normal(random);
          return time * Math.exp(drift) * (random() < 0.1 ? 3 : 1);
        });
      });
      if (flippingLevels(batches, Array(8).fill(0)) !== undefined) found += 1;
    }
    expect(found / times).toBeLessThanOrEqual(0.01 + 3 * Math.sqrt(0.0099 / times));
  });
});
