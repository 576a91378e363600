// Compiles src/ into dist/. The new folder takes the old one's place at the end, so that a deleted source file
// leaves nothing behind and a program that runs from dist/ meanwhile never meets half of it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const at = (name) => path.join(root, name);
const tsc = path.join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
const [fresh, old] = [at(`dist.${process.pid}.new`), at(`dist.${process.pid}.old`)];
try {
  // Comments are in the declarations, where editors show them, and not a second time in what is run.
  for (const kind of [["--emitDeclarationOnly"], ["--removeComments", "--declaration", "false"]]) {
    const args = [tsc, "-p", at("tsconfig.json"), "--outDir", fresh, ...kind];
    execFileSync(process.execPath, args, { stdio: "inherit" });
  }
  writeFileSync(path.join(fresh, ".npmignore"), unpublishedDeclarations(fresh).join("\n"));
  try {
    renameSync(at("dist"), old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(fresh, at("dist"));
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}

/** Declarations that no export of the package leads to. The tests need them, and nobody else. */
function unpublishedDeclarations(folder) {
  const formats = readdirSync(path.join(folder, "formats")).map((name) => `formats/${name}/index.d.ts`);
  const published = new Set(["index.d.ts", ...formats.filter((file) => existsSync(path.join(folder, file)))]);
  // A set is gone through with what is added meanwhile.
  for (const file of published) {
    const text = readFileSync(path.join(folder, file), "utf8");
    for (const [, target] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.(?:ts|js)"/g)) {
      published.add(path.posix.join(path.posix.dirname(file), `${target}.d.ts`));
    }
  }
  return readdirSync(folder, { recursive: true })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => file.endsWith(".d.ts") && !published.has(file));
}
