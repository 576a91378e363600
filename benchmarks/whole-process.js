// Does a cell cost what a program pays that does nothing else? A process runs N calls of it, another 5 N, and the system
// tells the processor time of each as a whole: of all threads, with garbage, without any timing of ours. The difference,
// per call, is the truth. wirebench measures the same cell in a process of its own, before and after.
//
//   node benchmarks/whole-process.js
import { spawnSync } from "node:child_process";
import { namedDataset, Registry, run } from "wirebench";
import { measuredCell, verdict } from "./support/verdict.js";

const DATASET = "tellist";
const CELLS = [
  ["encode", "flatbuffers"],
  ["encode", "json"],
  ["decode", "msgpackr"],
  ["encode", "capnp-ts"],
  ["encode", "protobufjs"],
  ["decode", "raw-struct"],
];
const PAIRS = 5;
const WITHIN = 0.05;
/** Inputs that calls go round, as in wirebench. */
const RING = 16;
/** Seconds of the shorter process, roughly, and how many times as many calls the longer one makes. */
const SECONDS = 0.5;
const TIMES = 5;

const [operation, codec, calls] = process.argv.slice(2);
if (operation === undefined) await onOneCore();
else if (operation === "pinned") await compareAll();
else await callsOf(operation, codec, Number(calls));

/** Everything runs on one core where taskset keeps it there: with two, what other threads cost depends on the scheduler. */
async function onOneCore() {
  const own = ["-c", "0", process.execPath, import.meta.filename, "pinned"];
  const { error, status } = spawnSync("taskset", own, { stdio: "inherit" });
  if (error === undefined) process.exitCode = status ?? 1;
  else await compareAll();
}

async function compareAll() {
  for (const cell of CELLS) {
    const before = await ours(cell);
    const count = Math.ceil((SECONDS * 1e9) / before.median);
    const truth = median(Array.from({ length: PAIRS }, () => nanosOfPair(cell, count)));
    const after = await ours(cell);
    const [first, second] = [before, after].map(allThreadsOf);
    const nanos = Math.sqrt(first * second);
    const figures = `wirebench ${Math.round(first)} and ${Math.round(second)} ns, whole processes ${Math.round(truth)} ns`;
    verdict(`${cell.join(" ")}: ${figures}: ${(nanos / truth).toFixed(3)} ×`, nanos / truth, {
      least: 1 - WITHIN,
      most: 1 + WITHIN,
    });
  }
}

async function ours([name, of]) {
  const options = { codecs: [of], operations: [name], datasets: [DATASET], baseline: of };
  return measuredCell(await run({ ...options, isolate: "cell" }), name, of).nanos;
}

/** Nanoseconds of processor time of a call, by what a process with more of them takes beyond one with less. */
function nanosOfPair(cell, count) {
  const [less, more] = [count, count * TIMES].map((calls) => processorNanos([...cell, String(calls)]));
  return (more - less) / (count * (TIMES - 1));
}

/** Nanoseconds of processor time of all threads per call; the time of calls where that is not known. */
function allThreadsOf({ allThreads = [], median: nanos }) {
  const known = allThreads.filter((one) => one !== null);
  return known.length === 0 ? nanos : median(known);
}

/** User and system time of all threads of a process, from start to end. */
function processorNanos(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  return Number(stdout);
}

async function callsOf(name, of, count) {
  const registry = await Registry.open();
  const dataset = await namedDataset(registry, DATASET);
  const binding = await (await registry.codec(of)).bind(dataset);
  const values = Array.from({ length: RING }, () => structuredClone(dataset.values[0]));
  const [inputs, call] = {
    encode: () => [values, (value) => binding.write(binding.build(value))],
    decode: () => [
      values.map((value) => binding.write(binding.build(value))),
      (bytes) => binding.plain(binding.read(bytes)),
    ],
  }[name]();
  const sink = { value: undefined };
  for (let i = 0; i < count; i++) sink.value = call(inputs[i % RING]);
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stdout.write(String((userCPUTime + systemCPUTime) * 1000));
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
