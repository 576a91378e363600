import type { IpcRecord, IpcTestRecord } from "../../model/records/ipc.ts";
import { defineReport } from "../../model/report.ts";
import { inlineCode, oneLine } from "../escape.ts";
import { librariesOf } from "../sections/ipc/circumstances.ts";
import { left, right } from "../sections/ipc/columns.ts";
import { middleOrMost, timeOrNothing } from "../sections/ipc/figures.ts";
import { measured } from "../sections/ipc/sections.ts";
import { STAGES } from "../sections/ipc/stage-table.ts";
import { markdownTable, type Table } from "../table.ts";
import { formatBytes } from "../units.ts";

export default defineReport({
  of: "ipc",
  summary: "the latencies with the command, the machine and the date, to be put into another document",
  render: renderIpcSummary,
});

/** The latencies of a run between processes as Markdown, with where they come from. */
export function renderIpcSummary(record: IpcRecord): string {
  const { tool, environment, startedAt } = record;
  const { cpu, os, node } = environment;
  const latencies = record.tests.filter(({ test }) => test === "latency");
  const tables = record.datasets.flatMap(({ name, story }) => {
    const rows = measured(latencies.filter(({ dataset }) => dataset === name));
    return rows.length === 0
      ? []
      : [`**${oneLine(name)}**: ${oneLine(story)}\n\n${markdownTable(latencyTable(rows))}`];
  });
  const source = [
    `${inlineCode(tool.command)} on ${startedAt.slice(0, 10)}`,
    `${cpu.model}, ${cpu.cores} cores, ${os.platform} ${os.arch}, Node ${node.version}`,
    `over ${oneLine(record.options.transport)}`,
    librariesOf(record.tests).join(", "),
  ].join("; ");
  return `${tables.join("\n\n")}\n\n${source}.\n`;
}

function latencyTable(rows: readonly IpcTestRecord[]): Table {
  return {
    columns: [...left("codec"), ...right("bytes", "end-to-end p50", "p90", "max", ...STAGES)],
    rows: rows.map(({ codec, encodedBytes, stages }) => [
      codec,
      formatBytes(encodedBytes),
      middleOrMost(stages.endToEnd),
      timeOrNothing(stages.endToEnd?.p90),
      timeOrNothing(stages.endToEnd?.max),
      ...STAGES.map((stage) => middleOrMost(stages[stage])),
    ]),
  };
}
