// How fast is wirebench/python-struct beside CPython's struct and npm's python-struct, on the published packets? Each
// side in turn, several times; the ratios are of medians. Most loops pack other numbers in each turn.
//
//   node benchmarks/python-struct.js [ROUNDS [PYTHON]]
//
// PYTHON is python3 unless given.  node benchmarks/install.js  installs npm's python-struct.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { compileFormat, pack, unpack } from "wirebench/python-struct";
import { INSTALL, needs, RIVALS_FOLDER } from "./support/rivals.js";
import { verdict } from "./support/verdict.js";

const ROUNDS = Number(process.argv[2] ?? 7);
const PYTHON = process.argv[3] ?? "python3";

/** What a side measures in one visit: so many rounds of so many seconds. */
const VISIT = { rounds: 3, seconds: 0.05 };

/**
 * The goals: at least so many times as fast. What a call of pack cannot do without in JavaScript, a view of memory,
 * takes nine tenths of its time on >ih. On >ii1108s, three quarters of it are memory that no cache has: CPython uses that
 * of the last result again, V8 not before its next collection, ten thousand results later. In a program that keeps as many,
 * both write to such memory: there the numbers say which code is faster.
 */
const LEAST = {
  pack_small: { python: 1, rival: 10 },
  pack_small_compiled: { python: 1 },
  pack_large: { python: 1 },
  unpack_large: { python: 1 },
};

/** The last results, as many as V8 makes between two collections. */
const kept = new Array(10_000).fill(undefined);

const text = Buffer.alloc(1108, "x");
const target = new Uint8Array(6);
const [small, large] = [compileFormat(">ih"), compileFormat(">ii1108s")];
const [smallBytes, largeBytes] = [small.pack(55, 66), large.pack(888, 333, text)];

/** A loop for each, so that none is measured with what another has taught the compiler. */
const ours = {
  pack_small: (calls) => {
    for (let i = 0; i < calls; i++) globalThis.sink = pack(">ih", 55, i & 63);
  },
  pack_small_compiled: (calls) => {
    for (let i = 0; i < calls; i++) globalThis.sink = small.pack(55, i & 63);
  },
  pack_into_small_compiled: (calls) => {
    for (let i = 0; i < calls; i++) small.packInto(target, 0, 55, i & 63);
    globalThis.sink = target;
  },
  unpack_small: (calls) => {
    for (let i = 0; i < calls; i++) globalThis.sink = unpack(">ih", smallBytes);
  },
  unpack_small_compiled: (calls) => {
    for (let i = 0; i < calls; i++) globalThis.sink = small.unpack(smallBytes);
  },
  pack_large: (calls) => {
    for (let i = 0; i < calls; i++) globalThis.sink = pack(">ii1108s", 888, i & 63, text);
  },
  unpack_large: (calls) => {
    for (let i = 0; i < calls; i++) globalThis.sink = unpack(">ii1108s", largeBytes);
  },
  pack_large_kept: (calls) => {
    for (let i = 0; i < calls; i++) kept[i % kept.length] = pack(">ii1108s", 888, i & 63, text);
  },
  unpack_large_kept: (calls) => {
    for (let i = 0; i < calls; i++) kept[i % kept.length] = unpack(">ii1108s", largeBytes);
  },
};

const nanos = (loop, calls) => {
  const start = performance.now();
  loop(calls);
  return ((performance.now() - start) / calls) * 1e6;
};

function timed(loop) {
  nanos(loop, 20_000);
  const calls = Math.ceil((VISIT.seconds * 1e9) / nanos(loop, 20_000));
  return Array.from({ length: VISIT.rounds }, () => nanos(loop, calls));
}

function loadRival() {
  const require = createRequire(path.join(RIVALS_FOLDER, "package.json"));
  try {
    const { pack, unpack } = require("python-struct");
    const { version } = require("python-struct/package.json");
    const buffer = Buffer.from(smallBytes);
    const string = text.toString();
    const same = buffer.equals(pack(">ih", 55, 66));
    if (!same) throw new Error(`npm's python-struct ${version} packs other bytes`);
    return {
      name: `npm's python-struct ${version}`,
      loops: {
        pack_small: (calls) => {
          for (let i = 0; i < calls; i++) globalThis.sink = pack(">ih", 55, i & 63);
        },
        unpack_small: (calls) => {
          for (let i = 0; i < calls; i++) globalThis.sink = unpack(">ih", buffer);
        },
        pack_large: (calls) => {
          for (let i = 0; i < calls; i++) globalThis.sink = pack(">ii1108s", 888, i & 63, string);
        },
      },
    };
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    console.log(`npm's python-struct: not installed: ${INSTALL}`);
    return undefined;
  }
}

needs(PYTHON, "--version");
const rival = loadRival();
const script = path.join(import.meta.dirname, "reference/python-struct.py");
const times = { ours: {}, python: {}, rival: {} };
const add = (side, name, more) => {
  times[side][name] ??= [];
  times[side][name].push(...more);
};
let program = "";
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, loop] of Object.entries(ours)) add("ours", name, timed(loop));
  for (const [name, loop] of Object.entries(rival?.loops ?? {})) add("rival", name, timed(loop));
  const options = [script, String(VISIT.rounds), String(VISIT.seconds)];
  const result = JSON.parse(execFileSync(PYTHON, options, { encoding: "utf8" }));
  const same =
    result.small === Buffer.from(smallBytes).toString("hex") &&
    result.large === Buffer.from(largeBytes).toString("hex");
  if (!same) throw new Error(`${result.program} packs other bytes`);
  program = result.program;
  for (const [name, more] of Object.entries(result.nanos)) add("python", name, more);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
console.log(`Node ${process.version}, ${program}; medians of ${ROUNDS * VISIT.rounds} rounds, ns per call`);
for (const name of Object.keys(ours)) {
  const mine = median(times.ours[name]);
  for (const [side, title] of [
    ["python", program],
    ["rival", rival?.name],
  ]) {
    if (times[side][name] === undefined) continue;
    const other = median(times[side][name]);
    const ratio = other / mine;
    const what = `${name}: ${title} ${other.toFixed(1)}, ours ${mine.toFixed(1)}: ${ratio.toFixed(2)} ×`;
    const least = LEAST[name]?.[side];
    if (least === undefined) console.log(`        ${what}`);
    else verdict(what, ratio, { least });
  }
}
