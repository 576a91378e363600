import type { IpcRecord } from "../../model/records/ipc.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { isComparable, verdictsOf } from "../sections/ipc/claims/verdicts.ts";
import { driftTable } from "../sections/ipc/drift-table.ts";
import { messageTable } from "../sections/ipc/message-table.ts";
import { paceNotes } from "../sections/ipc/pace-notes.ts";
import { pairTable } from "../sections/ipc/pair-table.ts";
import { singlePointTable } from "../sections/ipc/process-tables.ts";
import { refusalsOf, sectionsOf, type Way } from "../sections/ipc/sections.ts";
import { stageTable } from "../sections/ipc/stage-table.ts";
import { throughputTable } from "../sections/ipc/throughput-table.ts";
import { type Table, textTable } from "../table.ts";

export default defineReport({
  of: "ipc",
  summary: "the tables and what becomes of the published claims, as a terminal shows them",
  render: renderIpcText,
});

/** The tables of a run between processes as a terminal shows them, and the verdicts on the published claims. */
export function renderIpcText(record: IpcRecord): string {
  const sections = sectionsOf(record).flatMap(({ test, dataset, ways }) =>
    ways.map((way) => wayText(test, dataset, way)),
  );
  return `${[...sections, ...verdictText(record), keyText(record)].join("\n\n")}\n`;
}

function wayText(test: string, dataset: string, { description, rows }: Way): string {
  const tables = [
    messageTable(rows),
    stageTable(rows),
    ...(test === "throughput" ? [throughputTable(rows)] : []),
    ...(test === "one-to-two" || test === "two-to-one" ? [pairTable(rows)] : []),
    ...(test === "stability" ? [driftTable(rows)] : []),
    ...(test === "single-point" ? [singlePointTable(rows)] : []),
  ];
  return [
    oneLine(`${test}: ${dataset}: ${description}`),
    ...tables.flatMap((table) => (table === undefined ? [] : [plainTable(table)])),
    ...refusalsOf(rows),
    ...paceNotes(rows),
  ].join("\n\n");
}

function verdictText(record: IpcRecord): string[] {
  if (!isComparable(record)) return [];
  const lines = verdictsOf(record).map(({ statement, dataset, outcome }) =>
    oneLine(`${outcome} (${dataset}): ${statement}`),
  );
  return [["published claims", ...lines].join("\n")];
}

function keyText({ options, environment }: IpcRecord): string {
  const scaled = options.profile === "quick" ? ", scaled down" : "";
  return `p50 to max: from the start of encode until every field was read. %: share of the four stages. Profile ${options.profile}${scaled}; ${environment.cpu.cores} cores.`;
}

/** Names come from files: none may move the cursor. */
function plainTable({ columns, rows }: Table): string {
  return textTable({ columns, rows: rows.map((row) => row.map(oneLine)) });
}
