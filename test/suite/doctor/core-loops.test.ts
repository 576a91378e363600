import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { besideBusyCore } from "../../../src/suite/doctor/core-loops.ts";

/** Milliseconds of all threads of this process. */
function used(): number {
  return process.cpuUsage().user / 1000;
}

describe("work beside a busy core", () => {
  it("has a loop beside it that takes time while this thread takes none, and gives its result", async () => {
    const result = await besideBusyCore(async () => {
      const before = used();
      // Ends when it has been seen; a loop that does not run is a test that takes too long.
      while (used() - before < 100) await sleep(10);
      return "done";
    });
    expect(result).toBe("done");
  });

  it("rejects with what the work rejects", async () => {
    await expect(besideBusyCore(() => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  });
});
