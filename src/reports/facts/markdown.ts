import type { FactsRecord } from "../../model/records/facts.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList } from "../escape.ts";
import { incompleteLines } from "../provenance.ts";
import { FACT_TITLES, factTable, refusedLines, versionsLine } from "../sections/facts.ts";
import { librariesTable, libraryNotes } from "../sections/libraries.ts";
import { markdownTable } from "../table.ts";

export default defineReport({
  of: "facts",
  summary: "the tables as Markdown",
  render: (record) => renderFactsMarkdown(record),
});

/** Tables of facts as Markdown. */
export function renderFactsMarkdown(record: FactsRecord): string {
  const parts = record.tables.flatMap((facts) => [
    `## ${facts.table} of ${facts.dataset}: ${FACT_TITLES[facts.table]}`,
    markdownTable(factTable(facts)),
    ...bulletList(refusedLines(facts)),
  ]);
  const libraries = record.libraryTables.flatMap((facts) => [
    `## libraries on ${facts.dataset}`,
    markdownTable(librariesTable(facts)),
    ...bulletList(libraryNotes(facts)),
  ]);
  const about = bulletList([...incompleteLines(record), versionsLine(record), record.command]);
  return `${["# wirebench facts", ...about, ...parts, ...libraries].join("\n\n")}\n`;
}
