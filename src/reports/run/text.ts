import type { RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { heldProcessesText } from "../held-processes.ts";
import { incompleteLines } from "../provenance.ts";
import { counterLines, countersTable } from "../sections/counters.ts";
import { answerText } from "../sections/run/answer.ts";
import { fileLines, memoryFindings, proofTable } from "../sections/run/bytes.ts";
import { clockNotes, timeSourceLines } from "../sections/run/clocks.ts";
import { linkSummary } from "../sections/run/link.ts";
import { machinesKey, machinesTable, mergedLines } from "../sections/run/machines.ts";
import { blindnessLines, noiseLines } from "../sections/run/noise.ts";
import { readsStudyText } from "../sections/run/reads-study.ts";
import { sizeStudyText } from "../sections/run/size-study.ts";
import { studyTexts } from "../sections/run/table-studies.ts";
import { headlineTable, partsTable, sharedRefusals, sharedTable } from "../sections/run/timing.ts";
import { fittedText, type Table, textTable } from "../table.ts";
import { type DatasetView, viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary: "the tables alone, as a terminal shows them after a run",
  render: renderText,
});

/** The tables of a run as text. */
export function renderText(record: RunRecord, columns?: number): string {
  const view = viewOf(record);
  if (view.isProof) {
    const text = [
      ...incompleteLines(record),
      textTable(proofTable(record), columns),
      ...record.datasets.flatMap(fileLines),
      "",
    ];
    return fittedText(text.join("\n"), columns);
  }
  const { profile } = record.options;
  const key = `× ${view.baseline}: time as a multiple of ${view.baseline}'s. ±: half of the 95 % interval over ${heldProcessesText(record)} (${profile}). ~: cannot be told apart.`;
  const sections = [
    ...incompleteLines(record),
    ...blindnessLines(record),
    ...answerText(record, columns),
    ...view.datasets.map((data) => datasetText(data, columns)),
    ...sizeStudyText(record, columns),
    ...readsStudyText(record, columns),
    ...studyTexts(record, columns),
    [
      ...mergedLines(record),
      ...timeSourceLines(record),
      ...counterLines(record),
      ...noiseLines(record),
      key,
      ...machinesKey(record),
    ].join("\n"),
  ];
  return fittedText(`${sections.join("\n\n")}\n`, columns);
}

function datasetText(data: DatasetView, columns: number | undefined): string {
  const titled = (title: string, table: Table | undefined): string[] =>
    table === undefined ? [] : ["", title, textTable(table, columns)];
  const notes = [
    ...fileLines(data.about),
    ...data.refusals(),
    ...data.withoutBaseline(),
    ...sharedRefusals(data),
    ...data.otherProcesses(),
    ...clockNotes(data),
    ...memoryFindings(data),
  ];
  return [
    oneLine(`${data.name}: ${data.about.story}`),
    "",
    textTable(headlineTable(data, { rates: false }), columns),
    ...data.run.operations.flatMap((operation) =>
      titled(oneLine(`${operation} on each machine`), machinesTable(data, operation)),
    ),
    ...titled("parts of encode and decode", partsTable(data)),
    ...titled("in a process with all codecs and shapes", sharedTable(data)),
    ...titled("instructions, per call", countersTable(data)),
    ...linkSummary(data, columns),
    ...notes.map((line) => `\n${line}`),
  ].join("\n");
}
