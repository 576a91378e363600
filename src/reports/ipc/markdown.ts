import { type TestGroup, testGroups } from "../../analysis/ipc-tests.ts";
import type { IpcRecord, IpcTestName, IpcTestRecord } from "../../model/records/ipc.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList, inlineCode, oneLine } from "../escape.ts";
import { type Picture, pictureLink } from "../picture.ts";
import { conditionLines, setupText, warningsOf } from "../sections/ipc/conditions.ts";
import {
  driftTable,
  messageTable,
  pairTable,
  processTable,
  singlePointTable,
  stageTable,
  testNotes,
  throughputTable,
  unfairnessText,
} from "../sections/ipc/tables.ts";
import { markdownTable, type Table } from "../table.ts";

export default defineReport({
  of: "ipc",
  summary: "the whole report, as report.md has it",
  render: (record) => renderIpcMarkdown(record),
});

/** The report of a run between processes as Markdown, with links to its plots. */
export function renderIpcMarkdown(record: IpcRecord, plots: readonly Picture[] = []): string {
  const parts = [
    "# wirebench report: between processes",
    ...bulletList(conditionLines(record)),
    ...warningsOf(record),
    ...testGroups(record.tests).map((group) => groupSection(record, group)),
    ...(plots.length === 0 ? [] : ["## Plots", ...plots.map(pictureLink)]),
    READING,
  ];
  return `${parts.join("\n\n")}\n`;
}

function groupSection(record: IpcRecord, { test, dataset, setups }: TestGroup): string {
  const about = record.datasets.find(({ name }) => name === dataset);
  return [
    `## ${oneLine(`${test}: ${dataset}`)}`,
    ...(about === undefined ? [] : [`${oneLine(about.story)} Message ${inlineCode(about.message)}.`]),
    ...setups.flatMap((tests) => setupSection(test, tests)),
  ].join("\n\n");
}

function setupSection(test: IpcTestName, tests: readonly IpcTestRecord[]): string[] {
  return [
    `### ${setupText(tests)}`,
    markdownTable(messageTable(tests)),
    ...titled("Where the time went", stageTable(tests)),
    ...titled("Throughput", throughputTable(tests)),
    ...titled("Talkers and listeners", pairTable(tests)),
    ...unfairnessText(tests),
    ...(test === "stability" ? titled("Drift", driftTable(tests)) : []),
    ...(test === "single-point" ? titled("One point's side", singlePointTable(tests)) : []),
    ...titled("Processes", processTable(tests)),
    ...bulletList(testNotes(tests)),
  ];
}

function titled(title: string, table: Table | undefined): string[] {
  return table === undefined ? [] : [`${title}:`, markdownTable(table)];
}

/** How the report of a run between processes is to be read. */
const READING = `## How to read this

    intended ── encode starts ──encode── encoded ──transport── last byte ──queue── taken ──decode── every field read

- **p50 to max** are of the end-to-end time, from the start of encode until every field was read at the listener: a
  lazy decode pays there for what it put off. **response** is the same from when the message was to be sent, so that a
  stall counts for all that it held up. **transport** has the talker's queue in it.
- A field of bytes counts as read with a view of it, which takes no time, or a copy, by what the codec gives: a program that
  looks at each byte pays for that with every codec. \`ready-bytes\` is the transport alone and reads nothing.
- Percentiles are nearest-rank, over all pairs of talker and listener, and stand only where at least 10 messages lie on
  both sides: p50 from 20 messages on, p90 from 100, p99 from 1,000, p99.9 from 10,000. An empty field is not a zero. Where
  a stage has no median, its maximum stands there and says so. **%** is a stage's share of the four figures.
- **dropped** by place: in the talker's queue, in a slot that was written again before it was read, in the listener's
  queue. Published is received and all drops. **total** is from when the first message was to be sent until the last was read.
- **Payload** is what a message holds, the same for every codec; **encoded** is what went over the transport. MB are 10^6
  bytes, per second from the first byte of the first message to the last field of the last, at the listeners. **of memcpy**
  is the encoded rate as a share of what one thread of this machine copies.
- **Drift** is Theil and Sen's slope, with Sen's interval widened for what neighbouring messages have in common; memory's is
  the same slope, after the first 1,000 messages.
- **handling** is encoding, or decoding and reading, without what the transport took. The **first message** is the first
  that the process ever met. CPU and memory are of the process, which threads share.`;
