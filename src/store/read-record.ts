import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileProblem, UsageError } from "../model/errors.ts";
import { CLAIMS_RECORD_VERSION, type ClaimsRecord } from "../model/records/claims.ts";
import { CLASSIC_RECORD_VERSION, type ClassicRecord } from "../model/records/classic.ts";
import { COMPARISON_VERSION, type Comparison } from "../model/records/comparison.ts";
import { DOCTOR_RECORD_VERSION, type DoctorRecord, doctorRecordProblem } from "../model/records/doctor.ts";
import { FACTS_RECORD_VERSION, type FactsRecord } from "../model/records/facts.ts";
import { IPC_RECORD_VERSION, type IpcRecord } from "../model/records/ipc.ts";
import { IPC_REMOTE_RECORD_VERSION, type IpcRemoteRecord } from "../model/records/ipc-remote.ts";
import { RECORD_VERSION, type RunRecord, runRecordProblem } from "../model/records/run.ts";
import { PAGE_RECORD } from "../model/report.ts";
import { isRecord, show } from "../model/value.ts";
import { parseJson } from "../schema/values/json-source.ts";
import { recordFile } from "./result-folder.ts";
import { readSchema, SchemaCheck } from "./schema-check.ts";

/** A record of any kind. All but that of a run of codecs say their kind. */
export type AnyRecord =
  | RunRecord
  | IpcRecord
  | IpcRemoteRecord
  | DoctorRecord
  | Comparison
  | ClaimsRecord
  | ClassicRecord
  | FactsRecord;

/** How a kind of record is read, and what it is called. */
interface Kind {
  readonly words: string;
  readonly version: number;
  /** The file of its schema. */
  readonly schema: string;
  /** What no schema says: what is wrong between fields, with its place. */
  problem?(record: AnyRecord): string | undefined;
}

/** By what a record's `kind` says. */
const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  [
    undefined,
    {
      words: "a run of codecs",
      version: RECORD_VERSION,
      schema: "run-record",
      problem: (record) => runRecordProblem(record as RunRecord),
    },
  ],
  ["ipc", { words: "a run between processes", version: IPC_RECORD_VERSION, schema: "ipc-record" }],
  [
    "ipc-remote",
    { words: "a run between processes", version: IPC_REMOTE_RECORD_VERSION, schema: "ipc-remote-record" },
  ],
  [
    "doctor",
    {
      words: "an examination of a machine",
      version: DOCTOR_RECORD_VERSION,
      schema: "doctor-record",
      problem: (record) => doctorRecordProblem(record as DoctorRecord),
    },
  ],
  ["comparison", { words: "a comparison", version: COMPARISON_VERSION, schema: "comparison" }],
  [
    "claims",
    {
      words: "published claims",
      version: CLAIMS_RECORD_VERSION,
      schema: "claims-record",
      problem: (record) => claimsRecordProblem(record as ClaimsRecord),
    },
  ],
  ["classic", { words: "a published method", version: CLASSIC_RECORD_VERSION, schema: "classic-record" }],
  ["facts", { words: "facts", version: FACTS_RECORD_VERSION, schema: "facts-record" }],
]);

/** What is wrong in the run that claims are judged by, with its place. */
function claimsRecordProblem({ run }: ClaimsRecord): string | undefined {
  const problem = run && runRecordProblem(run);
  return problem === undefined ? undefined : `run.${problem}`;
}

/**
 * Reads the record of a run from its run.json, or from the folder with it. Throws UsageError that names the place of what is
 * damaged.
 */
export function readRecord(source: string): RunRecord {
  const file = recordFile(source);
  const record = readAnyRecord(file);
  if ("kind" in record) {
    const { words } = KINDS.get(record.kind) ?? { words: "another kind" };
    throw new UsageError(`${file}: expected the record of wirebench run, got that of ${words}`);
  }
  return record;
}

/** {@link readRecord} of a file, for every other kind of record too. */
export function readAnyRecord(file: string): AnyRecord {
  const value = readJson(file);
  if (!isRecord(value) || value["schemaVersion"] === undefined) {
    throw new UsageError(`${file}: not the record of a run: expected an object with a schemaVersion`);
  }
  const kind = KINDS.get(value["kind"]);
  if (kind === undefined) {
    throw new UsageError(`${file}: there is no report of a record of the kind ${show(value["kind"])}`);
  }
  if (kind.version !== value["schemaVersion"]) {
    throw new UsageError(
      `${file}: expected schemaVersion ${kind.version}, got ${show(value["schemaVersion"])}: written by another version of wirebench`,
    );
  }
  const record = value as unknown as AnyRecord;
  const problem = new SchemaCheck(readSchema(kind.schema)).problem(value) ?? kind.problem?.(record);
  if (problem !== undefined) throw new UsageError(`${file}: damaged record: ${problem}`);
  return record;
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: ${fileProblem(error)}`);
  }
  const parsed = parseJson(isPage(text) ? recordInPage(text, file) : text);
  if ("problem" in parsed) throw new UsageError(`${file}:${parsed.line}:${parsed.column}: ${parsed.problem}`);
  return parsed.value;
}

function isPage(text: string): boolean {
  return /^\s*<!doctype html/i.test(text);
}

/** More than any record in a page has: what is compressed could be endless. */
const MOST_BYTES = 256 * 2 ** 20;

/** The JSON of a page, at its lines, so that what is wrong has its place. Throws UsageError for a page without a record. */
function recordInPage(text: string, file: string): string {
  const start = `<script type="([a-z/]+)" id="${PAGE_RECORD.id}">`;
  const [opening, type] = new RegExp(start).exec(text) ?? [];
  const from = opening === undefined ? -1 : text.indexOf(opening) + opening.length;
  const to = text.indexOf("</script>", from);
  if (opening === undefined || to < 0) {
    throw new UsageError(
      `${file}: a page without the record of a run: expected a script whose id is ${PAGE_RECORD.id}`,
    );
  }
  const content = text.slice(from, to);
  if (type !== PAGE_RECORD.gzip) return text.slice(0, from).replace(/[^\n]/g, " ") + content;
  try {
    return gunzipSync(Buffer.from(content, "base64"), { maxOutputLength: MOST_BYTES }).toString("utf8");
  } catch (error) {
    throw new UsageError(`${file}: the record in this page is damaged: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
