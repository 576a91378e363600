/** Compiles a TypeScript program to JavaScript, for tests that run it in a process of its own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");

/**
 * Compiles a program and what it imports into a new folder, gives its path to `use`, and removes the folder.
 * @param program path from the repository's root
 */
export function withCompiled<T>(program: string, use: (file: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
  try {
    const config = {
      extends: path.join(root, "tsconfig.json"),
      compilerOptions: {
        rootDir: root,
        outDir: path.join(folder, "out"),
        declaration: false,
      },
      include: [path.join(root, program)],
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    const tsc = path.join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    return use(path.join(folder, "out", program.replace(/\.ts$/, ".js")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
