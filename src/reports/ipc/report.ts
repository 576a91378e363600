import type { IpcRecord } from "../../model/records/ipc.ts";
import { inlineCode, oneLine } from "../escape.ts";
import { markdownTable, type Table } from "../table.ts";
import { circumstances, warnings } from "./circumstances.ts";
import { driftTable } from "./drift-table.ts";
import { messageTable } from "./message-table.ts";
import { paceNotes } from "./pace-notes.ts";
import { pairTable, unfairnessOf } from "./pair-table.ts";
import { processTable, singlePointTable } from "./process-tables.ts";
import { publishedSection } from "./published-section.ts";
import { READING } from "./reading.ts";
import { refusalsOf, type Section, sectionsOf, type Way } from "./sections.ts";
import { stageTable } from "./stage-table.ts";
import { throughputTable } from "./throughput-table.ts";

/** A plot beside the report. */
export interface IpcPlot {
  /** Its path from the report's folder. */
  readonly file: string;
  readonly title: string;
}

/** The report of a run between processes as Markdown, with links to its plots. */
export function renderIpcMarkdown(record: IpcRecord, plots: readonly IpcPlot[] = []): string {
  const published = publishedSection(record);
  const parts = [
    "# wirebench report: between processes",
    circumstances(record).join("\n"),
    ...warnings(record),
    ...sectionsOf(record).map((section) => sectionText(record, section)),
    ...(published === undefined ? [] : [published]),
    ...(plots.length === 0 ? [] : ["## Plots", ...plots.map(imageOf)]),
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

function imageOf({ file, title }: IpcPlot): string {
  const text = oneLine(title).replace(/[[\]\\]/g, "\\$&");
  const target = encodeURI(file.toWellFormed()).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  return `![${text}](${target})`;
}
