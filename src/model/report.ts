import type { RunRecord } from "./records/run.ts";

/** A pure function from a record to a document: it measures nothing, reads no file and needs no codec. */
export interface ReportDefinition {
  /** One line: what the document is for. */
  readonly summary: string;
  render(record: RunRecord): string;
}

/** Gives a report file its types. */
export function defineReport(definition: ReportDefinition): ReportDefinition {
  return definition;
}
