import type { ClassicRecord } from "../../model/records/classic.ts";
import { defineReport } from "../../model/report.ts";
import { besideTable, HIDES, publishedLines } from "../sections/classic.ts";
import { fittedText, textTable } from "../table.ts";

export default defineReport({
  of: "classic",
  summary: "the published lines and table, as a terminal shows them",
  render: renderClassicText,
});

/** What a published method gave, in its own lines and beside what was published, as a terminal shows it. */
export function renderClassicText(record: ClassicRecord, columns?: number): string {
  const lines = publishedLines(record).map((line) => line.replace(/\p{Cc}/gu, " "));
  const table = textTable(besideTable(record), columns);
  return fittedText(`${lines.join("\n")}\n${table}\n\n${HIDES.join("\n")}\n`, columns);
}
