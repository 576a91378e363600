// Does a cell cost what a program pays that does nothing else? A process makes N calls, and 4 N more. The system tells the
// processor time of all its threads, with garbage, in the latter. wirebench measures the same cell in a process of its
// own, and both take turns.
//
// Where neighbours share a core, code takes up to twice as long for some milliseconds (src/measure/core-speed.ts). So both sides
// leave out what is beside a slow core, by the same fixed work: wirebench batches, the whole process stretches as long as these. Of each side
// those processes count whose core was slow least, which knows nothing of the codec. The processor time of helper threads is not known
// stretch by stretch: where too few processes of a side had a fast core in two thirds of their time, nothing is told, and that is a miss.
//
//   node benchmarks/whole-process.js
import { spawnSync } from "node:child_process";
import { namedDataset, PROFILES, Registry } from "wirebench";
import { median } from "../dist/analysis/statistics/location.js";
import { CoreSpeed } from "../dist/measure/core-speed.js";
import { samplesOfProcess, speeds, timeOf } from "./support/one-process.js";
import { verdict } from "./support/verdict.js";

const DATASET = "tellist";
const CELLS = [
  ["encode", "flatbuffers"],
  ["encode", "json"],
  ["decode", "msgpackr"],
  ["encode", "capnp-ts"],
  ["encode", "protobufjs"],
  ["decode", "raw-struct"],
];
/** Processes of each side, how many of them count, and the share of the time in which their core may have been slow. */
const TURNS = 11;
const COUNTED = 5;
const SLOW = 0.33;
const WITHIN = 0.05;
/** Seconds of the first calls, roughly, and how many times as many follow: capnp-ts gets faster for a second. */
const SECONDS = 0.25;
const TIMES = 4;
/** V8's flags, of both sides. */
const FLAGS = ["--no-concurrent-recompilation", "--single-threaded-gc"];
/** The same of both sides. */
const PROFILE = { ...PROFILES.thorough, warmupMs: 1000 * SECONDS, measureMs: 1000 * SECONDS * TIMES };
/** Nanoseconds of a stretch, roughly: as long as a batch, since fixed work takes longer the more code has run before it. */
const STRETCH = 1000 * PROFILE.batchMicros;
/** Probes of the core's speed before any counts: as many as compile them, here where few are made. */
const PROBES = 2000;
/** Stretches that are enough. */
const LEAST = 16;

const [operation, codec, calls, stretch, usual] = process.argv.slice(2);
if (operation === undefined) onOneCore();
else if (operation === "pinned") await compareAll();
else
  await callsOf([operation, codec], { calls: Number(calls), stretch: Number(stretch), usual: Number(usual) });

/** Everything runs on one core where taskset keeps it there: with two, what other threads cost depends on the scheduler. */
function onOneCore() {
  const own = [process.execPath, import.meta.filename, "pinned"];
  const { error, status } = spawnSync("taskset", ["-c", "0", ...own], { stdio: "inherit" });
  if (error !== undefined) throw new Error(`taskset, of util-linux, is needed: ${error.message}`);
  process.exitCode = status ?? 1;
}

async function compareAll() {
  for (const cell of CELLS) {
    const [name, of] = cell;
    const sampled = () =>
      samplesOfProcess({ operation: name, codec: of, dataset: DATASET, profile: PROFILE, flags: FLAGS });
    const nanos = timeOf(await sampled());
    const [ours, truths] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      const { allThreads, slowed = 0, ...samples } = await sampled();
      ours.push({ nanos: allThreads ?? timeOf(samples), slowed });
      truths.push(wholeProcess(cell, nanos));
    }
    const [one, other] = [ours, truths].map(quietest);
    // NaN, which is within no bounds, where a side has none.
    const ratio = one.nanos / other.nanos;
    const figures = `wirebench ${one.shown}, whole processes ${other.shown}`;
    verdict(`${cell.join(" ")}: ${figures}: ${ratio.toFixed(3)} ×`, ratio, {
      least: 1 - WITHIN,
      most: 1 + WITHIN,
    });
  }
}

/** The median of the processes whose core was slow least; NaN where it was so in too many. */
function quietest(processes) {
  const counted = processes.toSorted((a, b) => a.slowed - b.slowed).slice(0, COUNTED);
  const slowed = Math.max(...counted.map((one) => one.slowed));
  if (slowed > SLOW) return { nanos: Number.NaN, shown: `not told (core slow for ${percent(slowed)})` };
  const times = counted.map(({ nanos }) => nanos);
  const [least, most] = [Math.min(...times), Math.max(...times)].map(Math.round);
  const nanos = median(times);
  return { nanos, shown: `${Math.round(nanos)} ns (${least} to ${most}; core slow for ${percent(slowed)})` };
}

function percent(share) {
  return `${Math.round(100 * share)} %`;
}

/** Nanoseconds of processor time of a call, and the share of them beside which the core was slow. */
function wholeProcess(cell, nanos) {
  const [calls, stretch] = [SECONDS * 1e9, STRETCH].map((time) => Math.ceil(time / nanos));
  const args = [import.meta.filename, ...cell, calls, stretch, speeds.of("node")].map(String);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...FLAGS, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${cell.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

async function callsOf([name, of], { calls, stretch, usual }) {
  const registry = await Registry.open();
  const dataset = await namedDataset(registry, DATASET);
  const binding = await (await registry.codec(of)).bind(dataset);
  const { values } = dataset;
  const [inputs, call] = {
    encode: () => [values, (value) => binding.write(binding.build(value))],
    decode: () => [
      values.map((value) => binding.write(binding.build(value))),
      (bytes) => binding.plain(binding.read(bytes)),
    ],
  }[name]();
  const sink = { value: undefined };
  const some = (count) => {
    for (let i = 0; i < count; i++) sink.value = call(inputs[i % inputs.length]);
  };
  const speed = new CoreSpeed({ now: () => performance.now() }, Number.isNaN(usual) ? undefined : usual);
  some(calls);
  for (let i = 0; i < PROBES; i++) speed.slowdown();
  speed.prepare();
  const stretches = [];
  for (let done = 0; done < TIMES * calls; done += stretch) {
    const from = process.cpuUsage();
    some(stretch);
    const { user, system } = process.cpuUsage(from);
    stretches.push({ nanos: ((user + system) * 1000) / stretch, slowdown: speed.slowdown() });
  }
  const fast = stretches.filter(({ slowdown }) => slowdown === undefined);
  // As in wirebench: where too few are left, all count, divided by how many times as long the fixed work took.
  const counted = fast.length < LEAST ? stretches : fast;
  const sum = counted.reduce((all, { nanos, slowdown = 1 }) => all + nanos / slowdown, 0);
  process.stdout.write(
    JSON.stringify({ nanos: sum / counted.length, slowed: 1 - fast.length / stretches.length }),
  );
}
