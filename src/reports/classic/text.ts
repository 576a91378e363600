import type { ClassicRecord } from "../../model/records/classic.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { besideTable, HIDES, publishedLines } from "../sections/classic.ts";
import { textTable } from "../table.ts";

export default defineReport({
  of: "classic",
  summary: "the published lines and table, as a terminal shows them",
  render: renderClassicText,
});

/** What a published method gave, in its own lines and beside what was published, as a terminal shows it. */
export function renderClassicText(record: ClassicRecord): string {
  const lines = publishedLines(record).map((line) => line.replace(/\p{Cc}/gu, " "));
  const { columns, rows } = besideTable(record);
  const table = textTable({ columns, rows: rows.map((row) => row.map(oneLine)) });
  return `${lines.join("\n")}\n${table}\n\n${HIDES.join("\n")}\n`;
}
