// An independent check: ten cells are measured again with mitata, which shares no code with wirebench: neither the
// loop, nor the batches, nor the statistics. wirebench measures before and after it, so that a drift of the machine is
// in neither's favour. mitata's figure is the median over processes of its p50, which is of batches of 4096 calls. Beside
// it, where the two differ, is a third: the same closure in a plain loop, in the same process before mitata.
//
//   node benchmarks/mitata.js
import { execFileSync } from "node:child_process";
import { measure } from "mitata";
import { namedDataset, Registry, run } from "wirebench";
import { measuredCell, verdict } from "./support/verdict.js";

const DATASET = "tellist";
const CODECS = ["flatbuffers", "json", "msgpackr", "protobufjs", "raw-struct"];
const OPERATIONS = ["encode", "decode"];
const PROCESSES = 5;
const WITHIN = 0.07;

/** What calls return goes here, so that none can be left out. */
const sink = { value: undefined };

const [operation, codec] = process.argv.slice(2);
if (operation === undefined) await compareAll();
else console.log(JSON.stringify(await nanosOutside(operation, codec)));

async function compareAll() {
  const cells = OPERATIONS.flatMap((name) => CODECS.map((of) => [name, of]));
  const before = await runOnce();
  const times = new Map(cells.map((cell) => [cell, []]));
  for (let i = 0; i < PROCESSES; i++) for (const cell of cells) times.get(cell).push(inProcess(cell));
  const after = await runOnce();
  for (const cell of cells) {
    const [first, second] = [before, after].map((record) => measuredCell(record, ...cell).nanos.median);
    const ours = Math.sqrt(first * second);
    const theirs = median(times.get(cell).map(({ mitata }) => mitata));
    const plain = median(times.get(cell).map(({ loop }) => loop));
    const figures = `wirebench ${Math.round(first)} and ${Math.round(second)} ns, mitata ${Math.round(theirs)} ns, a plain loop ${Math.round(plain)} ns (${(ours / plain).toFixed(3)} ×)`;
    verdict(`${cell.join(" ")}: ${figures}: ${(ours / theirs).toFixed(3)} ×`, ours / theirs, {
      least: 1 - WITHIN,
      most: 1 + WITHIN,
    });
  }
}

function runOnce() {
  return run({ codecs: CODECS, operations: OPERATIONS, datasets: [DATASET], baseline: "json" });
}

/** A process of its own for each, as wirebench has it. */
function inProcess([name, of]) {
  return JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", import.meta.filename, name, of], { encoding: "utf8" }),
  );
}

async function nanosOutside(name, of) {
  const registry = await Registry.open();
  const dataset = await namedDataset(registry, DATASET);
  const binding = await (await registry.codec(of)).bind(dataset);
  const values = dataset.values;
  const encoded = values.map((value) => binding.write(binding.build(value)));
  let next = 0;
  const turn = () => (next = (next + 1) % values.length);
  const call = {
    encode: () => binding.write(binding.build(values[turn()])),
    decode: () => binding.plain(binding.read(encoded[turn()])),
  }[name];
  // mitata decides by one cold call whether to batch; single calls would be timed with the clock's cost in them.
  for (let i = 0; i < 1000; i++) call();
  const loop = nanosByLoop(call);
  return { loop, mitata: (await measure(call)).p50 };
}

/** The median of stretches of some milliseconds, for 0.6 s, of which the first half is to warm up. */
function nanosByLoop(call) {
  const stretches = [];
  const calls = 500;
  for (const until = performance.now() + 600; performance.now() < until; ) {
    const from = performance.now();
    for (let i = 0; i < calls; i++) sink.value = call();
    stretches.push(((performance.now() - from) / calls) * 1e6);
  }
  return median(stretches.slice(stretches.length / 2));
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
