// How fast a schema is inferred, beside JSON.parse of the same text, and how much memory that takes.
//
//   node --expose-gc benchmarks/infer.js [megabytes] [rounds]      100 and 5 by default
//
// The goal is a third of JSON.parse's speed, and memory of at most three times the file. Both go in turns in one process; what
// is printed is the median of the ratios of the rounds, and the growth of the resident memory beyond the bytes of the file.
import { Inference } from "../dist/schema/infer/infer.js";

const megabytes = Number(process.argv[2] ?? 100);
const rounds = Number(process.argv[3] ?? 5);
const whole = (most) => Math.floor(Math.random() * most);
const SHAPES = {
  records: () => ({
    id: whole(1e9),
    name: `name ${whole(1e6)}`,
    active: whole(2) === 1,
    score: Math.random() * 100,
    tags: ["a", "b", "c"].slice(whole(3)),
    address: { street: `${whole(100)} Main St`, zip: String(whole(1e5)) },
    at: new Date(whole(1e12)).toISOString(),
  }),
  numbers: () => Array.from({ length: 100 }, () => Math.random() * 1000),
  texts: () => ["the quick brown fox jumps over the lazy dog ".repeat(4)],
};

for (const [name, make] of Object.entries(SHAPES)) {
  const bytes = listOf(make);
  const ratios = [];
  let extra = 0;
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const parsed = timed(() => JSON.parse(bytes.toString("utf8")));
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const inferred = timed(() => {
      const inference = new Inference();
      inference.add(bytes);
      inference.schema("Root");
    });
    extra = Math.max(extra, process.memoryUsage().rss - before);
    ratios.push(parsed / inferred);
  }
  const ratio = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)];
  const memory = 1 + Math.max(0, extra) / bytes.length;
  console.log(`${name}: ${ratio.toFixed(2)} of JSON.parse's speed, memory ${memory.toFixed(2)} x the file`);
}

function listOf(make) {
  const parts = [];
  for (let length = 0; length < megabytes * 1e6; length += parts.at(-1).length + 1)
    parts.push(JSON.stringify(make()));
  return Buffer.from(`[${parts.join()}]`);
}

function timed(work) {
  const from = performance.now();
  work();
  return performance.now() - from;
}
