import { readFileSync } from "node:fs";
import { fileProblem, UsageError } from "../model/errors.ts";
import { CLAIMS_RECORD_VERSION, type ClaimsRecord } from "../model/records/claims.ts";
import { CLASSIC_RECORD_VERSION, type ClassicRecord } from "../model/records/classic.ts";
import { COMPARISON_VERSION, type Comparison } from "../model/records/comparison.ts";
import { DOCTOR_RECORD_VERSION, type DoctorRecord, doctorRecordProblem } from "../model/records/doctor.ts";
import { IPC_RECORD_VERSION, type IpcRecord } from "../model/records/ipc.ts";
import { IPC_REMOTE_RECORD_VERSION, type IpcRemoteRecord } from "../model/records/ipc-remote.ts";
import { RECORD_VERSION, type RunRecord, runRecordProblem } from "../model/records/run.ts";
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
  | ClassicRecord;

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
  const parsed = parseJson(text);
  if ("problem" in parsed) throw new UsageError(`${file}:${parsed.line}:${parsed.column}: ${parsed.problem}`);
  return parsed.value;
}
