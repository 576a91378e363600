/** What is said of two records, from their numbers alone. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import comparisonSchema from "../../../schemas/comparison.schema.json" with { type: "json" };
import type { CompareOptions } from "../../../src/analysis/compare/compare.ts";
import { compareRecords, compareSides, type RecordOptions } from "../../../src/analysis/compare/compare.ts";
import { UsageError } from "../../../src/model/errors.ts";
import type { Comparison } from "../../../src/model/records/comparison.ts";
import type { Cell, Memory, Noise, RunRecord } from "../../../src/model/records/run.ts";
import { measured, recordOf, refused } from "../../reports/record.ts";
import { around, timed } from "./timed.ts";

const validate = new Ajv2020({ strictTypes: false, allowUnionTypes: true }).compile(comparisonSchema);

/** A comparison, after it was held against its schema as a program reads it. */
function checked(comparison: Comparison): Comparison {
  expect(validate(JSON.parse(JSON.stringify(comparison))), JSON.stringify(validate.errors)).toBe(true);
  return comparison;
}

function compared(base: readonly Cell[], head: readonly Cell[], options: RecordOptions = {}): Comparison {
  return checked(compareRecords(recordOf(base), recordOf(head), options));
}

function verdictOf(base: readonly number[], head: readonly number[], options: RecordOptions = {}): string {
  const { cells } = compared([timed("json", "encode", base)], [timed("json", "encode", head)], {
    absolute: true,
    ...options,
  });
  return cells[0]?.verdict ?? "none";
}

describe("a cell of two records, by its times as they are", () => {
  it.each([
    ["is slower", around(1000, 0.01), around(1200, 0.01), "slower"],
    ["is faster", around(1000, 0.01), around(800, 0.01), "faster"],
    ["is the same with the same times", around(1000, 0.001), around(1000, 0.001), "same"],
    [
      "is not the same within 1 %, however alike its processes are: those of another run differ by that",
      around(1000, 0, 16),
      around(1004, 0, 16),
      "undecided",
    ],
    ["is undecided where the processes differ more", around(1000, 0.5), around(1050, 0.5), "undecided"],
    ["is undecided with a process only", [1000], [2000], "undecided"],
    ["is undecided where one took no time", [0, 0, 0], [1000, 1000, 1000], "undecided"],
  ])("%s", (_, base, head, verdict) => {
    expect(verdictOf(base, head)).toBe(verdict);
  });

  it("has the time of the head as a multiple of the base's, and its interval around it", () => {
    const [cell] = compared(
      [timed("json", "encode", around(1000, 0.02))],
      [timed("json", "encode", around(1500, 0.02))],
    ).cells;
    expect(cell?.ratio).toBeCloseTo(1.5, 2);
    expect(cell?.ci95?.[0]).toBeLessThan(1.5);
    expect(cell?.ci95?.[1]).toBeGreaterThan(1.5);
    expect(cell?.base.median).toBeCloseTo(1000, -2);
    expect(cell?.head.median).toBeCloseTo(1500, -2);
  });

  it("is the same as itself, however much its processes differ", () => {
    const cells = [timed("json", "encode", around(1000, 0.5)), timed("v8", "encode", [1000, 5000, 90])];
    for (const cell of compared(cells, structuredClone(cells), { absolute: true }).cells) {
      expect(cell).toMatchObject({ verdict: "same", ratio: 1, ci95: [1, 1], p: 1 });
    }
  });

  it.each([1.3, 1.07, 1.02, 1.01])("changes only the direction of %d times when it is swapped", (factor) => {
    const before = [timed("json", "encode", around(1000, 0.0001))];
    const after = [timed("json", "encode", around(1000 * factor, 0.0001))];
    const options = { threshold: 0.05, absolute: true };
    const [there] = compared(before, after, options).cells;
    const [back] = compared(after, before, options).cells;
    const verdicts = factor > 1.05 ? ["slower", "faster"] : ["same", "same"];
    expect([there?.verdict, back?.verdict]).toEqual(verdicts);
    expect(there?.ratio).toBeCloseTo(factor, 3);
    expect((there?.ratio ?? 0) * (back?.ratio ?? 0)).toBeCloseTo(1, 9);
  });

  it.each<RecordOptions>([
    { threshold: -0.01 },
    { threshold: 1.5 },
    { threshold: Number.NaN },
    { failIfSlower: -1 },
    { failIfSlower: Number.POSITIVE_INFINITY },
  ])("is not judged by %j", (options) => {
    const cells = [timed("json", "encode", [1000, 1000])];
    expect(() => compared(cells, cells, options)).toThrow(UsageError);
  });

  it("is the same within the threshold, however sure the difference is", () => {
    expect(verdictOf(around(1000, 0, 16), around(1020, 0, 16), { threshold: 0.05 })).toBe("same");
  });

  it("is not called different within the threshold", () => {
    const [base, head] = [around(1000, 0.001), around(1050, 0.001)];
    expect(verdictOf(base, head)).toBe("slower");
    expect(verdictOf(base, head, { threshold: 0.1 })).toBe("same");
  });

  it("is not called different within the noise that either run found in itself", () => {
    const noise: Noise = { twin: "json (A/A)", spread: 0.1, gate: 0.1 };
    const base = recordOf([timed("json", "encode", around(1000, 0.001))]);
    const head = { ...recordOf([timed("json", "encode", around(1050, 0.001))]), noise };
    const absolute = { absolute: true };
    for (const comparison of [compareRecords(base, head, absolute), compareRecords(head, base, absolute)]) {
      // Nor the same: that is a matter of the threshold.
      expect(comparison).toMatchObject({ gate: 0.1, noiseMeasured: true, cells: [{ verdict: "undecided" }] });
    }
  });

  it("needs a difference the surer the more cells there are", () => {
    const one = (codec: string, level: number): Cell => timed(codec, "encode", around(level, 0.05));
    const many = Array.from({ length: 200 }, (_, i) => `codec-${i}`);
    const absolute = { absolute: true };
    const alone = compared([one("json", 1000)], [one("json", 1100)], absolute).cells[0];
    const among = compared(
      [one("json", 1000), ...many.map((codec) => one(codec, 1000))],
      [one("json", 1100), ...many.map((codec) => one(codec, 1000))],
      absolute,
    ).cells[0];
    expect(alone?.verdict).toBe("slower");
    expect(among?.ratio).toBe(alone?.ratio);
    expect(among?.p).toBeGreaterThan(alone?.p ?? 1);
    expect(among?.detectable).toBeGreaterThan(alone?.detectable ?? 1);
  });
});

describe("two records", () => {
  it("compare sizes exactly, as they are and compressed", () => {
    const payload = { dataset: "tellist", codec: "json", gzip: 700, brotli: 600 };
    const base = recordOf([measured("json", "encode", 1849, 10)], [{ ...payload, bytes: 1849, zstd: 650 }]);
    const head = recordOf([measured("json", "encode", 1852, 10)], [{ ...payload, bytes: 1852 }]);
    const { sizes } = checked(compareRecords(base, head));
    expect(sizes.map(({ measure, base: from, head: to, change }) => [measure, from, to, change])).toEqual([
      ["bytes", 1849, 1852, 3],
      ["gzip", 700, 700, 0],
      ["brotli", 600, 600, 0],
    ]);
  });

  it("of a proof, without times, compare sizes", () => {
    const { nanos: _, ...cell } = measured("json", "verify", 2617, 1);
    const proof = recordOf([{ ...cell, status: "ok" }]);
    expect(checked(compareRecords(proof, proof))).toMatchObject({
      cells: [],
      shift: null,
      detectable: null,
      sizes: [{ measure: "bytes", change: 0 }],
    });
  });

  it("compare memory where both have it", () => {
    const memory: Memory = {
      heapBytes: 100,
      externalBytes: 0,
      gcNanos: 1,
      longestPauseNanos: 1,
      retainedBytes: 50,
      leakedBytes: 0,
      findings: [],
    };
    const base = { ...measured("json", "encode", 1, 10), memory };
    const head = { ...base, memory: { ...memory, heapBytes: 150 } };
    expect(compared([base], [head]).cells[0]?.memory).toEqual({
      heapBytes: { base: 100, head: 150, ratio: 1.5, verdict: "undecided" },
      externalBytes: { base: 0, head: 0, ratio: null, verdict: "same" },
      retainedBytes: { base: 50, head: 50, ratio: 1, verdict: "same" },
    });
    expect(compared([base], [measured("json", "encode", 1, 10)]).cells[0]?.memory).toBeUndefined();
  });

  it("name what only one of them measured, and why", () => {
    const base = [
      measured("json", "encode", 1, 10),
      measured("json", "decode", 1, 10),
      measured("v8", "encode", 1, 10),
    ];
    const head = [
      measured("json", "encode", 1, 10),
      refused("json", "decode", "failed", "lost"),
      measured("amf3", "encode", 1, 10),
    ];
    expect(compared(base, head).alone).toEqual([
      {
        operation: "decode",
        dataset: "tellist",
        codec: "json",
        side: "base",
        other: "failed",
        reason: "lost",
      },
      { operation: "encode", dataset: "tellist", codec: "v8", side: "base", other: "absent" },
      { operation: "encode", dataset: "tellist", codec: "amf3", side: "head", other: "absent" },
    ]);
  });

  it("leave out the second measurement of the baseline", () => {
    const twin = { ...measured("json (A/A)", "encode", 1, 10), twinOf: "json" };
    const { cells, alone } = compared(
      [measured("json", "encode", 1, 10), twin],
      [measured("json", "encode", 1, 10)],
    );
    expect([cells.length, alone.length]).toEqual([1, 0]);
  });

  it("with nothing in common are refused", () => {
    const attempt = (): unknown =>
      compareRecords(
        recordOf([measured("json", "encode", 1, 10)]),
        recordOf([measured("v8", "encode", 1, 10)]),
      );
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(
      "nothing to compare: expected a codec that both measured on one dataset, got json on tellist and v8 on tellist",
    );
  });
});

describe("a limit on slower cells", () => {
  const limited = (
    base: readonly Cell[],
    head: readonly Cell[],
    options: CompareOptions,
  ): Comparison["failIfSlower"] => compared(base, head, { ...options, absolute: true }).failIfSlower;

  it.each([
    ["one that is slower by more", 1, 1.2, 0.01, 1],
    ["none that is slower by less", 1, 1.04, 0.0001, 0],
    ["none that is faster", 1, 0.5, 0.01, 0],
    ["none that is undecided, whatever its ratio", 1, 1.3, 0.9, 0],
  ])("names %s", (_, from, to, spread, count) => {
    const base = [timed("json", "encode", around(1000 * from, spread))];
    const head = [timed("json", "encode", around(1000 * to, spread))];
    expect(limited(base, head, { failIfSlower: 0.05 })?.slower).toHaveLength(count);
  });

  it("names the undecided cells that pass it though they may be slower by more, in a last warning", () => {
    const base = [timed("json", "encode", around(1000, 0.2))];
    const head = [timed("json", "encode", around(1010, 0.2))];
    const cell = { operation: "encode", dataset: "tellist", codec: "json" };
    const { failIfSlower, warnings } = compared(base, head, { failIfSlower: 0.05 });
    expect(failIfSlower?.blind).toMatchObject([cell]);
    expect(warnings.at(-1)).toMatch(
      /^the gate is blind for 1 of 1 cell: .* limit of 5.0 % and pass: encode\/tellist\/json up to 1\.\d+ times/,
    );
    const wide = compared(base, head, { failIfSlower: 2 });
    expect(wide.failIfSlower?.blind).toEqual([]);
    expect(wide.warnings.join()).not.toContain("blind");
    // Who asks for it has it as an exit code.
    const asked = compared(base, head, { failIfSlower: 0.05, failIfUndecided: 0.05 });
    expect(asked.failIfUndecided?.cells).toMatchObject([cell]);
    expect(asked.warnings.join()).not.toContain("blind");
  });

  it("is blind for a cell whose interval is not known", () => {
    const { failIfSlower, warnings } = compared(
      [timed("json", "encode", [1000])],
      [timed("json", "encode", [1001])],
      { failIfSlower: 2, absolute: true },
    );
    expect(failIfSlower?.blind).toMatchObject([{ codec: "json", ci95: null }]);
    expect(warnings.at(-1)).toContain("encode/tellist/json by anything");
  });

  it("names what has failed since", () => {
    const both = measured("json", "encode", 1, 10);
    const base = [both, measured("v8", "encode", 1, 10)];
    const failed = [both, refused("v8", "encode", "failed", "lost")];
    expect(limited(base, failed, { failIfSlower: 0.05 })?.failed).toHaveLength(1);
    expect(limited(failed, base, { failIfSlower: 0.05 })?.failed).toHaveLength(0);
    expect(compared(base, failed).failIfSlower).toBeUndefined();
  });
});

describe("two sides of one record", () => {
  it("are compared block by block, so that a drift of the machine meets both", () => {
    // Each block takes twice as long as the one before.
    const drift = Array.from({ length: 8 }, (_, block) => 1000 * 2 ** block);
    const sides = (factor: number): RunRecord =>
      recordOf([
        timed("json (base)", "encode", drift),
        timed(
          "json (head)",
          "encode",
          drift.map((nanos, i) => nanos * factor * (1 + 0.002 * (i % 3))),
        ),
      ]);
    const names = [{ codec: "json", base: "json (base)", head: "json (head)" }];
    const comparison = checked(compareSides(sides(1.1), names, { base: "old", head: "new" }));
    expect(comparison).toMatchObject({
      method: "paired",
      base: { source: "old" },
      head: { source: "new" },
      cells: [{ codec: "json", verdict: "slower" }],
      alone: [],
    });
    const unpaired = compareRecords(
      recordOf([timed("json", "encode", drift)]),
      recordOf([
        timed(
          "json",
          "encode",
          drift.map((nanos) => nanos * 1.1),
        ),
      ]),
    );
    expect(unpaired.cells[0]?.verdict).toBe("undecided");
  });
});
