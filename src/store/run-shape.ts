import type { RunRecord } from "../model/records/run.ts";
import { childPath } from "../model/value.ts";
import { check, damaged, ENVIRONMENT, type Shape } from "./shape.ts";

/** What a `Nanos` of the first version had. */
const FIRST_NANOS = {
  median: "time",
  ci95: "interval",
  mad: "time",
  p99: "time",
  min: "time",
  processes: ["time"],
  loops: ["number"],
  batchCalls: ["number"],
  batches: [["number"]],
} as const;

const NANOS: Shape = { ...FIRST_NANOS, blocks: ["number"], outliers: ["number"], warmUp: ["warm-up"] };

const FIRST_OPTIONS = {
  profile: "string",
  seed: "number",
  baseline: "string",
  codecs: ["string"],
  datasets: ["string"],
  operations: ["string"],
  isolate: "string",
  processes: "number",
  warmupMs: "number",
  measureMs: "number",
  batchMicros: "number",
} as const;

const FIRST_DATASET = {
  name: "string",
  story: "string",
  message: "string",
  "values?": "number",
  "int64?": "string",
  "sha256?": "string",
} as const;

const FIRST_CELL = {
  operation: "string",
  dataset: "string",
  codec: "string",
  format: "string",
  library: "string",
  version: "string",
  status: "status",
  "reason?": "string",
  "bytes?": "time",
  "nanos?": FIRST_NANOS,
} as const;

/** What a record of schemaVersion 1 must have. */
const FIRST: Shape & object = {
  tool: { name: "string", version: "string", command: "string" },
  startedAt: "string",
  complete: "boolean",
  environment: ENVIRONMENT,
  options: FIRST_OPTIONS,
  datasets: [FIRST_DATASET],
  payloads: [{ dataset: "string", codec: "string", bytes: "number", gzip: "number", brotli: "number" }],
  cells: [FIRST_CELL],
};

const STANDING: Shape = {
  ratio: "time",
  ci95: "interval",
  p: "number or null",
  verdict: "verdict",
  detectable: "number or null",
  tier: "number",
};

const START: Shape = {
  importNanos: "time",
  bindNanos: "time",
  firstCallNanos: "time",
  steadyNanos: "number or null",
};

const MEMORY: Shape = {
  heapBytes: "time",
  externalBytes: "time",
  gcNanos: "time",
  longestPauseNanos: "time",
  retainedBytes: "time",
  leakedBytes: "time",
  findings: ["string"],
};

const CURRENT: Shape = {
  ...FIRST,
  options: {
    ...FIRST_OPTIONS,
    threshold: "number",
    jit: "string",
    "study?": "string",
    "bandwidths?": ["number"],
  },
  compression: [
    {
      dataset: "string",
      codec: "string",
      algorithm: "string",
      level: "number",
      bytes: "number",
      compressNanos: "time",
      compressCi95: "interval",
      decompressNanos: "time",
      decompressCi95: "interval",
    },
  ],
  processes: [
    {
      block: "number",
      dataset: "string",
      codec: "string",
      operations: ["string"],
      wallSeconds: "time",
      cpuSeconds: "time",
      involuntarySwitches: "number",
      pressure: "number or null",
      steal: "number or null",
      throttled: "number or null",
      disturbedBy: ["string"],
      peakBytes: "number",
    },
  ],
  "noise?": { twin: "string", spread: "number", gate: "number" },
  datasets: [{ ...FIRST_DATASET, "size?": { unit: "string", count: "number" } }],
  cells: [
    {
      ...FIRST_CELL,
      "nanos?": NANOS,
      "twinOf?": "string",
      "shared?": NANOS,
      "sharedReason?": "string",
      "standing?": STANDING,
      "start?": START,
      "memory?": MEMORY,
      "memoryReason?": "string",
      "reads?": { records: "number", fields: "number" },
      "inPlace?": "boolean",
    },
  ],
};

/** Throws UsageError that names the place unless a value is a run record of the current version. */
export function checkedRunRecord(value: unknown, file: string): RunRecord {
  check(value, CURRENT, "", file);
  const record = value as RunRecord;
  checkCells(record, file);
  return record;
}

/** {@link checkedRunRecord} for the first version, of which the fields are as they were then. */
export function checkedFirstRecord(value: unknown, file: string): RunRecord {
  check(value, FIRST, "", file);
  const record = value as RunRecord;
  checkCells(record, file);
  return record;
}

/** What a cell needs so that no report leaves it out. */
function checkCells({ cells, datasets }: RunRecord, file: string): void {
  const names = datasets.map(({ name }) => name);
  const seen = new Set<string>();
  for (const [
    index,
    { status, operation, dataset, codec, nanos, shared, bytes, reason },
  ] of cells.entries()) {
    const at = childPath("cells", index);
    const key = JSON.stringify([operation, dataset, codec]);
    if (seen.has(key)) throw damaged(file, at, "one cell of each operation, dataset and codec", key);
    seen.add(key);
    if (!names.includes(dataset)) {
      throw damaged(file, `${at}.dataset`, `one of the datasets ${names.join(", ")}`, dataset);
    }
    if (status === "measured" && nanos === undefined) throw damaged(file, `${at}.nanos`, "times", nanos);
    const sized = status === "measured" || status === "ok";
    if (sized && bytes === undefined) throw damaged(file, `${at}.bytes`, "a number", bytes);
    if (!sized && reason === undefined) throw damaged(file, `${at}.reason`, "a string", reason);
    if (nanos !== undefined) checkLengths(nanos, `${at}.nanos`, file);
    if (shared !== undefined) checkLengths(shared, `${at}.shared`, file);
  }
}

/** Everything that is told per process is told of every process. */
function checkLengths(
  nanos: NonNullable<RunRecord["cells"][number]["nanos"]>,
  at: string,
  file: string,
): void {
  const { processes } = nanos;
  for (const key of ["loops", "batchCalls", "batches", "blocks", "warmUp"] as const) {
    // The first version had no blocks and no warm-up.
    const list: readonly unknown[] | undefined = nanos[key];
    if (list !== undefined && list.length !== processes.length)
      throw damaged(file, childPath(at, key), `${processes.length} of them, one per process`, list);
  }
  // Nor had it outliers.
  const { outliers = [] }: Partial<typeof nanos> = nanos;
  for (const [i, index] of outliers.entries()) {
    if (processes[index] === undefined)
      throw damaged(file, childPath(`${at}.outliers`, i), "the index of a process", index);
  }
}
