import { readFileSync } from "node:fs";
import { fileProblem, UsageError } from "../model/errors.ts";
import { IPC_RECORD_VERSION, type IpcRecord } from "../model/ipc-record.ts";
import { IPC_REMOTE_RECORD_VERSION, type IpcRemoteRecord } from "../model/ipc-remote-record.ts";
import { RECORD_VERSION, type RunRecord } from "../model/run-record.ts";
import { childPath, isRecord, show } from "../model/value.ts";
import { parseJson } from "../schema/values/json-source.ts";
import { checkedIpcRemoteRecord } from "./ipc-remote-shape.ts";
import { checkedIpcRecord } from "./ipc-shape.ts";
import { check, damaged, ENVIRONMENT, type Shape } from "./shape.ts";

/** Reads the record of a run from run.json. Throws UsageError that names the place of what is damaged. */
export function readRecord(file: string): RunRecord {
  const record = readAnyRecord(file);
  if ("kind" in record) throw new UsageError(`${file}: the record of a run between processes`);
  return record;
}

/** {@link readRecord}, for runs between processes and machines too. */
export function readAnyRecord(file: string): RunRecord | IpcRecord | IpcRemoteRecord {
  const value = readJson(file);
  if (!isRecord(value) || value["schemaVersion"] === undefined) {
    throw new UsageError(`${file}: not the record of a run: expected an object with a schemaVersion`);
  }
  const kind = KINDS.get(value["kind"]);
  if (kind === undefined) {
    throw new UsageError(`${file}: there is no report of a record of the kind ${show(value["kind"])}`);
  }
  if (value["schemaVersion"] !== kind.version) {
    throw new UsageError(
      `${file}: expected schemaVersion ${kind.version}, got ${show(value["schemaVersion"])}: written by another version of wirebench`,
    );
  }
  return kind.checked(value, file);
}

/** What is known of a kind of records. */
interface Kind {
  readonly version: number;
  checked(value: unknown, file: string): RunRecord | IpcRecord | IpcRemoteRecord;
}

/** By what a record's `kind` says. */
const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  [undefined, { version: RECORD_VERSION, checked: checkedRunRecord }],
  ["ipc", { version: IPC_RECORD_VERSION, checked: checkedIpcRecord }],
  ["ipc-remote", { version: IPC_REMOTE_RECORD_VERSION, checked: checkedIpcRemoteRecord }],
]);

function checkedRunRecord(value: unknown, file: string): RunRecord {
  check(value, RECORD, "", file);
  const record = value as RunRecord;
  checkCells(record, file);
  return record;
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: ${fileProblem(error)}`);
  }
  const parsed = parseJson(text);
  if ("problem" in parsed) throw new UsageError(`${file}:${parsed.line}:${parsed.column}: ${parsed.problem}`);
  return parsed.value;
}

const NANOS: Shape = {
  median: "time",
  ci95: "interval",
  mad: "time",
  p99: "time",
  min: "time",
  processes: ["time"],
  loops: ["number"],
  batchCalls: ["number"],
  batches: [["number"]],
};

const RECORD: Shape = {
  tool: { name: "string", version: "string", command: "string" },
  startedAt: "string",
  complete: "boolean",
  environment: ENVIRONMENT,
  options: {
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
  },
  datasets: [
    {
      name: "string",
      story: "string",
      message: "string",
      "values?": "number",
      "int64?": "string",
      "sha256?": "string",
    },
  ],
  payloads: [{ dataset: "string", codec: "string", bytes: "number", gzip: "number", brotli: "number" }],
  cells: [
    {
      operation: "string",
      dataset: "string",
      codec: "string",
      format: "string",
      library: "string",
      version: "string",
      status: "status",
      "reason?": "string",
      "bytes?": "number",
      "nanos?": NANOS,
    },
  ],
};

/** What a cell needs so that no report leaves it out. */
function checkCells({ cells, datasets }: RunRecord, file: string): void {
  const names = datasets.map(({ name }) => name);
  for (const [index, { status, dataset, nanos, bytes, reason }] of cells.entries()) {
    const at = childPath("cells", index);
    if (!names.includes(dataset)) {
      throw damaged(file, `${at}.dataset`, `one of the datasets ${names.join(", ")}`, dataset);
    }
    if (status === "measured" && nanos === undefined) throw damaged(file, `${at}.nanos`, "times", nanos);
    const sized = status === "measured" || status === "ok";
    if (sized && bytes === undefined) throw damaged(file, `${at}.bytes`, "a number", bytes);
    if (!sized && reason === undefined) throw damaged(file, `${at}.reason`, "a string", reason);
  }
}
