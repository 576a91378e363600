/** Records of several runs as one: what becomes of blocks, cells and verdicts, and what is refused. */
import { describe, expect, it } from "vitest";
import { compareRecords } from "../../../src/analysis/compare/compare.ts";
import { Registry } from "../../../src/catalog/registry.ts";
import { defined } from "../../../src/model/defined.ts";
import { UsageError } from "../../../src/model/errors.ts";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { runRecordProblem } from "../../../src/model/records/run.ts";
import { renderText } from "../../../src/reports/run/text.ts";
import { readSchema, SchemaCheck } from "../../../src/store/schema-check.ts";
import { mergeRecords } from "../../../src/suite/merge/merge.ts";
import { withoutProgram } from "../../reports/page-program.ts";
import { CODECS, cut, shardsOf, simulatedRun } from "./simulated-runs.ts";

const whole = simulatedRun({ seed: 1 });

/** A record as it would be read again. */
function stored(record: RunRecord): RunRecord {
  const read = JSON.parse(JSON.stringify(record)) as RunRecord;
  expect(new SchemaCheck(readSchema("run-record")).problem(read)).toBeUndefined();
  expect(runRecordProblem(read)).toBeUndefined();
  return read;
}

const blocksIn = ({ cells }: RunRecord): unknown => cells[0]?.nanos?.blocks;

describe("the shards of a run, merged", () => {
  it.each([[[0, 1, 2]], [[2, 0, 1]]])("are the run that they were cut from, in the order %j", (order) => {
    const shards = shardsOf(whole, 3);
    const merged = stored(mergeRecords(order.map((i) => shards[i]!)));
    expect(merged.cells).toEqual(whole.cells);
    expect(merged.noise).toEqual(whole.noise);
    expect(merged.options).toEqual(whole.options);
    expect(blocksIn(merged)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(merged.cells.some(({ standing }) => standing?.verdict === "faster")).toBe(true);
    expect(merged.merged?.machines).toHaveLength(1);
    expect(merged.merged?.runs.map(({ shard, blocks }) => [shard, blocks])).toContainEqual([
      "2/3",
      [1, 4, 7],
    ]);
  });

  it("are the run too where some were merged before", () => {
    const [one, two, three] = shardsOf(whole, 3) as [RunRecord, RunRecord, RunRecord];
    const before = stored(mergeRecords([three, one], { sources: ["c", "a"] }));
    const merged = stored(mergeRecords([before, two], { sources: ["ac", "b"] }));
    expect(merged.cells).toEqual(whole.cells);
    expect(merged.merged?.runs.map(({ source, shard }) => [source, shard])).toEqual([
      ["c", "3/3"],
      ["a", "1/3"],
      ["b", "2/3"],
    ]);
  });

  it("say which blocks there are where one is missing", () => {
    const [one, , three] = shardsOf(whole, 3) as [RunRecord, RunRecord, RunRecord];
    const { options } = mergeRecords([one, three]);
    expect(options).toMatchObject({ processes: 9, blocks: [0, 2, 3, 5, 6, 8] });
    expect(options).not.toHaveProperty("shard");
  });

  it("keep what was measured once, of the first that has it", () => {
    const [one, two] = shardsOf(whole, 2) as [RunRecord, RunRecord];
    const memory = {
      heapBytes: 1,
      externalBytes: 2,
      gcNanos: 3,
      longestPauseNanos: 4,
      retainedBytes: 5,
      leakedBytes: 6,
    };
    const payload = { dataset: "tellist", codec: "json", bytes: 10, gzip: 5, brotli: 4 };
    const start = (firstCallNanos: number) => ({
      importNanos: 1,
      bindNanos: 2,
      firstCallNanos,
      steadyNanos: null,
    });
    const first: RunRecord = {
      ...one,
      payloads: [payload],
      cells: one.cells.map((cell) => ({ ...cell, memoryReason: "it ended", start: start(10) })),
    };
    const second: RunRecord = {
      ...two,
      payloads: [payload, { ...payload, codec: "v8" }],
      cells: two.cells.map((cell) => ({ ...cell, memory: { ...memory, findings: [] }, start: start(30) })),
    };
    const merged = stored(mergeRecords([first, second]));
    expect(merged.payloads.map(({ codec }) => codec)).toEqual(["json", "v8"]);
    expect(merged.cells[0]).toMatchObject({
      memory: { heapBytes: 1 },
      start: { firstCallNanos: 20, steadyNanos: null },
    });
    expect(merged.cells[0]).not.toHaveProperty("memoryReason");
  });
});

describe("several runs, merged", () => {
  it("have the blocks of all, those of the later ones after those of the first", () => {
    const runs = [4, 5].map((seed) => simulatedRun({ seed, blocks: 3 }));
    const merged = stored(mergeRecords(runs));
    expect(blocksIn(merged)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(merged.options).toMatchObject({ seed: 4, processes: 6 });
    expect(merged.options).not.toHaveProperty("blocks");
    const [json] = merged.cells;
    expect(json?.nanos?.processes).toEqual(runs.flatMap(({ cells }) => cells[0]?.nanos?.processes));
  });

  it("are not complete where one was interrupted, and have a cell that one alone has", () => {
    const [one, two] = shardsOf(whole, 2) as [RunRecord, RunRecord];
    const { finishedAt: _, ...rest } = two;
    const cells = rest.cells.filter(({ codec }) => codec !== "v8");
    const merged = stored(mergeRecords([one, { ...rest, complete: false, cells }]));
    expect(merged.complete).toBe(false);
    expect(merged).not.toHaveProperty("finishedAt");
    expect(merged.cells.map(({ codec }) => codec).toSorted()).toEqual(Object.keys(CODECS).toSorted());
    expect(merged.cells.find(({ codec }) => codec === "v8")?.nanos?.blocks).toEqual([0, 2, 4, 6, 8]);
  });

  it("were isolated where all of their pages were", () => {
    const isolatedOf = (...isolated: (boolean | undefined)[]): unknown => {
      const runs = isolated.map((own, i): RunRecord => {
        const run = simulatedRun({ seed: i + 1, blocks: 3 });
        return { ...run, runtimes: run.runtimes.map((one) => ({ ...one, ...defined({ isolated: own }) })) };
      });
      return stored(mergeRecords(runs)).runtimes[0]?.isolated;
    };
    expect([isolatedOf(true, true), isolatedOf(true, false), isolatedOf(undefined, undefined)]).toEqual([
      true,
      false,
      undefined,
    ]);
  });

  it("are of machines of their own where other browsers were opened", () => {
    const runs = ["a telephone", "another"].map((userAgent, i): RunRecord => {
      const run = simulatedRun({ seed: i + 1, blocks: 3 });
      return { ...run, runtimes: run.runtimes.map((one) => ({ ...one, userAgent })) };
    });
    expect(stored(mergeRecords(runs)).merged?.machines.map(({ label }) => label)).toEqual([
      expect.stringMatching(/, browser opened by hand a telephone$/),
      expect.stringMatching(/, browser opened by hand another$/),
    ]);
  });

  it("have no numbers of a codec that failed in one", () => {
    const [one, two] = shardsOf(whole, 2) as [RunRecord, RunRecord];
    const cells = two.cells.map(({ nanos, standing, bytes, ...cell }) =>
      cell.codec === "v8"
        ? { ...cell, status: "failed" as const, reason: "crashed" }
        : { ...cell, nanos: nanos!, bytes: bytes! },
    );
    const v8 = stored(mergeRecords([one, { ...two, cells }])).cells.find(({ codec }) => codec === "v8");
    expect(v8).toMatchObject({ status: "failed", reason: "crashed" });
    expect(v8).not.toHaveProperty("nanos");
  });
});

describe("what is refused", () => {
  const [one, two] = shardsOf(whole, 2) as [RunRecord, RunRecord];
  const sources = ["a.json", "b.json"];
  const optioned = (options: object): RunRecord => ({ ...two, options: { ...two.options, ...options } });
  const both = "a.json and b.json cannot be merged: ";

  it.each<[string, readonly RunRecord[], string]>([
    ["nothing", [], "merge: expected two records or more, got none"],
    ["one record", [one], "merge: expected two records or more, got one"],
    ["a record twice", [one, one], `${both}both hold the same measurement`],
    ["a run and a shard of it", [whole, two], `${both}both hold the same measurement`],
    ["overlapping blocks of a run", [cut(whole, [0, 1, 2]), cut(whole, [2, 3])], `${both}both hold the same`],
    ["a merged record and a part of it", [mergeRecords([one, two]), two], `${both}both hold the same`],
    [
      "another profile",
      [one, optioned({ profile: "quick" })],
      `${both}option profile: expected the same in both, got standard and quick`,
    ],
    [
      "other codecs",
      [one, optioned({ codecs: ["json"] })],
      `${both}option codecs: expected the same in both, got json, `,
    ],
    [
      "a study",
      [one, optioned({ study: "size" })],
      `${both}option study: expected the same in both, got nothing and size`,
    ],
    ["another threshold", [one, optioned({ threshold: 0.5 })], `${both}option threshold`],
    [
      "another version",
      [one, { ...two, tool: { ...two.tool, version: "1.0.0" } }],
      `${both}version of wirebench: expected the same in both, got 9.8.7 and 1.0.0`,
    ],
    [
      "other data",
      [one, { ...two, datasets: two.datasets.map((data) => ({ ...data, sha256: "f".repeat(64) })) }],
      `${both}dataset "tellist": the two records have different data under this name`,
    ],
    [
      "another version of a library",
      [one, { ...two, cells: two.cells.map((cell) => ({ ...cell, version: "2.0.0" })) }],
      `${both}lib-json: expected the same in both, got 1.2.3 and 2.0.0`,
    ],
  ])("%s", (_, records, message) => {
    expect(() => mergeRecords(records, { sources })).toThrow(UsageError);
    expect(() => mergeRecords(records, { sources })).toThrow(message);
  });

  it.each([{ seed: 9 }, { timeoutSeconds: 5 }, { bandwidths: [1e6] }])("not %j", (options) => {
    expect(mergeRecords([one, optioned(options)]).cells).toEqual(whole.cells);
  });
});

describe("machines", () => {
  it.each<[string, Parameters<typeof simulatedRun>[0], readonly string[]]>([
    ["of another model", { seed: 2, cpu: "Slide Rule 2" }, ["Abacus 9000", "Slide Rule 2"]],
    [
      "with more cores",
      { seed: 2, environment: { cpu: { model: "Abacus 9000", cores: 4, governor: null } } },
      ["Abacus 9000, cores 2", "Abacus 9000, cores 4"],
    ],
    [
      "with another kernel, which are pooled",
      { seed: 2, environment: { os: { platform: "linux", release: "7", arch: "x64" } } },
      ["Abacus 9000"],
    ],
    [
      "of another architecture",
      { seed: 2, environment: { os: { platform: "linux", release: "7", arch: "arm64" } } },
      ["Abacus 9000, linux x64", "Abacus 9000, linux arm64"],
    ],
  ])("%s", (_, other, labels) => {
    const merged = stored(
      mergeRecords([simulatedRun({ seed: 1, blocks: 4 }), simulatedRun({ ...other, blocks: 4 })]),
    );
    expect(merged.merged?.machines.map(({ label }) => label)).toEqual(labels);
    expect(merged.cells[0]?.machines?.map(({ machine }) => machine)).toEqual(
      labels.length > 1 ? labels : undefined,
    );
  });

  const others = { json: 1000, msgpackr: 1400, v8: 1500, amf3: 700, again: 1000 };

  it("disagree where a codec is faster on one and slower on another, and not where it is faster on both", () => {
    const { cells } = mergeRecords([
      simulatedRun({ seed: 1 }),
      simulatedRun({ seed: 2, cpu: "Slide Rule 2", codecs: others }),
    ]);
    const verdicts = new Map(cells.map(({ codec, standing }) => [codec, standing?.verdict]));
    expect(Object.fromEntries(verdicts)).toMatchObject({
      msgpackr: "disagree",
      v8: "slower",
      amf3: "disagree",
    });
    const amf3 = cells.find(({ codec }) => codec === "amf3");
    expect(amf3?.standing?.ratio).toBeCloseTo(Math.sqrt(1.01 * 0.7), 1);
    const text = renderText(
      mergeRecords([
        simulatedRun({ seed: 1 }),
        simulatedRun({ seed: 2, cpu: "Slide Rule 2", codecs: others }),
      ]),
    );
    expect(text).toMatch(/^msgpackr .* 0\.\d\d ≠/m);
    expect(text).toContain("Machines: A is Abacus 9000; B is Slide Rule 2.");
    expect(text).toContain("Merged: 2 runs on 2 kinds of machines: ");
    expect(text).toMatch(/^msgpackr .*\d ns .*\d µs .* disagree$/m);
  });

  it("agree as one run does where they are alike but for their model", () => {
    const run = simulatedRun({ seed: 1 });
    const runs = [
      run,
      simulatedRun({ seed: 2, cpu: "Slide Rule 2" }),
      simulatedRun({ seed: 3, cpu: "Cray 1" }),
    ];
    const { cells, noise } = mergeRecords(runs);
    for (const codec of ["msgpackr", "v8"]) {
      const [own, all] = [run, { cells }].map(
        (one) => one.cells.find((cell) => cell.codec === codec)?.standing,
      );
      expect([all?.verdict, all?.tier]).toEqual([own?.verdict, own?.tier]);
    }
    expect(noise?.gate).toBeLessThan(0.05);
  });

  it("are compared with the same machines alone, and every report shows them", async () => {
    const of = (seed: number) =>
      mergeRecords([simulatedRun({ seed }), simulatedRun({ seed: seed + 1, cpu: "Slide Rule 2" })]);
    const merged = stored(of(1));
    expect(() => compareRecords(merged, simulatedRun({ seed: 5 }))).toThrow(
      "CPU model Abacus 9000 in 50 % of the blocks and Slide Rule 2 in 50 % of the blocks and Abacus 9000",
    );
    expect(compareRecords(merged, of(7)).cells.length).toBeGreaterThan(0);
    const inTurn = (...cpus: string[]): RunRecord =>
      mergeRecords(cpus.map((cpu, i) => simulatedRun({ seed: 20 + i, cpu })));
    expect(compareRecords(merged, inTurn("Slide Rule 2", "Abacus 9000")).differences).toEqual([]);
    expect(() => compareRecords(merged, inTurn("Abacus 9000", "Abacus 9000", "Slide Rule 2"))).toThrow(
      "Slide Rule 2 in 33 % of the blocks",
    );
    const registry = await Registry.open();
    for (const name of registry.names("reports").filter((one) => /^(run|any)\//.test(one))) {
      const { render } = await registry.definition("reports", name);
      expect(withoutProgram(render(merged as never)), name).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it("are one where a process of a busy one was timed by the clock, which the merged record says", () => {
    const [one, two] = shardsOf(whole, 2) as [RunRecord, RunRecord];
    const timed = (record: RunRecord, timeSource: "wall" | "schedstat"): RunRecord => ({
      ...record,
      runtimes: record.runtimes.map((runtime) => ({ ...runtime, timeSource })),
    });
    const merged = stored(mergeRecords([timed(one, "schedstat"), timed(two, "wall")]));
    expect(merged.merged?.machines).toHaveLength(1);
    expect(merged.runtimes.map(({ timeSource }) => timeSource)).toEqual(["wall"]);
    expect(merged.cells).toEqual(whole.cells);
  });

  it("stay apart when merged with a third run", () => {
    const [a, b, c] = [1, 2, 3].map((seed) =>
      simulatedRun({ seed, cpu: seed === 2 ? "Slide Rule 2" : "Abacus 9000" }),
    );
    const merged = stored(mergeRecords([mergeRecords([a!, b!]), c!]));
    expect(merged.cells).toEqual(mergeRecords([a!, b!, c!]).cells);
    expect(merged.merged?.machines.map(({ label, blocks }) => [label, blocks.length])).toEqual([
      ["Abacus 9000", 18],
      ["Slide Rule 2", 9],
    ]);
  });

  it("have their own times and standings, as each would have alone", () => {
    const runs = [simulatedRun({ seed: 1 }), simulatedRun({ seed: 2, cpu: "Slide Rule 2" })];
    const { cells } = stored(mergeRecords(runs));
    for (const [i, cell] of cells.entries()) {
      const own = runs.map((run) => run.cells.find(({ codec }) => codec === cell.codec));
      expect(cell.machines?.map(({ median }) => median)).toEqual(own.map((one) => one?.nanos?.median));
      expect(cell.machines?.map(({ standing }) => standing)).toEqual(own.map((one) => one?.standing));
      expect(i).toBeLessThan(Object.keys(CODECS).length);
    }
  });
});
