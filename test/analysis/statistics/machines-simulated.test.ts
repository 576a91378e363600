/** One ratio on several simulated machines that agree, and on some that do not. */
import { describe, expect, it } from "vitest";
import { familyOf } from "../../../src/analysis/statistics/inference.ts";
import { machinesContradict, machinesRatio } from "../../../src/analysis/statistics/machines.ts";
import { pairedRatio, type RatioEstimate } from "../../../src/analysis/statistics/ratio.ts";
import { verdictOf } from "../../../src/analysis/verdict.ts";
import { cases, SEED } from "../../seed.ts";
import { replicatesFrom, seededNormal } from "./normal.ts";

const LIMITS = { threshold: 0.01, gate: 0.01 };

/** Ratios of two codecs on machines, as so many blocks of each would show them. */
function simulated(
  ratios: readonly number[],
  { blocks, deviation, normal }: { blocks: number; deviation: number; normal: () => number },
): RatioEstimate[] {
  return ratios.map((ratio) => {
    const drifts = Array.from({ length: blocks }, () => 0.05 * normal());
    const timed = (times: number) =>
      replicatesFrom(drifts, () => Math.log(times) + deviation * normal(), normal, deviation / 3);
    return pairedRatio(timed(ratio), timed(1), { resamples: 300 });
  });
}

describe("a ratio on several machines", () => {
  it.each([
    [2, 8],
    [3, 3],
    [5, 8],
  ])("of %i machines with %i blocks each is wrong in one of twenty records at most", (machines, blocks) => {
    const normal = seededNormal(SEED);
    const records = cases(120);
    let disagree = 0;
    let wrong = 0;
    for (let i = 0; i < records; i++) {
      const cells = Array.from({ length: 8 }, () => {
        const deviation = 0.01 * Math.exp(0.7 * normal());
        return machinesRatio(simulated(Array<number>(machines).fill(1), { blocks, deviation, normal }));
      });
      const differ = familyOf(cells, (one) => one.differ, 0.05).adjusted;
      const p = familyOf(cells, (one) => one.p, 0.05).adjusted;
      if (cells.some((one) => machinesContradict(one, differ.get(one) ?? null, 0.01))) disagree += 1;
      const verdicts = cells.map((one) => verdictOf({ ...one, p: p.get(one) ?? null }, LIMITS));
      if (verdicts.some((verdict) => verdict === "faster" || verdict === "slower")) wrong += 1;
    }
    // 5 %, and what chance adds to it in so many records.
    const most = records * 0.05 + 3 * Math.sqrt(records * 0.05);
    expect(disagree).toBeLessThanOrEqual(most);
    expect(wrong).toBeLessThanOrEqual(most);
  });

  it("finds that machines disagree", () => {
    const normal = seededNormal(SEED);
    const found = Array.from({ length: 20 }, () => {
      const estimate = machinesRatio(simulated([0.85, 1.15], { blocks: 5, deviation: 0.02, normal }));
      return machinesContradict(estimate, estimate.differ, 0.01);
    });
    expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(18);
  });
});
