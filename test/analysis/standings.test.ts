import { describe, expect, it } from "vitest";
import { withStandings } from "../../src/analysis/standings.ts";
import type { Cell, Standing } from "../../src/model/records/run.ts";
import { cellOf, nanosFrom, Simulation } from "./simulated-cells.ts";

const OPTIONS = { baseline: "json", threshold: 0.01 };

function standings(cells: readonly Cell[]): Record<string, Standing | undefined> {
  return Object.fromEntries(cells.map(({ codec, standing }) => [codec, standing]));
}

describe("withStandings", () => {
  const table = new Simulation(1, 8).table(
    { json: 1000, again: 1000, equal: 1000, fast: 500, slow: 1500 },
    0.02,
  );
  const judged = () => withStandings(table, OPTIONS);

  it("compares each cell with the baseline's", () => {
    const { cells, noise } = judged();
    const of = standings(cells);
    expect(of["json"]).toEqual({
      ratio: 1,
      ci95: [1, 1],
      p: null,
      verdict: "same",
      detectable: null,
      tier: 2,
    });
    expect(of["fast"]).toMatchObject({ ratio: expect.closeTo(0.5, 1), verdict: "faster", tier: 1 });
    expect(of["slow"]).toMatchObject({ ratio: expect.closeTo(1.5, 1), verdict: "slower", tier: 3 });
    expect(of["equal"]).toMatchObject({ ratio: expect.closeTo(1, 1), tier: 2 });
    expect(of["equal"]?.verdict).toMatch(/same|undecided/);
    for (const codec of ["equal", "fast", "slow"]) {
      const { ci95, detectable, ratio } = of[codec]!;
      expect(ci95![0]).toBeLessThan(ratio!);
      expect(ci95![1]).toBeGreaterThan(ratio!);
      expect(detectable).toBeGreaterThan(noise!.gate);
      expect(detectable).toBeLessThan(0.1);
    }
  });

  it("lets the second measurement tell the noise and share the tier of the first", () => {
    const { cells, noise } = judged();
    const of = standings(cells);
    expect(noise).toMatchObject({ twin: "again", gate: Math.max(noise!.spread, 0.01) });
    expect(noise!.spread).toBeLessThan(0.04);
    expect(of["again"]).toMatchObject({ ratio: expect.closeTo(1, 1), tier: 2 });
  });

  it("ranks reference programs among all, and tells no less of codecs for them", () => {
    const simulation = new Simulation(2, 8);
    const programs = simulation
      .table({ tiny: 100, middle: 700, equally: 700, slowest: 9000 }, 0.05)
      .map((cell) => ({ ...cell, program: `cpp/${cell.codec}` }));
    const without = standings(withStandings(table, OPTIONS).cells);
    const { cells, noise } = withStandings([...programs, ...table], OPTIONS);
    const of = standings(cells);
    expect(noise).toEqual(judged().noise);
    for (const { codec } of table) {
      const { tier: _, ...known } = of[codec]!;
      const { tier: __, ...alone } = without[codec]!;
      expect(known, codec).toEqual(alone);
    }
    const tiers = Object.fromEntries(Object.entries(of).map(([codec, standing]) => [codec, standing?.tier]));
    expect(tiers).toEqual({
      tiny: 1,
      fast: 2,
      middle: 3,
      equally: 3,
      json: 4,
      again: 4,
      equal: 4,
      slow: 5,
      slowest: 6,
    });
    expect(of["tiny"]).toMatchObject({ ratio: expect.closeTo(0.1, 1), verdict: "faster" });
    expect(of["slowest"]).toMatchObject({ ratio: expect.closeTo(9, 0), verdict: "slower" });
    // Where the baseline was not measured, there is a rank alone.
    const alone = standings(withStandings(programs, OPTIONS).cells);
    expect(alone["tiny"]).toMatchObject({ ratio: null, verdict: "undecided" });
  });

  it("keeps the order of the cells and what else they hold, and does not change them", () => {
    const { cells } = judged();
    expect(cells.map(({ standing: _, ...cell }) => cell)).toEqual(table);
    expect(table.every((cell) => cell.standing === undefined)).toBe(true);
  });

  it("says the same again, of standings that are there already and in another order", () => {
    const { cells, noise } = judged();
    expect(withStandings(cells, OPTIONS)).toEqual({ cells, noise });
    expect(standings(withStandings([...table].reverse(), OPTIONS).cells)).toEqual(standings(cells));
  });

  it("takes the loop off", () => {
    const level = (time: number) => nanosFrom([0, 1, 2].map((i) => [time, time + i * 1e-3, time]));
    const tiny = withStandings([cellOf("json", level(1)), cellOf("half", level(0.5))], OPTIONS).cells;
    expect(tiny[1]!.standing!.ratio).toBeCloseTo(0.5, 2);
  });

  it("adjusts for all tables of the record, but not for steps and second measurements", () => {
    const simulation = new Simulation(4, 8);
    const one = simulation.table({ json: 1000, other: 1030 }, 0.02);
    const alone = standings(withStandings(one, OPTIONS).cells)["other"]!;
    const more = Array.from({ length: 9 }, (_, i) =>
      simulation.table({ json: 1000, other: 1000 }, 0.02, { dataset: `set-${i}` }),
    ).flat();
    const part = simulation.table({ json: 1000, again: 1000, other: 1000 }, 0.02, {
      operation: "write",
      part: true,
    });
    const all = withStandings([...one, ...more], OPTIONS).cells;
    expect(all[1]!.standing!.p).toBeGreaterThan(alone.p! * 2);
    expect(all[1]!.standing!.ratio).toBe(alone.ratio);
    expect(all[1]!.standing!.detectable).toBeGreaterThan(alone.detectable!);
    const withPart = withStandings([...one, ...part], OPTIONS);
    expect(withPart.cells[1]!.standing).toEqual(alone);
    expect(withPart.cells.at(-1)!.standing!.p).not.toBeNull();
    expect(withPart.noise).toBeUndefined();
  });

  it("keeps apart what reads different shares", () => {
    const simulation = new Simulation(5, 3);
    const cells = [0.1, 1].flatMap((fields) =>
      simulation.table({ json: 1000 * fields, other: 500 * fields }, 0.02, { reads: { records: 1, fields } }),
    );
    for (const { codec, standing } of withStandings(cells, OPTIONS).cells)
      expect(standing!.ratio).toBeCloseTo(codec === "json" ? 1 : 0.5, 1);
  });

  it("tells the ratio and the order alone from one block", () => {
    const one = new Simulation(6, 1).table({ json: 1000, again: 1000, fast: 500, slow: 1500 }, 0.02);
    const result = withStandings(one, OPTIONS);
    const nothing = { ci95: null, p: null, verdict: "undecided", detectable: null };
    expect(standings(result.cells)).toEqual({
      json: { ...nothing, ratio: 1, ci95: [1, 1], verdict: "same", tier: 2 },
      again: { ...nothing, ratio: expect.closeTo(1, 0), tier: 2 },
      fast: { ...nothing, ratio: expect.closeTo(0.5, 0), tier: 1 },
      slow: { ...nothing, ratio: expect.closeTo(1.5, 0), tier: 3 },
    });
    expect(result.noise).toBeUndefined();
  });

  it("ranks without a baseline, and has no ratios", () => {
    const none = new Simulation(7, 8).table({ again: 1000, fast: 500, slow: 1500 }, 0.02);
    const of = standings(withStandings(none, OPTIONS).cells);
    const nothing = { ratio: null, ci95: null, p: null, verdict: "undecided", detectable: null };
    expect(of["fast"]).toEqual({ ...nothing, tier: 1 });
    expect(of["slow"]).toEqual({ ...nothing, tier: 2 });
    expect(of["again"]).toMatchObject(nothing);
  });

  it("compares with all measurements of the baseline", () => {
    const simulation = new Simulation(8, 8);
    const [base, other] = simulation.table({ json: 1000, other: 1000 }, 0.02);
    const twin = (nanos: Cell, name: string): Cell => ({ ...nanos, codec: name, twinOf: "json" });
    // The first measurement is 20 % off, as if by accident: the two others outvote it.
    const times = base!.nanos!.batches.map((batches) => batches.map((batch) => batch * 1.2));
    const off = cellOf("json", nanosFrom(times));
    const cells = [off, twin(base!, "json (A/A)"), twin(base!, "json (A/A 2)"), other!];
    const of = standings(withStandings(cells, OPTIONS).cells);
    const alone = standings(withStandings([base!, other!], OPTIONS).cells);
    expect(of["other"]!.ratio! / alone["other"]!.ratio!).toBeGreaterThan(0.9);
    expect(of["json (A/A)"]).toMatchObject({ ratio: expect.closeTo(1 / 1.2, 1), tier: of["json"]!.tier });
  });

  it("narrows what three blocks can tell by what is usual among the cells", () => {
    const simulation = new Simulation(9, 3);
    const codecs = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`codec-${i}`, 1300]));
    const table = simulation.table({ json: 1000, ...codecs }, 0.03);
    const alone = withStandings(table.slice(0, 2), OPTIONS).cells[1]!.standing!;
    const among = withStandings(table, OPTIONS).cells.slice(1);
    expect(alone.verdict).toBe("slower");
    expect(among.map(({ standing }) => standing!.verdict)).toEqual(among.map(() => "slower"));
    const widths = among.map(({ standing }) => standing!.ci95![1] / standing!.ci95![0]);
    expect(Math.max(...widths) - 1).toBeLessThan(0.35);
  });

  it("has no standing for what was not measured, and none in a table of times that are 0", () => {
    const hole: Cell = { ...table[2]!, status: "unsupported", reason: "no" };
    const zero = cellOf("json", nanosFrom([[0], [0]]), { dataset: "zero" });
    const other = cellOf("other", nanosFrom([[1], [1]]), { dataset: "zero" });
    const result = withStandings([hole, zero, other], OPTIONS).cells;
    expect(result[0]!.standing).toBeUndefined();
    expect(result[1]!.standing).toMatchObject({ ratio: 1 });
    expect(result[2]!.standing).toBeUndefined();
    expect(withStandings([], OPTIONS)).toEqual({ cells: [] });
  });
});

describe("the noise of a run", () => {
  const quiet = Array.from({ length: 12 }, (_, i) =>
    new Simulation(20 + i, 8).table({ json: 1000, again: 1000 }, 0.02, { dataset: `set-${i}` }),
  ).flat();
  const spreadOf = (cells: readonly Cell[]): number => withStandings(cells, OPTIONS).noise!.spread;

  it("is about half an interval of the baseline's ratio to itself", () => {
    expect(spreadOf(quiet)).toBeGreaterThan(0.008);
    expect(spreadOf(quiet)).toBeLessThan(0.022);
  });

  it("is not decided by cells that are noisier", () => {
    const noisy = Array.from({ length: 4 }, (_, i) =>
      new Simulation(50 + i, 8).table({ json: 1000, again: 1000 }, 0.3, { dataset: `noisy-${i}` }),
    ).flat();
    expect(spreadOf([...quiet, ...noisy])).toBeLessThan(spreadOf(quiet) * 1.5);
  });

  it("is never below the threshold", () => {
    expect(withStandings(quiet, { ...OPTIONS, threshold: 0.05 }).noise).toMatchObject({ gate: 0.05 });
  });
});
