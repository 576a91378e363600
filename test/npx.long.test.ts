/** The README's first command in a checkout, interrupted while npx begins, leaves the next call whole. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-npx-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A cache of its own: what an interrupted npx breaks is shared by all projects. */
const cache = path.join(folder, "npm");
const options = {
  cwd: path.join(import.meta.dirname, ".."),
  env: { ...process.env, npm_config_cache: cache },
};

/** What `npm ci` does at its end. */
function prepare(): void {
  const npm = realpathSync(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim());
  const { status, stderr } = spawnSync(process.execPath, ["scripts/prepare.js"], {
    ...options,
    env: { ...options.env, npm_execpath: npm, npm_command: "ci" },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
}

function version(): { status: number | null; stdout: string; stderr: string } {
  return spawnSync("npx", ["wirebench", "--version"], { ...options, encoding: "utf8", timeout: 300_000 });
}

/** The file of npx's entry for this checkout without which npx cannot read it. */
function entry(): string {
  const [hash = "none"] = readdirSync(path.join(cache, "_npx"));
  return path.join(cache, "_npx", hash, "package.json");
}

describe("npx in a checkout", () => {
  it("makes its entry by itself where there is none, as in a checkout that was moved", () => {
    expect(version()).toMatchObject({ status: 0, stdout: "0.1.0\n" });
    rmSync(path.join(cache, "_npx"), { recursive: true });
  });

  // npx keeps a lock of its own, which an interrupted one may hold a while longer.
  it("only reads its entry once that is prepared, and so can be interrupted at any moment", {
    retry: 2,
  }, async () => {
    prepare();
    const { mtimeMs } = statSync(entry());
    for (const after of [200, 500, 900]) {
      const args = [
        "wirebench",
        "run",
        "-c",
        "json",
        "--profile",
        "quick",
        "--out",
        path.join(folder, "out"),
      ];
      const npx = spawn("npx", args, { ...options, detached: true, stdio: "ignore" });
      const ended = new Promise((resolve) => npx.once("close", resolve));
      await sleep(after);
      // To the whole group, as Ctrl-C in a terminal.
      process.kill(-(npx.pid ?? 0), "SIGINT");
      await ended;
      expect(statSync(entry()).mtimeMs).toBe(mtimeMs);
    }
    expect(version()).toMatchObject({ status: 0, stdout: "0.1.0\n" });
  });

  it("has a broken entry mended by the next npm ci", () => {
    rmSync(entry());
    expect(version().stderr).toContain("Could not read package.json");
    prepare();
    expect(version()).toMatchObject({ status: 0, stdout: "0.1.0\n" });
  });
});
