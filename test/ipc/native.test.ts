/** Messages between processes that a reference program starts. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nativeExchanges } from "../../dist/ipc/native.js";
import { planExchanges } from "../../dist/ipc/native-cells.js";
import { nativeFigures } from "../../dist/ipc/native-test.js";
import { makeIpcPlan } from "../../dist/ipc/plan.js";
import { runIpcPlan } from "../../dist/ipc/run.js";
import type { NativeLog } from "../../dist/runtimes/native/conversation.js";
import { itWith } from "../references.ts";

describe("exchanges of reference programs", () => {
  itWith(
    "g++",
    "protoc",
    "capnp",
    "pkg-config",
  )(
    "carry each message of all tests with protobuf and Cap'n Proto",
    async () => {
      const { cells, missing } = await nativeExchanges({}, { bytes: 9600, messages: 20 });
      expect(missing).toEqual([]);
      expect(cells.map(({ failed }) => failed)).toEqual(Array(16).fill(undefined));
      for (const { test, codec, message, encodedBytes = 0, latency, encode, decode, total = [] } of cells) {
        const what = `${test} ${codec} ${message}`;
        expect(encodedBytes, what).toBeGreaterThan(9600);
        const logs = test === "one-to-two" || test === "two-to-one" ? 2 : 1;
        expect(latency?.n, what).toBe(20 * logs);
        expect(latency?.min, what).toBeGreaterThan((encode?.min ?? 0) + (decode?.min ?? 0));
        expect(total, what).toHaveLength(test === "one-to-two" ? 2 : 1);
      }
    },
    240_000,
  );

  itWith(
    "g++",
    "protoc",
    "capnp",
    "pkg-config",
  )(
    "lose messages at a pace that listeners cannot keep, and account for each; without a pace, none",
    async () => {
      const { cellsOf, missing } = await planExchanges({}, [{ codec: "capnp-ts", natives: ["capnp"] }]);
      expect(missing).toEqual([]);
      const plan = await makeIpcPlan({
        tests: ["two-to-one"],
        codecs: ["capnp-ts"],
        payloads: [650_000],
        messages: 60,
        rateHz: 4000,
      });
      const cells = plan.cells.flatMap(cellsOf);
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
    240_000,
  );

  it("are failed rows of a test where the program does not end as it should", async () => {
    const folder = path.join(import.meta.dirname, "../native");
    const { cellsOf } = await planExchanges({ folder }, [{ codec: "capnp-ts", natives: ["json"] }]);
    const plan = await makeIpcPlan({
      tests: ["latency"],
      codecs: ["capnp-ts"],
      datasets: ["frame"],
      payloads: [100],
    });
    const { tests, complete } = await runIpcPlan({ ...plan, cells: plan.cells.flatMap(cellsOf) }, {});
    expect(complete).toBe(true);
    expect(tests).toMatchObject([
      { codec: "json (Fake 1.2)", status: "failed", reason: "it ended without an answer (exit code 0)" },
    ]);
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
    const { pairs, stages, throughput, first, drift } = nativeFigures(
      [log(0, [120, 220, 330]), log(1, [0, 260, 0])],
      exchange,
      1e9,
    );
    expect(pairs?.map(({ received, drops, totalMs }) => [received, drops.sender, totalMs])).toEqual([
      [3, 0, 230e-6],
      [1, 2, 160e-6],
    ]);
    expect(stages?.endToEnd).toEqual({ n: 4, min: 20, max: 60 });
    expect(stages?.encode).toEqual({ n: 3, min: 10, max: 10 });
    expect(stages?.decode).toEqual({ n: 4, min: 5, max: 5 });
    expect(throughput?.payloadBytesPerSecond).toBeCloseTo((4 * 40) / 220e-9);
    expect(first).toEqual({ talkers: [7], listeners: [9, 9] });
    expect(drift).toBeUndefined();
  });

  it("have failed where a program ends without their messages", async () => {
    const folder = path.join(import.meta.dirname, "../native");
    const { cells } = await nativeExchanges({ folder }, { bytes: 10, messages: 2 });
    expect(cells).toHaveLength(8);
    expect(cells[0]).toEqual({
      test: "latency",
      codec: "json (Fake 1.2.3)",
      message: "frame",
      failed: "it ended without an answer (exit code 0)",
    });
  });

  it("refuse numbers that make no sense", async () => {
    await expect(nativeExchanges({}, { messages: 0 })).rejects.toThrow(/^native ipc: expected 1 to/);
  });
});
