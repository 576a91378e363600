// Changes what decides a verdict in every small way that StrykerJS knows, and counts the changes that a test notices:
//
//   npm run mutants [-- GROUP…]
//
// Each group of sources is held against the tests that are about it, without simulations, which are slow. What was found
// before is kept in coverage/mutants and used again where neither source nor tests have changed. At the end is a table of
// all groups, and the exit code is 1 where fewer than 90 % of the mutants are killed, or a group was never run.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Stryker } from "@stryker-mutator/core";

const LEAST = 0.9;

const STATISTICS = "src/analysis/statistics";
const TESTS = "test/analysis/statistics";

/** Sources and their tests. */
const GROUPS = {
  inference: statistics("inference"),
  verdict: { sources: ["src/analysis/{verdict,tiers}.ts"], tests: ["test/analysis/{verdict,tiers}.test.ts"] },
  standings: { sources: ["src/analysis/standings.ts"], tests: ["test/analysis/standings{,-exact}.test.ts"] },
  compare: compare("{compare,cells,gates}", "{compare,records,sides,cells,gates}"),
  runs: compare(
    "{between-runs,estimates,processes,basis}",
    "{between-runs,estimates,records,compare}{,-exact}",
  ),
  circumstances: compare("circumstances", "{circumstances{,-exact},records,compare}"),
  instructions: compare("instructions", "instructions"),
  memory: compare("memory", "memory"),
  ratio: statistics("ratio"),
  bootstrap: statistics("bootstrap"),
  location: statistics("location"),
  moderation: statistics("moderation", "gamma"),
  machines: statistics("machines"),
  modes: statistics("modes"),
  student: statistics("student"),
  accounts: { sources: ["src/ipc/figures/accounts.ts"], tests: ["test/ipc/figures/accounts.test.ts"] },
  sampler: {
    sources: ["src/measure/{sampler,warming,core-speed}.ts"],
    tests: ["test/measure/{sampler*,warming,core-speed}.test.ts"],
  },
  trends: statistics("theil-sen", "trend", "warm-up"),
};

const NOTICED = ["Killed", "Timeout"];
const MISSED = ["Survived", "NoCoverage"];

const root = path.resolve(import.meta.dirname, "..");
process.chdir(root);

const names = process.argv.slice(2);
for (const name of names) {
  if (Object.hasOwn(GROUPS, name)) continue;
  console.error(`group: expected one of ${Object.keys(GROUPS).join(", ")}, got ${name}`);
  process.exit(2);
}
for (const name of names.length === 0 ? Object.keys(GROUPS) : names) await run(name);
if (!summed()) process.exitCode = 1;

/** Sources of analysis/statistics, whose tests have their names. */
function statistics(...files) {
  return {
    sources: files.map((file) => `${STATISTICS}/${file}.ts`),
    tests: files.map((file) => `${TESTS}/${file}{,-exact}.test.ts`),
  };
}

/** Sources of analysis/compare, and which of its tests are about them. */
function compare(sources, tests) {
  return {
    sources: [`src/analysis/compare/${sources}.ts`],
    tests: [`test/analysis/compare/${tests}.test.ts`],
  };
}

function reportOf(name) {
  return `coverage/mutants/${name}.json`;
}

async function run(name) {
  console.log(`\n${name}`);
  const { sources, tests } = GROUPS[name];
  process.env.WIREBENCH_MUTANTS_TESTS = tests.join(" ");
  process.env.WIREBENCH_TEST_CASES ??= "0.02";
  const stryker = new Stryker({
    mutate: sources,
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutants.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: 1,
    // What waits for a busy machine is not in an endless loop, which counts as noticed.
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { reportTests: false, reportScoreTable: false, allowColor: false },
    incremental: true,
    incrementalFile: reportOf(name),
    tempDirName: "coverage/sandbox",
    ignorePatterns: ["dist", "dist.*", "results", "docs", "benchmarks"],
    logLevel: "warn",
    warnings: { slow: false },
    // Stryker reads it by an interface of the compiler that TypeScript 7 does not have; nothing here needs it rewritten.
    tsconfigFile: "none",
    disableTypeChecks: false,
  });
  await stryker.runMutationTest();
}

/** Prints what is known of all groups, and says whether it is enough. */
function summed() {
  const rows = [];
  const unknown = Object.keys(GROUPS).filter((name) => !existsSync(reportOf(name)));
  for (const name of Object.keys(GROUPS)) {
    if (unknown.includes(name)) continue;
    const { files } = JSON.parse(readFileSync(reportOf(name), "utf8"));
    for (const [file, { mutants }] of Object.entries(files)) {
      const count = (statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
      rows.push({ file, killed: count(NOTICED), survived: count(MISSED) });
    }
  }
  const sum = (of) => rows.reduce((total, row) => total + row[of], 0);
  const total = { file: "all", killed: sum("killed"), survived: sum("survived") };
  const width = Math.max(...rows.map(({ file }) => file.length));
  console.log(`\n${"".padEnd(width)}  killed  survived  score`);
  for (const row of [...rows, total]) {
    const counts = `${`${row.killed}`.padStart(6)}  ${`${row.survived}`.padStart(8)}`;
    console.log(`${row.file.padEnd(width)}  ${counts}  ${(100 * scoreOf(row)).toFixed(1).padStart(5)}`);
  }
  if (unknown.length > 0) console.log(`never run, and not in the sum: ${unknown.join(", ")}`);
  return unknown.length === 0 && scoreOf(total) >= LEAST;
}

function scoreOf({ killed, survived }) {
  return killed / (killed + survived);
}
