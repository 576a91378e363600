/** How often an interval of a median holds it. */
import { describe, expect, it } from "vitest";
import { confidenceInterval } from "../../../src/analysis/statistics/location.ts";
import { seededRandom } from "../../../src/model/random.ts";

describe("confidenceInterval", () => {
  const random = seededRandom(7);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const logNormal = (): number => 100 * Math.exp(0.05 * normal());
  // Two ways in which V8 optimises the same code, the second less often, with the median in the first.
  const twoModes = (): number => (random() < 0.3 ? 170 : 100) + normal();
  const skewed = (): number => 100 - 5 * Math.log(1 - random());

  it.each([
    ["five of a log-normal", 5, logNormal, 100],
    ["three of a log-normal", 3, logNormal, 100],
    ["eight of a log-normal", 8, logNormal, 100],
    ["sixteen of a log-normal", 16, logNormal, 100],
    ["eight of two modes", 8, twoModes, 100.5659],
    ["sixteen of two modes", 16, twoModes, 100.5659],
    ["eight of a skewed distribution", 8, skewed, 100 + 5 * Math.LN2],
  ])("covers the median in 95 %% of repetitions: %s", (_, count, draw, truth) => {
    const repetitions = 6000;
    let covered = 0;
    for (let i = 0; i < repetitions; i++) {
      const [low, high] = confidenceInterval(Array.from({ length: count }, draw)) ?? [0, 0];
      if (low <= truth && truth <= high) covered += 1;
    }
    expect(covered / repetitions).toBeGreaterThan(0.935);
    expect(covered / repetitions).toBeLessThan(0.965);
  });
});
