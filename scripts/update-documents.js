// Puts into the documents what they say of the code and of published runs, between markers:
//
//   <!-- BEGIN: results/FOLDER/run.json -->  …  <!-- END -->     the tables of a published record (doctor.json likewise)
//   <!-- BEGIN: constants NAME -->           …  <!-- END -->     constants of the code, as CONSTANTS below has them
//
// With --check nothing is written, and a part that is not what its source says is an error.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  readAnyRecord,
  renderClaimsSummary,
  renderDoctorSummary,
  renderIpcSummary,
  renderSummary,
} from "wirebench";
import { namedDataset } from "../dist/catalog/dataset.js";
import { libraryOf } from "../dist/catalog/library-version.js";
import { Registry } from "../dist/catalog/registry.js";
import { PROFILES } from "../dist/measure/profiles.js";
import { UnsupportedError } from "../dist/model/errors.js";
import { firstDifference } from "../dist/model/value.js";
import { DISTURBED } from "../dist/runtimes/node/conditions.js";
import { decodeUntrusted, encodeValue } from "../dist/schema/values/transcode.js";
import { INJECTED, MESSAGE, MESSAGES, SLOWED, TURNS } from "../dist/suite/doctor/known-shares.js";
import { MACHINE_LIMITS } from "../dist/suite/doctor/machine-checks.js";
import { PROOF_LIMITS } from "../dist/suite/doctor/proof.js";

const DOCUMENTS = ["README.md", "METHODOLOGY.md", "docs/codecs.md", "docs/doctor.md"];

const registry = await Registry.open();
const percent = (share) => `${Math.round(share * 1000) / 10} %`;

/** A Markdown table; a heading that begins with > is of numbers. */
function table(headings, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |\n`;
  const names = headings.map((heading) => heading.replace(/^>/, ""));
  const rules = headings.map((heading) => (heading.startsWith(">") ? "---:" : "---"));
  return [names, rules, ...rows].map(line).join("");
}

/** In the order of a message's way; what is measured only when it is asked for comes after that. */
const OPERATIONS = [
  "encode",
  "decode",
  "access",
  "build",
  "write",
  "read",
  "plain",
  "pick",
  "update",
  "reads",
  "stream",
  "clone",
  "worker",
];

const MEASURED = {
  build: "`--parts`, unranked",
  write: "`--parts`, unranked",
  read: "`--parts`, unranked",
  plain: "`--parts`, unranked",
  pick: "on request",
  update: "on request",
  reads: "on request",
  stream: "on request",
  clone: "on request",
  worker: "on request",
};

/** What each operation, and nothing but an operation, is. */
async function operations() {
  const names = registry.names("operations");
  const unknown = names.filter((name) => !OPERATIONS.includes(name));
  if (unknown.length > 0)
    throw new Error(`no place in the documents for the operation ${unknown.join(", ")}`);
  const rows = OPERATIONS.map(async (name) => {
    const { summary } = await registry.definition("operations", name);
    return [`\`${name}\``, summary.replaceAll("|", "\\|"), MEASURED[name] ?? "always"];
  });
  return table(["operation", "is", "measured"], await Promise.all(rows));
}

const profiles = () =>
  table(
    ["profile", ">processes", ">warm-up per operation", ">measured per operation", ">aimed batch"],
    Object.entries(PROFILES).map(([name, { processes, warmupMs, measureMs, batchMicros }]) => [
      name,
      processes,
      `${warmupMs} ms`,
      `${measureMs} ms`,
      `${batchMicros} µs`,
    ]),
  );

const disturbed = () =>
  table(
    ["a process is disturbed by", ">limit"],
    [
      ["time on a core, as a share of the measured time: below", percent(DISTURBED.cpuShare)],
      ["involuntary context switches a second: more than", DISTURBED.switchesPerSecond],
      ["time in which some process waited for a core (PSI): more than", percent(DISTURBED.pressure)],
      ["time stolen by the hypervisor: more than", percent(DISTURBED.steal)],
      ["throttling by a control group", "any"],
    ],
  );

const machine = () => {
  const nanos = (value) => `${value} ns`;
  const row = (what, { most, bad }, unit) => [what, unit(most), unit(bad)];
  const limits = MACHINE_LIMITS;
  return table(
    ["check", ">well up to", ">bad beyond"],
    [
      row("busy before: share of all cores that others take in a second of waiting", limits.busy, percent),
      row("clock step: a thousandth of a batch", limits.clockStep, nanos),
      row("clock call: a thousandth of a batch", limits.clockCall, nanos),
      row("memory taken", limits.memoryTaken, percent),
      row("pages swapped meanwhile", limits.swapped, String),
      row(
        "speed over time: the slowest of the loops beside the trials, over the fastest",
        limits.speed,
        percent,
      ),
      row("measuring processes that were disturbed", limits.disturbed, percent),
    ],
  );
};

const proof = () => {
  const slower = [...INJECTED.values()].filter((share) => share > 0).map(percent);
  return table(
    ["the tool must", ">limit"],
    [
      ["recover the cost of a codec of known cost, off by at most", percent(PROOF_LIMITS.cost)],
      [
        "call the codec different from itself, in a share of comparisons of at most",
        percent(PROOF_LIMITS.alike),
      ],
      ["call a slower variant faster", PROOF_LIMITS.reversed === 0 ? "never" : PROOF_LIMITS.reversed],
      [
        `find the variant of ${slower.at(-1)}, in a share of comparisons of at least`,
        percent(PROOF_LIMITS.found),
      ],
      ["turns of the loop in a call of the codec of known cost", TURNS.toLocaleString("en-US")],
      ["codecs that are slowed", SLOWED.join(", ")],
      [`messages in a call, of \`${MESSAGE}\``, MESSAGES],
      ["variants: slower by", slower.join(", ")],
    ],
  );
};

const ofTable = (text) => text.replaceAll("|", "\\|");

/** Every codec and variant, by format. */
async function allCodecs() {
  const names = await registry.selectCodecs(["*"]);
  const all = await Promise.all(names.map((name) => registry.codec(name)));
  return all.sort((a, b) => (a.format < b.format ? -1 : a.format > b.format ? 1 : 0));
}

/** What each codec is. */
async function codecs() {
  const rows = (await allCodecs()).map((codec) => {
    const { library, version } = libraryOf(codec);
    const isOwn = library === "wirebench" || library === "node";
    return [
      codec.format,
      `\`${codec.name}\``,
      isOwn ? library : `${library} ${version}`,
      ofTable(codec.summary),
    ];
  });
  return table(["format", "codec", "library", "what is called, and how"], rows);
}

/** Why a codec does not carry a dataset; undefined where every value comes back equal. */
async function holeOf(codec, dataset) {
  try {
    const binding = await codec.bind(dataset);
    for (const value of dataset.values) {
      const difference = firstDifference(
        value,
        decodeUntrusted(codec.name, binding, dataset, encodeValue(binding, value)),
      );
      if (difference !== undefined) throw new Error(`${codec.name} on ${dataset.name}: ${difference}`);
    }
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedError) return error.message;
    throw error;
  }
}

/** Sizes of datasets that are long in their standard size: what is carried does not hang on it. */
const SHORT = { cloud: "cloud:1600", frame: "frame:1000", "speed-large": "speed-large:10" };

/** Every built-in dataset that a codec does not carry, with the reason. */
async function holes() {
  const rows = [];
  const all = await allCodecs();
  for (const name of registry.names("datasets")) {
    const dataset = await namedDataset(registry, SHORT[name] ?? name);
    for (const codec of all) {
      const hole = await holeOf(codec, dataset);
      if (hole !== undefined) rows.push([`\`${codec.name}\``, `\`${name}\``, ofTable(hole)]);
    }
  }
  return table(["codec", "dataset", "why it is a row without a number"], rows);
}

const CONSTANTS = { codecs, holes, operations, profiles, disturbed, machine, proof };

function summaryOf(record) {
  if (record.kind === "doctor") return renderDoctorSummary(record);
  if (record.kind === "claims") return renderClaimsSummary(record);
  return record.kind === "ipc" ? renderIpcSummary(record) : renderSummary(record);
}

const root = path.resolve(import.meta.dirname, "..");

/** What stands between the markers of a name. */
async function partOf(name) {
  const [, constants] = /^constants (.*)$/.exec(name) ?? [];
  if (constants === undefined) return summaryOf(readAnyRecord(path.join(root, name)));
  const made = CONSTANTS[constants];
  if (made === undefined) throw new Error(`there are no constants "${constants}"`);
  return made();
}

const PART = /(<!-- BEGIN: (.+?) -->\n)[\s\S]*?(<!-- END -->)/g;
const check = process.argv.includes("--check");
for (const document of DOCUMENTS) {
  const file = path.join(root, document);
  const before = readFileSync(file, "utf8");
  const parts = [...before.matchAll(PART)];
  if (parts.length === 0) throw new Error(`${document} has no markers`);
  const made = new Map(await Promise.all(parts.map(async ([, , name]) => [name, await partOf(name)])));
  const after = before.replace(PART, (_, begin, name, end) => `${begin}${made.get(name)}${end}`);
  if (!check) writeFileSync(file, after);
  else if (after !== before) {
    console.error(`${document}: a part is not what its source says: run node scripts/update-documents.js`);
    process.exitCode = 1;
  }
}
