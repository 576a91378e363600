import type { Replicate } from "../../../src/analysis/statistics/ratio.ts";
import { seededRandom } from "../../../src/model/random.ts";

/** Draws of a standard normal distribution (Box and Muller). */
export function seededNormal(seed: number): () => number {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** One process of each block, whose five stretches lie around the time that `log` draws, e.g. 0 for 1,000 ns. */
export function replicatesFrom(
  drifts: readonly number[],
  log: () => number,
  normal: () => number,
  within = 0.008,
): Replicate[] {
  return drifts.map((drift, block) => {
    const level = log() + drift;
    return { block, stretches: [1, 2, 3, 4, 5].map(() => 1000 * Math.exp(level + within * normal())) };
  });
}
