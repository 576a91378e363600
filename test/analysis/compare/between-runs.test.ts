/** What runs of equal code differ by, from the logarithms of their times. */
import { describe, expect, it } from "vitest";
import { runDifferences } from "../../../src/analysis/compare/between-runs.ts";
import type { LogEstimate } from "../../../src/analysis/statistics/ratio.ts";
import { seededNormal } from "../statistics/normal.ts";

describe("what runs differ by", () => {
  const exact = (log: number): LogEstimate => ({ log, variance: { variance: 0, degrees: 7 } });

  it("is the variance between the runs of a side, without what they share", () => {
    // Two cells would share everything; the third and its kind stay where they are.
    const still = { base: [exact(0), exact(1), exact(2)], head: [exact(5)] };
    const moving = { base: [exact(0.1), exact(1), exact(1.9)], head: [exact(5)] };
    const { between, differences, shared } = runDifferences([still, still, still, moving, still], true);
    expect(shared).toBeCloseTo(4, 9);
    expect(between).toEqual({ deviation: 0, source: "runs" });
    // Of 0.1, 0 and -0.1, for a mean of three runs and one: 0.01 (1 + 1 / 3).
    expect(differences[3]?.variance?.variance).toBeCloseTo(0.01 * (4 / 3), 9);
    expect(differences[3]?.variance?.degrees).toBe(2);
  });

  it("is pooled over both sides where both have several runs", () => {
    const cell = { base: [exact(0), exact(0.2)], head: [exact(1), exact(1.4)] };
    const { differences } = runDifferences([cell], false);
    expect(differences[0]?.log).toBeCloseTo(1.1, 9);
    // (0.02 + 0.08) / 2 degrees, for two means of two.
    expect(differences[0]?.variance).toEqual({ variance: expect.closeTo(0.05, 9), degrees: 2 });
  });

  it.each([
    [4, 0.03945],
    [5, 0.0279],
    [6, 0.01972],
  ])("is at least what two codes would hide that %d processes do not show", (processes, deviation) => {
    const alike = (log: number): LogEstimate => ({ log, variance: { variance: 0, degrees: processes - 1 } });
    const { differences } = runDifferences([{ base: [alike(0)], head: [alike(0.2)] }], false);
    // Of the means of two sides.
    expect(differences[0]?.variance?.variance).toBeCloseTo((2 * deviation ** 2) / processes, 5);
  });

  it("leaves a cell unknown that took no time in one of several runs, and no other", () => {
    const lost = { base: [exact(0), exact(Number.NEGATIVE_INFINITY)], head: [exact(0)] };
    const cell = { base: [exact(0), exact(0.1)], head: [exact(0)] };
    for (const calibrate of [true, false]) {
      const { between, differences } = runDifferences([cell, lost, cell, cell], calibrate);
      const { differences: without } = runDifferences([cell, cell, cell], calibrate);
      expect(differences[1]?.variance).toBeNull();
      expect(differences.filter((_, i) => i !== 1)).toEqual(without);
      expect(between?.source).toBe("runs");
    }
    expect(runDifferences([lost], true).between).toEqual({ deviation: 0, source: "runs" });
  });

  it("is at least what no process tells, where many agree", () => {
    const alike = (log: number): LogEstimate => ({ log, variance: { variance: 0, degrees: 15 } });
    const { between, differences } = runDifferences([{ base: [alike(0)], head: [alike(0)] }], true);
    expect(differences[0]?.variance?.variance).toBeGreaterThanOrEqual(1e-4);
    expect(between?.deviation).toBeCloseTo(0.01, 9);
  });

  it("is never less than what the processes tell", () => {
    const sure = (log: number): LogEstimate => ({ log, variance: { variance: 0.04, degrees: 7 } });
    const { differences } = runDifferences([{ base: [sure(0), sure(0)], head: [sure(0)] }], false);
    expect(differences[0]?.variance?.variance).toBeCloseTo(0.06, 9);
  });

  it("leaves a cell unknown whose processes tell nothing, but where several runs do", () => {
    const alone = (log: number): LogEstimate => ({ log, variance: null });
    expect(
      runDifferences([{ base: [alone(0)], head: [alone(1)] }], false).differences[0]?.variance,
    ).toBeNull();
    const several = { base: [alone(0), alone(0.1)], head: [alone(1)] };
    expect(runDifferences([several], false).differences[0]?.variance?.degrees).toBe(1);
  });

  it("is not told by what processes say alone, where cells move by themselves", () => {
    const normal = seededNormal(3);
    const cell = (log: number): LogEstimate => ({ log, variance: { variance: 1e-4, degrees: 7 } });
    const cells = Array.from({ length: 33 }, () => ({ base: [cell(0)], head: [cell(0.05 * normal())] }));
    const { between, differences } = runDifferences(cells, true);
    expect(between?.source).toBe("cells");
    expect(between?.deviation).toBeGreaterThan(0.03);
    expect(between?.deviation).toBeLessThan(0.1);
    expect(differences[0]?.variance?.variance).toBeGreaterThan(9e-4);
    expect(runDifferences(cells, false).differences[0]?.variance?.variance).toBeLessThan(3.2e-4);
  });
});
