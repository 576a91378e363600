import { measuredTests, STAGES } from "../../analysis/ipc-tests.ts";
import type { IpcRecord, IpcTestRecord } from "../../model/records/ipc.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { originInShort } from "../provenance.ts";
import { libraryNames } from "../sections/ipc/conditions.ts";
import { middleOrMost, timeText } from "../sections/ipc/tables.ts";
import { left, markdownTable, right, type Table, tableOf } from "../table.ts";
import { formatBytes } from "../units.ts";

export default defineReport({
  of: "ipc",
  summary: "the latencies with the command, the machine and the date, to be put into another document",
  render: renderIpcSummary,
});

/** The latencies of a run between processes as Markdown, with where they come from. */
export function renderIpcSummary(record: IpcRecord): string {
  const latencies = measuredTests(record.tests).filter(({ test }) => test === "latency");
  const tables = record.datasets.flatMap(({ name, story }) => {
    const own = latencies.filter(({ dataset }) => dataset === name);
    return own.length === 0
      ? []
      : [`**${oneLine(name)}**: ${oneLine(story)}\n\n${markdownTable(latencyTable(own))}`];
  });
  const source = [
    originInShort(record),
    `over ${oneLine(record.options.transport)}`,
    libraryNames(record.tests),
  ].join("; ");
  return `${tables.join("\n\n")}\n\n${source}.\n`;
}

function latencyTable(tests: readonly IpcTestRecord[]): Table {
  return tableOf(tests, [
    left("codec", ({ codec }) => codec),
    right("bytes", ({ encodedBytes }) => formatBytes(encodedBytes)),
    right("end-to-end p50", ({ stages }) => middleOrMost(stages.endToEnd)),
    right("p90", ({ stages }) => timeText(stages.endToEnd?.p90)),
    right("max", ({ stages }) => timeText(stages.endToEnd?.max)),
    ...STAGES.map((stage) => right<IpcTestRecord>(stage, ({ stages }) => middleOrMost(stages[stage]))),
  ]);
}
