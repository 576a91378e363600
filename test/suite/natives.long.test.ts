/** Reference programs in a run: what each fault of one makes of its row, and that nothing else is lost. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cell, loadDataset, type RunOptions, type RunRecord, run } from "wirebench";
import garden from "../../dist/datasets/garden.js";
import { builtNative } from "../../dist/runtimes/native/build.js";
import { nativePrograms } from "../../dist/runtimes/native/manifest.js";
import { makePlan } from "../../dist/suite/plan.js";
import { runPlan } from "../../dist/suite/run.js";
import { verifyNatives } from "../../dist/suite/verify.js";
import { itWithRealData, realData } from "../real-data.ts";
import { itWith, pythonWithAmf, pythonWithAmfInC } from "../references.ts";

const folder = path.join(import.meta.dirname, "../native");
const cache = mkdtempSync(path.join(tmpdir(), "wirebench-native-"));
const OPTIONS = {
  codecs: ["json"],
  datasets: ["tellist"],
  operations: ["encode"],
  profile: "quick",
  native: { folder },
  blocks: [0, 1, 2],
  survey: false,
} as const;

/** A run of the programs' systems of a plan, but for the one that hangs; or of that one alone. */
async function runOf(options: RunOptions, hanging: boolean): Promise<RunRecord> {
  const plan = await makePlan(options);
  const pairs = plan.pairs.filter(({ codec }) => codec.includes(":hangs") === hanging);
  return runPlan({ ...plan, pairs }, options);
}

beforeAll(() => {
  process.env["XDG_CACHE_HOME"] = cache;
});
afterAll(() => rmSync(cache, { recursive: true, force: true }));

describe("a run with reference programs", () => {
  let record: RunRecord;
  const cell = (codec: string): Cell | undefined =>
    record.cells.find((one) => one.codec === codec && one.operation === "encode");
  const reason = (variant: string): string | undefined => {
    const found = cell(`json:${variant} (Fake 1.2)`);
    expect(found?.status, variant).toBe("failed");
    return found?.reason;
  };

  beforeAll(async () => {
    record = await runOf({ ...OPTIONS, survey: true }, false);
  });

  it("has their rows, by their language and the library's version", () => {
    expect(record.complete).toBe(true);
    expect(cell("json (Fake 1.2)")).toMatchObject({
      status: "measured",
      program: "fake/fake",
      originalOf: "json",
      runtime: "Fake",
      library: "json",
      version: "1.2.3",
      nanos: { median: 10_000.69, batchCalls: [8, 8, 8] },
      memoryReason: "reference programs do not tell it",
    });
    expect(cell("json (Fake 1.2)")).not.toHaveProperty("memory");
    expect(cell("json")).toHaveProperty("memory");
    expect(record.natives).toContainEqual({
      program: "fake/fake",
      language: "Fake",
      compiler: "fakec 3.2.1",
      libraries: ["json 1.2.3"],
      flags: [],
    });
  });

  it("says of the codec how it compares with its original, and ranks the originals among all rows", () => {
    const json = cell("json");
    expect(json?.original?.codec).toBe("json (Fake 1.2)");
    // A mean of its processes' ratios, which differ as much as the machine lets them.
    const ratios = json!.nanos!.processes.map((nanos) => nanos / 10_000.75);
    expect(json?.original?.ratio).toBeGreaterThan(0.99 * Math.min(...ratios));
    expect(json?.original?.ratio).toBeLessThan(1.01 * Math.max(...ratios));
    expect(json?.original?.ci95).toHaveLength(2);
    const measured = record.cells.filter(({ status, twinOf }) => status === "measured" && !twinOf);
    expect(measured.map(({ codec }) => codec)).toEqual(["json", "json (Fake 1.2)", "json:slow (Fake 1.2)"]);
    const ranked = measured.toSorted((a, b) => a.nanos!.median - b.nanos!.median);
    const tiers = ranked.map(({ standing }) => standing!.tier);
    expect(tiers).toEqual(tiers.toSorted());
    expect(tiers[0]).toBe(1);
    expect(cell("json (Fake 1.2)")!.standing!.ratio).toBeGreaterThan(0);
  });

  it("says how one crashed, with its last line on stderr", () => {
    expect(reason("crashes")).toBe("crashed (signal SIGABRT): segments overlap");
    expect(reason("exits")).toBe("crashed (exit code 3): no such thing here");
  });

  it("says what one prints that is no message", () => {
    expect(reason("prints")).toBe(
      'standard output is for its messages: expected a message, got "hello, world": printing instead',
    );
  });

  it("ends one that hangs", async () => {
    const { cells } = await runOf({ ...OPTIONS, blocks: [0], timeoutSeconds: 6 }, true);
    expect(cells).toMatchObject([
      { status: "failed", reason: "hung: no result after 6 s: waiting for ever" },
    ]);
  });

  it("takes no result without a proof", () => {
    expect(reason("silent")).toBe("it ended without an answer (exit code 0)");
    expect(reason("other-bytes")).toMatch(
      /^json:other-bytes: expected the \d+ bytes of json, got \d+ that differ from byte 7 on$/,
    );
  });

  it("takes no wrong checksum, and no batch without its times", () => {
    expect(reason("other-sum")).toMatch(
      /^encode: checksum: the timed calls' results fold to -?\d+, expected -?\d+$/,
    );
    expect(reason("other-folds")).toMatch(/^encode: checksum: value 0 folds to \d+, expected \d+$/);
    expect(reason("no-times")).toBe("encode: expected a time of each batch by both clocks");
  });

  it("leaves out batches beside which the core was slow, or scales them where few are left", () => {
    const nanos = cell("json:slow (Fake 1.2)")?.nanos;
    expect(nanos?.slowed).toEqual([0.55, 0.55, 0.55]);
    expect(nanos?.scaled).toEqual([0, 1, 2]);
  });

  it("says of a program that has another protocol what is wrong with it", () => {
    expect(cell("json (Old)")).toMatchObject({
      status: "failed",
      reason: "protocol: expected 1, got 0: build it anew",
    });
  });

  itWith("g++")("says what the compiler says of one that does not compile", () => {
    expect(cell("json (C++)")).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^g\+\+: .*error: .no_such_thing. was not declared/),
    });
  });
});

describe("a plan with reference programs", () => {
  it("leaves out what is not there, and says what to install", async () => {
    const { natives, pairs } = await makePlan(OPTIONS);
    expect(natives?.missing).toContain("fake/fake: absent not found: npm install absent");
    expect(pairs.filter(({ codec }) => codec.includes("absent"))).toEqual([]);
  });

  it("has only the rows of datasets and codecs that are asked for", async () => {
    const others = [
      { ...OPTIONS, codecs: ["msgpackr"] },
      { ...OPTIONS, datasets: ["garden"] },
    ];
    for (const options of others) expect((await makePlan(options)).natives?.pairs).toEqual([]);
  });

  it("refuses a folder without programs", async () => {
    await expect(makePlan({ ...OPTIONS, native: { folder: cache } })).rejects.toThrow(
      /^native: expected a folder with manifests/,
    );
  });
});

describe("the programs of wirebench", () => {
  /** Those that are here, proven once for all tests. */
  let proven: ReturnType<typeof verifyNatives> | undefined;
  const cellsOf = async (program: string): Promise<Cell[]> => {
    proven ??= verifyNatives({}, {});
    const { record } = await proven;
    return record.cells.filter((cell) => `${cell.program}/`.startsWith(`${program}/`));
  };
  /** The bytes of each system on a dataset, or why it has none. */
  const sizesOf = async (dataset: string, program: string): Promise<Record<string, string>> => {
    const cells = (await cellsOf(program)).filter((cell) => cell.dataset === dataset);
    const sizes = cells.map(({ codec, status, bytes, reason }) => {
      return [codec.split(" ")[0], reason ?? `${status} ${bytes}`] as const;
    });
    return Object.fromEntries(sizes);
  };

  itWith(
    "g++",
    "protoc",
    "flatc",
    "capnp",
    "pkg-config",
  )("carry the address book in C++, in the bytes of the codecs", async () => {
    expect(await sizesOf("tellist", "cpp")).toEqual({
      capnp: "ok 1216",
      "capnp:reused": "ok 1216",
      flatbuffers: "ok 1712",
      "flatbuffers:reused": "ok 1712",
      "flatbuffers:verified": "ok 1712",
      protobuf: "ok 841",
      "protobuf:reused": "ok 841",
      "raw-struct": "ok 1784",
      "raw-struct:reused": "ok 1784",
    });
  });

  itWith("python3")(
    "are pickle in C, json and struct of CPython 3, in the bytes of the codecs where there is one form",
    async () => {
      const cells = await cellsOf("python/standard");
      expect(cells.filter(({ status }) => status !== "ok")).toEqual([]);
      expect(await sizesOf("garden", "python/standard")).toMatchObject({
        "pickle:1": "ok 947",
        "pickle:2": "ok 946",
        "pickle:4": "ok 762",
        "pickle:5": "ok 762",
        "json:compact": "ok 898",
      });
      expect(await sizesOf("packet", "python/standard")).toMatchObject({ struct: "ok 1116" });
      expect(await sizesOf("packet-small", "python/standard")).toMatchObject({ struct: "ok 6" });
    },
  );

  itWith(pythonWithAmf())("are Py3AMF, in the bytes of the codec", async () => {
    const sizes = { garden: 604, packet: 1138, "packet-small": 19, tellist: 1210 };
    for (const [dataset, bytes] of Object.entries(sizes))
      expect(await sizesOf(dataset, "python/py3amf")).toEqual({ py3amf: `ok ${bytes}` });
  });

  itWith(pythonWithAmfInC())("are PyAMF with its C extension, whose dictionaries have no order", async () => {
    expect(await sizesOf("garden", "python/pyamf")).toEqual({ pyamf: "ok 604" });
    expect((await cellsOf("python")).filter(({ status }) => status !== "ok")).toEqual([]);
  });

  it("say what to install where there is no PyAMF", async () => {
    const without = path.join(cache, "python-without");
    writeFileSync(without, '#!/bin/sh\nexec python3 -S "$@"\n', { mode: 0o755 });
    vi.stubEnv("WIREBENCH_PYAMF", without);
    vi.stubEnv("WIREBENCH_PYAMF27", undefined);
    const { natives } = await makePlan({ ...OPTIONS, codecs: ["amf3"], native: {} });
    expect(natives?.missing).toEqual([
      "python/py3amf: pyamf not found: pip install Py3AMF, or set WIREBENCH_PYAMF to a Python that has it",
      "python/pyamf: WIREBENCH_PYAMF27 not found: set it to a Python 2.7 that has PyAMF: pip install PyAMF==0.8.0",
    ]);
    vi.unstubAllEnvs();
  });

  itWith("erl")("are Erlang's term_to_binary of maps and of records", async () => {
    const cells = await cellsOf("erlang");
    expect(cells.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(await sizesOf("tellist", "erlang")).toMatchObject({
      term_to_binary: "ok 2971",
      "term_to_binary:record": "ok 1795",
    });
  });

  it("have 99 rows to verify where all tools are there", () => {
    const systems = nativePrograms().flatMap(({ systems: own, name }) =>
      own.map((system) => ({ ...system, folder: name.split("/")[0]! })),
    );
    const named = new Set(systems.flatMap(({ datasets }) => datasets).filter((one) => one !== "*"));
    const rows: Record<string, number> = {};
    for (const { datasets, folder: language } of systems)
      rows[language] = (rows[language] ?? 0) + (datasets.includes("*") ? named.size : datasets.length);
    expect(rows).toEqual({ cpp: 9, python: 60, erlang: 30 });
  });

  const faulty = { protocol: 1, system: "nothing", dataset: "garden", schema: garden.schema, values: [] };
  const others = [
    { name: "python/standard", needs: "python3", reason: "LookupError: no system nothing" },
    { name: "erlang/etf", needs: "erl", reason: 'exit: {no_system,<<"nothing">>}' },
  ];
  for (const { name, needs, reason } of others) {
    itWith(needs)(
      `${name} says hello to another protocol, and on stderr why it cannot do a job`,
      async () => {
        const program = nativePrograms().find((one) => one.name === name);
        const built = program && (await builtNative(program));
        if (built === undefined || !("command" in built)) throw new Error("not built");
        const [command = "", ...args] = built.command;
        const answer = (job: object) =>
          spawnSync(command, args, { input: `${JSON.stringify(job)}\n`, encoding: "utf8", timeout: 300_000 });
        const old = answer({ protocol: 2, system: "nothing" });
        expect(old.status).toBe(0);
        expect(JSON.parse(old.stdout)).toMatchObject({ hello: { protocol: 1 } });
        const failed = answer(faulty);
        expect(failed.status).toBe(1);
        expect(failed.stderr.trimEnd().split("\n").at(-1)).toBe(reason);
      },
    );
  }

  const itWithErlangAndRealData = itWithRealData === it ? itWith("erl") : itWithRealData;
  itWithErlangAndRealData("are Erlang's records of the real messages, in the published sizes", async () => {
    const datasets = await Promise.all(
      ["1", "2"].map((number) =>
        loadDataset({
          schema: realData("messages.proto"),
          message: `bench.Message${number}`,
          data: realData(`google_message${number}.dat`),
        }),
      ),
    );
    const codecs = ["erlang-etf:record"];
    const record = await run({ ...OPTIONS, codecs, datasets, native: {}, blocks: [0] });
    const cells = record.cells.filter(
      ({ program, status }) => program === "erlang/etf" && status === "measured",
    );
    const sizes = cells.map(({ codec, bytes }) => [codec.split(" ")[0], bytes] as const);
    expect(sizes.sort()).toEqual([
      ["term_to_binary:record", 335_911],
      ["term_to_binary:record", 783],
      ["term_to_binary:record-z6", 311],
      ["term_to_binary:record-z6", 77_223],
      ["term_to_binary:record-z9", 311],
      ["term_to_binary:record-z9", 75_794],
    ]);
  });
});
