import type { RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { heldProcessesText } from "../held-processes.ts";
import { originInShort } from "../provenance.ts";
import { answerMarkdown } from "../sections/run/answer.ts";
import { proofTable } from "../sections/run/bytes.ts";
import { headlineTable } from "../sections/run/timing.ts";
import { markdownTable } from "../table.ts";
import { viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary:
    "the answer and the headline tables with the command, the machine and the date, to be put into another document",
  render: renderSummary,
});

/** The answer and the headline tables of a run as Markdown, with where they come from. */
export function renderSummary(record: RunRecord): string {
  const view = viewOf(record);
  const source = [
    originInShort(record),
    ...(view.isProof ? [] : [`${heldProcessesText(record)} per codec and dataset`]),
    view.libraries.join(", "),
  ].join("; ");
  if (view.isProof) return `${markdownTable(proofTable(record))}\n\n${source}.\n`;
  const tables = view.datasets.map(
    (data) =>
      `**${oneLine(data.name)}**: ${oneLine(data.about.story)}\n\n${markdownTable(headlineTable(data, { rates: false }))}`,
  );
  return `${[...answerMarkdown(record), ...tables].join("\n\n")}\n\n${source}.\n`;
}
