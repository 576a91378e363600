import type { Answer } from "../../src/model/records/answer.ts";
import type {
  Cell,
  Memory,
  Nanos,
  ProcessRecord,
  RunRecord,
  Standing,
  Start,
} from "../../src/model/records/run.ts";
import { measured, nanosOf, recordOf } from "./record.ts";

/** How a cell compares where nothing is remarkable. */
export function standing(overrides: Partial<Standing> = {}): Standing {
  return { ratio: 1, ci95: [0.99, 1.01], p: 0.5, verdict: "same", detectable: 0.021, tier: 1, ...overrides };
}

/** What calls allocate where nothing is remarkable. */
export function memory(overrides: Partial<Memory> = {}): Memory {
  return {
    heapBytes: 1234.5,
    externalBytes: 841,
    gcNanos: 56,
    longestPauseNanos: 1_200_000,
    retainedBytes: 905,
    leakedBytes: 0,
    findings: [],
    ...overrides,
  };
}

const START: Start = { importNanos: 41e6, bindNanos: 3.5e6, firstCallNanos: 210_000, steadyNanos: 12e6 };

/** A measuring process that nothing disturbed. */
export function quietProcess(overrides: Partial<ProcessRecord> = {}): ProcessRecord {
  return {
    block: 0,
    dataset: "tellist",
    codec: "json",
    operations: ["encode"],
    wallSeconds: 0.3,
    cpuSeconds: 0.31,
    involuntarySwitches: 2,
    pressure: 0.01,
    steal: 0,
    throttled: null,
    disturbedBy: [],
    peakBytes: 80 * 2 ** 20,
    ...overrides,
  };
}

/** Everything that a cell can have. */
export function fullCell(
  codec: string,
  operation: string,
  median: number,
  overrides: Partial<Cell> = {},
): Cell {
  const nanos: Nanos = {
    ...nanosOf(median),
    wall: [median, median * 1.25, null],
    allThreads: [median * 1.5, median * 1.25, null],
    preempted: [0, 0.01, null],
    slowed: [0, 1, null],
    scaled: [1],
  };
  return {
    ...measured(codec, operation, 841, median),
    nanos,
    traits: ["evolves"],
    world: "Python",
    shared: nanosOf(median * 1.5),
    standing: standing(),
    start: {
      ...START,
      processes: [{ block: 0, importNanos: 41e6, bindNanos: 3.5e6, firstCallNanos: 210_000 }],
    },
    memory: memory(),
    ...overrides,
  };
}

/** A claim that has every field that there is. */
function claim(): Answer {
  return {
    dataset: "tellist",
    goal: "latency",
    among: "service",
    codec: "protobufjs",
    compression: { algorithm: "gzip", level: 6 },
    operation: "round-trip",
    bandwidth: 10e6,
    value: 68_000,
    unit: "nanoseconds",
    against: "json",
    againstCompression: { algorithm: "brotli", level: 5 },
    ratio: 0.8,
    ci95: [0.7, 0.9],
    level: ["msgpackr"],
    why: "level",
    processes: 40,
  };
}

/** A record that has every field that there is. */
export function fullRecord(): RunRecord {
  const json = fullCell("json", "encode", 1000);
  const twin = fullCell("json (A/A)", "encode", 1010, { twinOf: "json" });
  const protobuf = fullCell("protobufjs", "encode", 400, {
    part: true,
    nanos: {
      ...nanosOf(400),
      levels: [
        { nanos: 300, share: 0.5 },
        { nanos: 500, share: 0.5 },
      ],
    },
    build: "with its native part",
    memoryReason: "crashed (exit code 9)",
    reads: { records: 0.25, fields: 0.5 },
    standing: standing({ ratio: 0.4, ci95: [0.39, 0.42], p: 0.001, verdict: "faster", tier: 1 }),
  });
  const record = recordOf(
    [protobuf, json, twin],
    [{ dataset: "tellist", codec: "json", bytes: 841, gzip: 400, brotli: 380, zstd: 390 }],
  );
  return {
    ...record,
    runtimes: record.runtimes.map((runtime) => ({ ...runtime, clockStepNanos: 40, timeSource: "schedstat" })),
    options: { ...record.options, jit: "shared", study: "reads", goal: "latency@10M", bandwidths: [10e6] },
    answer: [claim()],
    processes: [quietProcess(), quietProcess({ block: 1, disturbedBy: ["waiting", "steal"] })],
    noise: { twin: "json (A/A)", spread: 0.012, gate: 0.012 },
  };
}
