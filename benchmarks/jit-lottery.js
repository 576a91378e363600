// Which flags of V8 take the lottery of its background compiler away? A cell is measured in many processes, with the flags
// in turns, so that a drift of the machine meets all of them. Printed is, per warm-up and set of flags, the standard
// deviation of a cell's time between processes as a share of it, and the time as a multiple of that without flags. A
// process's time is that of its middle batch, in which other jobs of the machine seldom are.
//
//   node benchmarks/jit-lottery.js [--processes 12] [--cells encode/json,access/flatbuffers] [--warm-up 35,70,250]
import { parseArgs } from "node:util";
import { median } from "../dist/analysis/statistics/location.js";
import { samplesOfProcess } from "./support/one-process.js";

const FLAGS = [
  "",
  "--no-concurrent-recompilation",
  "--single-threaded-gc",
  "--no-concurrent-recompilation --single-threaded-gc",
  "--single-threaded",
  "--predictable",
];
const CELLS =
  "encode/protobufjs,encode/raw-struct,encode/flatbuffers,access/flatbuffers,encode/json,decode/msgpackr";

const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "12" },
    cells: { type: "string", default: CELLS },
    "warm-up": { type: "string", default: "35,70,250" },
  },
});
const processes = Number(values.processes);
const cells = values.cells.split(",").map((cell) => cell.split("/"));
const warmUps = values["warm-up"].split(",").map(Number);

/** A measured phase of `standard`: what differs is the warm-up. */
const MEASURE = { measureMs: 90, batchMicros: 100 };

const times = new Map();
for (let i = 0; i < processes; i++) {
  for (const warmupMs of warmUps) {
    for (const [operation, codec] of cells) {
      // Every second round goes backwards: whatever follows something heavy does so as often as it precedes it.
      for (const flags of i % 2 === 0 ? FLAGS : FLAGS.toReversed()) {
        const key = JSON.stringify([warmupMs, flags, operation, codec]);
        times.set(key, [...(times.get(key) ?? []), await oneProcess(operation, codec, flags, warmupMs)]);
      }
    }
  }
  if (i > 0) table(i + 1);
}

/** After each round from the second on, so that one that is stopped has said something. */
function table(rounds) {
  console.log("| warm-up | flags | SD, middle cell | SD, worst cell | SD per cell | time, × none |");
  console.log("| ---: | --- | ---: | ---: | --- | --- |");
  for (const warmupMs of warmUps) {
    for (const flags of FLAGS) {
      const of = (which, [operation, codec]) =>
        times.get(JSON.stringify([warmupMs, which, operation, codec])).map(Math.log);
      const spreads = cells.map((cell) => deviation(of(flags, cell)));
      const ratios = cells.map((cell) => Math.exp(median(of(flags, cell)) - median(of("", cell))));
      const row = [
        `${warmupMs} ms`,
        flags === "" ? "none" : `\`${flags}\``,
        percent(median(spreads)),
        percent(Math.max(...spreads)),
        spreads.map(percent).join(", "),
        ratios.map((ratio) => ratio.toFixed(2)).join(", "),
      ];
      console.log(`| ${row.join(" | ")} |`);
    }
  }
  console.log(`\ncells: ${cells.map((cell) => cell.join("/")).join(", ")}; ${rounds} processes each`);
}

/** Nanoseconds of a call in a process of its own. */
async function oneProcess(operation, codec, flags, warmupMs) {
  const { batches, loop } = await samplesOfProcess({
    operation,
    codec,
    dataset: "tellist",
    flags: flags.split(" ").filter(Boolean),
    profile: { warmupMs, ...MEASURE },
  });
  return median(batches) - loop;
}

function deviation(numbers) {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (numbers.length - 1));
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
