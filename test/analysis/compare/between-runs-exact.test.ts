/** What three cells of two runs tell of what runs differ by, as one can reckon it by hand. */
import { expect, it } from "vitest";
import { runDifferences } from "../../../src/analysis/compare/between-runs.ts";
import type { LogEstimate } from "../../../src/analysis/statistics/ratio.ts";

/** What no process tells comes to 2e-4 of both sides. */
const BY_RUN = 1e-4;
const OWN = 2e-4 + BY_RUN;

const sure = (log: number): LogEstimate => ({ log, variance: { variance: 1e-4, degrees: 7e12 } });
const cells = [-0.1, 0, 0.2].map((log) => ({ base: [sure(1)], head: [sure(1 + log)] }));
const alone = { base: [sure(1)], head: [{ log: 1, variance: null }] };
const lost = { base: [sure(1)], head: [{ log: Number.NEGATIVE_INFINITY, variance: null }] };

it.each([
  ["three cells", cells],
  ["three cells, and one that took no time", [...cells, lost]],
  ["three cells, and one of which nobody knows how its processes differ", [...cells, alone]],
])("%s differ by what their processes do not explain", (_, all) => {
  const { differences, shared, between } = runDifferences(all, true);
  expect(shared).toBeCloseTo(0, 12);
  // So much that the mean of 0.01, 0 and 0.04, as multiples of the variance, is a chi-square's, and more for so few.
  const whole = ((0.01 + 0.04) / 3 / 0.6786) * (1 + 2.26 / 3);
  const more = whole - OWN;
  expect(between).toEqual({ deviation: expect.closeTo(Math.sqrt(BY_RUN + more), 9), source: "cells" });
  // Beside it, the median of three normal values that is taken off.
  const variance = expect.closeTo(whole * (1 + Math.PI / 6), 9);
  const degrees = expect.closeTo(whole ** 2 / (OWN ** 2 / 14e12 + more ** 2 / (2 * 0.628)), 6);
  expect(differences.slice(0, 3).map((one) => one.variance)).toEqual(Array(3).fill({ variance, degrees }));
  expect(differences[3]?.variance ?? null).toBeNull();
});

it("three cells of few processes differ by less, since Student's t is wider than a normal value", () => {
  const few = (log: number): LogEstimate => ({ log, variance: { variance: 0.01, degrees: 3 } });
  const all = [0.3, 0, 0].map((log) => ({ base: [few(1)], head: [few(1 + log)] }));
  const { between } = runDifferences(all, true);
  // What lies off is squared a t with 6 degrees, and as a normal value three times the mean.
  const normal = (3 * 0.6786) / (1 + 2.26 / 3);
  const square = normal / ((1 - 1 / 24) ** 2 - normal / 12);
  expect(between?.deviation).toBeCloseTo(Math.sqrt(0.09 / square - 0.02), 9);
});

it("cells that processes explain differ by nothing more", () => {
  const { between, differences } = runDifferences([cells[1]!, cells[1]!, cells[1]!], true);
  expect(between).toEqual({ deviation: Math.sqrt(BY_RUN), source: "cells" });
  expect(differences[0]?.variance?.variance).toBeCloseTo(OWN * (1 + Math.PI / 6), 12);
});

it("nothing is taken off none, and of none nothing is known", () => {
  expect(runDifferences([], true)).toEqual({
    differences: [],
    shared: 0,
    between: { deviation: Math.sqrt(BY_RUN), source: "cells" },
  });
  expect(runDifferences([], false)).toEqual({ differences: [], shared: 0 });
  expect(Object.keys(runDifferences(cells, false))).toEqual(["differences", "shared"]);
});

it("several runs of the head alone measure what runs differ by", () => {
  const several = { base: [sure(0)], head: [sure(0.9), sure(1.1)] };
  const { between, differences } = runDifferences([several], false);
  // 0.02 of one degree, for a mean of two and one.
  expect(between).toEqual({ deviation: expect.closeTo(Math.sqrt(0.03), 9), source: "runs" });
  expect(differences[0]).toEqual({
    log: expect.closeTo(1, 12),
    variance: { variance: expect.closeTo(0.03, 12), degrees: 1 },
  });
});

it("comes to a cell in proportion to what its processes explain, or as to all others, whichever is more", () => {
  const levels = [1, 4, 1 / 4];
  const cell = (log: number, level: number) => {
    const side = (at: number): LogEstimate => ({
      log: at,
      variance: { variance: 1e-4 * level, degrees: 7e12 },
    });
    return { base: [side(1)], head: [side(3 + log)] };
  };
  const all = [...levels.map((level, i) => cell(i === 0 ? 0.2 : 0, level)), lost];
  const { differences, shared, between } = runDifferences(all, true);
  expect(shared).toBeCloseTo(2, 12);
  expect(differences.slice(0, 3).map(({ log }) => log)).toEqual(
    [0.2, 0, 0].map((log) => expect.closeTo(log, 12)),
  );
  // The first alone lies off, by so much that its square as a multiple of the whole makes the mean of the three.
  const more = (0.04 / 3 / 0.6786) * (1 + 2.26 / 3) - OWN;
  expect(between?.deviation).toBeCloseTo(Math.sqrt(BY_RUN + more), 9);
  const [first, noisier, quieter] = differences.map(({ variance }) => variance?.variance ?? 0);
  expect(noisier! - first!).toBeCloseTo(6e-4 * (1 + more / OWN), 9);
  expect(first! - quieter!).toBeCloseTo((3 / 4) * 2e-4, 9);
});

it.each([
  [1, 1],
  [2, 1],
  [2, 3],
])("processes that differ alike in all cells do so in few and in many, in %d and %d runs", (base, head) => {
  const run = (processes: number): LogEstimate => ({
    log: 1,
    variance: { variance: 0.01 / processes, degrees: processes - 1 },
  });
  const counts = [
    [3, 3],
    [4, 4],
    [8, 8],
    [16, 16],
    [5, 16],
    [16, 6],
  ] as const;
  const all = counts.map(([before, after]) => ({
    base: Array.from({ length: base }, () => run(before)),
    head: Array.from({ length: head }, () => run(after)),
  }));
  const { differences } = runDifferences(all, false);
  // What is expected of variances that few processes tell is a little more than that.
  const off = counts.map(([before, after], i) => {
    const variance = 0.01 / before / base + 0.01 / after / head + (base + head === 2 ? BY_RUN : 0);
    return differences[i]!.variance!.variance / variance - 1;
  });
  expect(Math.max(...off)).toBeLessThan(0.1);
  expect(Math.min(...off)).toBeGreaterThan(0);
});
