/** Reference programs in a run: what each fault of one makes of its row, and that nothing else is lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cell, type RunRecord, run } from "wirebench";
import { makePlan } from "../../dist/suite/plan.js";
import { verifyNatives } from "../../dist/suite/verify.js";
import { itWith } from "../references.ts";

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
  timeoutSeconds: 4,
} as const;

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
    record = await run(OPTIONS);
  }, 120_000);

  it("has their rows, by their language and the library's version", () => {
    expect(record.complete).toBe(true);
    expect(cell("json (Fake 1.2)")).toMatchObject({
      status: "measured",
      program: "fake/fake",
      originalOf: "json",
      runtime: "Fake",
      library: "json",
      version: "1.2.3",
      nanos: { median: 10_000.75, batchCalls: [8, 8, 8] },
    });
    expect(record.natives).toContainEqual({
      program: "fake/fake",
      language: "Fake",
      compiler: "fakec 3.2.1",
      libraries: ["json 1.2.3"],
      flags: [],
    });
  });

  it("says of the codec how it compares with its original, and ranks no original", () => {
    const json = cell("json");
    expect(json?.original?.codec).toBe("json (Fake 1.2)");
    expect(json?.original?.ratio).toBeCloseTo((json?.nanos?.median ?? 0) / 10_000.75, 0);
    expect(json?.original?.ci95).toHaveLength(2);
    expect(cell("json (Fake 1.2)")?.standing).toBeUndefined();
    expect(json?.standing?.tier).toBe(1);
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

  it("ends one that hangs", () => {
    expect(reason("hangs")).toBe("hung: no result after 4 s: waiting for ever");
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
    expect(pairs.map(({ codec }) => codec)).not.toContain(expect.stringContaining("absent"));
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
  itWith(
    "g++",
    "protoc",
    "flatc",
    "capnp",
    "pkg-config",
  )(
    "carry the address book in C++, in the bytes of the codecs",
    async () => {
      const { record } = await verifyNatives({}, {});
      const cells = record.cells.filter(({ program }) => program?.startsWith("cpp/"));
      const sizes = cells.map(({ codec, status, bytes, reason }) => [
        codec.split(" ")[0],
        reason ?? `${status} ${bytes}`,
      ]);
      expect(Object.fromEntries(sizes)).toEqual({
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
    },
    240_000,
  );
});
