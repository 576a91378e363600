import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { COMPILED, compilePrograms, PROGRAMS } from "./compiled.ts";

let folder: string | undefined;

/** Builds `dist/` and the programs of tests, once for all. */
export function setup(): void {
  execFileSync(process.execPath, [path.join(import.meta.dirname, "../scripts/build.js")], {
    stdio: "inherit",
  });
  if (process.env[COMPILED] !== undefined) return;
  folder = compilePrograms(PROGRAMS);
  process.env[COMPILED] = folder;
}

/** Removes what was made for the tests alone. */
export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
