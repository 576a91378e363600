/** Tasks whose allocations are known, measured in a process of their own: its name is the test's first argument. */
import { schedstat } from "../../dist/runtimes/node/core-time.js";
import { measureMemory } from "../../dist/runtimes/node/memory/memory.js";

const onCore = schedstat()?.onCore;

const left = [];
const eights = [];
const entries = new Map();
const cache = [];
const largeCache = new Map();
const MIB = 2 ** 20;
let slab = new Uint8Array(MIB);
let used = 0;
let slowSlab = new Uint8Array(4000);
let slowUsed = 0;
let calls = 0;
let longCalls = 0;
const clock = new Int32Array(new SharedArrayBuffer(4));

class Hiding {
  #bytes = new Uint8Array(3000);
  first() {
    return this.#bytes[0];
  }
}

const coreMs = () => (onCore === undefined ? performance.now() : onCore() / 1e6);

/** Some ns a turn, without an object. */
function spin(turns) {
  for (let i = 0; i < turns; i++) clock[0] = Math.imul(i, 3);
  clock[0] = 0;
}

const numbers = Array.from({ length: 16 }, (_, i) => i);

/** From names to calls. */
const RUNS = {
  nothing: (input) => input + 1,
  object: (a) => ({ a, b: 2, c: 3, d: 4 }),
  "array of 16": () => new Array(16),
  "array of 1,000": () => new Array(1000).fill(0),
  "array of 12,500": () => new Array(12_500).fill(0),
  "array of 40,000": () => new Array(40_000).fill(0),
  "arrays of many sizes": (i) => new Array(i * 1000).fill(0),
  "short typed array": () => new Uint8Array(40),
  "typed array": () => new Uint8Array(1000),
  "typed array of 1 MiB": () => new Uint8Array(MIB),
  "typed array of 100 MiB": () => new Uint8Array(100 * MIB),
  "unpooled buffer": () => Buffer.allocUnsafe(Buffer.poolSize),
  "pooled buffer": () => Buffer.allocUnsafe(100),
  "cut from a slab": () => {
    if (used + 100 > slab.length) {
      slab = new Uint8Array(MIB);
      used = 0;
    }
    used += 100;
    return { message: slab.subarray(used - 100, used) };
  },
  "cut from the input": [(input) => [input.subarray(10, 20)], numbers.map(() => new Uint8Array(50_000))],
  "a little longer than its view": () => new Uint8Array(1000).subarray(0, 10),
  hidden: () => new Hiding(),
  "leak of objects": (a) => left.push({ a, list: new Array(100) }),
  "leak of buffers": () => left.push(new Uint8Array(500)),
  "leak of 8 bytes": () => eights.push(calls++),
  "leak of a map's entries": () => entries.set(JSON.stringify(numbers).length + calls++, true),
  "cache that fills up": () => {
    if (cache.length < 2000) cache.push(new Uint8Array(500));
  },
  "cache that fills up late": () => {
    calls += 1;
    if (largeCache.size < 300_000) largeCache.set(calls, true);
  },
  "cut from a slab by slow calls": () => {
    spin(40_000);
    if (slowUsed + 100 > slowSlab.length) {
      slowSlab = new Uint8Array(4000);
      slowUsed = 0;
    }
    slowUsed += 100;
    return { message: slowSlab.subarray(slowUsed - 100, slowUsed) };
  },
  "long call": () => {
    longCalls += 1;
    for (const until = coreMs() + 40; coreMs() < until; ) spin(1000);
    return new Uint8Array(5000);
  },
};

const results = {};
/** What the task before has left, as it is in a measuring process. */
let last = {};
for (const [name, definition] of Object.entries(RUNS)) {
  const [run, inputs] = Array.isArray(definition) ? definition : [definition, numbers];
  const task = { inputs, run, fold: () => 0, check: () => {} };
  const leaks = name.startsWith("leak");
  // The first time warms the code up, as timing does.
  if (!leaks && name !== "long call") measureMemory(task, { budgetMs: 10, onCore, last });
  results[name] = measureMemory(task, { budgetMs: leaks ? 12 : 30, onCore, last });
  left.length = 0;
  // What a leak has left is gone.
  if (leaks) last = {};
}
process.stdout.write(JSON.stringify({ calls: longCalls, results }));
