// An independent check: ten cells are measured again with mitata, and in a plain loop. Both share no code with wirebench: neither
// the loop, nor the batches, nor the statistics. Each harness has a process of its own per turn, one beside the other.
//
// V8's background compiler lands each process in one of a few codes, which are up to 1.3 apart, whoever measures. So all
// three have the flags of `wirebench compare --base --head`, by which every process has the same code. With `--flags ""` they
// have none; the times of all processes then show at which levels each harness was.
//
// Garbage counts in all three: mitata's figure is its mean, since few of its batches see a collection and its median none. The figure of
// a harness is the median of its processes. mitata and the loop differ by up to a tenth themselves: wirebench is to lie between the two,
// or within 7 % of the nearer. Neither of them knows of neighbours on a core, which add time: it takes a quiet machine.
//
//   node benchmarks/mitata.js [--turns 7] [--flags "--no-concurrent-recompilation --single-threaded-gc"]
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { measure } from "mitata";
import { namedDataset, PROFILES, Registry } from "wirebench";
import { median } from "../dist/analysis/statistics/location.js";
import node from "../dist/runtimes/node.js";
import { samplesOfProcess, timeOf } from "./support/one-process.js";
import { verdict } from "./support/verdict.js";

const DATASET = "tellist";
const CODECS = ["flatbuffers", "json", "msgpackr", "protobufjs", "raw-struct"];
const OPERATIONS = ["encode", "decode"];
const WITHIN = 0.07;

/** Milliseconds of the plain loop's warm-up, and of the stretches that follow; each has collections of garbage. */
const LOOP = { warmUpMs: 300, stretchMs: 40, stretches: 9 };

/** What calls return goes here, so that none can be left out. */
const sink = { value: undefined };

const { values: options, positionals } = parseArgs({
  options: {
    turns: { type: "string", default: "7" },
    flags: { type: "string", default: node.steadyArgv.join(" ") },
  },
  allowPositionals: true,
});
const [harness, operation, codec] = positionals;
if (harness === undefined) await compareAll(Number(options.turns), options.flags.split(" ").filter(Boolean));
else console.log(await harnesses()[harness](await callOf(operation, codec)));

async function compareAll(turns, flags) {
  const cells = OPERATIONS.flatMap((name) => CODECS.map((of) => ({ operation: name, codec: of })));
  const times = cells.map(() => ({ wirebench: [], mitata: [], loop: [] }));
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, cell] of cells.entries()) {
      times[i].wirebench.push(await ours(cell, flags));
      for (const name of Object.keys(harnesses())) times[i][name].push(inProcess(name, cell, flags));
    }
  }
  console.log(`flags of V8: ${flags.join(" ") || "none"}; nanoseconds of all processes, sorted`);
  for (const [i, cell] of cells.entries()) {
    const { wirebench, ...others } = times[i];
    const theirs = Object.values(others).map(median);
    const own = median(wirebench);
    const nearer = Math.min(Math.max(own, Math.min(...theirs)), Math.max(...theirs));
    const figures = Object.entries(times[i]).map(([name, nanos]) => `${name} ${sorted(nanos)}`);
    const ratio = own / nearer;
    verdict(
      `${cell.operation} ${cell.codec}: ${figures.join(", ")}: ${ratio.toFixed(3)} × the nearer`,
      ratio,
      { least: 1 - WITHIN, most: 1 + WITHIN },
    );
  }
}

function sorted(nanos) {
  return nanos
    .toSorted((a, b) => a - b)
    .map(Math.round)
    .join(" ");
}

async function ours({ operation: name, codec: of }, flags) {
  const samples = await samplesOfProcess({
    operation: name,
    codec: of,
    dataset: DATASET,
    flags,
    profile: PROFILES.thorough,
  });
  return timeOf(samples);
}

function inProcess(name, { operation: what, codec: of }, flags) {
  const args = ["--expose-gc", ...flags, import.meta.filename, name, what, of];
  return Number(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

async function callOf(name, of) {
  const registry = await Registry.open();
  const dataset = await namedDataset(registry, DATASET);
  const binding = await (await registry.codec(of)).bind(dataset);
  const values = dataset.values;
  const encoded = values.map((value) => binding.write(binding.build(value)));
  let next = 0;
  const turn = () => (next = (next + 1) % values.length);
  return {
    encode: () => binding.write(binding.build(values[turn()])),
    decode: () => binding.plain(binding.read(encoded[turn()])),
  }[name];
}

/** Nanoseconds of a call, by each of the others. */
function harnesses() {
  return { mitata: nanosByMitata, loop: nanosByLoop };
}

async function nanosByMitata(call) {
  // It decides by one cold call whether to batch; single calls would be timed with the clock's cost in them.
  for (let i = 0; i < 1000; i++) call();
  return (await measure(call)).avg;
}

/** The median of the means of some stretches. */
function nanosByLoop(call) {
  stretchOf(call, LOOP.warmUpMs);
  return median(Array.from({ length: LOOP.stretches }, () => stretchOf(call, LOOP.stretchMs)));
}

/** The mean over so many milliseconds; the clock is read once in 100 calls. */
function stretchOf(call, ms) {
  let calls = 0;
  const from = performance.now();
  let until = from;
  while (until - from < ms) {
    for (let i = 0; i < 100; i++) sink.value = call();
    calls += 100;
    until = performance.now();
  }
  return ((until - from) / calls) * 1e6;
}
