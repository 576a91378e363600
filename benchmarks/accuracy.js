// How well does the harness measure? A codec that does nothing but a chain of dependent multiplications of known
// length is timed as any other: 100 ns should be recovered, and twice the work should take twice the time.
//
//   node benchmarks/accuracy.js [quick|standard|thorough]
import path from "node:path";
import { run } from "wirebench";
import { spin } from "./plugins/busy-loop.js";
import { measuredCell, verdict } from "./support/verdict.js";

const TARGET_NANOS = 100;
const plugin = (name) => path.join(import.meta.dirname, "plugins", name);
const profile = process.argv[2] ?? "standard";

const before = nanosPerTurn();
const turns = Math.round(TARGET_NANOS / before);
process.env.BUSY_LOOP_TURNS = String(turns);
const record = await run({
  codecs: ["busy-loop*"],
  datasets: ["one-number"],
  operations: ["encode"],
  plugins: [plugin("busy-loop.js"), plugin("one-number.js")],
  profile,
});
// The clock speed of a shared machine drifts: the truth is taken on both sides of the measurement.
const truth = ((before + nanosPerTurn()) / 2) * turns;
const [single, double] = ["busy-loop", "busy-loop:double"].map(
  (codec) => measuredCell(record, "encode", codec).nanos.median,
);
recovered("100 ns", single, truth);
recovered("200 ns", double, 2 * truth);
verdict(`twice the work: ${(double / single).toFixed(3)} ×`, double / single, { least: 1.95, most: 2.05 });

function recovered(name, measured, expected) {
  const share = measured / expected;
  const off = `${((share - 1) * 100).toFixed(1)} %`;
  verdict(`${name}: measured ${measured.toFixed(2)}, truth ${expected.toFixed(2)}, off by ${off}`, share, {
    least: 0.95,
    most: 1.05,
  });
}

/** The least of many long loops: neighbours only ever add time. */
function nanosPerTurn() {
  const count = 10_000_000;
  let least = Number.POSITIVE_INFINITY;
  let state = 1;
  for (let i = 0; i < 15; i++) {
    const from = process.hrtime.bigint();
    state = spin(state, count);
    least = Math.min(least, Number(process.hrtime.bigint() - from) / count);
  }
  return state === 0 ? 0 : least;
}
