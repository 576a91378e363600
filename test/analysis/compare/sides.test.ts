/** What a comparison says of its two sides and of itself, beside the cells. */
import { describe, expect, it } from "vitest";
import { compareRecords, compareSides } from "../../../src/analysis/compare/compare.ts";
import { UsageError } from "../../../src/model/errors.ts";
import type { Cell, Counters, RunRecord } from "../../../src/model/records/run.ts";
import { measured, recordOf, refused } from "../../reports/record.ts";
import { around, timed } from "./timed.ts";

const cell = (codec: string, level = 1000): Cell => timed(codec, "encode", around(level, 0.01));

/** A run of the same codec, that began at this second. */
function run(second: number, more: Partial<RunRecord> = {}, level = 1000): RunRecord {
  return { ...recordOf([cell("json", level)]), startedAt: `2026-01-01T00:00:0${second}.000Z`, ...more };
}

const withOptions = (record: RunRecord, more: Partial<RunRecord["options"]>): RunRecord => ({
  ...record,
  options: { ...record.options, ...more },
});

describe("a side of a comparison", () => {
  it("says where its figures come from", () => {
    const bun = { ...recordOf([]).runtimes[0]!, name: "bun", version: "1.3.0" };
    const plain = run(1);
    const base: RunRecord = {
      ...plain,
      complete: false,
      runtimes: [...plain.runtimes, bun],
      noise: { twin: "json (A/A)", spread: 0.02, gate: 0.02 },
      cells: [{ ...cell("json"), build: "native" }, cell("v8")],
    };
    const head = run(2, { tool: { name: "wirebench", version: "2.0.0", command: "wirebench run" } });
    const comparison = compareRecords(base, withOptions(head, { profile: "thorough" }), { force: true });
    expect(comparison.base).toEqual({
      source: "2026-01-01T00:00:01.000Z",
      startedAt: "2026-01-01T00:00:01.000Z",
      complete: false,
      command: "wirebench run --seed 42",
      tool: "9.8.7",
      profile: "quick",
      cpu: "Abacus 9000",
      runtime: "node 20.1.2, bun 1.3.0",
      libraries: [
        { library: "lib-json", version: "1.2.3", build: "native" },
        { library: "lib-v8", version: "1.2.3" },
      ],
      noise: 0.02,
    });
    expect(comparison.head).toEqual({
      ...comparison.base,
      source: "2026-01-01T00:00:02.000Z",
      startedAt: "2026-01-01T00:00:02.000Z",
      complete: true,
      command: "wirebench run",
      tool: "2.0.0",
      profile: "thorough",
      runtime: "node 20.1.2",
      libraries: [{ library: "lib-json", version: "1.2.3" }],
      noise: null,
    });
    expect([comparison.bases, comparison.heads]).toEqual([undefined, undefined]);
  });

  it("is called what its files are", () => {
    const sources = { base: ["one", "two"], head: "three" };
    const comparison = compareRecords([run(1), run(2)], [run(3)], { sources });
    expect(comparison.bases?.map(({ source }) => source)).toEqual(["one", "two"]);
    expect(comparison.base).toEqual(comparison.bases?.[0]);
    expect([comparison.head.source, comparison.heads]).toEqual(["three", undefined]);
    const unnamed = compareRecords(run(1), [run(2), run(3)]);
    expect(unnamed.heads?.map(({ source }) => source)).toEqual([2, 3].map((at) => run(at).startedAt));
    expect(unnamed.bases).toBeUndefined();
  });

  it("may have runs that began together or took the same times, but not both", () => {
    expect(compareRecords([run(1), run(2)], run(3)).bases).toHaveLength(2);
    expect(compareRecords([run(1), run(1, {}, 1100)], run(3)).bases).toHaveLength(2);
    const twice = (): unknown => compareRecords(run(3), [run(4), run(1), run(2), run(1)]);
    expect(twice).toThrow(UsageError);
    expect(twice).toThrow(
      `head: ${run(1).startedAt} and ${run(1).startedAt} are one run, expected runs that were made one after the other`,
    );
    expect(() => compareRecords(run(3), [])).toThrow(new UsageError("head: expected a record, got none"));
  });

  it("of a pair has the libraries of its own codecs, in one record", () => {
    const record = recordOf([
      { ...cell("json (old)"), version: "1.0.0" },
      { ...cell("json (new)"), version: "2.0.0" },
    ]);
    const names = [{ codec: "json", base: "json (old)", head: "json (new)" }];
    const steady = {
      ...record,
      runtimes: [{ ...record.runtimes[0]!, steadyArgv: ["--no-flush-bytecode"] }],
    } as unknown as RunRecord;
    const sources = { base: "old", head: "new" };
    const comparison = compareSides(steady, names, sources);
    expect(comparison.base.libraries).toEqual([{ library: "lib-json (old)", version: "1.0.0" }]);
    expect(comparison.head.libraries).toEqual([{ library: "lib-json (new)", version: "2.0.0" }]);
    expect(comparison).toMatchObject({ method: "paired", schemaVersion: 1, kind: "comparison" });
    expect(comparison.steadyArgv).toEqual(["--no-flush-bytecode"]);
    expect("steadyArgv" in compareSides(record, names, sources)).toBe(false);
    expect("steadyArgv" in compareRecords(steady, { ...steady, startedAt: "later" })).toBe(false);
  });

  it("of a pair may be built in another way, and no machine is between them", () => {
    const record = recordOf([cell("old"), { ...cell("new", 2000), build: "from source" }]);
    const names = [{ codec: "json", base: "old", head: "new" }];
    const comparison = compareSides(record, names, { base: "old", head: "new" });
    expect(comparison.differences).toEqual([
      { what: "how lib-old was built", base: "unknown", head: "from source", weight: "warning" },
    ]);
    expect("absolute" in comparison).toBe(false);
    expect(comparison.warnings.join()).not.toContain("nothing tells a machine");
  });

  it("may have runs with cells that failed", () => {
    const cells = [cell("json"), refused("v8", "encode", "failed", "lost")];
    expect(compareRecords([run(1, { cells }), run(2, { cells })], run(3)).cells).toHaveLength(1);
  });

  it("has sizes of each codec, but not of its second measurement", () => {
    const cells = [cell("json"), { ...cell("json (A/A)"), twinOf: "json" }];
    expect(compareRecords(run(1, { cells }), run(2, { cells })).sizes).toMatchObject([{ codec: "json" }]);
  });

  it("of a pair may have nothing in common with the other", () => {
    const names = [{ codec: "json", base: "json (old)", head: "json (new)" }];
    const { cells, sizes, alone } = compareSides(
      recordOf([cell("json (old)"), refused("json (new)", "encode", "failed", "lost")]),
      names,
      { base: "old", head: "new" },
    );
    expect([cells, sizes, alone.length]).toEqual([[], [], 1]);
  });
});

describe("the limits of a comparison", () => {
  const noisy = (record: RunRecord, spread: number): RunRecord => ({
    ...record,
    noise: { twin: "json (A/A)", spread, gate: spread },
  });

  it("are the larger of the runs' own thresholds, or the one that is given", () => {
    const [base, head] = [withOptions(run(1), { threshold: 0.02 }), withOptions(run(2), { threshold: 0.05 })];
    expect(compareRecords(base, head)).toMatchObject({ threshold: 0.05, gate: 0.05, noiseMeasured: false });
    expect(compareRecords(head, base).threshold).toBe(0.05);
    expect(compareRecords(base, head, { threshold: 0 })).toMatchObject({ threshold: 0, gate: 0 });
    expect(compareRecords(base, head, { threshold: 1 })).toMatchObject({ threshold: 1, gate: 1 });
  });

  it("are as wide as the noise, unless what runs differ by is in the intervals", () => {
    const [base, head] = [noisy(run(1), 0.2), noisy(run(2), 0.3)];
    expect(compareRecords(base, head)).toMatchObject({ gate: 0.3, noiseMeasured: true });
    expect(compareRecords([base, noisy(run(3, {}, 1010), 0.2)], head)).toMatchObject({
      gate: 0.01,
      noiseMeasured: true,
    });
  });

  it.each(["failIfSlower", "failIfUndecided", "failIfShifted"] as const)("may be 0: %s", (name) => {
    expect(compareRecords(run(1), run(2), { [name]: 0 })[name]).toMatchObject({ limit: 0 });
    expect(name in compareRecords(run(1), run(2))).toBe(false);
    expect(() => compareRecords(run(1), run(2), { [name]: -0.1 })).toThrow(name);
    expect(() => compareRecords(run(1), run(2), { [name]: Number.POSITIVE_INFINITY })).toThrow(name);
  });

  it.each([-0.1, 1.1, Number.NaN])("are shares: no threshold is %d", (threshold) => {
    expect(() => compareRecords(run(1), run(2), { threshold })).toThrow("threshold");
  });
});

describe("a comparison", () => {
  it("says the middle of what could have been found, if that is known of any cell", () => {
    const runs = [1, 2].map((at) =>
      run(at, { cells: [cell("json", 990 + at), cell("v8", 900 + at), timed("amf3", "encode", [9])] }),
    );
    const { cells, detectable } = compareRecords(runs[0]!, runs[1]!, { absolute: true });
    const known = cells.flatMap((one) => one.detectable ?? []);
    expect(known).toHaveLength(2);
    expect(detectable).toBe((known[0]! + known[1]!) / 2);
    const lone = [3, 4].map((at) => run(at, { cells: [timed("json", "encode", [at])] }));
    expect(compareRecords(lone[0]!, lone[1]!).detectable).toBeNull();
  });

  it("says that nothing was taken off only where that was asked for", () => {
    expect(compareRecords(run(1), run(2), { absolute: true }).absolute).toBe(true);
    expect("absolute" in compareRecords(run(1), run(2))).toBe(false);
  });

  it("counts its verdicts", () => {
    const levels = { a: 1, b: 1.5, c: 0.5, d: 1 };
    const side = (second: number, changed: boolean): RunRecord =>
      run(second, {
        cells: Object.entries(levels).map(([codec, factor]) =>
          timed(
            codec,
            "encode",
            around(1000 * (changed ? factor : 1), codec !== "d" ? 0.001 : changed ? 0.5 : 0.4),
          ),
        ),
      });
    expect(compareRecords(side(1, false), side(2, true), { absolute: true }).counts).toEqual({
      faster: 1,
      slower: 1,
      same: 1,
      undecided: 1,
    });
  });

  it("with nothing in common says what there is", () => {
    const many = recordOf(["a", "b", "c", "d", "e", "a"].map((codec) => cell(codec)));
    const four = { ...recordOf(["v", "w", "x", "y"].map((codec) => cell(codec))), startedAt: "then" };
    const refusal = "nothing to compare: expected a codec that both measured on one dataset";
    expect(() => compareRecords(many, four, { sources: { base: "many", head: "four" } })).toThrow(
      new UsageError(`many and four: ${refusal}, got a, b, c, d, … on tellist and v, w, x, y on tellist`),
    );
    const sources = { base: "none", head: "two" };
    const two = recordOf([cell("a")]);
    const datasets = [...two.datasets, { ...two.datasets[0]!, name: "garden" }];
    expect(() =>
      compareRecords({ ...recordOf([]), datasets: [] }, { ...two, datasets }, { sources }),
    ).toThrow(new UsageError(`none and two: ${refusal}, got no codec on nothing and a on tellist, garden`));
  });

  it("is one where sizes alone are in common", () => {
    const failed = refused("json", "encode", "failed", "lost");
    const payload = { dataset: "tellist", codec: "json", bytes: 5, gzip: 4, brotli: 3 };
    const [base, head] = [
      recordOf([failed], [payload]),
      recordOf([measured("json", "encode", 5, 9)], [payload]),
    ];
    expect(compareRecords(base, head)).toMatchObject({ cells: [], sizes: [{}, {}, {}] });
  });

  it("of pairs compares counts block by block, and of records as they are", () => {
    const counted = (codec: string, instructions: readonly number[]): Cell => ({
      ...cell(codec),
      counters: {
        instructions: 1,
        processes: instructions.map((count, block) => ({ block, instructions: count })),
      } as unknown as Counters,
    });
    const drift = [100, 200, 400, 800];
    const more = drift.map((count) => count * 1.1);
    const record = withOptions(recordOf([counted("old", drift), counted("new", more)]), { counters: true });
    const names = [{ codec: "json", base: "old", head: "new" }];
    const paired = compareSides(record, names, { base: "old", head: "new" });
    expect(paired.instructions?.cells).toMatchObject([{ verdict: "more", ratio: expect.closeTo(1.1, 6) }]);
    const [base, head] = [drift, more].map((counts, i) => {
      const one = run(i, { cells: [counted("json", counts)] });
      return withOptions(one, { counters: true });
    });
    expect(compareRecords(base!, head!).instructions?.cells).toMatchObject([{ verdict: "undecided" }]);
    expect("instructions" in compareRecords(run(1), run(2))).toBe(false);
  });
});
