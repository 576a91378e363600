/** How often cells of the same code are called different, and changed ones found: by simulated runs. */
import { describe, expect, it } from "vitest";
import { type CellInRuns, runDifferences } from "../../../src/analysis/compare/between-runs.ts";
import { holm } from "../../../src/analysis/statistics/inference.ts";
import { estimateOf, type LogEstimate } from "../../../src/analysis/statistics/ratio.ts";
import { cases } from "../../seed.ts";
import { seededNormal } from "../statistics/normal.ts";

/** What a simulated pair of runs is made of. */
interface World {
  readonly processes: number;
  readonly cells?: number;
  /** Standard deviation of a cell's time from run to run, as a share, beside what processes do. */
  readonly individual?: number;
  /** Degrees of freedom of Student's t that processes are distributed like; normal without. */
  readonly tails?: number;
  /** How many runs the base has. */
  readonly bases?: number;
  /** What one of eleven cells takes in the head, as a multiple. */
  readonly change?: number;
}

/** Standard deviation of a process's time in the middle cell; others differ from it by a factor of two or so. */
const SPREAD = 0.04;

/** The share of simulated comparisons with a false difference, and the share of changed cells that are found. */
function simulate(world: World, seed: number, rounds: number): { wrong: number; found: number } {
  const { processes, cells = 33, individual = 0, tails, bases = 1, change = 1 } = world;
  const normal = seededNormal(seed);
  const heavy = (degrees: number): number => {
    const squares = Array.from({ length: degrees }, () => normal() ** 2).reduce((sum, one) => sum + one, 0);
    return (normal() / Math.sqrt(squares / degrees)) * Math.sqrt((degrees - 2) / degrees);
  };
  const measured = (level: number, spread: number): LogEstimate => {
    const logs = Array.from(
      { length: processes },
      () => level + spread * (tails === undefined ? normal() : heavy(tails)),
    );
    const log = logs.reduce((sum, one) => sum + one, 0) / processes;
    const squares = logs.reduce((sum, one) => sum + (one - log) ** 2, 0);
    const degrees = processes - 1;
    return { log, variance: { variance: squares / degrees / processes, degrees } };
  };
  const changed = Math.round(cells / 11);
  let wrong = 0;
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const spreads = Array.from({ length: cells }, () => SPREAD * Math.exp(0.6 * normal()));
    const run = (factor: number): LogEstimate[] => {
      const machine = 0.3 * normal();
      return spreads.map((spread, i) =>
        measured(machine + individual * normal() + (i < changed ? Math.log(factor) : 0), spread),
      );
    };
    const before = Array.from({ length: bases }, () => run(1));
    const after = run(change);
    const pairs = spreads.map(
      (_, i): CellInRuns => ({ base: before.map((one) => one[i]!), head: [after[i]!] }),
    );
    const estimates = runDifferences(pairs, true).differences.map(estimateOf);
    const different = holm(estimates.map(({ p }) => p ?? 1)).map(
      (p, i) => p < 0.05 && estimates[i]!.ratio > 1.01,
    );
    const other = holm(estimates.map(({ p }) => p ?? 1)).map(
      (p, i) => p < 0.05 && estimates[i]!.ratio < 0.99,
    );
    if (different.some((one, i) => one && (i >= changed || change === 1)) || other.some(Boolean)) wrong += 1;
    found += different.slice(0, changed).filter(Boolean).length;
  }
  return { wrong: wrong / rounds, found: found / rounds / changed };
}

describe("runs of the same code, whose machine differs by 30 % and whose cells are of different noise", () => {
  const rounds = cases(2000);
  // A share of 5 % is seen in 8 % of 200 rounds by chance once in fifty times.
  const most = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / rounds);

  it.each<[string, World]>([
    ["3 processes", { processes: 3 }],
    ["8 processes", { processes: 8 }],
    ["16 processes", { processes: 16 }],
    ["8 processes, and six cells", { processes: 8, cells: 6 }],
    ["3 processes with heavy tails", { processes: 3, tails: 4 }],
    ["8 processes with heavy tails", { processes: 8, tails: 4 }],
    ["3 processes, and cells that move by 2 %", { processes: 3, individual: 0.02 }],
    ["8 processes, and cells that move by 2 %", { processes: 8, individual: 0.02 }],
    [
      "8 processes with heavy tails, and cells that move by 4 %",
      { processes: 8, individual: 0.04, tails: 4 },
    ],
    ["16 processes, and cells that move by 3 %", { processes: 16, individual: 0.03 }],
    ["8 processes, six cells, that move by 2 %", { processes: 8, cells: 6, individual: 0.02 }],
    ["8 processes, cells that move by 4 %, and three bases", { processes: 8, individual: 0.04, bases: 3 }],
    ["3 processes, cells that move by 4 %, and four bases", { processes: 3, individual: 0.04, bases: 4 }],
  ])("with %s, have a false difference in a twentieth of comparisons at most", (_, world) => {
    expect(simulate(world, 7, rounds).wrong).toBeLessThan(most);
  });

  it.each<[string, World, number]>([
    ["20 % with 4 processes", { processes: 4, change: 1.2 }, 0.3],
    ["20 % with 8 processes", { processes: 8, change: 1.2 }, 0.8],
    ["10 % with 16 processes", { processes: 16, change: 1.1 }, 0.6],
    [
      "20 % with 16 processes, cells that move by 2 %, and four bases",
      { processes: 16, individual: 0.02, change: 1.2, bases: 4 },
      0.5,
    ],
  ])("find a change of %s", (_, world, least) => {
    const { wrong, found } = simulate(world, 8, rounds);
    expect(found).toBeGreaterThan(least);
    expect(wrong).toBeLessThan(most);
  });
});
