/** The clock of the reference programs in Python 2.7. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect } from "vitest";
import type { NativeMeasured } from "../../dist/runtimes/native/conversation.js";
import { itWith, pythonWithAmfInC } from "../references.ts";

describe("reference programs in Python 2.7", () => {
  itWith(pythonWithAmfInC())(
    "tell times in nanoseconds in Python 2.7, in batches as long as is asked for",
    () => {
      const job = {
        protocol: 1,
        system: "pickle:1",
        dataset: "garden",
        values: [{ text: "petals" }],
        operations: ["encode"],
        warmupMs: 20,
        // Of which little may be on a core.
        measureMs: 200,
        batchMicros: 100,
      };
      const source = path.join(import.meta.dirname, "../../native/python/standard.py");
      const said = execFileSync(pythonWithAmfInC().program!, ["-B", source], { input: JSON.stringify(job) });
      const lines = said
        .toString()
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { measured?: NativeMeasured });
      const { core, wall, clockStep, loop } = lines.find(({ measured }) => measured !== undefined)!.measured!;
      expect(clockStep).toBe(1);
      for (const times of [core, wall]) {
        expect(new Set(times.map((nanos) => nanos % 1000)).size).toBeGreaterThan(5);
        // A clock in ticks has batches of next to nothing.
        expect(Math.min(...times)).toBeGreaterThan(10_000);
      }
      expect(loop).toBeGreaterThan(1);
    },
  );
});
