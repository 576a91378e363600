import { readFileSync } from "node:fs";
import { fileProblem, UsageError } from "../model/errors.ts";
import { RECORD_VERSION, type RunRecord } from "../model/run-record.ts";
import { childPath, isRecord, show } from "../model/value.ts";
import { parseJson } from "../schema/values/json-source.ts";

/** Reads a record from run.json. Throws UsageError that names the place of what is damaged. */
export function readRecord(file: string): RunRecord {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: ${fileProblem(error)}`);
  }
  const parsed = parseJson(text);
  if ("problem" in parsed) throw new UsageError(`${file}:${parsed.line}:${parsed.column}: ${parsed.problem}`);
  const { value } = parsed;
  if (!isRecord(value) || value["schemaVersion"] === undefined) {
    throw new UsageError(`${file}: not the record of a run: expected an object with a schemaVersion`);
  }
  if (value["schemaVersion"] !== RECORD_VERSION) {
    throw new UsageError(
      `${file}: expected schemaVersion ${RECORD_VERSION}, got ${show(value["schemaVersion"])}: written by another version of wirebench`,
    );
  }
  check(value, RECORD, "", file);
  checkCells(value as unknown as RunRecord, file);
  return value as unknown as RunRecord;
}

/** What a record must have for every report to be rendered: a type per field, `?` where it may be absent. */
type Shape = string | { readonly [field: string]: Shape } | readonly [Shape];

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
  environment: {
    cpu: { model: "string", cores: "number" },
    memoryBytes: "number",
    os: { platform: "string", release: "string", arch: "string" },
    node: { version: "string", v8: "string", execArgv: ["string"] },
    load: ["number"],
  },
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

function check(value: unknown, shape: Shape, at: string, file: string): void {
  if (typeof shape === "string") {
    if (!isOfKind(value, shape)) throw damaged(file, at, KINDS[shape] ?? `a ${shape}`, value);
  } else if (isList(shape)) {
    if (!Array.isArray(value)) throw damaged(file, at, "a list", value);
    value.forEach((item, index) => {
      check(item, shape[0], childPath(at, index), file);
    });
  } else {
    if (!isRecord(value)) throw damaged(file, at, "an object", value);
    for (const [key, inner] of Object.entries(shape)) {
      const name = key.replace("?", "");
      if (key.endsWith("?") && value[name] === undefined) continue;
      check(value[name], inner, childPath(at, name), file);
    }
  }
}

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

/** Kinds that are no types of JavaScript, in words. */
const KINDS: Readonly<Record<string, string>> = {
  interval: "two numbers or null",
  time: "a number from 0 on",
  status: "measured, ok, unsupported or failed",
};

const STATUSES: readonly unknown[] = ["measured", "ok", "unsupported", "failed"];

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === "time") return typeof value === "number" && value >= 0;
  if (kind === "status") return STATUSES.includes(value);
  if (kind !== "interval") return typeof value === kind;
  return (
    value === null ||
    (Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === "number"))
  );
}

function damaged(file: string, at: string, expected: string, value: unknown): UsageError {
  return new UsageError(
    `${file}: damaged record: ${at || "record"}: expected ${expected}, got ${show(value)}`,
  );
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
