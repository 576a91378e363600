/** Which cells two sides have in common, what is said of each, and how all moved, at the limits themselves. */
import { describe, expect, it } from "vitest";
import { isMeasured } from "../../../src/analysis/cells.ts";
import {
  areEnough,
  type CellEstimate,
  type CellPair,
  comparedSizes,
  judged,
  matchedCells,
  movedTogether,
  type NamePair,
  shiftOf,
} from "../../../src/analysis/compare/cells.ts";
import { detectableShare, estimateOf } from "../../../src/analysis/statistics/ratio.ts";
import type { Cell, Memory, RunRecord } from "../../../src/model/records/run.ts";
import { measured, recordOf, refused } from "../../reports/record.ts";

const own = (...codecs: readonly string[]): NamePair[] =>
  codecs.map((codec) => ({ codec, base: codec, head: codec }));

function pairOf(codec: string, base: readonly Cell[], head: readonly Cell[]): CellPair {
  return { codec, base: base.filter(isMeasured), head: head.filter(isMeasured) };
}

const pairs = (codecs: readonly string[]): CellPair[] =>
  codecs.map((codec, i) => {
    const cell = measured(codec, `operation ${i}`, 1, 10);
    return pairOf(codec, [cell], [cell]);
  });

describe("cells of two sides", () => {
  const json = measured("json", "encode", 1, 10);

  it("are found by operation, dataset and the codec's name on each side", () => {
    const old = [measured("json (old)", "encode", 1, 10), measured("json (old)", "decode", 2, 20)];
    const young = [measured("json (new)", "decode", 3, 30), measured("json (new)", "encode", 4, 40)];
    const { pairs: found, alone } = matchedCells(
      [recordOf([...old, json])],
      [recordOf([...young, json])],
      [{ codec: "json of both", base: "json (old)", head: "json (new)" }],
    );
    expect(found).toEqual([
      { codec: "json of both", base: [old[0]], head: [young[1]] },
      { codec: "json of both", base: [old[1]], head: [young[0]] },
    ]);
    expect(alone).toEqual([]);
  });

  it("stand once, with those of every record in its order", () => {
    const runs = [1, 2, 3].map((median) => recordOf([measured("json", "encode", 1, median)]));
    const { pairs: found } = matchedCells(runs.slice(0, 2), runs.slice(2), own("json"));
    expect(
      found.map(({ base, head }) => [base, head].map((cells) => cells.map((one) => one.nanos.median))),
    ).toEqual([[[1, 2], [3]]]);
  });

  it("are alone on the side whose records all have them, or else on the first that has them at all", () => {
    const [with1, with2] = [1, 2].map((median) => recordOf([json, measured("v8", "encode", 1, median)]));
    const without = recordOf([json]);
    const sides = (bases: RunRecord[], heads: RunRecord[]): unknown =>
      matchedCells(bases, heads, own("json", "v8")).alone.map(({ codec, side, other }) => [
        codec,
        side,
        other,
      ]);
    expect(sides([with1!], [without])).toEqual([["v8", "base", "absent"]]);
    expect(sides([without], [with1!])).toEqual([["v8", "head", "absent"]]);
    expect(sides([with1!, without], [with2!])).toEqual([["v8", "head", "absent"]]);
    expect(sides([with1!, without], [with2!, without])).toEqual([["v8", "base", "absent"]]);
    expect(sides([with1!], [with2!, without])).toEqual([["v8", "base", "absent"]]);
    expect(sides([without], [with2!, without])).toEqual([["v8", "head", "absent"]]);
  });

  it("that nobody measured are not alone but nowhere", () => {
    const failed = refused("v8", "encode", "failed", "lost");
    expect(matchedCells([recordOf([json, failed])], [recordOf([json])], own("json", "v8")).alone).toEqual([]);
  });

  it.each(["failed", "unsupported"] as const)("say why they are %s on the other side", (status) => {
    const [there, not] = [measured("v8", "encode", 1, 5), refused("v8", "encode", status, "because")];
    const alone = { operation: "encode", dataset: "tellist", codec: "v8", other: status, reason: "because" };
    const sides = (base: Cell, head: Cell): unknown =>
      matchedCells([recordOf([base])], [recordOf([head])], own("v8")).alone;
    expect(sides(there, not)).toEqual([{ ...alone, side: "base" }]);
    expect(sides(not, there)).toEqual([{ ...alone, side: "head" }]);
  });
});

describe("cells of several runs", () => {
  it("say why they are missing in any of them", () => {
    const v8 = measured("v8", "encode", 1, 5);
    const runs = [recordOf([]), recordOf([v8]), recordOf([refused("v8", "encode", "failed", "lost")])];
    expect(matchedCells([recordOf([v8])], runs, own("v8")).alone).toMatchObject([
      { codec: "v8", side: "base", other: "failed", reason: "lost" },
    ]);
  });

  it("are not second measurements, whatever is asked for", () => {
    const twin = recordOf([{ ...measured("json (A/A)", "encode", 1, 10), twinOf: "json" }]);
    expect(matchedCells([twin], [twin], own("json (A/A)"))).toEqual({ pairs: [], alone: [] });
  });
});

describe("what is said of a cell", () => {
  const LIMITS = { threshold: 0.01, gate: 0.05 };
  const SURE = { blamed: false, basis: undefined };
  const estimate = (log: number, error = 0.001): CellEstimate =>
    estimateOf({ log, variance: { variance: error ** 2, degrees: 7 } });

  it("has the cell's names, its figures on both sides, and no more than is known", () => {
    const part = { ...measured("json", "write", 7, 10), part: true as const, build: "abc" };
    const other = { ...measured("json", "write", 9, 30), library: "json5", version: "2.0.0" };
    const pair = pairOf("j", [part, measured("json", "write", 8, 20)], [other]);
    const known = estimate(Math.log(2));
    const [cell] = judged([pair], [known], LIMITS, SURE);
    expect(cell).toEqual({
      operation: "write",
      part: true,
      dataset: "tellist",
      codec: "j",
      verdict: "slower",
      ratio: known.ratio,
      ci95: known.ci95,
      p: known.p,
      detectable: detectableShare(known.standardError!, 7, 0.05, 0.05),
      base: { median: 15, processes: 6, bytes: 7, library: "lib-json", version: "1.2.3", build: "abc" },
      head: { median: 30, processes: 3, bytes: 9, library: "json5", version: "2.0.0" },
    });
  });

  it.each<[string, CellEstimate, object]>([
    ["0", { ...estimate(0), ratio: 0 }, { ratio: null }],
    ["infinite", { ...estimate(0), ratio: Number.POSITIVE_INFINITY }, { ratio: null }],
    ["no number", { ...estimate(0), ratio: Number.NaN }, { ratio: null }],
    [
      "all that is known",
      estimateOf({ log: 0, variance: null }),
      { ratio: 1, ci95: null, p: null, detectable: null },
    ],
    ["without degrees", { ...estimate(0), degrees: null }, { ratio: 1, detectable: null }],
    ["without an error", { ...estimate(0), standardError: null }, { ratio: 1, detectable: null }],
  ])("may be a ratio that is %s", (_, of, expected) => {
    expect(judged(pairs(["json"]), [of], LIMITS, SURE)).toMatchObject([expected]);
  });

  it("has the middle of the runs' faster halves on both sides where these are compared", () => {
    const [one, two, three] = [10, 20, 70].map((median) => measured("json", "write", 7, median));
    const pair = pairOf("json", [one!, two!], [three!]);
    const [cell] = judged([pair], [estimate(0)], LIMITS, { ...SURE, basis: "faster-half" });
    expect([cell?.base.fasterHalf, cell?.head.fasterHalf]).toEqual([15, 70]);
  });

  it("has a probability of all cells but the baseline", () => {
    const [a, b] = [estimate(0.3, 0.1), estimate(0.2, 0.1)];
    const reference: CellEstimate = { ...estimate(0.1), reference: true };
    const found = judged(pairs(["a", "json", "b"]), [a, reference, b], LIMITS, SURE);
    // Holm: the lesser of two counts twice.
    expect(found.map(({ p }) => p)).toEqual([2 * a.p!, null, Math.max(b.p!, 2 * a.p!)]);
    expect(found.map((cell) => cell.reference)).toEqual([undefined, true, undefined]);
    expect(found[1]?.verdict).toBe("undecided");
  });

  it("is undecided where a machine may be to blame, unless it is the same", () => {
    const estimates = [estimate(0.3), estimate(-0.3), estimate(0)];
    const verdicts = (blamed: boolean): string[] =>
      judged(pairs(["a", "b", "c"]), estimates, LIMITS, { ...SURE, blamed }).map(({ verdict }) => verdict);
    expect(verdicts(false)).toEqual(["slower", "faster", "same"]);
    expect(verdicts(true)).toEqual(["undecided", "undecided", "same"]);
  });

  it("has the middle of the runs' memory, where both sides have any", () => {
    const memory = (heapBytes: number, externalBytes: number, retainedBytes: number): Memory => ({
      heapBytes,
      externalBytes,
      gcNanos: 1,
      longestPauseNanos: 1,
      retainedBytes,
      leakedBytes: 0,
      findings: [],
    });
    const plain = measured("json", "encode", 1, 10);
    const [one, two] = [
      { ...plain, memory: memory(100, 0, 8) },
      { ...plain, memory: memory(300, 10, 4) },
    ];
    const memoryOf = (base: Cell[], head: Cell[]): unknown =>
      judged([pairOf("json", base, head)], [estimate(0)], LIMITS, SURE)[0]?.memory;
    expect(memoryOf([one, plain, two], [two])).toEqual({
      heapBytes: { base: 200, head: 300, ratio: 1.5, verdict: "undecided" },
      externalBytes: { base: 5, head: 10, ratio: 2, verdict: "same" },
      retainedBytes: { base: 6, head: 4, ratio: 4 / 6, verdict: "same" },
    });
    expect(memoryOf([one], [two])).toMatchObject({ externalBytes: { base: 0, head: 10, ratio: null } });
    expect(memoryOf([plain], [one])).toBeUndefined();
    expect(memoryOf([one], [plain])).toBeUndefined();
  });
});

describe("sizes", () => {
  const sizesOf = (base: RunRecord, head: RunRecord, names: readonly NamePair[]): unknown =>
    comparedSizes(base, head, names).map((one) => [one.codec, one.measure, one.base, one.head, one.change]);

  it("are those of messages, and only where there is none those of cells", () => {
    const payload = { dataset: "tellist", codec: "json", bytes: 5, gzip: 4, brotli: 3 };
    const base = recordOf([measured("json", "encode", 7, 1), measured("v8", "encode", 9, 1)], [payload]);
    const head = recordOf(
      [measured("json", "encode", 8, 1), measured("v8", "encode", 6, 1)],
      [{ ...payload, gzip: 6, zstd: 2 }],
    );
    expect(sizesOf(base, head, own("v8", "json", "amf3"))).toEqual([
      ["v8", "bytes", 9, 6, -3],
      ["json", "bytes", 5, 5, 0],
      ["json", "gzip", 4, 6, 2],
      ["json", "brotli", 3, 3, 0],
    ]);
  });

  it("by Brotli are compared where both are of one quality", () => {
    const payload = { dataset: "tellist", codec: "json", bytes: 5, gzip: 4, brotli: 3 };
    const cells = [measured("json", "encode", 7, 1)];
    const [usual, lower] = [recordOf(cells, [payload]), recordOf(cells, [{ ...payload, brotliQuality: 5 }])];
    const uncompressed = [
      ["json", "bytes", 5, 5, 0],
      ["json", "gzip", 4, 4, 0],
    ];
    expect(sizesOf(usual, lower, own("json"))).toEqual(uncompressed);
    expect(sizesOf(lower, usual, own("json"))).toEqual(uncompressed);
    expect(sizesOf(lower, lower, own("json"))).toEqual([...uncompressed, ["json", "brotli", 3, 3, 0]]);
  });

  it("are of each side by its own name, and of cells that have one", () => {
    const base = recordOf([{ ...measured("old", "encode", 7, 1), status: "ok" }]);
    const head = recordOf([measured("new", "encode", 9, 1)]);
    const names = [{ codec: "it", base: "old", head: "new" }];
    expect(sizesOf(base, head, names)).toEqual([["it", "bytes", 7, 9, 2]]);
    expect(sizesOf(base, head, own("old", "new"))).toEqual([]);
    const failed = recordOf([{ ...measured("new", "encode", 9, 1), status: "failed" }]);
    expect(sizesOf(base, failed, names)).toEqual([]);
    const { bytes: _, ...unsized } = measured("new", "encode", 9, 1);
    expect(sizesOf(base, recordOf([unsized]), names)).toEqual([]);
    const both = recordOf([measured("new", "encode", 9, 1), { ...unsized, operation: "decode" }]);
    expect(sizesOf(base, both, names)).toEqual([["it", "bytes", 7, 9, 2]]);
  });
});

describe("what all cells share", () => {
  it("is that of six cells of three codecs at least", () => {
    expect(areEnough(pairs(["a", "b", "c", "a", "b", "c"]))).toBe(true);
    expect(areEnough(pairs(["a", "b", "c", "a", "b"]))).toBe(false);
    expect(areEnough(pairs(["a", "b", "a", "b", "a", "b"]))).toBe(false);
  });

  it.each<[number, number, boolean]>([
    [1.26, 6, true],
    [1.25, 6, false],
    [1 / 1.26, 6, true],
    [0.81, 6, false],
    [1.26, 5, false],
    [1, 8, false],
  ])("with a middle of %d in %d of eight cells moved them or not", (median, together, moved) => {
    expect(movedTogether({ median, cells: 8, together }, 0.25)).toBe(moved);
  });

  it("is the middle of the ratios, with how many lie on its side", () => {
    const six = pairs(["a", "b", "c", "a", "b", "c"]);
    expect(shiftOf(six, [2, 2, 0.5, 8, 4, 2], 0.1)).toEqual({
      median: expect.closeTo(2, 9),
      cells: 6,
      together: 5,
      machine: true,
    });
    expect(shiftOf(six, [0.5, 0.5, 0.25, 1, 0.5, 2], 0.1)).toMatchObject({ together: 4, machine: false });
    // Half and double are equally far from 1.
    expect(shiftOf(six, [0.25, 1, 4, 1, 0.5, 2], 0.1)).toEqual({
      median: 1,
      cells: 6,
      together: 2,
      machine: false,
    });
    const few = pairs(["a", "b", "c", "a", "b"]);
    expect(shiftOf(few, [0.5, 1, 1, 2, 4], 0.1)).toMatchObject({ median: 1, together: 2 });
    expect(shiftOf(few, [2, 2, 2, 2, 2], 0.1)).toMatchObject({ together: 5, machine: false });
  });

  it("is of cells that have a ratio", () => {
    const odd = [0, Number.POSITIVE_INFINITY, Number.NaN, 3, 3, 3];
    const six = pairs(["a", "b", "c", "a", "b", "c"]);
    expect(shiftOf(six, odd, 0.1)).toMatchObject({ median: expect.closeTo(3, 9), cells: 3, together: 3 });
    expect(shiftOf(six, [0, 0, 0, 0, 0, 0], 0.1)).toBeNull();
  });
});
