import { IPC_TESTS, type IpcRecord } from "../model/records/ipc.ts";
import { childPath } from "../model/value.ts";
import { check, damaged, ENVIRONMENT, type Shape } from "./shape.ts";

/** An `IpcPercentiles`. */
export const PERCENTILES: Shape = {
  n: "number",
  "min?": "number",
  "p50?": "number",
  "p90?": "number",
  "p99?": "number",
  "p999?": "number",
  "max?": "number",
};

const PAIR: Shape = {
  talker: "number",
  listener: "number",
  published: "number",
  received: "number",
  drops: { sender: "number", overwritten: "number", receiver: "number" },
  totalMs: "time",
  outOfOrder: "number",
  endToEnd: PERCENTILES,
};

const PROCESS: Shape = {
  role: "string",
  id: "number",
  startMs: "time",
  bindMs: "time",
  connectMs: "time",
  cpuMs: { user: "time", system: "time" },
  handlingMs: "time",
  firstHandling: "time",
  rssBytes: { start: "number", end: "number", peak: "number" },
  rssSamples: [{ messages: "number", bytes: "number" }],
  gc: { count: "number", totalMs: "time", longestMs: "time" },
  stalledMs: "time",
};

const TEST: Shape = {
  test: "string",
  codec: "string",
  format: "string",
  library: "string",
  version: "string",
  "build?": "string",
  dataset: "string",
  status: "status",
  "reason?": "string",
  payloadBytes: "number",
  encodedBytes: "number",
  transport: "string",
  scope: "string",
  reliability: "string",
  depth: "number",
  "rateHz?": "number",
  messages: "number",
  warmup: "number",
  pairs: [PAIR],
  stages: {
    "encode?": PERCENTILES,
    "transport?": PERCENTILES,
    "queue?": PERCENTILES,
    "decode?": PERCENTILES,
    "endToEnd?": PERCENTILES,
    "response?": PERCENTILES,
  },
  "throughput?": {
    messagesPerSecond: "time",
    payloadBytesPerSecond: "time",
    encodedBytesPerSecond: "time",
    shareOfMemcpy: "time",
  },
  "drift?": { slopePer1000: "number", ci95: ["number"], firstDecile: "time", lastDecile: "time" },
  "unfairness?": "number",
  processes: [PROCESS],
};

const IPC_RECORD: Shape = {
  tool: { name: "string", version: "string", command: "string" },
  startedAt: "string",
  complete: "boolean",
  environment: ENVIRONMENT,
  options: {
    profile: "string",
    tests: ["string"],
    codecs: ["string"],
    datasets: ["string"],
    transport: "string",
    listenerDelayMs: "time",
    timeoutSeconds: "number",
  },
  datasets: [{ name: "string", story: "string", message: "string" }],
  memcpy: [{ bytes: "number", bytesPerSecond: "number" }],
  tests: [TEST],
};

/** A value as the record of a run between processes. Throws UsageError that names the place of what is damaged. */
export function checkedIpcRecord(value: unknown, file: string): IpcRecord {
  check(value, IPC_RECORD, "", file);
  const record = value as IpcRecord;
  for (const [index, { test, status, reason }] of record.tests.entries()) {
    const at = childPath("tests", index);
    if (!IPC_TESTS.includes(test)) throw damaged(file, `${at}.test`, `one of ${IPC_TESTS.join(", ")}`, test);
    if (status !== "measured" && reason === undefined) {
      throw damaged(file, `${at}.reason`, "a string", reason);
    }
  }
  return record;
}
