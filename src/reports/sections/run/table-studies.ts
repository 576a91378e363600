/** Studies of a run that are tables and no more: how reports say what each found. */
import type { RunRecord } from "../../../model/records/run.ts";
import { markdownTable, type TitledTable, textTable } from "../../table.ts";
import { int64Study } from "./int64-study.ts";
import { stallStudy } from "./stall-study.ts";
import { streamStudy } from "./stream-study.ts";

/** A kind of study. */
interface TableStudy {
  readonly title: string;
  /** How its tables are to be read: Markdown. */
  readonly reading: string;
  /** None for a record of anything else. */
  tables(record: RunRecord): readonly TitledTable[];
}

const STUDIES: readonly TableStudy[] = [int64Study, streamStudy, stallStudy];

/** The tables of all studies. */
export function studyTables(record: RunRecord): TitledTable[] {
  return STUDIES.flatMap((study) => study.tables(record));
}

/** The same as blocks of Markdown. */
export function studySections(record: RunRecord): string[] {
  return STUDIES.flatMap(({ title, reading, tables }) => {
    const own = tables(record);
    if (own.length === 0) return [];
    return [`## ${title}`, reading, ...own.flatMap((one) => [`### ${one.title}`, markdownTable(one.table)])];
  });
}

/** The same as sections of text. */
export function studyTexts(record: RunRecord, columns?: number): string[] {
  return studyTables(record).map(({ title, table }) => `${title}\n\n${textTable(table, columns)}`);
}
