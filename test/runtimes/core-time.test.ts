/** What this system tells of the time that a thread was on a core. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { measuredClock } from "../../src/measure/clock.ts";
import { schedstat, threadCpu } from "../../src/runtimes/node/core-time.ts";

function spin(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe.skipIf(process.platform !== "linux")("Linux's account of a thread", () => {
  it("is believed", () => {
    expect(measuredClock(() => performance.now(), [schedstat]).core?.source).toBe("schedstat");
  });

  it("has no more than a busy loop takes, and nothing of what the thread waits for", async () => {
    const core = schedstat()!;
    const from = performance.now();
    const before = core.onCore();
    spin(20);
    const [spun, took] = [core.onCore() - before, (performance.now() - from) * 1e6];
    expect(spun).toBeGreaterThan(0);
    expect(spun).toBeLessThan(took);
    const slept = core.onCore();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(core.onCore() - slept).toBeLessThan(200e6);
  });

  it("says that the thread waited for a core by a number that only grows", () => {
    const core = schedstat()!;
    core.onCore();
    const before = core.waited?.() ?? Number.NaN;
    spin(5);
    core.onCore();
    expect(core.waited?.()).toBeGreaterThanOrEqual(before);
  });

  it("never goes back, and never by more than the clock, beside programs that take the core", () => {
    const others = Array.from({ length: os.availableParallelism() }, () =>
      spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
    );
    try {
      const core = schedstat()!;
      const end = performance.now() + 4000;
      const wrong: string[] = [];
      let [ms, nanos] = [performance.now(), core.onCore()];
      while (performance.now() < end) {
        spin(0.05);
        const before = performance.now();
        const next = core.onCore();
        const tookNanos = (performance.now() - ms) * 1e6;
        const more = next - nanos;
        if (!(more >= 0 && more <= tookNanos + 1000)) wrong.push(`${more} of ${tookNanos}`);
        [ms, nanos] = [before, next];
      }
      expect(wrong).toEqual([]);
    } finally {
      for (const other of others) other.kill("SIGKILL");
    }
  });

  it("never moves on by more than the clock, also where time passed between the account's update and a look at the clock", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-schedstat-"));
    const account = path.join(folder, "account");
    // A thread that is always on a core, in ms, and what each update of its account takes.
    let [ms, late, arrivals] = [10, 5, 1];
    const update = (): NodeJS.CpuUsage => {
      writeFileSync(account, `${ms * 1e6} 0 ${arrivals}\n`);
      ms += late;
      return { user: 0, system: 0 };
    };
    try {
      vi.spyOn(performance, "now").mockImplementation(() => ms);
      vi.spyOn(process, "cpuUsage").mockImplementation(update);
      update();
      const core = schedstat(account)!;
      core.onCore();
      ms += 1;
      const before = core.onCore();
      [ms, late, arrivals] = [ms + 1, 0, 2];
      update();
      expect(core.onCore() - before).toBe(1e6);
      ms += 2;
      expect(core.onCore() - before).toBe(3e6);
    } finally {
      vi.restoreAllMocks();
      rmSync(folder, { recursive: true });
    }
  });

  it("is part of that of all threads", () => {
    const core = schedstat()!;
    const [threads, own] = [core.allThreads(), core.onCore()];
    spin(20);
    // Microseconds are cut off at both ends.
    expect(core.onCore() - own).toBeLessThan(core.allThreads() - threads + 1e6);
  });
});

describe("a runtime's own account of a thread", () => {
  it("is absent where the runtime has none, and else moves on by microseconds", () => {
    const core = threadCpu();
    if (!("threadCpuUsage" in process)) return expect(core).toBeUndefined();
    const before = core!.onCore();
    spin(5);
    expect((core!.onCore() - before) % 1000).toBe(0);
    expect(core!.onCore()).toBeGreaterThan(before);
  });
});
