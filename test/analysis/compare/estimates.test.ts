/** By which times cells are compared, what their ratios are to, and when a cell is itself. */
import { describe, expect, it } from "vitest";
import { isMeasured, type MeasuredCell } from "../../../src/analysis/cells.ts";
import { basisOf, contradictions } from "../../../src/analysis/compare/basis.ts";
import type { CellPair } from "../../../src/analysis/compare/cells.ts";
import { type Estimates, pairedEstimates, recordEstimates } from "../../../src/analysis/compare/estimates.ts";
import { fasterHalves, stretchesOf } from "../../../src/analysis/statistics/location.ts";
import type { Cell, RunRecord } from "../../../src/model/records/run.ts";
import { recordOf } from "../../reports/record.ts";
import { around, timed } from "./timed.ts";

const PROCESSES = 8;

function sure(cell: Cell): MeasuredCell {
  if (!isMeasured(cell)) throw new Error("expected a measured cell");
  return cell;
}

/**
 * A cell whose processes' means deviate by 10 %, around a level, and whose faster halves deviate by a share of that
 * around half of it: in each stretch half of the batches are quick.
 */
function interrupted(codec: string, share: number, level = 1000, quick = level / 2, seed = 1): MeasuredCell {
  const drawn = Array.from({ length: PROCESSES }, (_, i) => 0.1 * Math.sin(2.4 * i + seed));
  const batches = drawn.map((log) => {
    const [low, mean] = [quick * Math.exp(share * log), level * Math.exp(log)];
    return Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? low : 2 * mean - low));
  });
  const cell = sure(timed(codec, "encode", around(level, 0.1)));
  return { ...cell, nanos: { ...cell.nanos, batches } };
}

const pairOf = (codec: string, base: MeasuredCell, head: MeasuredCell): CellPair => ({
  codec,
  base: [base],
  head: [head],
});

/** Half as slow again by the means of its processes, and thrice as fast by their faster halves. */
const changed = (share: number, codec = "json"): CellPair =>
  pairOf(codec, interrupted(codec, share), interrupted(codec, share, 1500, 500 / 3, 2));

const records = (baseline = "json"): RunRecord[] => {
  const record = recordOf([]);
  return [1, 2].map(() => ({ ...record, options: { ...record.options, baseline } }));
};

describe.each<[string, (pairs: readonly CellPair[]) => Estimates]>([
  ["of one run", pairedEstimates],
  ["of two runs", (pairs) => recordEstimates(pairs, records("none"), true)],
])("times %s", (_, estimatesOf) => {
  it("are means of stretches, unless faster halves deviate less by a tenth or more", () => {
    const means = estimatesOf([changed(0.95)]);
    expect("basis" in means).toBe(false);
    expect(means.measured[0]).toBeCloseTo(1.5, 1);
    expect(means.estimates[0]?.ratio).toBeCloseTo(means.measured[0]!, 9);
    const quartiles = estimatesOf([changed(0.85)]);
    expect(quartiles.basis).toBe("faster-half");
    expect(quartiles.measured[0]).toBeCloseTo(1 / 3, 1);
    expect(quartiles.estimates[0]?.ratio).toBeCloseTo(quartiles.measured[0]!, 9);
  });

  it("are those of the middle cell for all", () => {
    const pairs = [changed(0.1, "a"), changed(0.97, "b"), changed(0.97, "c")];
    expect(estimatesOf(pairs).basis).toBeUndefined();
    expect(estimatesOf([...pairs, changed(0.1, "d"), changed(0.1, "e")]).basis).toBe("faster-half");
    // What was made of a cell by one kind of times is nothing for the other.
    expect(estimatesOf(pairs).measured[0]).toBeCloseTo(1.5, 1);
    expect(estimatesOf(pairs.slice(0, 1)).measured[0]).toBeCloseTo(1 / 3, 1);
    expect(estimatesOf(pairs).measured[0]).toBeCloseTo(1.5, 1);
  });

  it("are unsure where whole processes contradict their faster halves", () => {
    // As slow as before by means, and twice as fast by faster halves, beside cells that are as they were.
    const same = ["a", "b", "c", "d"].map((codec) =>
      pairOf(codec, interrupted(codec, 0.1), interrupted(codec, 0.1, 1000, 500, 2)),
    );
    const contrary = pairOf("e", interrupted("e", 0.1), interrupted("e", 0.1, 1000, 250, 2));
    const agreed = pairOf("e", interrupted("e", 0.1), interrupted("e", 0.1, 500, 250, 2));
    const errorOf = (pair: CellPair): number => estimatesOf([...same, pair]).estimates[4]!.standardError!;
    expect(errorOf(agreed)).toBeLessThan(0.05);
    // Half of the distance between the two logarithms.
    expect(errorOf(contrary)).toBeCloseTo(Math.log(2) / 2, 1);
    expect(estimatesOf([...same, contrary]).estimates[4]!.ratio).toBeCloseTo(1 / 2, 1);
  });

  it("are means where nothing tells how processes differ", () => {
    const one = (level: number): MeasuredCell => sure(timed("json", "encode", [level]));
    const single = pairOf("json", one(1000), one(2000));
    expect(estimatesOf([single])).toMatchObject({ measured: [expect.closeTo(2, 9)] });
    expect("basis" in estimatesOf([single])).toBe(false);
    // A cell that tells nothing has no say.
    expect(estimatesOf([single, single, single, changed(0.1)]).basis).toBe("faster-half");
    expect(estimatesOf([])).toMatchObject({ estimates: [], measured: [] });
  });
});

describe("the times that are compared", () => {
  it("are told by two hundred cells at most, spread evenly", () => {
    const [loud, quiet] = [changed(0.97), changed(0.1)];
    const thirds = Array.from({ length: 134 }, () => [loud, quiet, quiet]).flat();
    expect(basisOf(thirds)).toBe(stretchesOf);
    expect(basisOf(thirds.slice(1))).toBe(fasterHalves);
    expect(basisOf(thirds.slice(0, 198))).toBe(fasterHalves);
  });

  it("are means where processes do not differ at all", () => {
    const even = sure(timed("json", "encode", [1000, 1000]));
    expect(basisOf([pairOf("json", even, even)])).toBe(stretchesOf);
  });
});

const judged = (pairs: readonly CellPair[]) => pairs.map((pair) => ({ pair }));

describe("what whole processes contradict", () => {
  const level = (nanos: number): MeasuredCell => sure(timed("json", "encode", [nanos, nanos]));
  /** By how much whole processes say more than the faster halves, whose logarithms are these. */
  const apart = [1, 1.1, 0.9, 1.2, 3, Number.NaN];
  const logs = [0, 0.5, -0.5, 1, 0.2, 0];
  const pairs = apart.map((log, i): CellPair => {
    const nanos = 100 * (i + 1);
    const base = [level(nanos / 2), level(2 * nanos)];
    return { codec: "json", base, head: [level(nanos * Math.exp(log + logs[i]!))] };
  });

  it("comes to the variance as a quarter of what is more than noise, beside what all cells share", () => {
    // Beside 1.1, which all share, squares are 0.01, 0, 0.04, 0.01 and 3.61; nine times 0.01 is noise.
    const more = contradictions(judged(pairs), logs, fasterHalves);
    expect(more).toEqual([0, 0, 0, 0, expect.closeTo((3.61 - 0.09) / 4, 9), 0]);
  });

  it("is not asked for where whole processes are compared", () => {
    expect(contradictions(judged(pairs), logs, stretchesOf)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("what the fastest processes contradict", () => {
  const of = (processes: readonly number[]): MeasuredCell => sure(timed("json", "encode", processes));
  const level = (nanos: number, processes: number): number[] => Array(processes).fill(nanos);
  /** Equal cells beside one whose processes are so. */
  const beside = (base: readonly number[], head: readonly number[]): CellPair[] => [
    ...[1, 2, 3, 4].map((by) => pairOf("json", of(level(100 * by, 8)), of(level(100 * by, 8)))),
    pairOf("json", of(base), of(head)),
  ];
  const more = (base: readonly number[], head: readonly number[], log: number): number =>
    contradictions(judged(beside(base, head)), [0, 0, 0, 0, log], stretchesOf)[4]!;

  it("comes to the variance where more processes are at the upper of two levels", () => {
    const [lower, upper] = [level(100, 8), [...level(100, 3), ...level(120, 5)]];
    const log = Math.log(1.2);
    expect(more(lower, upper, log)).toBeCloseTo(log ** 2 / 4, 3);
    expect(more(upper, lower, -log)).toBeCloseTo(log ** 2 / 4, 3);
  });

  it("is nothing where all processes are slower, or too few tell a level", () => {
    expect(more(level(100, 8), level(120, 8), Math.log(1.2))).toBeCloseTo(0, 12);
    expect(more(level(100, 7), [...level(100, 3), ...level(120, 4)], Math.log(1.2))).toBeCloseTo(0, 12);
  });
});

const steady = (codec: string, level: number, operation = "encode"): MeasuredCell =>
  sure(timed(codec, operation, around(level, 0.01)));

const moved = (codec: string, factor: number, operation = "encode"): CellPair =>
  pairOf(codec, steady(codec, 1000, operation), steady(codec, 1000 * factor, operation));

describe("ratios of few cells", () => {
  it("are to the baseline of their own table, which is 1", () => {
    const pairs = [moved("json", 2), moved("v8", 3), moved("v8", 2, "decode"), moved("json", 4, "decode")];
    const { estimates, measured, calibration, uncertain } = recordEstimates(pairs, records(), false);
    expect(measured.map((ratio) => Math.round(ratio))).toEqual([2, 3, 2, 4]);
    expect(estimates.map(({ ratio }) => ratio)).toEqual([
      1,
      expect.closeTo(1.5, 6),
      expect.closeTo(0.5, 6),
      1,
    ]);
    expect(estimates.map(({ reference }) => reference)).toEqual([true, undefined, undefined, true]);
    expect(estimates[0]).toMatchObject({ ci95: [1, 1], p: null });
    expect(calibration).toEqual({
      factor: expect.closeTo(Math.sqrt(8), 6),
      by: "baseline",
      cells: 2,
      baseline: "json",
    });
    expect(uncertain).toBeUndefined();
  });

  it("are as sure where the baseline moved as where the others did", () => {
    const cells = (json: number, v8: number): CellPair[] => [
      ...["encode", "decode", "access", "copy"].flatMap((operation) => [
        moved("json", operation === "encode" ? json : 1, operation),
        moved("v8", operation === "encode" ? v8 : 1, operation),
      ]),
    ];
    const [own, other] = [cells(1.0001, 1.2), cells(1 / 1.2, 1.0001)].map(
      (pairs) => recordEstimates(pairs, records(), false).estimates[1],
    );
    expect(other?.p).toBeLessThan(1e-6);
    expect(own?.p).toBeLessThan(1e-6);
  });

  it("are unsure where nothing tells how processes differ", () => {
    const one = (codec: string, level: number): MeasuredCell => sure(timed(codec, "encode", [level]));
    const pairs = ["json", "v8"].map((codec, i) =>
      pairOf(codec, one(codec, 1000), one(codec, 2000 + 1000 * i)),
    );
    const { estimates } = recordEstimates(pairs, records(), false);
    expect(estimates[1]).toMatchObject({ ratio: expect.closeTo(1.5, 9), ci95: null, p: null });
  });

  it("are to a baseline that stays it, though it was measured once for both", () => {
    const json = steady("json", 1000);
    const pairs = [pairOf("json", json, structuredClone(json)), moved("v8", 2)];
    const [own, other] = recordEstimates(pairs, records(), false).estimates;
    expect(own).toMatchObject({ ratio: 1, reference: true, p: null });
    expect(other?.ratio).toBeCloseTo(2, 9);
  });

  it.each<[string, CellPair[], RunRecord[]]>([
    [
      "a cell has no baseline beside it",
      [moved("json", 2), moved("v8", 3), moved("v8", 2, "decode")],
      records(),
    ],
    ["there is nothing but the baseline", [moved("json", 2), moved("json", 2, "decode")], records()],
    ["none of them is the baseline", [moved("a", 2), moved("b", 2)], records()],
    ["the runs have two baselines", [moved("json", 2), moved("v8", 3)], [...records(), ...records("v8")]],
  ])("are of times where %s, and nobody knows what a machine did", (_, pairs, runs) => {
    const found = recordEstimates(pairs, runs, false);
    expect(found.calibration).toBeUndefined();
    expect(found.uncertain).toBe(true);
    expect(found.estimates.map(({ ratio }) => ratio)).toEqual(
      found.measured.map((ratio) => expect.closeTo(ratio, 9)),
    );
  });

  it("are of times where that is asked for, which is certain", () => {
    const found = recordEstimates([moved("json", 2), moved("v8", 3)], records(), true);
    expect("calibration" in found).toBe(false);
    expect("uncertain" in found).toBe(false);
    expect(found.estimates[0]?.ratio).toBeCloseTo(2, 6);
  });

  it("are certain of several runs", () => {
    const [json, again] = [moved("a", 2), moved("a", 2.1)];
    const found = recordEstimates([{ ...json, head: [...json.head, ...again.head] }], records(), false);
    expect("uncertain" in found).toBe(false);
    expect(found.betweenRuns).toMatchObject({ source: "runs" });
    expect(found.betweenRuns?.deviation).toBeGreaterThan(0);
  });

  it("are by faster halves too, where these are quieter", () => {
    const found = recordEstimates([changed(0.1), changed(0.1, "v8")], records(), false);
    expect(found).toMatchObject({
      basis: "faster-half",
      calibration: { factor: expect.closeTo(1 / 3, 1) },
    });
    expect(found.estimates[1]?.ratio).toBeCloseTo(1, 2);
  });

  it("are unsure by faster halves that whole processes contradict", () => {
    const json = pairOf("json", interrupted("json", 0.1), interrupted("json", 0.1, 1000, 500, 2));
    const same = ["a", "b", "c"].map((codec) =>
      pairOf(codec, interrupted(codec, 0.1), interrupted(codec, 0.1, 1000, 500, 2)),
    );
    const contrary = pairOf("d", interrupted("d", 0.1), interrupted("d", 0.1, 1000, 250, 2));
    const { estimates, calibration } = recordEstimates([json, ...same, contrary], records(), false);
    expect(calibration?.by).toBe("baseline");
    expect(estimates[1]!.standardError).toBeLessThan(0.05);
    expect(estimates[4]!.standardError).toBeCloseTo(Math.log(2) / 2, 1);
  });
});

describe("a measurement", () => {
  const json = steady("json", 1000);
  const copy = structuredClone(json);
  const itself = { ratio: 1, ci95: [1, 1], p: 1 };
  const first = (base: MeasuredCell[], head: MeasuredCell[]): unknown =>
    recordEstimates([{ codec: "json", base, head }], records("none"), true).estimates[0];

  it("is the same as its copy", () => {
    expect(first([json], [copy])).toMatchObject({ ...itself, standardError: null });
    const beside = [moved("json", 1.5), pairOf("v8", { ...json, codec: "v8" }, { ...copy, codec: "v8" })];
    expect(recordEstimates(beside, records(), false).estimates[1]).toMatchObject({
      ...itself,
      degrees: null,
    });
  });

  it("is another where a process or a batch is, or where there are several", () => {
    const { nanos } = json;
    const processes = nanos.processes.map((time, i) => (i === 3 ? time * 1.001 : time));
    const batches = nanos.batches.map((times, i) => (i === 3 ? times.map((time) => time * 1.001) : times));
    const fewer = { ...nanos, processes: nanos.processes.slice(1), batches: nanos.batches.slice(1) };
    const longer = nanos.batches.map((times, i) => (i === 3 ? [...times, times[0]!] : times));
    for (const other of [
      { ...nanos, processes },
      { ...nanos, batches },
      fewer,
      { ...nanos, batches: longer },
    ])
      for (const [base, head] of [
        [json, { ...json, nanos: other }],
        [{ ...json, nanos: other }, json],
      ] as const)
        expect((first([base], [head]) as { standardError: number }).standardError).toBeGreaterThan(0);
    expect(first([json, steady("json", 1100)], [copy])).not.toMatchObject({ ci95: [1, 1] });
    expect(first([json], [copy, steady("json", 1100)])).not.toMatchObject({ ci95: [1, 1] });
  });
});
