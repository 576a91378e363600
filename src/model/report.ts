import type { ClaimsRecord } from "./records/claims.ts";
import type { ClassicRecord } from "./records/classic.ts";
import type { Comparison } from "./records/comparison.ts";
import type { DoctorRecord } from "./records/doctor.ts";
import type { IpcRecord } from "./records/ipc.ts";
import type { IpcRemoteRecord } from "./records/ipc-remote.ts";
import type { RunRecord } from "./records/run.ts";

/** Every kind of record. */
export interface RecordsByKind {
  readonly run: RunRecord;
  readonly ipc: IpcRecord;
  readonly "ipc-remote": IpcRemoteRecord;
  readonly doctor: DoctorRecord;
  readonly comparison: Comparison;
  readonly claims: ClaimsRecord;
  readonly classic: ClassicRecord;
}

/** What a record is of. */
export type RecordKind = keyof RecordsByKind;

/** What each kind of record is of, in words. */
export const RECORD_KINDS: Readonly<Record<RecordKind, string>> = {
  run: "a run",
  ipc: "a run between processes",
  "ipc-remote": "messages between two machines",
  doctor: "an examination of a machine",
  comparison: "a comparison",
  claims: "published claims",
  classic: "a published method",
};

/** A pure function from a record to a document: it measures nothing, reads no file and needs no codec. */
export interface ReportDefinition<Kind extends RecordKind = RecordKind> {
  /** The kind of record that it is of, or `any`; by default `run`. */
  readonly of?: Kind | "any";
  /** One line: what the document is for. */
  readonly summary: string;
  render(record: RecordsByKind[Kind]): string;
}

/** Gives a report file its types. */
export function defineReport<Kind extends RecordKind = "run">(
  definition: ReportDefinition<Kind>,
): ReportDefinition<Kind> {
  return definition;
}
