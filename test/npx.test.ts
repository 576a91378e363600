/** The README's first command in a checkout, interrupted while npx begins, leaves the next call whole. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
/** A cache of its own: what npx may break is shared by all projects. */
const cache = mkdtempSync(path.join(os.tmpdir(), "wirebench-npx-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const options = { cwd: root, env: { ...process.env, npm_config_cache: path.join(cache, "npm") } };

it("runs after it was interrupted at any moment of the first seconds", async () => {
  for (const after of [300, 700, 1200]) {
    const out = path.join(cache, `out-${after}`);
    const npx = spawn("npx", ["wirebench", "run", "-c", "json", "--profile", "quick", "--out", out], {
      ...options,
      detached: true,
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => npx.once("close", resolve));
    await sleep(after);
    // To the whole group, as Ctrl-C in a terminal.
    process.kill(-(npx.pid ?? 0), "SIGINT");
    await ended;
    const { status, stdout, stderr } = spawnSync("npx", ["wirebench", "--version"], {
      ...options,
      encoding: "utf8",
    });
    // It took the checkout's own link, and linked nothing into its cache.
    expect(existsSync(path.join(options.env.npm_config_cache, "_npx"))).toBe(false);
    expect({ status, stdout }, `after ${after} ms: ${stderr}`).toEqual({ status: 0, stdout: "0.1.0\n" });
  }
});
