// How long does `wirebench --help` take, as a multiple of starting Node with nothing to do? Both in turn, so that
// a drift of the machine meets both.
//
//   node benchmarks/startup.js [rounds]
import { spawnSync } from "node:child_process";
import path from "node:path";
import { verdict } from "./support/verdict.js";

const rounds = Number(process.argv[2] ?? 20);
const help = [path.join(import.meta.dirname, "../bin/wirebench.js"), "--help"];
const ratios = [];
for (let i = 0; i < rounds; i++) {
  const node = millis(["-e", "0"]);
  ratios.push(millis(help) / node);
}
ratios.sort((a, b) => a - b);
const [low, middle, high] = [0, ratios.length >> 1, ratios.length - 1].map((i) => ratios[i]);
verdict(
  `wirebench --help: ${middle.toFixed(2)} × the time of node -e 0 (${low.toFixed(2)} to ${high.toFixed(2)}, ${rounds} rounds)`,
  middle,
  { most: 1.8 },
);

function millis(args) {
  const from = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - from;
}
