import type { ClassicRecord } from "../../model/records/classic.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList } from "../escape.ts";
import { type Picture, pictureLink } from "../picture.ts";
import { originLines } from "../provenance.ts";
import { besideTable, HIDES, publishedLines } from "../sections/classic.ts";
import { markdownTable } from "../table.ts";

export default defineReport({
  of: "classic",
  summary: "the whole report, as report.md has it",
  render: (record) => renderClassicMarkdown(record),
});

/** What a published method gave, in its own lines and beside what was published, as Markdown. */
export function renderClassicMarkdown(record: ClassicRecord, pictures: readonly Picture[] = []): string {
  // Indented, so that nothing in a line is taken for Markdown.
  const lines = publishedLines(record).map((line) => `    ${line.replace(/\p{Cc}/gu, " ")}`.trimEnd());
  const parts = [
    `# wirebench report: the published method, ${record.options.benchmark}`,
    ...bulletList(originLines(record)),
    lines.join("\n").trimEnd(),
    "## Beside the published figures",
    markdownTable(besideTable(record)),
    ...pictures.map(pictureLink),
    "## What the method hides",
    HIDES.join(" "),
  ];
  return `${parts.join("\n\n")}\n`;
}
