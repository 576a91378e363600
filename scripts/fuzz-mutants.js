// Feeds damaged messages to all that reads bytes from outside: every library and verifier written here, on the golden
// vectors of its format, and every codec on those and on messages of random schemas, which are others in each round.
//
//   npm run fuzz:mutants [-- --minutes 10 --format NAME --mutants 200000 --seed N --ledger FILE]
//
// A round is a process of its own for each format in turn, in a heap of 128 MiB, until the time is over. A mutant is taken
// or refused by a DecodeError; whatever else comes of it ends the search with its bytes, as does a process that outgrows
// its heap or its memory. Where a mutant takes long by the clock, its steps are counted, and they decide: the clock also
// runs while others have the processor. What all searches took is added up in the ledger.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "..");

/** Old space of a round; what its own code, its schemas and fast-check take of it is some 40 MiB. */
const HEAP_MIB = 128;
/** Largest resident set of a round, with what lies outside of V8's heap. */
const MOST_MIB = 512;
/** Steps of one mutant: so many, and as many for each of its bytes. References may stand for 200,000 values. */
const MOST_STEPS = 2 ** 28;
const MOST_STEPS_PER_BYTE = 2000;
/** Processor time after which a round is taken for one that never ends, in seconds. */
const ENDLESS = 600;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    mutants: { type: "string", default: "200000" },
    format: { type: "string" },
    seed: { type: "string" },
    ledger: { type: "string", default: path.join(root, "coverage/fuzz-mutants.json") },
  },
});

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-fuzz-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
const programs = compiled();
const formats = options.format === undefined ? known() : [options.format];
const until = Date.now() + Number(options.minutes) * 60_000;
let seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 31));
const total = {};
do {
  for (const format of formats) search(format, seed);
  seed = (seed + 1) % 2 ** 31;
} while (Date.now() < until);
print("this search", total);
print("all searches", readLedger());

/** Compiles the programs, and returns their folder. */
function compiled() {
  const config = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: { rootDir: root, outDir: path.join(folder, "out"), declaration: false },
    include: [
      path.join(root, "src"),
      path.join(root, "test/fuzz"),
      path.join(root, "test/formats/linear-work/steps.ts"),
    ],
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const tsc = path.join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", folder], { stdio: "inherit" });
  symlinkSync(path.join(root, "test/vectors"), path.join(folder, "out/test/vectors"));
  return path.join(folder, "out/test");
}

function known() {
  const list = `import(${JSON.stringify(path.join(programs, "fuzz/targets.js"))}).then(async (m) => console.log((await m.formats()).join()))`;
  return execFileSync(process.execPath, ["-e", list], { encoding: "utf8" }).trim().split(",");
}

/** One round of a format. */
function search(format, roundSeed) {
  const given = [path.join(programs, "fuzz/program.js"), format, String(roundSeed), options.mutants];
  const run = roundOf(given);
  if (run.status !== 0) fail(format, given, run);
  const round = JSON.parse(run.stdout);
  if (round.mib > MOST_MIB) fail(format, given, { ...run, stderr: `${round.mib} MiB of memory` });
  for (const one of round.slow) judge(format, roundSeed, one);
  for (const sum of [total, readLedger()]) {
    const old = sum[format] ?? { mutants: 0, taken: 0, seconds: 0 };
    sum[format] = {
      mutants: old.mutants + round.mutants,
      taken: old.taken + round.taken,
      seconds: old.seconds + round.seconds,
    };
    if (sum !== total) writeLedger(sum);
  }
}

function roundOf(given) {
  const heap = [`--max-old-space-size=${HEAP_MIB}`, "--max-semi-space-size=4"];
  const limited = `ulimit -t ${ENDLESS}; exec "$0" "$@"`;
  return spawnSync("sh", ["-c", limited, process.execPath, ...heap, ...given], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
}

/** Ends the search, with the mutant that ended a process without a word. */
function fail(format, given, { status, signal, stderr }) {
  console.error(`${format}, seed ${given[2]}: ${signal ?? `exit code ${status}`}`);
  console.error(stderr.slice(-5000));
  if (status !== 1) {
    const trace = path.join(folder, "trace");
    roundOf([...given, trace]);
    console.error(`the last mutant: ${readFileSync(trace, "utf8").trim().split("\n").at(-1)}`);
  }
  process.exit(1);
}

/** Ends the search where a mutant takes more steps than it may. */
function judge(format, roundSeed, { target, hex }) {
  const steps = path.join(programs, "formats/linear-work/steps.js");
  const flags = ["--no-opt", "--sampling-heap-profiler-suppress-randomness", "--import", steps];
  const given = [path.join(programs, "fuzz/steps-program.js"), format, String(roundSeed), String(target)];
  const output = execFileSync(process.execPath, [...flags, ...given], { encoding: "utf8", input: hex });
  const { name, blocks, native, words } = JSON.parse(output);
  const taken = blocks[0] + native[0] + words[0];
  const most = MOST_STEPS + MOST_STEPS_PER_BYTE * (hex.length / 2);
  if (taken <= most) return;
  console.error(`${name}, seed ${roundSeed}: ${taken} steps, expected at most ${most}: ${hex}`);
  process.exit(1);
}

function readLedger() {
  try {
    return JSON.parse(readFileSync(options.ledger, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

function writeLedger(ledger) {
  mkdirSync(path.dirname(options.ledger), { recursive: true });
  writeFileSync(options.ledger, `${JSON.stringify(ledger, null, 2)}\n`);
}

function print(title, sums) {
  const rows = Object.entries(sums);
  const sum = (of) => rows.reduce((all, [, row]) => all + row[of], 0);
  const all = { mutants: sum("mutants"), taken: sum("taken"), seconds: sum("seconds") };
  console.log(
    `\n${title.padEnd(16)}${"mutants".padStart(14)}${"taken".padStart(12)}${"a second".padStart(12)}`,
  );
  for (const [name, { mutants, taken, seconds }] of [...rows, ["all", all]]) {
    const rate = Math.round(mutants / Math.max(seconds, 1e-3));
    const cells = [
      [mutants, 14],
      [taken, 12],
      [rate, 12],
    ];
    console.log(
      name.padEnd(16) + cells.map(([n, width]) => n.toLocaleString("en-US").padStart(width)).join(""),
    );
  }
}
