/** Messages between processes that a reference program starts. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nativeExchanges } from "../../dist/ipc/native.js";
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
