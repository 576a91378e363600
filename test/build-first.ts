import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { COMPILED, compilePrograms, PROGRAMS } from "./compiled.ts";

let folder: string | undefined;

/**
 * Builds `dist/` and the programs of tests, once for all projects, each of which calls this. What tests write for a while goes
 * into one folder, of a short path: sockets in it may have little more.
 */
export function setup(): void {
  if (process.env[COMPILED] !== undefined) return;
  execFileSync(process.execPath, [path.join(import.meta.dirname, "../scripts/build.js")], {
    stdio: "inherit",
  });
  folder = mkdtempSync(path.join(tmpdir(), "wirebench-tests-"));
  process.env["TMPDIR"] = folder;
  process.env[COMPILED] = compilePrograms(PROGRAMS);
}

/** Removes what was made for the tests alone. A worker of vitest is killed, and removes nothing of its own. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
