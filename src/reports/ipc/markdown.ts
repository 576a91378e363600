import type { IpcRecord } from "../../model/records/ipc.ts";
import { defineReport } from "../../model/report.ts";
import { inlineCode, oneLine } from "../escape.ts";
import { type Picture, pictureLink } from "../picture.ts";
import { circumstances, warnings } from "../sections/ipc/circumstances.ts";
import { driftTable } from "../sections/ipc/drift-table.ts";
import { messageTable } from "../sections/ipc/message-table.ts";
import { paceNotes } from "../sections/ipc/pace-notes.ts";
import { pairTable, unfairnessOf } from "../sections/ipc/pair-table.ts";
import { processTable, singlePointTable } from "../sections/ipc/process-tables.ts";
import { publishedSection } from "../sections/ipc/published-section.ts";
import { READING } from "../sections/ipc/reading.ts";
import { refusalsOf, type Section, sectionsOf, type Way } from "../sections/ipc/sections.ts";
import { stageTable } from "../sections/ipc/stage-table.ts";
import { throughputTable } from "../sections/ipc/throughput-table.ts";
import { markdownTable, type Table } from "../table.ts";

export default defineReport({
  of: "ipc",
  summary: "the whole report, as report.md has it",
  render: (record) => renderIpcMarkdown(record),
});

/** The report of a run between processes as Markdown, with links to its plots. */
export function renderIpcMarkdown(record: IpcRecord, plots: readonly Picture[] = []): string {
  const published = publishedSection(record);
  const parts = [
    "# wirebench report: between processes",
    circumstances(record).join("\n"),
    ...warnings(record),
    ...sectionsOf(record).map((section) => sectionText(record, section)),
    ...(published === undefined ? [] : [published]),
    ...(plots.length === 0 ? [] : ["## Plots", ...plots.map(pictureLink)]),
    READING,
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionText(record: IpcRecord, { test, dataset, ways }: Section): string {
  const about = record.datasets.find(({ name }) => name === dataset);
  return [
    `## ${oneLine(`${test}: ${dataset}`)}`,
    ...(about === undefined ? [] : [`${oneLine(about.story)} Message ${inlineCode(about.message)}.`]),
    ...ways.map((way) => wayText(test, way)),
  ].join("\n\n");
}

function wayText(test: string, { description, rows }: Way): string {
  const holes = [...refusalsOf(rows), ...paceNotes(rows)];
  const unfairness = unfairnessOf(rows);
  return [
    `### ${description}`,
    markdownTable(messageTable(rows)),
    ...titled("Where the time went", stageTable(rows)),
    ...titled("Throughput", throughputTable(rows)),
    ...titled("Talkers and listeners", pairTable(rows)),
    ...(unfairness === undefined ? [] : [oneLine(unfairness)]),
    ...(test === "stability" ? titled("Drift", driftTable(rows)) : []),
    ...(test === "single-point" ? titled("One point's side", singlePointTable(rows)) : []),
    ...titled("Processes", processTable(rows)),
    ...(holes.length === 0 ? [] : [holes.map((line) => `- ${line}`).join("\n")]),
  ].join("\n\n");
}

function titled(title: string, table: Table | undefined): string[] {
  return table === undefined ? [] : [`${title}:`, markdownTable(table)];
}
