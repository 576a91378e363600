/** Groups of processes, as a browser is one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { killGroup, untilQuiet } from "../../src/runtimes/page/process-group.ts";

/** Starts a shell in a group of its own, whose parent asks for the end of none; gives the group, and how to end the parent. */
async function groupOf(script: string): Promise<{ readonly group: number; readonly end: () => void }> {
  const parent = spawn("sh", ["-c", `setsid sh -c 'echo $$; ${script}' & exec sleep 60`]);
  const [said] = (await once(parent.stdout, "data")) as [Buffer];
  return { group: Number(said), end: () => parent.kill("SIGKILL") };
}

function stateOf(process: number): string | undefined {
  return readFileSync(`/proc/${process}/stat`, "latin1").split(") ")[1]?.[0];
}

describe.skipIf(process.platform !== "linux")("a group of processes", () => {
  it("is gone where one that has ended stays listed", async () => {
    const { group, end } = await groupOf("sleep 60 & sleep 60");
    try {
      const from = performance.now();
      await killGroup(group);
      expect(stateOf(group)).toBe("Z");
      // It gives up after five seconds.
      expect(performance.now() - from).toBeLessThan(4900);
    } finally {
      end();
    }
  });

  it("is quiet once it has done what it does at first", async () => {
    const { group, end } = await groupOf("timeout --foreground 1 yes >/dev/null; exec sleep 60");
    try {
      const from = performance.now();
      await untilQuiet(group);
      expect(performance.now() - from).toBeGreaterThan(800);
      expect(stateOf(group)).toBe("S");
    } finally {
      await killGroup(group);
      end();
    }
  });

  it("is gone, and quiet, where there is none", async () => {
    const child = spawn("true", { detached: true });
    await once(child, "close");
    for (const group of [child.pid, undefined]) {
      await untilQuiet(group);
      await killGroup(group);
    }
  });
});
