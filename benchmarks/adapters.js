// Does an adapter cost anything? Each codec of an optional library beside the plainest direct use of that library on the address
// book, in turns in one process: the ratio of the medians of 41 rounds.
//
//   node benchmarks/adapters.js [CODEC...]
import { namedDataset } from "../dist/catalog/dataset.js";
import { Registry } from "../dist/catalog/registry.js";
import { adapters } from "./support/adapters.js";
import { verdict } from "./support/verdict.js";

const ROUNDS = 41;
const LEAST = 0.97;
const registry = await Registry.open();
const book = await namedDataset(registry, "tellist");

let sink;

/** Processor time of this thread, so that what else runs does not count. */
function microseconds() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Nanoseconds a call: for each task the median of rounds, in which the tasks have their turns in either order. */
function medians(tasks) {
  const calls = tasks.map(callsFor);
  const times = tasks.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of round % 2 === 0 ? tasks.keys() : [...tasks.keys()].reverse()) {
      const from = microseconds();
      for (let call = 0; call < calls[i]; call++) sink = tasks[i](call);
      times[i].push((1000 * (microseconds() - from)) / calls[i]);
    }
  }
  return times.map((ofTask) => ofTask.sort((a, b) => a - b)[ROUNDS >> 1]);
}

/** Calls that take 10 ms, once they are optimised. */
function callsFor(task) {
  const from = microseconds();
  let calls = 0;
  while (microseconds() - from < 300_000) {
    for (let i = 0; i < 100; i++) sink = task(calls + i);
    calls += 100;
  }
  return Math.ceil(calls / 30);
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(adapters);
for (const name of names) {
  const { values = book.values, direct } = adapters[name](book);
  const { encode, decode } = await direct;
  const {
    build,
    write,
    read,
    plain,
    direct: is,
  } = await (await registry.codec(name)).bind({ ...book, values });
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
  for (const [operation, tasks] of Object.entries(operations)) {
    const [ours, plainest] = medians([tasks.ours, tasks.direct]);
    const speed = plainest / ours;
    verdict(
      `${operation}: ${name} ${ours.toFixed(0)} ns, directly ${plainest.toFixed(0)} ns, speed ${speed.toFixed(2)} ×`,
      speed,
      {
        least: LEAST,
      },
    );
  }
}
if (sink === undefined) throw new Error("nothing was done");
