/** Records of runs that nobody made, for tests of what is made of them. */
import type { Cell, Nanos, PayloadRecord, RunRecord } from "../../src/model/records/run.ts";

/** Times of one cell whose processes all measured the same; the interval is 5 % to both sides. */
export function nanosOf(median: number): Nanos {
  return {
    median,
    ci95: [median * 0.95, median * 1.05],
    mad: 0,
    p99: median * 2,
    min: median / 2,
    processes: [median, median, median],
    blocks: [0, 1, 2],
    outliers: [],
    warmUp: ["steady", "steady", "steady"],
    loops: [2, 2, 2],
    batchCalls: [16, 16, 16],
    batches: [[median + 2], [median + 2], [median + 2]],
  };
}

/** A measured cell of `tellist`. */
export function measured(codec: string, operation: string, bytes: number, median: number): Cell {
  return { ...identity(codec, operation), status: "measured", bytes, nanos: nanosOf(median) };
}

/** A cell of `tellist` that has a reason instead of numbers. */
export function refused(
  codec: string,
  operation: string,
  status: "failed" | "unsupported",
  reason: string,
): Cell {
  return { ...identity(codec, operation), status, reason };
}

function identity(
  codec: string,
  operation: string,
): Pick<Cell, "operation" | "dataset" | "codec" | "format" | "library" | "version"> {
  return { operation, dataset: "tellist", codec, format: "any", library: `lib-${codec}`, version: "1.2.3" };
}

const RUNTIME = {
  name: "node",
  version: "20.1.2",
  engine: { name: "V8", version: "11.3" },
  execArgv: ["--expose-gc"],
};

/** A record of these cells on `tellist`, with the baseline `json`. */
export function recordOf(cells: readonly Cell[], payloads: readonly PayloadRecord[] = []): RunRecord {
  return {
    schemaVersion: 2,
    tool: { name: "wirebench", version: "9.8.7", command: "wirebench run --seed 42" },
    startedAt: "2026-11-20T12:30:05.678Z",
    finishedAt: "2026-11-20T12:31:05.678Z",
    complete: true,
    environment: {
      cpu: { model: "Abacus 9000", cores: 2, governor: null },
      memoryBytes: 2 ** 33,
      os: { platform: "linux", release: "6.1", arch: "x64" },
      runtime: RUNTIME,
      load: [0.5, 0.25, 0.1],
      clocksource: null,
    },
    runtimes: [{ label: "node", ...RUNTIME }],
    options: {
      profile: "quick",
      seed: 42,
      baseline: "json",
      codecs: [...new Set(cells.map(({ codec }) => codec))],
      datasets: ["tellist"],
      operations: [...new Set(cells.map(({ operation }) => operation))],
      isolate: "codec",
      processes: 3,
      warmupMs: 60,
      measureMs: 60,
      batchMicros: 60,
      timeoutSeconds: 120,
      threshold: 0.01,
      jit: "isolated",
    },
    datasets: [
      {
        name: "tellist",
        story: "People and their phone numbers.",
        message: "as.tellist.personal_info_list",
        values: 16,
        int64: "number",
        sha256: "0123456789abcdef".repeat(4),
      },
    ],
    payloads,
    compression: [],
    processes: [],
    cells,
  };
}
