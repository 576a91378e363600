/** Runs real measuring processes, from dist/ as a user's are. */
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  type Cell,
  type Dataset,
  type Progress,
  Registry,
  type RunOptions,
  type RunRecord,
  run,
  verify,
} from "wirebench";
import { makePlan } from "../../dist/suite/plan.js";
import { runPlan } from "../../dist/suite/run.js";
import recordSchema from "../../schemas/run-record.schema.json" with { type: "json" };
import { withoutProgram } from "../reports/page-program.ts";

const plugin = (name: string): string => path.join(import.meta.dirname, "../plugins", name);
const misbehaving = [
  plugin("misbehaving.js"),
  path.join(import.meta.dirname, "../../benchmarks/plugins/one-number.js"),
];

const VARIANTS = ["", ":crashes", ":exits", ":loses", ":loses-later", ":overwrites", ":throws", ":refuses"];

/** Two messages of three bytes each. */
const BLOBS: Dataset = {
  name: "blobs",
  schema: {
    package: "test",
    root: "test.Blob",
    messages: new Map([
      [
        "test.Blob",
        {
          name: "test.Blob",
          fields: [
            {
              name: "data",
              number: 1,
              type: { kind: "scalar", scalar: "bytes" },
              repetition: { kind: "one", presence: "always" },
            },
          ],
        },
      ],
    ]),
    enums: new Map(),
  },
  values: [{ data: Uint8Array.of(1, 2, 3) }, { data: Uint8Array.of(4, 5, 6) }],
  int64: "number",
};

/** Reports that other tools read. */
const FIGURES_ONLY: ReadonlySet<string> = new Set(["run/bmf", "run/github-action-benchmark", "run/go-bench"]);

function outcome(record: RunRecord, codec: string, operation: string): Pick<Cell, "status" | "reason"> {
  const cell = record.cells.find((one) => one.codec === codec && one.operation === operation);
  return { status: cell?.status ?? "failed", reason: cell?.reason ?? "" };
}

/** A record as every report shows it, by the report's name. */
async function renderings(record: RunRecord): Promise<[string, string][]> {
  const registry = await Registry.open();
  const names = registry.names("reports").filter((name) => /^(run|any)\//.test(name));
  const reports = await Promise.all(names.map((name) => registry.definition("reports", name)));
  return reports.map((report, index) => [names[index] ?? "", withoutProgram(report.render(record))]);
}

/** A run of short processes without twins, for what does not depend on what they find. */
async function shortRun(
  options: RunOptions,
  // However long processes take on this machine, and however slow its cores are, there are as many as the profile says.
  meanProcessMs: number = Number.POSITIVE_INFINITY,
): Promise<RunRecord> {
  const plan = await makePlan(options);
  const pairs = plan.pairs.filter(({ twinOf }) => twinOf === undefined);
  const profile = { ...plan.profile, warmupMs: 2, measureMs: 2, meanProcessMs, busyProcessMs: 0 };
  return runPlan({ ...plan, pairs, profile }, options);
}

/** The codecs of a run's processes, in their order. */
async function orderOf(options: RunOptions): Promise<string[]> {
  const seen: string[] = [];
  const note = ({ current }: Progress): void => {
    if (current !== undefined) seen.push(current.codec);
  };
  await shortRun({ ...options, onProgress: note });
  return seen;
}

describe("a run", () => {
  it("reports every way to go wrong as a row, and measures the codecs beside it", async () => {
    const record = await run({
      codecs: VARIANTS.map((variant) => `misbehaving${variant}`),
      datasets: ["one-number"],
      plugins: misbehaving,
      profile: "quick",
      blocks: [0, 1],
      seed: 1,
    });
    expect(record.complete).toBe(true);
    expect(outcome(record, "misbehaving", "encode").status).toBe("measured");
    const expected: [string, string, Cell["status"], RegExp][] = [
      ["crashes", "encode", "failed", /^crashed \(signal SIGABRT\)/],
      ["exits", "encode", "failed", /^crashed \(exit code 3\)/],
      ["loses", "decode", "failed", /^round trip: n: expected 0, got nothing/],
      ["loses-later", "decode", "failed", /^round trip: n: expected 0, got 1/],
      ["overwrites", "encode", "failed", /overwritten by a later call/],
      ["throws", "encode", "failed", /^no such luck/],
      ["refuses", "encode", "unsupported", /^numbers are not letters/],
    ];
    for (const [variant, operation, status, reason] of expected) {
      expect(outcome(record, `misbehaving:${variant}`, operation), variant).toEqual({
        status,
        reason: expect.stringMatching(reason),
      });
    }
  });

  it("knows a process that ran out of memory from one that hangs", async () => {
    const alone = { datasets: ["one-number"], plugins: misbehaving, profile: "quick" } as const;
    const full = await shortRun({ ...alone, codecs: ["misbehaving:eats-memory"] });
    expect(outcome(full, "misbehaving:eats-memory", "encode")).toEqual({
      status: "failed",
      reason: "ran out of memory",
    });
    const hung = await shortRun({ ...alone, codecs: ["misbehaving:hangs"], timeoutSeconds: 2 });
    expect(outcome(hung, "misbehaving:hangs", "decode")).toEqual({
      status: "failed",
      reason: expect.stringMatching(/^hung: no result after 2 s/),
    });
  });

  it("writes what the schema of records describes", async () => {
    const record = await shortRun({
      codecs: ["json*", "misbehaving:refuses"],
      plugins: misbehaving,
      profile: "quick",
    });
    const validate = new Ajv2020({ allErrors: true }).compile(recordSchema);
    validate(JSON.parse(JSON.stringify(record)));
    expect(validate.errors ?? []).toEqual([]);
    const [cell] = record.cells;
    expect(cell?.nanos?.processes).toHaveLength(record.options.processes);
    expect(cell?.nanos?.batches).toHaveLength(record.options.processes);
  });

  it("has three blocks, each of all codecs, where processes take longer than its profile allows", async () => {
    const { cells, processes } = await shortRun({ codecs: ["json*"], profile: "quick", seed: 5 }, 1);
    expect(processes).toHaveLength(3 * 2);
    for (const { nanos } of cells) expect(nanos?.blocks).toEqual([0, 1, 2]);
  });

  it("measures in the same order with the same seed", async () => {
    const options = { codecs: ["*json*"], operations: ["access"], profile: "quick", seed: 5 } as const;
    expect(await orderOf(options)).toEqual(await orderOf(options));
  });

  it("measures in another order with another seed, each codec once per block", async () => {
    // No process answers in a millisecond: the first block is the only one.
    const order = (seed: number): Promise<string[]> => orderOf({ seed, timeoutSeconds: 0.001 });
    const [first, second] = [await order(1), await order(2)];
    expect(first).toHaveLength(11);
    expect(first).not.toEqual(second);
    expect(first.toSorted()).toEqual(second.toSorted());
  });

  it("of a shard has its blocks by their own numbers, and measures memory in the last of them", async () => {
    const options = { codecs: ["json"], operations: ["encode"], profile: "standard", seed: 5 } as const;
    const record = await shortRun({ ...options, shard: "3/3" });
    expect(record.options).toMatchObject({ shard: "3/3", blocks: [2, 5], processes: 8 });
    expect(record.cells[0]?.nanos?.blocks).toEqual([2, 5]);
    expect(record.cells[0]?.memory).toBeDefined();
    const single = await shortRun({ ...options, blocks: [4], survey: false });
    expect(single.options).toMatchObject({ blocks: [4] });
    expect(single.cells[0]?.nanos?.blocks).toEqual([4]);
    expect(single.cells[0]).not.toHaveProperty("memory");
  });

  it("stops when told to, and keeps what it has", async () => {
    const controller = new AbortController();
    let saved: RunRecord | undefined;
    const record = await shortRun({
      codecs: ["json"],
      profile: "quick",
      signal: controller.signal,
      onRecord: (soFar) => {
        saved = soFar;
        controller.abort();
      },
    });
    expect(record.complete).toBe(false);
    expect(record.cells[0]?.nanos?.processes).toHaveLength(1);
    expect(saved?.cells).toEqual(record.cells);
  });

  it("is a record without cells when it is stopped before anything was measured", async () => {
    const controller = new AbortController();
    const saved: RunRecord[] = [];
    const record = await shortRun({
      codecs: ["misbehaving:hangs"],
      datasets: ["one-number"],
      plugins: misbehaving,
      signal: controller.signal,
      onProgress: () => setTimeout(() => controller.abort(), 200),
      onRecord: (soFar) => saved.push(soFar),
    });
    expect(record).toMatchObject({ complete: false, cells: [], payloads: [] });
    expect(record.finishedAt).toBeUndefined();
    expect(saved).toEqual([record]);
    for (const [name, text] of await renderings(record)) {
      expect(text, name).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it("is complete when every codec failed, and every report renders it", async () => {
    const codecs = ["misbehaving:throws", "misbehaving:exits"];
    const record = await shortRun({
      codecs,
      datasets: ["one-number"],
      plugins: misbehaving,
      profile: "quick",
    });
    expect(record.complete).toBe(true);
    expect(record.cells.map(({ codec, operation, status }) => `${codec} ${operation} ${status}`)).toEqual(
      ["encode", "decode", "access"].flatMap((operation) =>
        codecs.map((codec) => `${codec} ${operation} failed`),
      ),
    );
    for (const [name, text] of await renderings(record)) {
      // Formats of other tools have no word for a failure: of a codec without a figure they say nothing at all.
      if (FIGURES_ONLY.has(name)) expect(text, name).not.toContain("misbehaving:");
      else for (const codec of codecs) expect(text, name).toContain(codec);
      expect(text, name).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it("measures the same cells where each has a process of its own", async () => {
    const processes: Record<string, number> = {};
    const cellsOf = async (isolate: "codec" | "cell"): Promise<string[]> => {
      const record = await shortRun({
        codecs: ["json"],
        operations: ["encode", "access"],
        profile: "quick",
        isolate,
        onProgress: ({ total }) => {
          processes[isolate] = total;
        },
      });
      return record.cells.map(({ nanos, start, memory, standing, ...cell }) =>
        JSON.stringify([cell, nanos?.processes.length]),
      );
    };
    expect(await cellsOf("cell")).toEqual(await cellsOf("codec"));
    expect(processes).toEqual({ codec: 4, cell: 8 });
  });

  it("measures operations and datasets of the user's own", async () => {
    const record = await shortRun({
      codecs: ["json"],
      datasets: ["coordinates:5"],
      operations: ["round-trip"],
      plugins: [plugin("coordinates.js"), plugin("round-trip.js")],
      profile: "quick",
    });
    expect(record.options).toMatchObject({ datasets: ["coordinates:5"], operations: ["round-trip"] });
    expect(record.datasets).toMatchObject([
      {
        name: "coordinates:5",
        story: "Places in a very large room. Here with 5 coordinates.",
        message: "test.Coordinates",
        values: 16,
        int64: "bigint",
      },
    ]);
    // Five decimal strings of 19 digits.
    const bytes = '{"at":[]}'.length + 5 * 21 + 4;
    expect(record.payloads).toMatchObject([{ dataset: "coordinates:5", codec: "json", bytes }]);
    const identity = { operation: "round-trip", dataset: "coordinates:5", codec: "json" };
    expect(record.cells).toMatchObject([{ ...identity, status: "measured", bytes }]);
  });

  it("finds decoded values that a later call writes to", async () => {
    const reusing = { plugins: [plugin("reusing.js")], operations: ["decode"], profile: "quick" } as const;
    const people = await shortRun({ ...reusing, codecs: ["reusing", "reusing:elements"] });
    for (const codec of ["reusing", "reusing:elements"]) {
      expect(outcome(people, codec, "decode"), codec).toEqual({
        status: "failed",
        reason: expect.stringMatching(/^a decoded value was overwritten by a later call: info\[0\]/),
      });
    }
    const bytes = await shortRun({ ...reusing, codecs: ["reusing:scratch"], datasets: [BLOBS] });
    expect(outcome(bytes, "reusing:scratch", "decode")).toEqual({
      status: "failed",
      reason: expect.stringMatching(/^a decoded value was overwritten by a later call: data: /),
    });
  });

  it("counts its progress to the end", async () => {
    const seen: Progress[] = [];
    await shortRun({
      codecs: ["json"],
      operations: ["encode"],
      profile: "quick",
      onProgress: (now) => seen.push(now),
    });
    expect(seen.map(({ done }) => done)).toEqual([0, 1, 2, 3, 4]);
    expect(seen.at(-1)).toMatchObject({ done: 4, total: 4, remainingMs: 0 });
  });

  it.each([
    [{ codecs: ["jsn"] }, 'unknown codec "jsn", did you mean json or bson?'],
    [{ codecs: ["json:strng"] }, 'codec "json" has no variant "strng", did you mean string?'],
    [{ datasets: ["telist"] }, 'unknown dataset "telist", did you mean tellist?'],
    [{ datasets: ["tellist:0"] }, "expected 1 to 10000000 records after the colon"],
    [{ operations: ["endcode"] }, 'unknown operation "endcode", did you mean encode'],
    [{ codecs: ["v8"], baseline: "json" }, 'baseline "json" is not among the codecs measured'],
  ])("refuses %j before anything is measured", async (options, message) => {
    await expect(run(options)).rejects.toThrow(message);
  });
});

describe("verify", () => {
  it("gives one cell per codec and dataset, with its size", async () => {
    const record = await verify({ codecs: ["json*"], datasets: ["tellist", "tellist:2"] });
    expect(
      record.cells.map(({ operation, codec, dataset, status, bytes }) => [
        operation,
        codec,
        dataset,
        status,
        bytes,
      ]),
    ).toEqual([
      ["verify", "json", "tellist", "ok", 2617],
      ["verify", "json:string", "tellist", "ok", 2617],
      ["verify", "json", "tellist:2", "ok", 148],
      ["verify", "json:string", "tellist:2", "ok", 148],
    ]);
  });
});

it("a process of all codecs and shapes runs beside those of one codec alone, even where there is one only", async () => {
  const { cells, processes } = await shortRun({
    codecs: ["json"],
    datasets: [BLOBS],
    operations: ["encode"],
    profile: "quick",
    jit: "shared",
  });
  expect(cells).toHaveLength(1);
  expect(cells[0]?.nanos?.blocks).toEqual([0, 1, 2, 3]);
  expect(cells[0]?.shared?.blocks).toEqual([0, 1, 2, 3]);
  expect(processes.filter(({ codec }) => codec === "*")).toHaveLength(4);
});
