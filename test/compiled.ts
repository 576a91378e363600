/** Compiles TypeScript programs to JavaScript, for tests that run them in a process of their own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");

/** Names the folder where all programs of tests are, once they were compiled before the first test. */
export const COMPILED = "WIREBENCH_TEST_PROGRAMS";

/** Every program of a test. */
export const PROGRAMS = ["test/formats/**/*-program.ts", "test/codecs/**/*-program.ts"];

/**
 * Gives the path of a compiled program to `use`: from the folder of all, or, without one, from a new one that is removed.
 * @param program path from the repository's root
 */
export function withCompiled<T>(program: string, use: (file: string) => T): T {
  const all = process.env[COMPILED];
  const folder = all ?? compilePrograms([program]);
  try {
    return use(path.join(folder, "out", program.replace(/\.ts$/, ".js")));
  } finally {
    if (all === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles programs and what they import into a new folder. @param programs patterns of paths from the root */
export function compilePrograms(programs: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
  const config = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: { rootDir: root, outDir: path.join(folder, "out"), declaration: false },
    include: programs.map((program) => path.join(root, program)),
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const tsc = path.join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  return folder;
}
