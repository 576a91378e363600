import type { FactsRecord } from "../../model/records/facts.ts";
import { defineReport } from "../../model/report.ts";
import { incompleteLines } from "../provenance.ts";
import { caseLines, FACT_TITLES, factTable, refusedLines } from "../sections/facts.ts";
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

/** The case of each cell of some tables, whole: its lines are as long as they are. */
export function renderFactCases({ tables }: FactsRecord): string {
  return tables
    .flatMap(caseLines)
    .map((line) => `${line}\n`)
    .join("");
}
