// Compiles src/ into dist/. The new folder takes the old one's place at the end, so that a deleted source file
// leaves nothing behind and a program that runs from dist/ meanwhile never meets half of it.
// Of the declarations only those stay that a user's program can come to: the package exports no others.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const at = (name) => path.join(root, name);
const tsc = path.join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
const [fresh, old] = [at(`dist.${process.pid}.new`), at(`dist.${process.pid}.old`)];
try {
  execFileSync(process.execPath, [tsc, "-p", at("tsconfig.json"), "--outDir", fresh], { stdio: "inherit" });
  removeUnreachable(fresh);
  try {
    renameSync(at("dist"), old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(fresh, at("dist"));
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}

/** Removes the declarations that neither the library nor one of the formats refers to. */
function removeUnreachable(folder) {
  const declarations = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => path.join(folder, file));
  const isEntry = (file) =>
    /^(formats\/[^/]+\/)?index\.d\.ts$/.test(path.relative(folder, file).replaceAll("\\", "/"));
  const reached = new Set(declarations.filter(isEntry));
  // A set hands out what is added to it while it is gone through.
  for (const file of reached)
    for (const [, target] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.[jt]s"/g))
      reached.add(path.join(path.dirname(file), `${target}.d.ts`));
  for (const file of declarations) if (!reached.has(file)) rmSync(file);
}
