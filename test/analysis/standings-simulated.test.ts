/** How often simulated records call equal codecs different, and find one that is slower. */
import { describe, expect, it } from "vitest";
import { withStandings } from "../../src/analysis/standings.ts";
import { Simulation } from "./simulated-cells.ts";

const OPTIONS = { baseline: "json", threshold: 0.01 };

describe("simulated records", () => {
  const RUNS = 120;
  const found = { three: 0, wrong: 0, split: 0 };
  for (let run = 0; run < RUNS; run++) {
    const simulation = new Simulation(1000 + run, 8);
    const one = withStandings(simulation.table({ json: 1000, again: 1000, other: 1030 }, 0.02), OPTIONS);
    if (one.cells[2]!.standing!.verdict === "slower") found.three += 1;
    const equal = ["a", "b", "c", "d", "e"].map((codec) => [codec, 1000]);
    const many = withStandings(
      simulation.table({ json: 1000, again: 1000, ...Object.fromEntries(equal) }, 0.02),
      OPTIONS,
    ).cells.map(({ standing }) => standing!);
    if (many.some(({ verdict, p }, i) => i !== 1 && p !== null && /er$/.test(verdict))) found.wrong += 1;
    if (many.some(({ tier }) => tier > 1)) found.split += 1;
  }

  it("find a difference of 3 % in eight blocks of 2 % behind the gate", () => {
    expect(found.three / RUNS).toBeGreaterThan(0.82);
  });

  it("call nothing different that is equal, and put it in one tier", () => {
    expect(found.wrong / RUNS).toBeLessThan(0.1);
    expect(found.split / RUNS).toBeLessThan(0.1);
  });
});
