/** Runs generated C programs: one process of gcc for all cases of a test. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Compiles files and returns what the program prints. `main.c` is the program; the others are beside it. */
export function runC(
  files: Readonly<Record<string, string>>,
  compiler = "gcc",
  flags: readonly string[] = [],
): string {
  const folder = mkdtempSync(path.join(tmpdir(), "c-struct-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const source = compiler === "g++" ? ["-x", "c++", "main.c"] : ["main.c"];
    execFileSync(compiler, [...flags, "-O0", "-o", "main", ...source], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return execFileSync(path.join(folder, "main"), { encoding: "utf8", maxBuffer: 2 ** 28 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
