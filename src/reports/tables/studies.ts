import type { RunRecord } from "../../model/records/run.ts";
import { readsStudySections, readsStudyText } from "./reads-study.ts";
import { sizeStudySections, sizeStudyText } from "./size-study.ts";

/** What the study of a record found, as blocks of Markdown; empty where it is of none. */
export function studySections(record: RunRecord): string[] {
  return [...sizeStudySections(record), ...readsStudySections(record)];
}

/** The same as sections of text. */
export function studyText(record: RunRecord): string[] {
  return [...sizeStudyText(record), ...readsStudyText(record)];
}
