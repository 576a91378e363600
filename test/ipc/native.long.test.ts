/** Messages between processes that a reference program starts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nativeSummary } from "../../dist/ipc/native-test.js";
import { makeIpcPlan } from "../../dist/ipc/plan.js";
import { runIpcPlan } from "../../dist/ipc/run.js";
import type { NativeLog } from "../../dist/runtimes/native/conversation.js";
import type { IpcMessage } from "../../src/model/records/ipc.ts";
import { itWith } from "../references.ts";

const FAKES = path.join(import.meta.dirname, "../native");
const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-exchange-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with a program of Node that does this with its exchange. */
function programs(name: string, body: string): string {
  const place = path.join(folder, name, "own");
  mkdirSync(place, { recursive: true });
  const manifest = {
    language: "Own",
    program: "own.js",
    systems: [],
    exchanges: [{ name: "own", codec: "json" }],
  };
  writeFileSync(path.join(place, "own.json"), JSON.stringify(manifest));
  const hello = { hello: { protocol: 1, language: "Own", compiler: "own 1", libraries: { own: "1.0.0" } } };
  writeFileSync(
    path.join(place, "own.js"),
    `#!/usr/bin/env node
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
const { exchange } = JSON.parse(require("fs").readFileSync(0, "utf8"));
say(${JSON.stringify(hello)});
if (exchange !== undefined) (${body})(exchange, say);
`,
    { mode: 0o755 },
  );
  return path.join(folder, name);
}

/** The one test of such a program. */
async function ownTest(name: string, body: string, timeoutSeconds = 20) {
  const selection = {
    tests: ["latency"],
    codecs: ["json"],
    datasets: ["frame"],
    payloads: [100],
    messages: 5,
  };
  const plan = await makeIpcPlan({ ...selection, timeoutSeconds, native: { folder: programs(name, body) } });
  const cells = plan.cells.filter(({ native }) => native !== undefined);
  const record = await runIpcPlan({ ...plan, cells }, {});
  expect(record.complete).toBe(true);
  return record.tests[0];
}

const itWithAll = itWith("g++", "protoc", "capnp", "pkg-config");

describe("exchanges of reference programs", () => {
  itWithAll(
    "are rows beside those of their codecs in all tests, with figures, messages and the programs' receipts",
    async () => {
      const plan = await makeIpcPlan({
        tests: ["all"],
        codecs: ["protobufjs", "capnp-ts"],
        datasets: ["frame", "cloud", "tellist"],
        payloads: [9600],
        messages: 20,
        native: {},
      });
      const rows = plan.cells.map(({ codec, dataset }) => `${dataset.name} ${codec.replace(/[\d.]+/, "N")}`);
      expect([...new Set(rows)]).toEqual([
        "frame:9600 protobufjs",
        "frame:9600 protobuf (C++ N)",
        "frame:9600 capnp-ts",
        "frame:9600 capnp (C++ N)",
        "cloud:9600 protobufjs",
        "cloud:9600 protobuf (C++ N)",
        "cloud:9600 capnp-ts",
        "cloud:9600 capnp (C++ N)",
        // There is no program that sends it.
        "tellist protobufjs",
        "tellist capnp-ts",
      ]);
      const cells = plan.cells.filter(({ native }) => native !== undefined);
      const messages: IpcMessage[][] = [];
      const { tests: originals, natives } = await runIpcPlan(
        { ...plan, cells },
        { onMessages: (_, __, all) => void messages.push([...all]) },
      );
      expect(natives).toMatchObject([{ program: "cpp/ipc", language: "C++", flags: ["-O2"] }]);
      expect(originals.map(({ status, reason }) => [status, reason])).toEqual(
        cells.map(() => ["measured", undefined]),
      );
      // Two modes of two tests and one of four others, two datasets, two codecs.
      expect(originals).toHaveLength((2 * 2 + 4) * 2 * 2);
      expect(messages).toHaveLength(originals.length);
      for (const [n, { pairs, stages, encodedBytes, test, rateHz, dataset }] of originals.entries()) {
        const what = `${test} ${dataset}`;
        expect(encodedBytes, what).toBeGreaterThan(9600);
        expect(pairs, what).toHaveLength(test === "one-to-two" || test === "two-to-one" ? 2 : 1);
        const received = pairs.reduce((sum, pair) => sum + pair.received, 0);
        expect(stages.endToEnd?.n, what).toBe(received);
        if (rateHz === undefined) expect(received, what).toBe(20 * pairs.length);
        expect(messages[n], what).toHaveLength(20 * pairs.length);
        expect(messages[n]![0], what).toMatchObject({ phase: "measured", sequence: 0 });
        expect(messages[n]![0], what).not.toHaveProperty("firstByte");
        expect(stages.endToEnd?.min, what).toBeGreaterThan(
          (stages.encode?.min ?? 0) + (stages.decode?.min ?? 0),
        );
      }
    },
  );

  itWithAll(
    "lose messages at a pace that listeners cannot keep, and account for each; without a pace, none",
    async () => {
      const plan = await makeIpcPlan({
        tests: ["two-to-one"],
        codecs: ["capnp-ts"],
        payloads: [650_000],
        messages: 60,
        rateHz: 4000,
        native: {},
      });
      expect(plan.natives.missing).toEqual([]);
      const cells = plan.cells.filter(({ native }) => native !== undefined);
      const { tests } = await runIpcPlan({ ...plan, cells }, {});
      expect(tests.map(({ status, reason }) => [status, reason])).toEqual([
        ["measured", undefined],
        ["measured", undefined],
      ]);
      for (const { program, codec, pairs, stages, first, reliability } of tests) {
        expect(program).toBe("cpp/ipc");
        expect(codec).toMatch(/^capnp \(C\+\+ [\d.]+\)$/);
        expect(pairs.map(({ talker, listener, published }) => [talker, listener, published])).toEqual([
          [0, 0, 60],
          [1, 0, 60],
        ]);
        for (const { published, received, drops } of pairs) expect(received + drops.sender).toBe(published);
        const received = pairs.reduce((sum, pair) => sum + pair.received, 0);
        expect(stages.endToEnd?.n).toBe(received);
        if (reliability === "reliable") expect(received).toBe(120);
        else expect(received).toBeLessThan(120);
        expect(first?.talkers).toHaveLength(2);
      }
    },
  );

  itWithAll("keep a pace of parts of a message a second, and lose nothing where talkers wait", async () => {
    const selection = { tests: ["latency"], codecs: ["capnp-ts"], datasets: ["frame"], payloads: [1000] };
    const paced = { ...selection, messages: 4, native: {} };
    for (const reliability of ["reliable", "best-effort"] as const) {
      const plan = await makeIpcPlan({ ...paced, reliability, rateHz: 2.5 });
      const cells = plan.cells.filter(({ native }) => native !== undefined);
      const due: number[] = [];
      const { tests } = await runIpcPlan(
        { ...plan, cells },
        { onMessages: (_, __, all) => void due.push(...all.map(({ intended }) => intended)) },
      );
      expect(tests[0], reliability).toMatchObject({ status: "measured", pairs: [{ received: 4 }] });
      expect(tests[0]!.pairs[0]!.totalMs, reliability).toBeGreaterThan(1200);
      expect(due.map((at) => Math.round((at - due[0]!) / 1e6))).toEqual([0, 400, 800, 1200]);
    }
  });

  itWithAll(
    "never wait with best effort, also without a pace, and keep the newest in their queues",
    async () => {
      const plan = await makeIpcPlan({
        tests: ["one-to-two"],
        codecs: ["protobufjs"],
        datasets: ["cloud"],
        payloads: [650_000],
        messages: 60,
        reliability: "best-effort",
        depth: 3,
        native: {},
      });
      const cells = plan.cells
        .filter(({ native }) => native !== undefined)
        .map(({ rateHz: _, ...cell }) => cell);
      const { tests } = await runIpcPlan({ ...plan, cells }, {});
      expect(tests).toMatchObject([{ status: "measured", depth: 3 }]);
      for (const { published, received, drops } of tests[0]!.pairs) {
        expect(received + drops.sender).toBe(published);
        expect(drops.sender).toBeGreaterThan(0);
        // What is in the queue at the end arrives.
        expect(received).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it("are failed rows of a test where the program does not end as it should", async () => {
    const plan = await makeIpcPlan({
      tests: ["latency"],
      codecs: ["capnp-ts"],
      datasets: ["frame"],
      payloads: [100],
      native: { folder: FAKES },
    });
    const cells = plan.cells.filter(({ native }) => native !== undefined);
    const { tests, complete } = await runIpcPlan({ ...plan, cells }, {});
    expect(complete).toBe(true);
    expect(tests).toMatchObject([
      { codec: "json (Fake 1.2)", status: "failed", reason: "it ended without an answer (exit code 0)" },
    ]);
  });

  it("have failed where a program crashes, is silent for too long, or says too little", async () => {
    expect(
      await ownTest("crashes", `() => { console.error("first\\nno room"); process.exit(3); }`),
    ).toMatchObject({
      codec: "own (Own 1.0)",
      status: "failed",
      reason: "crashed (exit code 3): no room",
    });
    expect(await ownTest("hangs", "() => setInterval(() => {}, 1000)", 1)).toMatchObject({
      status: "failed",
      reason: "hung: nothing came for 1 s",
    });
    const log = `{ listener: 0, encodedBytes: 9, begun: t, encoded: t, received: t, decoded: t }`;
    expect(
      await ownTest("few", `(_, say) => { const t = [1, 2]; say({ messages: ${log} }); }`),
    ).toMatchObject({
      status: "failed",
      reason: "expected 5 messages, got 2",
    });
  });

  it("take longer than a program may be silent where it says that it gets on", async () => {
    const log = `{ listener: 0, encodedBytes: 9, begun: t(1), encoded: t(2), received: t(3), decoded: t(4) }`;
    const body = `(_, say) => {
      const t = (at) => [at, at + 10, at + 20, at + 30, at + 40];
      let said = 0;
      const timer = setInterval(() => {
        say({ after: ++said + " messages" });
        if (said < 8) return;
        clearInterval(timer);
        say({ messages: ${log} });
      }, 900);
    }`;
    expect(await ownTest("slow", body, 6)).toMatchObject({
      status: "measured",
      encodedBytes: 9,
      stages: { endToEnd: { n: 5, min: 3, max: 3 } },
    });
  });

  it("have the figures of their times", () => {
    const log = (listener: number, decoded: number[]): NativeLog => ({
      listener,
      encodedBytes: 50,
      first: [7, 9],
      begun: [100, 200, 300],
      encoded: [110, 210, 310],
      received: decoded.map((at) => (at === 0 ? 0 : at - 5)),
      decoded,
    });
    const exchange = {
      codec: "capnp",
      message: "frame",
      bytes: 40,
      messages: 3,
      talkers: 1,
      listeners: 2,
      window: 1,
    } as const;
    const { figures, messages } = nativeSummary(
      [log(0, [120, 220, 330]), log(1, [0, 260, 0])],
      exchange,
      1e9,
    );
    const { pairs, stages, throughput, drift, encodedBytes } = figures;
    expect(encodedBytes).toBe(50);
    expect(pairs.map(({ received, drops, totalMs }) => [received, drops.sender, totalMs])).toEqual([
      [3, 0, 230e-6],
      [1, 2, 160e-6],
    ]);
    expect(stages.endToEnd).toEqual({ n: 4, min: 20, max: 60 });
    expect(stages.encode).toEqual({ n: 3, min: 10, max: 10 });
    expect(stages.decode).toEqual({ n: 4, min: 5, max: 5 });
    expect(throughput?.payloadBytesPerSecond).toBeCloseTo((4 * 40) / 220e-9);
    expect(drift).toBeUndefined();
    expect(messages.map(({ listener, outcome }) => [listener, outcome])).toEqual([
      [0, "received"],
      [0, "received"],
      [0, "received"],
      [1, "dropped-sender"],
      [1, "received"],
      [1, "dropped-sender"],
    ]);
    // Times since the first message; when a message was sent, and its first byte there, is not told.
    expect(messages[4]).toEqual({
      phase: "measured",
      talker: 0,
      listener: 1,
      sequence: 1,
      outcome: "received",
      encodedBytes: 50,
      intended: 100,
      encodeStart: 100,
      encoded: 110,
      lastByte: 155,
      taken: 155,
      read: 160,
    });
  });

  it.each([
    [{ transport: "tcp" }, "native: the originals send over uds, got the transport tcp"],
    [{ listenerDelayMs: 2 }, "native: the originals have no listener-delay, got 2 ms"],
  ])("are refused with %j", async (options, problem) => {
    await expect(makeIpcPlan({ tests: ["latency"], native: {}, ...options })).rejects.toThrow(problem);
  });
});
