/** Runs that share no blocks: what is taken off their ratios, and what they differ by beside it. */
import { describe, expect, it } from "vitest";
import { compareRecords, type RecordOptions } from "../../../src/analysis/compare/compare.ts";
import { UsageError } from "../../../src/model/errors.ts";
import type { Comparison } from "../../../src/model/records/comparison.ts";
import type { Cell, RunRecord } from "../../../src/model/records/run.ts";
import { renderComparisonText } from "../../../src/reports/comparison/text.ts";
import { measured, recordOf } from "../../reports/record.ts";
import { seededNormal } from "../statistics/normal.ts";
import { around, timed } from "./timed.ts";

const OPERATIONS = ["encode", "decode"];

/** A run of these codecs, whose times are multiplied by a factor of the machine and, by codec, of the code. */
function run(
  codecs: readonly string[],
  factor: number,
  changed: Readonly<Record<string, number>> = {},
): RunRecord {
  return recordOf(
    codecs.flatMap((codec, i) =>
      OPERATIONS.map((operation, j) =>
        timed(codec, operation, around(1000 * (i + 1) * (j + 1) * factor * (changed[codec] ?? 1), 0.01)),
      ),
    ),
  );
}

const CODECS = ["a", "b", "c", "d"];

function verdicts({ cells }: Comparison): Record<string, string> {
  return Object.fromEntries(cells.map(({ operation, codec, verdict }) => [`${operation} ${codec}`, verdict]));
}

function different(comparison: Comparison): string[] {
  return Object.entries(verdicts(comparison)).flatMap(([name, verdict]) =>
    verdict === "slower" || verdict === "faster" ? [`${name} ${verdict}`] : [],
  );
}

describe("processes that are interrupted", () => {
  /** A run whose processes have a long batch in each stretch: by how much is chance, and more in a run that is busier. */
  const interrupted = (busy: number): RunRecord => {
    const record = run(CODECS, 1);
    const lengthened = (cell: Cell): Cell => {
      const nanos = cell.nanos!;
      const batches = nanos.processes.map((level, i) =>
        Array.from({ length: 40 }, (_, at) => level * (at % 8 === 3 ? 1 + busy * (i % 4) : 1)),
      );
      const processes = nanos.processes.map((level, i) => level * (1 + (busy * (i % 4)) / 8));
      return { ...cell, nanos: { ...nanos, batches, processes, median: 2 * nanos.median } };
    };
    return { ...record, cells: record.cells.map(lengthened) };
  };

  it("are compared by their faster halves, which are what is shown", () => {
    const comparison = compareRecords(interrupted(4), interrupted(8));
    expect(comparison).toMatchObject({ basis: "faster-half", counts: { slower: 0, faster: 0 } });
    const [cell] = comparison.cells;
    for (const side of [cell!.base, cell!.head]) {
      expect(side.fasterHalf).toBeCloseTo(1000, -2);
      expect(side.median).toBeCloseTo(2000, -2);
    }
    const text = renderComparisonText(comparison);
    expect(text).toMatch(/encode +a +1\.00 µs +1\.00 µs +0\.0 %/);
    expect(text).toContain("base, head and change are of the faster halves of batches");
  });

  it("are compared by their means where these differ no more, and nothing is said of quartiles", () => {
    const comparison = compareRecords(run(CODECS, 1), run(CODECS, 1));
    expect(comparison.basis).toBeUndefined();
    expect(comparison.cells[0]!.base).not.toHaveProperty("fasterHalf");
    expect(renderComparisonText(comparison)).not.toContain("quartile");
  });
});

describe("from six cells of three codecs on", () => {
  it.each([0.2, 1.12, 5.45])("a machine that takes %d times as long is taken off every ratio", (factor) => {
    const comparison = compareRecords(run(CODECS, 1), run(CODECS, factor), { failIfSlower: 0.05 });
    expect(comparison.calibration).toEqual({ factor: expect.closeTo(factor, 2), by: "cells", cells: 8 });
    expect(comparison.shift).toMatchObject({ median: expect.closeTo(factor, 2), machine: true });
    expect(different(comparison)).toEqual([]);
    expect(comparison.failIfSlower?.slower).toEqual([]);
    expect(comparison.warnings.join()).toContain("8 of 8 cells moved alike");
  });

  it("a codec that changed is found beside it", () => {
    const comparison = compareRecords(run(CODECS, 1), run(CODECS, 0.5, { b: 1.3 }));
    expect(different(comparison)).toEqual(["encode b slower", "decode b slower"]);
    const [, , encode] = comparison.cells;
    expect(encode?.ratio).toBeCloseTo(1.3, 1);
    expect(encode?.base.median).toBeCloseTo(2000, -2);
    expect(encode?.head.median).toBeCloseTo(1300, -2);
  });

  it("a change of most codecs is taken off with it, which a limit finds", () => {
    const changed = { a: 1.3, b: 1.3, c: 1.3 };
    const limit = (failIfShifted: number): Comparison =>
      compareRecords(run(CODECS, 1), run(CODECS, 1, changed), { failIfShifted });
    expect(different(limit(0.2))).not.toContain("encode a slower");
    expect(limit(0.2).calibration?.factor).toBeCloseTo(1.3, 1);
    expect(limit(0.2).failIfShifted).toEqual({ limit: 0.2, shifted: true });
    expect(limit(0.4).failIfShifted).toEqual({ limit: 0.4, shifted: false });
  });

  it("nothing is taken off where times are asked for as they are", () => {
    const comparison = compareRecords(run(CODECS, 1), run(CODECS, 1.3), { absolute: true });
    expect(comparison).toMatchObject({ absolute: true, counts: { slower: 8 } });
    expect(comparison.calibration).toBeUndefined();
    expect(comparison.warnings.join()).toContain("with --absolute, what the machine did");
  });

  it("a comparison with itself has no difference, and nothing to take off", () => {
    const record = run(CODECS, 1);
    const comparison = compareRecords(record, structuredClone(record));
    expect(comparison).toMatchObject({ counts: { same: 8 }, calibration: { factor: 1 } });
  });

  it("cells that jump between runs widen the intervals of all", () => {
    const jump = (by: number): Comparison =>
      compareRecords(
        run(CODECS, 1),
        run(CODECS, 1, { a: 1 + by, b: 1 / (1 + by), c: 1 + 2 * by, d: 1 / (1 + 2 * by) }),
      );
    const [calm, wild] = [jump(0), jump(0.2)];
    expect(calm.betweenRuns).toEqual({ deviation: expect.closeTo(Math.expm1(0.01), 9), source: "cells" });
    expect(wild.betweenRuns?.deviation).toBeGreaterThan(0.2);
    expect(wild.detectable).toBeGreaterThan(0.5);
    expect(different(wild)).toEqual([]);
  });
});

describe("with fewer cells", () => {
  const FEW = ["json", "b"];

  it("ratios to the baseline of each run are compared", () => {
    const comparison = compareRecords(run(FEW, 1), run(FEW, 1.4, { b: 1.3 }), { failIfUndecided: 0.5 });
    expect(comparison.calibration).toEqual({
      factor: expect.closeTo(1.4, 2),
      by: "baseline",
      cells: 2,
      baseline: "json",
    });
    expect(different(comparison)).toEqual(["encode b slower", "decode b slower"]);
    expect(comparison.cells[2]?.ratio).toBeCloseTo(1.3, 2);
    const [own] = comparison.cells;
    expect(own).toMatchObject({ codec: "json", reference: true, ratio: 1, p: null });
    expect(comparison.counts).toEqual({ slower: 2, faster: 0, same: 0, undecided: 0 });
    expect(comparison.failIfUndecided?.cells).toEqual([]);
    expect(comparison.warnings.join()).toContain("what json itself did is not judged");
  });

  it.each<[string, readonly string[]]>([
    ["without a baseline", ["a", "b"]],
    ["of the baseline alone", ["json"]],
  ])("%s, cells that moved alike are undecided", (_, codecs) => {
    const comparison = compareRecords(run(codecs, 1), run(codecs, 1.4), {
      failIfSlower: 0.05,
      failIfUndecided: 0.05,
    });
    expect(comparison.counts.undecided).toBe(comparison.cells.length);
    expect(comparison.failIfSlower?.slower).toEqual([]);
    expect(comparison.failIfUndecided?.cells).toHaveLength(comparison.cells.length);
    expect(comparison.warnings.join()).toContain("nothing tells a machine that changed from codecs that did");
  });

  it("a cell that moved by itself is called different", () => {
    const codecs = ["a", "b"];
    expect(different(compareRecords(run(codecs, 1), run(codecs, 1, { b: 1.3 })))).toEqual([
      "encode b slower",
      "decode b slower",
    ]);
  });

  it("that have other baselines, times are compared", () => {
    const base = run(FEW, 1);
    const head = { ...run(FEW, 1, { b: 1.3 }), options: { ...base.options, baseline: "b" } };
    const comparison = compareRecords(base, head);
    expect(comparison.calibration).toBeUndefined();
    expect(different(comparison)).toEqual(["encode b slower", "decode b slower"]);
  });
});

describe("several runs of the base", () => {
  /** Runs of one code whose cells differ from run to run by 5 %, of the 1 % that processes tell of. */
  const runs = (seed: number, count: number): RunRecord[] => {
    const normal = seededNormal(seed);
    return Array.from({ length: count }, () => {
      const machine = Math.exp(0.2 * normal());
      return run(
        CODECS,
        machine,
        Object.fromEntries(CODECS.map((codec) => [codec, Math.exp(0.05 * normal())])),
      );
    });
  };

  const compared = (bases: readonly RunRecord[], head: RunRecord, more: RecordOptions = {}): Comparison =>
    compareRecords(bases, head, more);

  it("measure what runs differ by, so that it is no difference of the head", () => {
    const [head, ...bases] = runs(1, 5) as [RunRecord, ...RunRecord[]];
    const one = compareRecords(bases[0]!, head, { absolute: true });
    expect(different(one).length).toBeGreaterThan(0);
    const comparison = compared(bases, head);
    expect(different(comparison)).toEqual([]);
    expect(comparison.betweenRuns?.source).toBe("runs");
    expect(comparison.betweenRuns?.deviation).toBeGreaterThan(0.025);
    expect(comparison.betweenRuns?.deviation).toBeLessThan(0.1);
    expect(comparison.bases?.map(({ source }) => source)).toHaveLength(4);
    expect(comparison.cells[0]?.base.processes).toBe(32);
  });

  it("find what changed by more than that", () => {
    const bases = runs(2, 4);
    const head = run(CODECS, 1.7, { c: 2 });
    expect(different(compared(bases, head))).toEqual(["encode c slower", "decode c slower"]);
    expect(compared(bases, head).cells[4]?.ratio).toBeCloseTo(2, 0);
  });

  it("measure the machine too where nothing is taken off", () => {
    const bases = runs(3, 4);
    const head = run(CODECS, 1.3);
    expect(different(compared(bases, head, { absolute: true }))).toEqual([]);
    expect(compared(bases, head, { absolute: true }).betweenRuns?.deviation).toBeGreaterThan(0.1);
  });

  it("tell of a single cell what two runs could not", () => {
    const lone = (level: number): RunRecord => recordOf([timed("a", "encode", around(level, 0.01))]);
    const bases = [1000, 1010, 995, 1005].map(lone);
    expect(different(compareRecords(bases[0]!, lone(1400)))).toEqual([]);
    expect(different(compareRecords(bases, lone(1400)))).toEqual(["encode a slower"]);
  });

  it("may have several of the head beside them", () => {
    const [bases, heads] = [runs(4, 3), runs(5, 3)];
    const comparison = compareRecords(bases, heads);
    expect(comparison.heads).toHaveLength(3);
    expect(different(comparison)).toEqual([]);
  });

  it("are different runs", () => {
    const record = run(CODECS, 1);
    const attempt = (): unknown =>
      compareRecords([record, structuredClone(record)], run(CODECS, 2), {
        sources: { base: ["one.json", "copy.json"], head: "head.json" },
      });
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow("base: one.json and copy.json are one run, expected runs");
    expect(() => compareRecords([], record)).toThrow("base: expected a record, got none");
  });

  it("have a cell in common only if all have measured it", () => {
    const cells = (codecs: readonly string[]): readonly Cell[] => run(codecs, 1).cells;
    const without = recordOf(cells(["a", "b", "c"]));
    const { alone, cells: common } = compareRecords([run(CODECS, 1), without], run(CODECS, 1.1));
    expect(common).toHaveLength(6);
    expect(alone).toMatchObject([
      { operation: "encode", codec: "d", side: "head", other: "absent" },
      { operation: "decode", codec: "d", side: "head", other: "absent" },
    ]);
  });

  it("of other libraries or machines are warned of and refused like those of the other side", () => {
    const [base, head] = [run(CODECS, 1), run(CODECS, 1.1)];
    const other = { ...base, cells: run(CODECS, 1.01).cells.map((cell) => ({ ...cell, version: "9.9.9" })) };
    const { differences } = compareRecords([base, other], head);
    expect(differences[0]).toEqual({
      what: "lib-a",
      base: "1.2.3 and 9.9.9",
      head: "1.2.3",
      weight: "warning",
    });
    const cpu = { ...base.environment.cpu, model: "Slide rule" };
    const moved = { ...other, environment: { ...base.environment, cpu } };
    expect(() => compareRecords([base, moved], head)).toThrow("CPU model Abacus 9000 and Slide rule");
  });
});

describe("a comparison without times", () => {
  it("tells nothing, and says so to who asks", () => {
    const { nanos: _, ...cell } = measured("json", "verify", 2617, 1);
    const proof = recordOf([{ ...cell, status: "ok" }]);
    expect(compareRecords(proof, proof, { failIfUndecided: 0.05, failIfShifted: 0.05 })).toMatchObject({
      failIfUndecided: { limit: 0.05, cells: [], nothing: true },
      failIfShifted: { limit: 0.05, shifted: false },
    });
  });
});
