// Does an adapter cost anything? Each codec of an optional library beside the plainest direct use of that library on the address
// book, in turns in one process. The speed is the median of the ratios of 61 rounds: the two turns of a round stand side by side,
// so that a processor that is slower for a second slows both. What V8 makes of the code differs between processes, so the verdict
// is on the median of several, and the code that comes first in one comes second in the next.
//
//   node benchmarks/adapters.js [--processes 5] [CODEC...]
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median } from "../dist/analysis/statistics/location.js";
import { namedDataset } from "../dist/catalog/dataset.js";
import { Registry } from "../dist/catalog/registry.js";
import { adapters } from "./support/adapters.js";
import { verdict } from "./support/verdict.js";

const ROUNDS = 61;

/** Microseconds of one turn. */
const TURN = 5_000;

/** Fewest calls of a turn: a few slow ones would be as long as the collections that fall into them. */
const FEWEST = 20;

const LEAST = 0.97;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: "string", default: "5" },
    // What this script starts itself with: one codec in this process, and which code comes first.
    first: { type: "string" },
  },
});

if (options.first === undefined) {
  for (const name of positionals.length > 0 ? positionals : Object.keys(adapters)) compare(name);
} else console.log(JSON.stringify(await timesOf(positionals[0], options.first)));

/** Prints both operations of a codec, as several processes had them. */
function compare(name) {
  const processes = Array.from({ length: Number(options.processes) }, (_, i) => {
    const first = i % 2 === 0 ? "ours" : "direct";
    return JSON.parse(
      execFileSync(process.execPath, [fileURLToPath(import.meta.url), "--first", first, name]),
    );
  });
  for (const operation of Object.keys(processes[0])) {
    const times = processes.map((one) => one[operation]);
    const speeds = times.map((one) => one.speed).sort((a, b) => a - b);
    const nanos = (whose) => median(times.map((one) => one[whose])).toFixed(0);
    const speed = median(speeds);
    verdict(
      `${operation}: ${name} ${nanos("ours")} ns, directly ${nanos("direct")} ns, speed ${speed.toFixed(3)} ×, in processes ${speeds[0].toFixed(2)} to ${speeds.at(-1).toFixed(2)}`,
      speed,
      { least: LEAST },
    );
  }
}

/** Nanoseconds a call by operation, of the codec and of the direct use, and how many times as fast the codec is. @param first whose code is called first */
async function timesOf(name, first) {
  const registry = await Registry.open();
  const book = await namedDataset(registry, "tellist");
  const { values = book.values, direct } = adapters[name](book);
  const codec = await registry.codec(name);
  // What a library makes first may be faster for it: V8 knows one shape then, and several later.
  const early = first === "ours" ? await codec.bind({ ...book, values }) : undefined;
  const { encode, decode } = await direct();
  const { build, write, read, plain, direct: is } = early ?? (await codec.bind({ ...book, values }));
  const bytes = values.map((value) => write(build(value)));
  const theirs = values.map(encode);
  const operations = {
    encode: {
      // As an operation has it: what does nothing is not called.
      ours: is.build
        ? (i) => write(values[i % values.length])
        : (i) => write(build(values[i % values.length])),
      direct: (i) => encode(values[i % values.length]),
    },
    decode: {
      ours: is.plain ? (i) => read(bytes[i % bytes.length]) : (i) => plain(read(bytes[i % bytes.length])),
      direct: (i) => decode(theirs[i % theirs.length]),
    },
  };
  const order = first === "ours" ? ["ours", "direct"] : ["direct", "ours"];
  return Object.fromEntries(
    Object.entries(operations).map(([operation, tasks]) => {
      const times = timed(order.map((whose) => tasks[whose]));
      const { ours, direct } = Object.fromEntries(order.map((whose, i) => [whose, times[i]]));
      const speed = median(ours.map((time, round) => direct[round] / time));
      return [operation, { ours: median(ours), direct: median(direct), speed }];
    }),
  );
}

/** Processor time of this process, so that what else runs does not count. */
function microseconds() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Nanoseconds a call: for each task those of the rounds, in which the tasks have their turns in either order. */
function timed(tasks) {
  const calls = tasks.map(callsFor);
  const times = tasks.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of round % 2 === 0 ? tasks.keys() : [...tasks.keys()].reverse()) {
      const from = microseconds();
      doCalls(tasks[i], calls[i]);
      times[i].push((1000 * (microseconds() - from)) / calls[i]);
    }
  }
  return times;
}

/** Calls of one turn, once they are optimised. */
function callsFor(task) {
  const from = microseconds();
  let calls = 0;
  for (; microseconds() - from < 60 * TURN; calls += 10) doCalls(task, 10);
  return Math.max(FEWEST, Math.ceil(calls / 60));
}

function doCalls(task, calls) {
  let last;
  for (let call = 0; call < calls; call++) last = task(call);
  if (last === undefined) throw new Error("nothing was done");
}
