/** What the process that tries damaged bytes leaves behind, and how its memory and its time are told. */
import { spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { processorTime } from "../../src/facts/child.ts";
import { emptyWord, lastWord, leaveWord } from "../../src/facts/hostile/last-word.ts";
import { memoryMeter } from "../../src/facts/hostile/peak-memory.ts";
import { type Case, MOST_BYTES } from "../../src/facts/hostile/trial.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-word-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const isLinux = process.platform === "linux";

describe("the last word", () => {
  const file = path.join(folder, "case");
  const leave = leaveWord(openSync(file, "w"));
  const worst: Case = { outcome: "other", got: "é \u0000", length: 3, hex: "010203" };

  it("has the case that was begun last, and what became of those before", () => {
    expect(lastWord(file)).toBeUndefined();
    leave(0, Buffer.from([1, 2]), { counts: {} });
    const used = { usedKilobytes: expect.any(Number) };
    expect(lastWord(file)).toEqual({ index: 0, length: 2, hex: "0102", ...used, before: { counts: {} } });
    // No process of Node has less, and none of these tests as much.
    expect(lastWord(file)!.usedKilobytes).toBeGreaterThan(1000);
    expect(lastWord(file)!.usedKilobytes).toBeLessThan(4e6);
    leave(7, Buffer.alloc(MOST_BYTES + 1, 9), { counts: { error: 5, other: 2 }, worst });
    const word = lastWord(file)!;
    expect(word).toMatchObject({
      index: 7,
      length: MOST_BYTES + 1,
      before: { counts: { error: 5, other: 2 }, worst },
    });
    expect(word.hex).toBe(`${"09".repeat(MOST_BYTES)}… (${MOST_BYTES + 1} bytes)`);
    leave(8, Buffer.alloc(0), { counts: { error: 6, other: 2 }, worst: { ...worst, got: "" } });
    expect(lastWord(file)).toMatchObject({ index: 8, hex: "", before: { worst: { got: "" } } });
  });

  it("is nothing once it was emptied, and holds nothing of before", () => {
    leave(8, Buffer.alloc(3), { counts: { error: 6 }, worst });
    emptyWord(file);
    expect(lastWord(file)).toBeUndefined();
    leaveWord(openSync(file, "r+"))(1, Buffer.from([5]), { counts: {} });
    expect(lastWord(file)).toMatchObject({ index: 1, length: 1, hex: "05", before: { counts: {} } });
  });
});

it.runIf(isLinux)("the meter of memory has the peak since it began, and not one of before", () => {
  const meter = memoryMeter();
  const hold = (megabytes: number): number => new Uint8Array(megabytes * 2 ** 20).fill(1).length;
  const used = meter();
  hold(48);
  expect(used()).toBeGreaterThan(40 * 2 ** 20);
  const later = meter();
  expect(later()).toBeLessThan(40 * 2 ** 20);
});

it.runIf(isLinux)("processor time is told of a process that works, and of none that is gone", async () => {
  const child = spawn(process.execPath, ["-e", "for (;;);"]);
  try {
    // It waits at times, for a page or for the engine's compiler.
    await vi.waitFor(
      () => {
        const { millis = 0, isRunning = false } = processorTime(child.pid) ?? {};
        expect([millis >= 100, isRunning]).toEqual([true, true]);
      },
      { timeout: 20_000, interval: 20 },
    );
  } finally {
    const ended = new Promise((done) => child.once("close", done));
    child.kill("SIGKILL");
    await ended;
  }
  expect(processorTime(child.pid)).toBeUndefined();
});
