/** How often ratios are called different that are equal, and found that are not: by simulated runs. */
import { describe, expect, it } from "vitest";
import {
  pairedRatio,
  type RatioEstimate,
  type Replicate,
  unpairedRatio,
} from "../../../src/analysis/statistics/ratio.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { replicatesFrom, seededNormal } from "./normal.ts";

const normal = seededNormal(3);

describe("simulated runs", () => {
  const random = seededRandom(8);
  const noises = {
    normal: () => 0.01345 * normal(),
    "one process of ten 20 % slow": () => 0.01345 * normal() + (random() < 0.1 ? Math.log(1.2) : 0),
    "heavy tails": () => (0.01 * normal()) / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3),
  };
  const REPETITIONS = 500;

  /** Shares of runs: equal things called different, the truth in the interval, a difference of 3 % found. */
  function simulate(
    compare: typeof pairedRatio,
    noise: () => number,
    blocks: number,
    spread: number,
  ): number[] {
    const counts = [0, 0, 0];
    const count = (which: number, happened: boolean): void => {
      if (happened) counts[which]! += 1;
    };
    for (let i = 0; i < REPETITIONS; i++) {
      const drift = Array.from({ length: blocks }, () => spread * normal());
      const [base, same, slower] = [0, 0, Math.log(1.03)].map((shift) =>
        replicatesFrom(drift, () => shift + noise(), normal),
      ) as [Replicate[], Replicate[], Replicate[]];
      const options = { seed: i, resamples: 500 };
      const nothing: RatioEstimate = compare(same, base, options);
      const something = compare(slower, base, options);
      count(0, nothing.p! < 0.05);
      count(1, something.ci95![0] <= 1.03 && 1.03 <= something.ci95![1]);
      count(2, something.p! < 0.05);
    }
    return counts.map((happened) => happened / REPETITIONS);
  }

  it.each([
    ["normal", 3, 0.1],
    ["normal", 8, 0.86],
    ["normal", 16, 0.98],
    ["one process of ten 20 % slow", 3, 0.05],
    // The one of eight may be the other of two codes: what accidents cost is the price of fewer false differences.
    ["one process of ten 20 % slow", 8, 0.14],
    ["one process of ten 20 % slow", 16, 0.45],
    ["heavy tails", 3, 0.1],
    ["heavy tails", 8, 0.8],
    ["heavy tails", 16, 0.95],
  ] as const)("find no more than there is: paired, %s, %d blocks", (noise, blocks, power) => {
    const [wrong, covered, found] = simulate(pairedRatio, noises[noise], blocks, 0.05);
    expect(wrong).toBeLessThan(0.075);
    expect(covered).toBeGreaterThan(0.925);
    expect(found).toBeGreaterThan(power);
  });

  it("find no more than there is: two runs", () => {
    const [wrong, covered, found] = simulate(unpairedRatio, noises.normal, 8, 0);
    expect(wrong).toBeLessThan(0.075);
    expect(covered).toBeGreaterThan(0.925);
    expect(found).toBeGreaterThan(0.86);
  });
});
