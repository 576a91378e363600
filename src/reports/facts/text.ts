import type { FactsRecord, FactTableName } from "../../model/records/facts.ts";
import { defineReport } from "../../model/report.ts";
import { incompleteLines } from "../provenance.ts";
import { caseLines, codecOf, FACT_TITLES, factTable, refusedLines, versionsLine } from "../sections/facts.ts";
import { librariesTable, libraryNotes } from "../sections/libraries.ts";
import { fittedText, textTable } from "../table.ts";

export default defineReport({
  of: "facts",
  summary: "the tables, as a terminal shows them",
  render: renderFactsText,
});

/** Tables of facts, as a terminal shows them. */
export function renderFactsText(record: FactsRecord, columns?: number): string {
  const texts = [
    ...incompleteLines(record),
    ...record.tables.map((facts) =>
      [
        fittedText(`${facts.table} of ${facts.dataset}: ${FACT_TITLES[facts.table]}`, columns),
        textTable(factTable(facts), columns),
        ...refusedLines(facts),
      ].join("\n"),
    ),
    ...record.libraryTables.map((facts) =>
      [
        `libraries on ${facts.dataset}`,
        textTable(librariesTable(facts), columns),
        ...libraryNotes(facts).map((line) => fittedText(line, columns)),
      ].join("\n"),
    ),
  ];
  return `${texts.join("\n\n")}\n`;
}

/**
 * The case of each cell of some tables, whole: its lines are as long as they are. Of each it says of which versions it is, and
 * the command that has it again.
 */
export function renderFactCases(
  record: FactsRecord,
  commandFor: (codec: string, table: FactTableName, row: string) => string,
): string {
  return record.tables
    .flatMap((table) =>
      caseLines(table, (column, name, row) => [
        `of ${versionsLine(record, column)}; to have it again:`,
        commandFor(codecOf(column), name, row),
      ]),
    )
    .map((line) => `${line}\n`)
    .join("");
}
