import type { RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { textTable } from "../table.ts";
import { refusals } from "../tables/cells.ts";
import { fewerProcesses } from "../tables/fewer-processes.ts";
import { memoryFindings } from "../tables/memory-table.ts";
import { noiseLines } from "../tables/noise-lines.ts";
import { isProof, proofTable } from "../tables/proof-table.ts";
import { sharedRefusals, sharedTable } from "../tables/shared-table.ts";
import { studyText } from "../tables/studies.ts";
import { headlineTable, partsTable } from "../tables/timing-table.ts";
import { wireSummary } from "../tables/wire-section.ts";

export default defineReport({
  summary: "the tables alone, as a terminal shows them after a run",
  render: renderText,
});

/** The tables of a run as text. */
export function renderText(record: RunRecord): string {
  if (isProof(record)) return `${textTable(proofTable(record))}\n`;
  const sections = record.datasets.map(({ name, story }) => {
    const parts = partsTable(record, name);
    const shared = sharedTable(record, name);
    return [
      oneLine(`${name}: ${story}`),
      "",
      textTable(headlineTable(record, name, { rates: false })),
      ...(parts === undefined ? [] : ["", "parts of encode and decode", textTable(parts)]),
      ...(shared === undefined ? [] : ["", "in a process with all codecs and shapes", textTable(shared)]),
      ...wireSummary(record, name),
      ...[
        ...refusals(record, name),
        ...sharedRefusals(record, name),
        ...fewerProcesses(record, name),
        ...memoryFindings(record, name),
      ].map((line) => `\n${line}`),
    ].join("\n");
  });
  sections.push(...studyText(record));
  const { baseline, processes, profile } = record.options;
  const key = `× ${baseline}: time as a multiple of ${baseline}'s. ±: half of the 95 % interval over ${processes} processes (${profile}).`;
  const ranks = "~: cannot be told apart.";
  return `${[...sections, [...noiseLines(record), `${key} ${ranks}`].join("\n")].join("\n\n")}\n`;
}
