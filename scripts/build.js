// Compiles src/ into dist/. The new folder takes the old one's place at the end, so that a deleted source file
// leaves nothing behind and a program that runs from dist/ meanwhile never meets half of it.
import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const at = (name) => path.join(root, name);
const tsc = path.join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
const [fresh, old] = [at(`dist.${process.pid}.new`), at(`dist.${process.pid}.old`)];
try {
  execFileSync(process.execPath, [tsc, "-p", at("tsconfig.json"), "--outDir", fresh], { stdio: "inherit" });
  try {
    renameSync(at("dist"), old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(fresh, at("dist"));
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
