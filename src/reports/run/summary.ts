import type { RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { inlineCode, oneLine } from "../escape.ts";
import { markdownTable } from "../table.ts";
import { librariesOf } from "../tables/cells.ts";
import { headlineTable } from "../tables/timing-table.ts";

export default defineReport({
  summary: "the headline tables with the command, the machine and the date, to be put into another document",
  render: renderSummary,
});

/** The headline tables of a run as Markdown, with where they come from. */
export function renderSummary(record: RunRecord): string {
  const { tool, environment, options, startedAt } = record;
  const { cpu, os, node } = environment;
  const source = [
    `${inlineCode(tool.command)} on ${startedAt.slice(0, 10)}`,
    `${cpu.model}, ${cpu.cores} cores, ${os.platform} ${os.arch}, Node ${node.version}`,
    `${options.processes} processes per codec and dataset`,
    librariesOf(record).join(", "),
  ].join("; ");
  const tables = record.datasets.map(
    ({ name, story }) =>
      `**${oneLine(name)}**: ${oneLine(story)}\n\n${markdownTable(headlineTable(record, name, { rates: false }))}`,
  );
  return `${tables.join("\n\n")}\n\n${source}.\n`;
}
