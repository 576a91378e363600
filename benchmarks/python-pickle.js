// How fast is our pickle beside CPython 3.11's own, which is written in C, and beside pickleparser? On the garden, protocol
// 4. The sides take turns, in slices of some milliseconds; each figure is the median of its slices.
//
//   node benchmarks/python-pickle.js [PYTHON]
//
// PYTHON is python3.11 unless given.  node benchmarks/install.js  installs it and pickleparser.
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { decodePickle, encodePickle } from "wirebench/python-pickle";
import garden from "../dist/datasets/garden.js";
import { loadRival, needs } from "./support/rivals.js";
import { verdict } from "./support/verdict.js";

const SLICES = 150;
const CALLS = 1000;
const MOST = { encode: 1.0, decode: 1.0 };
const LEAST = { pickleparser: 5 };

const python = process.argv[2] ?? "python3.11";
needs(python, "--version");
const value = garden.make(1, 0);
const bytes = encodePickle(value);

/** A CPython that times what it is asked to. */
async function startReference() {
  const child = spawn(python, [path.join(import.meta.dirname, "reference/python-pickle.py")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (line) => {
    child.stdin.write(`${line}\n`);
    return (await lines.next()).value;
  };
  await ask(Buffer.from(bytes).toString("hex"));
  return { time: async (what) => Number(await ask(`${what} ${CALLS}`)), end: () => child.stdin.end() };
}

function pickleparser() {
  const rival = loadRival("pickleparser");
  if (rival === undefined) return undefined;
  const parser = new rival.Parser();
  return () => parser.parse(bytes);
}

let sink = 0;

function timeOurs(call) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) sink += call() === undefined ? 1 : 0;
  return Number(process.hrtime.bigint() - start) / CALLS;
}

function median(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const reference = await startReference();
const rival = pickleparser();
const sides = {
  dumps: () => reference.time("dumps"),
  encode: () => timeOurs(() => encodePickle(value)),
  loads: () => reference.time("loads"),
  decode: () => timeOurs(() => decodePickle(bytes)),
  ...(rival === undefined ? {} : { rival: () => timeOurs(rival) }),
};
const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
for (let slice = 0; slice < SLICES; slice++) {
  for (const [name, run] of Object.entries(sides)) {
    const nanos = await run();
    // The first fifth warms both sides up.
    if (slice >= SLICES / 5) times[name].push(nanos);
  }
}
reference.end();

const nanos = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
console.log(`${bytes.length} bytes, byte for byte those of CPython`);
for (const [ours, theirs] of [
  ["encode", "dumps"],
  ["decode", "loads"],
]) {
  const ratio = nanos[ours] / nanos[theirs];
  const figures = `${Math.round(nanos[ours])} ns, CPython's ${theirs} ${Math.round(nanos[theirs])} ns`;
  verdict(`${ours}: ${figures}, ${ratio.toFixed(2)} ×`, ratio, { most: MOST[ours] });
}
if (nanos.rival !== undefined) {
  const ratio = nanos.rival / nanos.decode;
  const figures = `${Math.round(nanos.decode)} ns, pickleparser ${Math.round(nanos.rival)} ns`;
  verdict(`decode: ${figures}, ${ratio.toFixed(1)} × as fast`, ratio, { least: LEAST.pickleparser });
}
if (sink > 0) throw new Error("nothing was made");
