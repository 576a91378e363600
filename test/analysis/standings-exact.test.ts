/** Standings of cells whose processes do not vary, so that every figure is known: what is compared with what. */
import { describe, expect, it } from "vitest";
import { withStandings } from "../../src/analysis/standings.ts";
import type { Cell } from "../../src/model/records/run.ts";
import { cellOf, nanosFrom, Simulation } from "./simulated-cells.ts";

const OPTIONS = { baseline: "json", threshold: 0.01 };

/** A cell whose process of each block took a time in all of its batches. */
function cell(codec: string, times: Readonly<Record<number, number>>, more: Partial<Cell> = {}): Cell {
  const blocks = Object.keys(times).map(Number);
  const processes = blocks.map((block) => [times[block]!, times[block]!, times[block]!]);
  return cellOf(codec, nanosFrom(processes, blocks), more);
}

const everywhere = (time: number): number[] => Array<number>(6).fill(time);

function judged(cells: readonly Cell[], machines = false) {
  const machineOf = machines ? (block: number) => (block < 3 ? "first" : "second") : undefined;
  return withStandings(cells, { ...OPTIONS, machineOf }).cells.map(({ standing }) => standing);
}

describe("on two machines", () => {
  /** What takes these times on the first and on the second one. */
  const on = (codec: string, first: number, second: number, more: Partial<Cell> = {}): Cell =>
    cell(codec, [first, first, first, second, second, second], more);
  const only = (codec: string, machine: 0 | 1, time: number): Cell =>
    cell(codec, Object.fromEntries([0, 1, 2].map((i) => [3 * machine + i, time])));

  it("a codec has the mean of its ratios, and what differs is said to", () => {
    const standings = judged(
      [on("json", 1000, 3000), on("half", 500, 1500), on("mixed", 500, 6000), on("more", 100, 1500)],
      true,
    );
    expect(standings.map((one) => [one?.verdict, one?.tier])).toEqual([
      ["same", 3],
      ["faster", 2],
      ["disagree", 3],
      ["faster", 1],
    ]);
    const ratios = standings.map((one) => one?.ratio ?? 0);
    for (const [i, ratio] of [1, 0.5, 1, Math.sqrt(0.05)].entries()) expect(ratios[i]).toBeCloseTo(ratio, 9);
  });

  it("only a machine that measured both counts", () => {
    const standings = judged([on("json", 1000, 9000), only("first", 0, 500), only("second", 1, 500)], true);
    expect(standings.map((one) => one?.ratio)).toEqual([
      1,
      expect.closeTo(0.5, 9),
      expect.closeTo(1 / 18, 9),
    ]);
  });

  it("a machine on which the baseline was not measured in the same blocks does not count", () => {
    const alone = judged([only("json", 0, 1000), on("other", 500, 800)], true);
    expect(alone[1]?.ratio).toBeCloseTo(0.5, 9);
    const apart = judged(
      [cell("json", { 0: 1000, 1: 1000, 3: 1000, 4: 1000 }), cell("other", { 0: 500, 1: 500, 2: 9, 5: 800 })],
      true,
    );
    expect(apart[1]?.ratio).toBeCloseTo(0.5, 9);
  });

  it("a contradiction is seen in blocks that vary", () => {
    const other = cell("other", [500, 501, 502, 2000, 2004, 2010]);
    expect(judged([on("json", 1000, 1000), other], true)[1]?.verdict).toBe("disagree");
  });

  it("each of three counts by its own blocks", () => {
    const machineOf = (block: number): string => `${block >> 1}`;
    const cells = [cell("json", everywhere(1000)), cell("other", [500, 500, 500, 500, 1000, 1000])];
    const [, other] = withStandings(cells, { ...OPTIONS, machineOf }).cells;
    expect(other?.standing?.ratio).toBeCloseTo(0.25 ** (1 / 3), 9);
  });

  it("one alone is as if none were named", () => {
    const table = new Simulation(2, 6).table({ json: 1000, a: 1020, b: 700 }, 0.03);
    const machineOf = (): string => "the only one";
    expect(withStandings(table, { ...OPTIONS, machineOf })).toEqual(withStandings(table, OPTIONS));
  });

  it("a codec has no standing that was never where the baseline was", () => {
    const [baseline, other] = judged([only("json", 0, 1000), only("other", 1, 500)], true);
    expect(baseline).toMatchObject({ ratio: 1, tier: 1 });
    expect(other).toBeUndefined();
  });

  it("order is that of the ratios: the times of a slow machine are no sign of a slow codec", () => {
    const standings = judged([on("json", 10, 1000), only("quick", 1, 500), only("slow", 0, 20)], true);
    expect(standings.map((one) => one?.tier)).toEqual([2, 1, 3]);
  });

  it("without a baseline the order is that of the times", () => {
    const standings = judged([on("b", 20, 20), on("a", 10, 10)], true);
    expect(standings.map((one) => [one?.ratio, one?.tier])).toEqual([
      [null, 2],
      [null, 1],
    ]);
  });

  it("neither steps nor second measurements disagree: they are of no family", () => {
    const standings = judged(
      [
        on("json", 1000, 1000),
        on("json (A/A)", 500, 2000, { twinOf: "json" }),
        on("json", 1000, 1000, { operation: "write" }),
        on("step", 500, 2000, { operation: "write", part: true }),
      ],
      true,
    );
    expect(standings[1]?.verdict).not.toBe("disagree");
    expect(standings[3]?.verdict).not.toBe("disagree");
  });
});

describe("further measurements", () => {
  /** A table of its own, in which the second measurement took so much more. */
  const twice = (more: number, dataset: string, own: Partial<Cell> = {}): Cell[] => [
    cell("json", everywhere(1000), { dataset, ...own }),
    cell("json (A/A)", everywhere(1000 * more), { dataset, twinOf: "json", ...own }),
  ];

  it("of the baseline make the noise: the lower quartile of what they differ by", () => {
    const tables = [1.1, 1 / 1.02, 1.04, 1.08, 1 / 1.06].flatMap((more, i) => twice(more, `${i}`));
    expect(withStandings(tables, OPTIONS).noise).toEqual({
      twin: "json (A/A)",
      spread: expect.closeTo(0.04, 9),
      gate: expect.closeTo(0.04, 9),
    });
  });

  it("of a step or of another codec make none", () => {
    const step = twice(1.5, "step", { operation: "write", part: true });
    const other = [
      cell("other", everywhere(1000)),
      cell("other (A/A)", everywhere(1400), { twinOf: "other" }),
    ];
    expect(withStandings([...twice(1.02, "a"), ...step, ...other], OPTIONS).noise?.spread).toBeCloseTo(
      0.02,
      9,
    );
    expect(withStandings([...step, ...other], OPTIONS).noise).toBeUndefined();
    expect(Object.keys(withStandings([...step, ...other], OPTIONS))).toEqual(["cells"]);
  });

  it("are held against the first of their own codec, and share its tier", () => {
    const standings = judged([
      cell("json", everywhere(1000)),
      cell("other", everywhere(500)),
      cell("other (A/A)", everywhere(520), { twinOf: "other" }),
      cell("nobody's", everywhere(1000), { twinOf: "nobody" }),
    ]);
    expect(standings[2]).toMatchObject({ ratio: expect.closeTo(1.04, 9), tier: 1, verdict: "slower" });
    expect(standings[0]?.tier).toBe(2);
    expect(standings[3]).toBeUndefined();
  });

  it("have no ratio where the baseline was not measured, and the tier of their codec", () => {
    const standings = judged([
      cell("a", everywhere(500)),
      cell("b", everywhere(1000)),
      cell("b (A/A)", everywhere(700), { twinOf: "b" }),
    ]);
    expect(standings.map((one) => one?.tier)).toEqual([1, 2, 2]);
    expect(standings[0]?.ratio).toBeNull();
  });

  it("do not make others need to be surer", () => {
    const [json, other, again] = new Simulation(3, 6).table({ json: 1000, other: 1010, again: 1010 }, 0.02);
    const twin = { ...again!, twinOf: "other" };
    const [, alone] = judged([json!, other!]);
    const [, beside] = judged([json!, other!, twin]);
    expect(beside?.p).toBe(alone?.p);
    expect(beside?.detectable).toBe(alone?.detectable);
  });
});

it("what was measured without times, and what was not, has no standing", () => {
  const { nanos: _, ...timeless } = cell("other", everywhere(500));
  const unmeasured: Cell = { ...cell("v8", everywhere(500)), status: "failed" };
  expect(judged([cell("json", everywhere(1000)), timeless, unmeasured]).map((one) => one?.tier)).toEqual([
    1,
    undefined,
    undefined,
  ]);
});

it("two that are equally far from the baseline share a tier, and others do not", () => {
  const cells = [1000, 500, 500, 250, 2000].map((time, i) =>
    cell(i === 0 ? "json" : `${i}`, everywhere(time)),
  );
  expect(judged(cells).map((one) => one?.tier)).toEqual([3, 2, 2, 1, 4]);
});

it("order is that of the times on one machine, whatever its blocks took", () => {
  const early = cell("early", { 0: 60, 1: 60, 2: 60 });
  const late = cell("late", { 3: 500, 4: 500, 5: 500 });
  const standings = judged([cell("json", [100, 100, 100, 1000, 1000, 1000]), early, late]);
  expect(standings.map((one) => one?.tier)).toEqual([3, 1, 2]);
});

it("tables of other operations, data and reads are apart", () => {
  const tables = [
    { operation: "decode" },
    { dataset: "other" },
    { reads: { records: 1, fields: 1 } },
  ].flatMap((own, i) => [
    cell("json", everywhere(10 ** i), own),
    cell("other", everywhere(2 * 10 ** i), own),
  ]);
  for (const [i, one] of judged(tables).entries()) expect(one?.ratio).toBeCloseTo(i % 2 === 0 ? 1 : 2, 9);
});

it("what cannot be told at all is undecided, with no share that could be found", () => {
  const [, other] = judged([cell("json", [1000]), cell("other", [500])]);
  expect(other).toEqual({
    ratio: expect.closeTo(0.5, 9),
    ci95: null,
    p: null,
    verdict: "undecided",
    detectable: null,
    tier: 1,
  });
});
