// What does `wirebench compare` say of records of the same code, and does it find what changed? Twenty runs of the default
// matrix, every other one beside a busy loop on one core, and all pairs of them compared: nothing has changed, so that
// every difference is a false one. Then all times of one codec in the later record are multiplied by 1.2 and 1.1, codec after
// codec, to see how often its cells are called slower. What times compared as they are would have said is beside it.
//
//   node benchmarks/twenty-records.js FOLDER [--profile quick|standard] [--records 20 | --kept]
//
// Records are kept in the folder, and those that are there are used: a run that was stopped goes on. With --kept none is
// measured, and all that are there are compared. Pairs share records,
// and are not independent of each other. Made by version after version of wirebench, they say nothing.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { compareRecords } from "wirebench";
import { verdict } from "./support/verdict.js";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: "string", default: "quick" },
    records: { type: "string", default: "20" },
    kept: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
const { profile } = values;
if (folder === undefined || positionals.length > 1) throw new Error("expected a folder for the records");
if (profile !== "quick" && profile !== "standard")
  throw new Error(`--profile: expected quick or standard, got ${profile}`);

/** The longest that a run may take, and a busy loop beside it. */
const LIMIT_MS = 400_000;

/** Shares of scaled cells that are to be found. */
const GOALS = { quick: { 1.2: 0.6 }, standard: { 1.2: 0.8, 1.1: 0.4 } };
const FACTORS = [1.2, 1.1];

const numbers = Array.from({ length: Number(values.records) }, (_, i) => i);
const records = numbers.filter((i) => !values.kept || existsSync(fileOf(i).file)).map(recordOf);
const pairs = records.flatMap((base, i) => records.slice(i + 1).map((head) => ({ base, head })));

console.log(`\n${records.length} records, ${pairs.length} pairs, profile ${profile}\n`);
const compared = pairs.map((pair) => ({
  ...pair,
  ...comparison(pair),
  asTheyAre: differences(pair, { absolute: true }),
}));
table(
  ["records", "pairs", "any false", "as they are", "factor", "between runs", "would find"],
  [
    ["both quiet", ({ base, head }) => !base.busy && !head.busy],
    ["one busy", ({ base, head }) => base.busy !== head.busy],
    ["both busy", ({ base, head }) => base.busy && head.busy],
    ["all", () => true],
  ].flatMap(([name, of]) => {
    const own = compared.filter(of);
    if (own.length === 0) return [];
    const factors = own.map(({ factor }) => factor).sort((a, b) => a - b);
    return [
      [
        name,
        own.length,
        percent(share(own, ({ found }) => found.length > 0)),
        percent(share(own, ({ asTheyAre }) => asTheyAre.length > 0)),
        `${factors[0].toFixed(2)} to ${factors.at(-1).toFixed(2)}`,
        percent(middle(own.map(({ between }) => between))),
        percent(middle(own.map(({ detectable }) => detectable))),
      ],
    ];
  }),
);
for (const { base, head, found } of compared) {
  for (const { operation, codec, ratio } of found) {
    console.log(`  false: ${base.name} and ${head.name}: ${operation} ${codec} ${ratio.toFixed(3)}`);
  }
}
const anyFalse = share(compared, ({ found }) => found.length > 0);
verdict(`pairs with any false difference: ${percent(anyFalse)}`, anyFalse, { most: 0.05 });
const anyMemory = share(compared, ({ memory }) => memory.length > 0);
verdict(`pairs with memory that is called different: ${percent(anyMemory)}`, anyMemory, { most: 0.05 });

const codecs = [
  ...new Set(records[0].run.cells.filter(({ nanos, twinOf }) => nanos && !twinOf).map(({ codec }) => codec)),
];
const foundOf = codecs.map((codec) => FACTORS.map((factor) => foundShare(codec, factor)));
console.log("");
table(
  ["codec", ...FACTORS.flatMap((factor) => [`x ${factor}`, "as they are"])],
  codecs.map((codec, i) => [
    codec,
    ...foundOf[i].flatMap(({ found, asTheyAre }) => [percent(found), percent(asTheyAre)]),
  ]),
);
FACTORS.forEach((factor, i) => {
  const found = mean(foundOf.map((of) => of[i].found));
  const what = `slower by ${percent(factor - 1)}, found: ${percent(found)}`;
  const least = GOALS[profile][factor];
  if (least === undefined) console.log(`        ${what}`);
  else verdict(what, found, { least });
});

/** Where the record of a number is kept. */
function fileOf(index) {
  const busy = index % 2 === 1;
  const name = `${String(index + 1).padStart(2, "0")}-${busy ? "busy" : "quiet"}`;
  const out = path.join(folder, name);
  return { busy, name, out, file: path.join(out, "run.json") };
}

/** The record of a number: from the folder, or measured now. */
function recordOf(index) {
  const { busy, name, out, file } = fileOf(index);
  if (!existsSync(file)) {
    console.log(`measuring ${out}`);
    measure(out, busy);
  }
  const run = JSON.parse(readFileSync(file, "utf8"));
  if (run.options.profile !== profile || !run.complete)
    throw new Error(`${file}: expected a whole run at ${profile}, got ${run.options.profile}`);
  return { name, busy, run };
}

/** One run; the busy loop ends with it, and by itself where this process is killed. */
function measure(out, busy) {
  const loop = `const end = Date.now() + ${LIMIT_MS}; while (Date.now() < end && process.ppid === ${process.pid}) for (let i = 0; i < 1e7; i++);`;
  const child = busy ? spawn(process.execPath, ["-e", loop], { stdio: "ignore" }) : undefined;
  try {
    const bin = path.join(import.meta.dirname, "../bin/wirebench.js");
    const { status, stderr } = spawnSync(process.execPath, [bin, "run", "--profile", profile, "--out", out], {
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
      timeout: LIMIT_MS,
    });
    if (status !== 0) throw new Error(`wirebench run: exit code ${status}: ${stderr.slice(-500)}`);
  } finally {
    child?.kill("SIGKILL");
  }
}

function comparison({ base, head }) {
  const { cells, calibration, betweenRuns, detectable } = compareRecords(base.run, head.run);
  return {
    found: cells.filter(isDifferent),
    memory: cells
      .flatMap((cell) => Object.values(cell.memory ?? {}))
      .filter(({ verdict }) => verdict === "more" || verdict === "less"),
    factor: calibration.factor,
    between: betweenRuns.deviation,
    detectable: detectable ?? Number.POSITIVE_INFINITY,
  };
}

function differences({ base, head }, options) {
  return compareRecords(base.run, head.run, options).cells.filter(isDifferent);
}

function isDifferent(cell) {
  return cell.verdict === "slower" || cell.verdict === "faster";
}

/** Shares of a codec's cells in all pairs that are called slower where the later times are multiplied. */
function foundShare(codec, factor) {
  const heads = new Map(records.map(({ run }) => [run, scaled(run, codec, factor)]));
  const slower = (options) =>
    mean(
      pairs.flatMap(({ base, head }) =>
        compareRecords(base.run, heads.get(head.run), options)
          .cells.filter((cell) => cell.codec === codec)
          .map((cell) => Number(cell.verdict === "slower")),
      ),
    );
  return { found: slower({}), asTheyAre: slower({ absolute: true }) };
}

/** A record in which one codec takes longer in every batch; the other cells are the same objects. */
function scaled(run, codec, factor) {
  const times = (values) => values.map((value) => value * factor);
  const cells = run.cells.map((cell) => {
    if (cell.codec !== codec || cell.nanos === undefined) return cell;
    const { nanos } = cell;
    return {
      ...cell,
      nanos: {
        ...nanos,
        median: nanos.median * factor,
        ci95: nanos.ci95 && times(nanos.ci95),
        processes: times(nanos.processes),
        loops: times(nanos.loops),
        batches: nanos.batches.map(times),
      },
    };
  });
  return { ...run, cells };
}

function table(headings, rows) {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => String(row[i]).length)),
  );
  for (const row of [headings, ...rows])
    console.log(
      row
        .map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i])))
        .join("  "),
    );
}

function share(values, of) {
  return values.filter(of).length / values.length;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function percent(value) {
  return Number.isFinite(value) ? `${(value * 100).toFixed(1)} %` : "nothing";
}
