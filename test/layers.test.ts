/** Imports point down: the layers of ARCHITECTURE.md, held by this table. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const SRC = path.join(import.meta.dirname, "../src");

/** What each folder of src/ may import, itself aside. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  model: [],
  formats: ["model"],
  schema: ["model", "formats"],
  codecs: ["model", "formats", "schema"],
  datasets: ["model", "schema"],
  operations: ["model", "schema"],
  analysis: ["model"],
  catalog: ["model", "schema"],
  measure: ["model", "schema", "analysis"],
  runtimes: ["model", "schema", "analysis", "catalog", "measure"],
  // Codecs are known by name, but for those that doctor slows: a bundler has to see them.
  suite: ["model", "schema", "analysis", "catalog", "codecs", "measure", "runtimes"],
  facts: ["model", "schema", "analysis", "catalog", "runtimes", "reports"],
  ipc: ["model", "schema", "analysis", "catalog", "measure", "runtimes", "suite"],
  reports: ["model", "analysis"],
  // What runs in a page: `scripts/build.js` makes one script of it, and `reports/page/` puts that in.
  browser: ["model", "analysis", "reports"],
  published: ["model", "schema", "analysis", "catalog", "measure", "runtimes", "suite", "ipc"],
  store: ["model", "schema", "analysis", "reports"],
  fleet: ["model", "schema", "catalog", "runtimes", "suite", "ipc", "store"],
  cli: [
    "model",
    "schema",
    "analysis",
    "catalog",
    "measure",
    "runtimes",
    "suite",
    "ipc",
    "published",
    "reports",
    "store",
    "fleet",
    "facts",
  ],
};

/** Programs of measuring processes, which end themselves. */
const PROGRAMS = [
  "runtimes/node/worker.ts",
  "runtimes/page/keeper.ts",
  "ipc/participants/participant.ts",
  "published/classic/loop-program.ts",
];

/** What is loaded by its name or started by its path: it may have no importer, or few lines. */
const LOOKED_UP = [
  /^(codecs|datasets|operations|runtimes|ipc\/transports)\/[^/]+\.ts$/,
  /^reports\/(any|claims|classic|comparison|doctor|facts|ipc|ipc-remote|run)\/[^/]+\.ts$/,
  /(^|\/)index\.ts$/,
  /^cli\/main\.ts$/,
  /^browser\/page\.ts$/,
  /^published\/classic\/loop-program\.ts$/,
  /^facts\/program\.ts$/,
  /^runtimes\/node\/(worker|library-hooks|decoding-program)\.ts$/,
  /^runtimes\/page\/(client|keeper|worker)\.ts$/,
  /^suite\/doctor\/known-cost\.ts$/,
];

/** Only here may a clock be read for a measurement, or a process be started. */
const CLOCKS_AND_PROCESSES = ["measure", "runtimes", "suite", "facts", "ipc", "published"];

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(path.join(SRC, file), "utf8") }));

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
}

/** The files of src/ that one imports, types included. */
function targetsOf({ file, text }: (typeof files)[number]): string[] {
  return importsOf(text)
    .filter((name) => name.startsWith("."))
    .map((name) => path.join(path.dirname(file), name));
}

describe("layers", () => {
  it("lets a file import only what lies below it", () => {
    for (const one of files.filter(({ file }) => file.includes("/"))) {
      const layer = one.file.split("/")[0] ?? "";
      const allowed = ALLOWED[layer];
      expect(allowed, `src/${layer} is in no layer`).toBeDefined();
      for (const target of targetsOf(one)) {
        const [to = ""] = target.split("/");
        expect([layer, ...(allowed ?? [])], `${one.file} imports ${target}`).toContain(to);
      }
    }
  });

  it("lets plugins of one kind know nothing of each other", () => {
    for (const one of files) {
      const [kind = "", plugin = ""] = one.file.split("/");
      if (!["codecs", "datasets", "operations", "formats"].includes(kind)) continue;
      const own = plugin.replace(/\.ts$/, "");
      for (const target of targetsOf(one)) {
        const [toKind, to = ""] = target.split("/");
        // What formats are written with is theirs in common.
        if (toKind === kind && to !== "bytes")
          expect(to.replace(/\.ts$/, ""), `${one.file} imports ${target}`).toBe(own);
      }
    }
  });

  it("lets what measures import nothing of Node", () => {
    const byFile = new Map(files.map((one) => [one.file, one.text]));
    const seen = new Set(files.map(({ file }) => file).filter((file) => file.startsWith("measure/")));
    for (const file of seen) {
      for (const target of importsOf(byFile.get(file) ?? "")) {
        if (target.startsWith(".")) seen.add(path.join(path.dirname(file), target));
        else expect(["tinybench", "jsonc-parser"], `${file} imports ${target}`).toContain(target);
      }
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  it("keeps clocks and processes in the measuring layers", () => {
    for (const { file, text } of files) {
      const [layer = ""] = file.split("/");
      if (CLOCKS_AND_PROCESSES.includes(layer)) continue;
      expect(text, file).not.toMatch(/performance\.now|hrtime|node:child_process|node:worker_threads/);
    }
  });

  it("keeps the terminal, argv and the exit code in the command line", () => {
    for (const { file, text } of files) {
      if (file.startsWith("cli/") || PROGRAMS.includes(file)) continue;
      expect(text, file).not.toMatch(/process\.(argv|stdout|stderr|exit)\b/);
    }
  });

  it("has no circle of imports, not even of types", () => {
    const left = new Map(files.map((one) => [one.file, targetsOf(one)]));
    const next = (file: string): string | undefined => left.get(file)?.find((target) => left.has(target));
    // Whatever imports nothing that is left is in no circle.
    for (let before = 0; before !== left.size; ) {
      before = left.size;
      for (const file of left.keys()) if (next(file) === undefined) left.delete(file);
    }
    const walk = new Set<string>();
    let [file] = left.keys();
    for (; file !== undefined && !walk.has(file); file = next(file)) walk.add(file);
    const circle = [...walk];
    expect(circle.slice(circle.indexOf(file ?? ""))).toEqual([]);
  });

  it("has no file of less than 40 lines that only one other imports", () => {
    const importers = new Map<string, number>();
    for (const one of files) {
      for (const target of new Set(targetsOf(one))) importers.set(target, (importers.get(target) ?? 0) + 1);
    }
    const small = files
      .filter(({ file, text }) => text.split("\n").length <= 40 && (importers.get(file) ?? 0) < 2)
      .map(({ file }) => file);
    expect(small.filter((file) => !LOOKED_UP.some((pattern) => pattern.test(file)))).toEqual([]);
  });

  it("has no file of more than 500 lines", () => {
    const long = files.filter(({ text }) => text.split("\n").length > 501).map(({ file }) => file);
    expect(long).toEqual([]);
  });
});
