/** perf is told when to count, is waited for, and is never waited for in vain. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import os from "node:os";
import { describe, expect, it } from "vitest";
import { counterFault, PerfCounter } from "../../src/runtimes/node/perf.ts";
import { ANSWERING, withFakePerf } from "./fake-perf.ts";

const EVENTS = { instructions: "instructions:u", cycles: "cycles:u" };

/** What the kernel counts by itself: there on every machine that lets perf count at all. */
const SOFTWARE = { instructions: "page-faults:u", cycles: "task-clock:u" };

const PAGE = 4096;

/** Touches pages that nobody has touched. */
function touch(pages: number): void {
  const memory = new Uint8Array(pages * PAGE);
  for (let i = 0; i < pages; i++) memory[i * PAGE] = 1;
}

const isLinux = process.platform === "linux";
const hasPerf = isLinux && counterFault(SOFTWARE) === undefined;

describe.runIf(hasPerf)("the perf of this machine", () => {
  it("counts what the work does, and nothing before or after it", () => {
    const counter = new PerfCounter(SOFTWARE);
    touch(4000);
    const idle = counter.count(() => {});
    const busy = counter.count(() => touch(2000));
    if ("unavailable" in idle || "unavailable" in busy) throw new Error("not counted");
    expect(idle.instructions).toBeLessThan(500);
    expect(busy.instructions).toBeGreaterThanOrEqual(1900);
    expect(busy.instructions).toBeLessThan(3500);
    expect(busy.cycles).toBeGreaterThan(0);
  });

  it("says which event it does not know", () => {
    expect(counterFault({ instructions: "no-such-event", cycles: "cycles:u" })).toContain("no-such-event");
  });

  it("is gone afterwards", () => {
    new PerfCounter(SOFTWARE).count(() => {});
    const running = spawnSync("ps", ["-o", "stat=,args=", "--ppid", String(process.pid)], {
      encoding: "utf8",
    });
    expect(running.stdout.split("\n").filter((line) => /^[^Z].*perf/.test(line))).toEqual([]);
  });
});

describe.runIf(isLinux)("what answers as perf does", () => {
  it("is believed", async () => {
    await withFakePerf(ANSWERING, (program) => {
      const counter = new PerfCounter(EVENTS, { program });
      expect(counter.count(() => {})).toEqual({ instructions: 1_000_000, cycles: 500_000 });
      expect(counter.count(() => {})).toEqual({ instructions: 1_000_000, cycles: 500_000 });
    });
  });

  it("may know instructions and no cycles", async () => {
    const script = ANSWERING.replace("500000;;", "<not supported>;;");
    await withFakePerf(script, (program) => {
      expect(new PerfCounter(EVENTS, { program }).count(() => {})).toEqual({ instructions: 1_000_000 });
    });
  });

  it("leaves nothing behind when the work throws, which is passed on", async () => {
    await withFakePerf(ANSWERING, (program) => {
      const counter = new PerfCounter(EVENTS, { program });
      const descriptors = readdirSync("/proc/self/fd").length;
      const work = (): never => {
        throw new RangeError("of the work");
      };
      expect(() => counter.count(work)).toThrow(new RangeError("of the work"));
      expect(readdirSync("/proc/self/fd")).toHaveLength(descriptors);
      expect(readdirSync(os.tmpdir()).filter((name) => name.startsWith("wirebench-perf-"))).toEqual([]);
      expect(counter.count(() => {})).toEqual({ instructions: 1_000_000, cycles: 500_000 });
    });
  });
});

describe.runIf(isLinux)("there is a reason, soon, where", () => {
  const fault = (script: string, answerMs = 100_000): Promise<string | undefined> =>
    withFakePerf(script, (program) => counterFault(EVENTS, { program, answerMs }));

  it.each([
    ["perf ends at once", "exit 1", "perf says: it printed nothing"],
    ["perf ends with an error", "echo 'Error: of perf' >&2; exit 1", "perf says: of perf"],
    [
      "perf ends while it counts",
      "read -r command <&3; printf 'ack\\n' >&4",
      "perf says: it printed nothing",
    ],
    [
      "perf prints something else",
      ANSWERING.replaceAll(";;", " "),
      "perf says: 1000000 instructions:u;1;100.00",
    ],
  ])("%s", async (_, script, reason) => {
    expect(await fault(script)).toBe(reason);
  });

  it.each([
    ["perf never answers", "exec sleep 60"],
    ["perf answers the first time only", "read -r command <&3; printf 'ack\\n' >&4; exec sleep 60"],
    [
      "perf does not end",
      "trap '' INT\nwhile read -r command <&3; do printf 'ack\\n' >&4; done\nexec sleep 60",
    ],
  ])("%s", async (_, script) => {
    expect(await fault(script, 300)).toBe("perf gave no answer in 0.3 s");
  });

  it("there is no perf", () => {
    expect(counterFault(EVENTS, { program: "/nowhere/perf" })).toBe(
      "/nowhere/perf cannot be started: expected it in the PATH",
    );
  });

  it("what failed once is not tried again", async () => {
    await withFakePerf("exit 1", async (program) => {
      const counter = new PerfCounter(EVENTS, { program });
      const reason = counter.count(() => {});
      await withFakePerf(ANSWERING, () => expect(counter.count(() => {})).toBe(reason));
    });
  });
});
