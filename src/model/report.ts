import type { ClaimsRecord } from "./records/claims.ts";
import type { ClassicRecord } from "./records/classic.ts";
import type { Comparison } from "./records/comparison.ts";
import type { DoctorRecord } from "./records/doctor.ts";
import type { FactsRecord } from "./records/facts.ts";
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
  readonly facts: FactsRecord;
}

/** What a record is of. */
export type RecordKind = keyof RecordsByKind;

/** What a record is of. That of a run does not say it. */
export function recordKind(record: RecordsByKind[RecordKind]): RecordKind {
  return "kind" in record ? record.kind : "run";
}

/** What each kind of record is of, in words. */
export const RECORD_KINDS: Readonly<Record<RecordKind, string>> = {
  run: "a run",
  ipc: "a run between processes",
  "ipc-remote": "messages between two machines",
  doctor: "an examination of a machine",
  comparison: "a comparison",
  claims: "published claims",
  classic: "a published method",
  facts: "facts",
};

/** A pure function from a record to a document: it measures nothing, reads no file and needs no codec. */
export interface ReportDefinition<Kind extends RecordKind = RecordKind> {
  /** The kind of record that it is of, or `any`; by default `run`. */
  readonly of?: Kind | "any";
  /** One line: what the document is for. */
  readonly summary: string;
  /** @param columns of the terminal that text is for; absent where it goes elsewhere, and its lines are as long as they are */
  render(record: RecordsByKind[Kind], columns?: number): string;
}

/** The script that holds the record of a page: its id, and its type as JSON or as JSON by gzip in base64. */
export const PAGE_RECORD = { id: "wirebench", json: "application/json", gzip: "application/gzip" } as const;

/** Gives a report file its types. */
export function defineReport<Kind extends RecordKind = "run">(
  definition: ReportDefinition<Kind>,
): ReportDefinition<Kind> {
  return definition;
}
