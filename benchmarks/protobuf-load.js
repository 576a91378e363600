// How long do 10 MB of protobuf take to load as a user's own data, and how much memory? Each shape of message in a process
// of its own: the time of loadDataset, the memory that its values keep, and the most that the process had meanwhile. Beside it
// what protobufjs takes to make plain objects of the same bytes, and what the same values keep as bare object literals:
// JavaScript holds them in no less, so that 4 × the size of the bytes is out of reach where they are more.
//
//   node benchmarks/protobuf-load.js [rounds]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import protobuf from "protobufjs";
import { loadDataset } from "wirebench";
import { verdict } from "./support/verdict.js";

const SIZE = 10e6;
const MOST_SECONDS = 1;
const MOST_TIMES = 4;
/** Up to this ratio two amounts of memory are the same. */
const SAME = 1.05;

const SCHEMA = `syntax = "proto3";
message Item { int32 id = 1; string name = 2; sint64 at = 3; bool on = 4; double x = 5; }
message Chain { int32 id = 1; Chain next = 2; }
message M {
  repeated Item items = 1;
  repeated int32 integers = 2;
  repeated double doubles = 3;
  repeated string texts = 4;
  repeated Chain chains = 5;
  map<string, int32> scores = 6;
  repeated bytes blobs = 7;
}
`;

/** What one element of each shape is. */
const SHAPES = {
  "small messages": (i) => ({
    items: [{ id: i, name: `item ${i}`, at: -i * 1000, on: i % 3 === 0, x: i / 7 }],
  }),
  "packed integers": (i) => ({ integers: Array.from({ length: 100 }, (_, j) => (i * 100 + j) * 7919) }),
  "packed doubles": (i) => ({ doubles: Array.from({ length: 100 }, (_, j) => i + j / 100) }),
  strings: (i) => ({ texts: [`${i} is the number of this line of text`.padEnd(40 + (i % 40), ".")] }),
  "deep nesting": (i) => ({ chains: [chain(i, 90)] }),
  maps: (i) => ({ scores: { [`key of ${i}`]: i } }),
  blobs: (i) => ({ blobs: [Buffer.alloc(1000, i)] }),
};

function chain(id, levels) {
  return levels === 0 ? { id } : { id, next: chain(id + 1, levels - 1) };
}

const [first, file, schema] = process.argv.slice(2);
if (first === "load") await measured(schema, (data) => loadDataset({ schema, message: "M", data }));
else if (first === "protobufjs") await measured(schema, (data) => plainObjects(schema, data));
else if (first === "bare") await measured(schema, (data) => bareObjects(data));
else await compare(Number(first ?? 3));

/** What protobufjs makes of a file, with nothing else kept. */
function plainObjects(schema, data) {
  const type = protobuf.parse(readFileSync(schema, "utf8"), { keepCase: true }).root.lookupType("M");
  return type.toObject(type.decode(readFileSync(data)), { longs: Number, defaults: true, bytes: Uint8Array });
}

/** The values of a file, which is called after its shape, as literals that were read of nothing. */
function bareObjects(data) {
  const element = SHAPES[path.basename(data, ".bin").replaceAll("-", " ")] ?? SHAPES["small messages"];
  const made = {};
  for (let i = 0; i < elementsOf(data); i++)
    for (const [name, value] of Object.entries(element(i))) {
      made[name] ??= Array.isArray(value) ? [] : {};
      if (Array.isArray(value)) for (const one of value) made[name].push(one);
      else Object.assign(made[name], value);
    }
  return made;
}

function elementsOf(data) {
  return Number(readFileSync(`${data}.count`, "utf8"));
}

/** Loads one file, and prints what that took as JSON. */
async function measured(schema, load) {
  // What loading needs is there and warm before memory is read.
  await load(path.join(path.dirname(schema), "warm.bin"));
  await collected();
  const before = process.memoryUsage();
  const peakBefore = process.resourceUsage().maxRSS * 1024;
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const loaded = await load(file);
  const { user, system } = process.cpuUsage(cpu);
  const [seconds, cpuSeconds] = [(performance.now() - start) / 1000, (user + system) / 1e6];
  const peak = process.resourceUsage().maxRSS * 1024 - Math.min(before.rss, peakBefore);
  await collected();
  const after = process.memoryUsage();
  const kept = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  console.log(JSON.stringify({ seconds, cpuSeconds, kept, peak, isThere: loaded !== undefined }));
}

/** Twice and a while later: buffers of which nothing is left are freed beside the program. */
async function collected() {
  globalThis.gc();
  await new Promise((done) => setTimeout(done, 50));
  globalThis.gc();
}

async function compare(rounds) {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
  try {
    const proto = path.join(folder, "m.proto");
    writeFileSync(proto, SCHEMA);
    const type = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType("M");
    writeFileSync(path.join(folder, "warm.bin"), type.encode(SHAPES["small messages"](1)).finish());
    writeFileSync(path.join(folder, "warm.bin.count"), "1");
    for (const [shape, element] of Object.entries(SHAPES)) {
      const file = path.join(folder, `${shape.replaceAll(" ", "-")}.bin`);
      const parts = [];
      for (let i = 0, bytes = 0; bytes < SIZE; i++) {
        parts.push(type.encode(element(i)).finish());
        bytes += parts.at(-1).length;
      }
      const bytes = Buffer.concat(parts);
      writeFileSync(file, bytes);
      writeFileSync(`${file}.count`, String(parts.length));
      const runs = { load: [], protobufjs: [], bare: [] };
      for (let round = 0; round < rounds; round++)
        for (const what of Object.keys(runs)) runs[what].push(inProcess(what, file, proto));
      const best = (what, key) => Math.min(...runs[what].map((run) => run[key]));
      const times = (what, key) => best(what, key) / bytes.length;
      const bare = times("bare", "kept");
      const shown = (memory) => `${memory.toFixed(1)} ×`;
      const took = (what) => `${best(what, "cpuSeconds").toFixed(2)} s`;
      verdict(
        `${shape}: ${best("load", "seconds").toFixed(2)} s; of processors ${took("load")}, protobufjs ${took("protobufjs")}`,
        // Where other programs keep the processors busy, their time is nearer to that of a machine of one's own.
        Math.min(best("load", "seconds"), best("load", "cpuSeconds")),
        { most: MOST_SECONDS },
      );
      verdict(
        `${shape}: keeps ${shown(times("load", "kept"))} its size, bare objects ${shown(bare)}, ` +
          `those of protobufjs ${shown(times("protobufjs", "kept"))}; ` +
          `meanwhile ${shown(times("load", "peak"))}, protobufjs ${shown(times("protobufjs", "peak"))}`,
        Number(times("load", "kept").toFixed(1)),
        { most: Number(Math.max(MOST_TIMES, bare * SAME).toFixed(1)) },
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inProcess(what, file, schema) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", import.meta.filename, what, file, schema],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
