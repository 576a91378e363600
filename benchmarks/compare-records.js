// How much processor time do `wirebench compare` and `wirebench report` take with records of a thousand cells? The records are
// made up, with as many processes and batches as the profile standard gives. Processes are interrupted more or less often,
// so that `compare` looks at the faster halves of their batches, which takes longest.
//
//   node benchmarks/compare-records.js [rounds]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PROFILES, renderJson } from "wirebench";
import { verdict } from "./support/verdict.js";

const CODECS = 50;
const DATASETS = 5;
const OPERATIONS = ["encode", "decode", "access", "update"];
const PROCESSES = 8;
const BATCHES = 200;

const RUNTIME = {
  name: "node",
  version: "20.0.0",
  engine: { name: "V8", version: "11.3" },
  execArgv: ["--expose-gc"],
};

const rounds = Number(process.argv[2] ?? 5);
const bin = path.join(import.meta.dirname, "../bin/wirebench.js");
const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-records-"));
try {
  const files = [1, 1.02].map((factor, index) => {
    const file = path.join(folder, `${index}.json`);
    const text = renderJson(recordOf(factor, index + 1));
    writeFileSync(file, text);
    console.log(`${CODECS * DATASETS * OPERATIONS.length} cells, ${(text.length / 1e6).toFixed(1)} MB`);
    return file;
  });
  time("wirebench compare A B", ["compare", ...files], { most: 1 });
  time("wirebench compare A B --json", ["compare", ...files, "--json"], { most: 1 });
  time("wirebench report A --format text", ["report", files[0], "--format", "text"], { most: 1 });
  time("wirebench report A", ["report", files[0]], { most: 1 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Processor time of all threads, and its median over the rounds: a neighbour's burst is nothing that the program does. */
function time(what, args, bounds) {
  const meter = path.join(import.meta.dirname, "support/processor-time.js");
  const seconds = Array.from({ length: rounds }, () => {
    const { status, stderr, output } = spawnSync(process.execPath, ["--import", meter, bin, ...args], {
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    if (status !== 0) throw new Error(`${what}: exit code ${status}: ${stderr}`);
    return Number(output[3]);
  }).sort((a, b) => a - b);
  const middle = seconds[rounds >> 1];
  verdict(
    `${what}: ${middle.toFixed(2)} s (${seconds[0].toFixed(2)} to ${seconds.at(-1).toFixed(2)})`,
    middle,
    bounds,
  );
}

function recordOf(factor, seed) {
  const random = randomNumbers(seed);
  const names = (count, name) => Array.from({ length: count }, (_, i) => `${name}-${i}`);
  const [codecs, datasets] = [names(CODECS, "codec"), names(DATASETS, "dataset")];
  return {
    schemaVersion: 2,
    tool: { name: "wirebench", version: "1.0.0", command: "wirebench run" },
    startedAt: `2026-01-0${seed}T00:00:00.000Z`,
    finishedAt: `2026-01-0${seed}T01:00:00.000Z`,
    complete: true,
    environment: {
      cpu: { model: "none", cores: 2, governor: null },
      memoryBytes: 2 ** 33,
      os: { platform: "linux", release: "6.1", arch: "x64" },
      runtime: RUNTIME,
      load: [0, 0, 0],
      clocksource: null,
    },
    runtimes: [{ label: "node", ...RUNTIME }],
    options: {
      profile: "standard",
      seed,
      baseline: codecs[0],
      codecs,
      datasets,
      operations: OPERATIONS,
      isolate: "codec",
      ...PROFILES.standard,
      processes: PROCESSES,
      timeoutSeconds: 120,
      threshold: 0.01,
      jit: "isolated",
    },
    datasets: datasets.map((name) => ({ name, story: "made up", message: "a.B", sha256: "0".repeat(64) })),
    payloads: datasets.flatMap((dataset) =>
      codecs.map((codec) => ({ dataset, codec, bytes: 1849, gzip: 700, brotli: 600 })),
    ),
    compression: [],
    processes: [],
    noise: { twin: `${codecs[0]} (A/A)`, spread: 0.015, gate: 0.015 },
    cells: datasets.flatMap((dataset) =>
      OPERATIONS.flatMap((operation) =>
        codecs.map((codec) => cellOf(operation, dataset, codec, factor, random)),
      ),
    ),
  };
}

function cellOf(operation, dataset, codec, factor, random) {
  const base = (500 + 400 * Number(codec.slice("codec-".length))) * factor;
  const each = (make) => Array.from({ length: PROCESSES }, (_, i) => make(i));
  const levels = each(() => base * (0.98 + 0.04 * random()));
  const batches = levels.map((level) => {
    const interrupted = 0.4 * random();
    return Array.from({ length: BATCHES }, () =>
      round(level * (0.9 + 0.3 * random()) * (random() < interrupted ? 1.5 : 1)),
    );
  });
  return {
    operation,
    dataset,
    codec,
    format: "any",
    library: `lib-${codec}`,
    version: "1.2.3",
    status: "measured",
    bytes: 1849,
    nanos: {
      median: round(base),
      ci95: [round(base * 0.95), round(base * 1.05)],
      mad: 12.34,
      p99: round(base * 1.3),
      min: round(base * 0.8),
      processes: levels.map(round),
      blocks: each((i) => i),
      outliers: [],
      warmUp: each(() => "steady"),
      loops: each(() => 2.05),
      batchCalls: each(() => 16),
      batches,
    },
    standing: { ratio: 1.5, ci95: [1.4, 1.6], p: 0.01, verdict: "slower", detectable: 0.03, tier: 2 },
    memory: {
      heapBytes: 2048,
      externalBytes: 0,
      gcNanos: 12,
      longestPauseNanos: 1e6,
      retainedBytes: 1900,
      leakedBytes: 0,
      findings: [],
    },
  };
}

function round(nanos) {
  return Math.round(nanos * 1000) / 1000;
}

/** Numbers in [0, 1) that are the same each time (Lehmer's generator with Park and Miller's constants). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
