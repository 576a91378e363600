import { processesOf, type RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { originInShort } from "../provenance.ts";
import { headlineTable } from "../sections/run/timing.ts";
import { markdownTable } from "../table.ts";
import { counted } from "../units.ts";
import { viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary: "the headline tables with the command, the machine and the date, to be put into another document",
  render: renderSummary,
});

/** The headline tables of a run as Markdown, with where they come from. */
export function renderSummary(record: RunRecord): string {
  const view = viewOf(record);
  const source = [
    originInShort(record),
    `${counted(processesOf(record.options), "process", "processes")} per codec and dataset`,
    view.libraries.join(", "),
  ].join("; ");
  const tables = view.datasets.map(
    (data) =>
      `**${oneLine(data.name)}**: ${oneLine(data.about.story)}\n\n${markdownTable(headlineTable(data, { rates: false }))}`,
  );
  return `${tables.join("\n\n")}\n\n${source}.\n`;
}
