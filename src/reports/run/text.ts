import type { RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { fileLines, memoryFindings, proofTable } from "../sections/run/bytes.ts";
import { linkSummary } from "../sections/run/link.ts";
import { noiseLines } from "../sections/run/noise.ts";
import { readsStudyText } from "../sections/run/reads-study.ts";
import { sizeStudyText } from "../sections/run/size-study.ts";
import { headlineTable, partsTable, sharedRefusals, sharedTable } from "../sections/run/timing.ts";
import { type Table, textTable } from "../table.ts";
import { type DatasetView, viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary: "the tables alone, as a terminal shows them after a run",
  render: renderText,
});

/** The tables of a run as text. */
export function renderText(record: RunRecord): string {
  const view = viewOf(record);
  if (view.isProof) {
    return [textTable(proofTable(record)), ...record.datasets.flatMap(fileLines), ""].join("\n");
  }
  const { processes, profile } = record.options;
  const key = `× ${view.baseline}: time as a multiple of ${view.baseline}'s. ±: half of the 95 % interval over ${processes} processes (${profile}). ~: cannot be told apart.`;
  const sections = [
    ...view.datasets.map(datasetText),
    ...sizeStudyText(record),
    ...readsStudyText(record),
    [...noiseLines(record), key].join("\n"),
  ];
  return `${sections.join("\n\n")}\n`;
}

function datasetText(data: DatasetView): string {
  const titled = (title: string, table: Table | undefined): string[] =>
    table === undefined ? [] : ["", title, textTable(table)];
  const notes = [
    ...fileLines(data.about),
    ...data.refusals(),
    ...sharedRefusals(data),
    ...data.fewerProcesses(),
    ...memoryFindings(data),
  ];
  return [
    oneLine(`${data.name}: ${data.about.story}`),
    "",
    textTable(headlineTable(data, { rates: false })),
    ...titled("parts of encode and decode", partsTable(data)),
    ...titled("in a process with all codecs and shapes", sharedTable(data)),
    ...linkSummary(data),
    ...notes.map((line) => `\n${line}`),
  ].join("\n");
}
