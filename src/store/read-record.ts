import { readFileSync } from "node:fs";
import { fileProblem, UsageError } from "../model/errors.ts";
import { DOCTOR_RECORD_VERSION, type DoctorRecord } from "../model/records/doctor.ts";
import { IPC_RECORD_VERSION, type IpcRecord } from "../model/records/ipc.ts";
import { IPC_REMOTE_RECORD_VERSION, type IpcRemoteRecord } from "../model/records/ipc-remote.ts";
import { RECORD_VERSION, type RunRecord } from "../model/records/run.ts";
import { isRecord, show } from "../model/value.ts";
import { parseJson } from "../schema/values/json-source.ts";
import { checkedDoctorRecord } from "./doctor-shape.ts";
import { checkedIpcRemoteRecord } from "./ipc-remote-shape.ts";
import { checkedIpcRecord } from "./ipc-shape.ts";
import { fromFirstVersion } from "./older-run-record.ts";
import { checkedRunRecord } from "./run-shape.ts";

/** Reads the record of a run from run.json. Throws UsageError that names the place of what is damaged. */
export function readRecord(file: string): RunRecord {
  const record = readAnyRecord(file);
  if ("kind" in record) {
    const what = record.kind === "doctor" ? "an examination of a machine" : "a run between processes";
    throw new UsageError(`${file}: expected the record of wirebench run, got that of ${what}`);
  }
  return record;
}

/** {@link readRecord}, for every other kind of record too. */
export function readAnyRecord(file: string): AnyRecord {
  const value = readJson(file);
  if (!isRecord(value) || value["schemaVersion"] === undefined) {
    throw new UsageError(`${file}: not the record of a run: expected an object with a schemaVersion`);
  }
  const kind = KINDS.get(value["kind"]);
  if (kind === undefined) {
    throw new UsageError(`${file}: there is no report of a record of the kind ${show(value["kind"])}`);
  }
  const read = kind.find(({ version }) => version === value["schemaVersion"]);
  if (read === undefined) {
    const known = kind.map(({ version }) => version).join(" or ");
    throw new UsageError(
      `${file}: expected schemaVersion ${known}, got ${show(value["schemaVersion"])}: written by another version of wirebench`,
    );
  }
  return read.checked(value, file);
}

/** A record of any kind. All but that of a run of codecs say their kind. */
export type AnyRecord = RunRecord | IpcRecord | IpcRemoteRecord | DoctorRecord;

/** How records of one version are read. */
interface Version {
  readonly version: number;
  checked(value: unknown, file: string): AnyRecord;
}

/** By what a record's `kind` says, the versions that are read. */
const KINDS: ReadonlyMap<unknown, readonly Version[]> = new Map<unknown, readonly Version[]>([
  [
    undefined,
    [
      { version: 1, checked: fromFirstVersion },
      { version: RECORD_VERSION, checked: checkedRunRecord },
    ],
  ],
  ["ipc", [{ version: IPC_RECORD_VERSION, checked: checkedIpcRecord }]],
  ["ipc-remote", [{ version: IPC_REMOTE_RECORD_VERSION, checked: checkedIpcRemoteRecord }]],
  ["doctor", [{ version: DOCTOR_RECORD_VERSION, checked: checkedDoctorRecord }]],
]);

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
