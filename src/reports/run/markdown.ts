import type { DatasetRecord, RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList, inlineCode, oneLine } from "../escape.ts";
import { heldProcessesText } from "../held-processes.ts";
import { type Pictured, pictureLink, type RunPicture } from "../picture.ts";
import { originLines } from "../provenance.ts";
import { counterLines, countersTable } from "../sections/counters.ts";
import { answerMarkdown } from "../sections/run/answer.ts";
import { fileLines, memoryFindings, memoryTable, proofTable, sizeTable } from "../sections/run/bytes.ts";
import { clockNotes, clocksTable, timeSourceLines } from "../sections/run/clocks.ts";
import { linkSection } from "../sections/run/link.ts";
import { machinesKey, machinesTable, mergedLines } from "../sections/run/machines.ts";
import { blindnessLines, noiseLines } from "../sections/run/noise.ts";
import { readsStudySections } from "../sections/run/reads-study.ts";
import { sizeStudySections } from "../sections/run/size-study.ts";
import { studySections } from "../sections/run/table-studies.ts";
import {
  headlineTable,
  partsTable,
  sharedRefusals,
  sharedTable,
  startTable,
} from "../sections/run/timing.ts";
import { usesLines, usesTable } from "../sections/run/uses.ts";
import { markdownTable, type Table } from "../table.ts";
import { formatBytes } from "../units.ts";
import { type DatasetView, type RunView, viewOf } from "../view.ts";

export default defineReport({
  of: "run",
  summary: "the whole report, as report.md has it",
  render: (record) => renderMarkdown(record),
});

/** The report of a run as Markdown, with links to its pictures. */
export function renderMarkdown(record: RunRecord, pictures: readonly RunPicture[] = []): string {
  const view = viewOf(record);
  const pictured: Pictured = (name, section) =>
    pictures.filter((one) => one.dataset === name && one.section === section).map(pictureLink);
  const sections = view.isProof
    ? [markdownTable(proofTable(record)), ...bulletList(record.datasets.flatMap(fileLines))]
    : [
        ...view.datasets.map((data) => datasetSection(data, pictured)),
        ...sizeStudySections(record, pictured),
        ...readsStudySections(record, pictured),
        ...studySections(record),
        ...bulletList(counterLines(record)),
        ...noiseSection(record),
        reading(record),
      ];
  const first = blindnessLines(record).map((line) => `**${line}**`);
  return `${["# wirebench report", ...first, ...answerMarkdown(record), conditions(view), ...sections].join("\n\n")}\n`;
}

function conditions({ record, libraries, isProof }: RunView): string {
  const lines = [...originLines(record), ...mergedLines(record), `Libraries: ${libraries.join(", ")}`];
  return bulletList(isProof ? lines : [...lines, howMeasured(record)]).join("");
}

function howMeasured(record: RunRecord): string {
  const { profile, isolate, cores, warmupMs, measureMs, batchMicros, seed, shard } = record.options;
  const pinned = cores === undefined ? "" : `, each pinned to ${cores === 1 ? "one core" : `${cores} cores`}`;
  const each = isolate === "cell" ? "operation, codec" : "codec";
  return `Profile ${profile}: ${heldProcessesText(record)} per ${each} and dataset, ${warmupMs} ms of warm-up and ${measureMs} ms measured per operation, in batches of about ${batchMicros} µs${pinned}; seed ${seed}${shard === undefined ? "" : `; shard ${shard}`}`;
}

function datasetSection(data: DatasetView, pictured: Pictured): string {
  const { name, about } = data;
  return [
    `## ${oneLine(name)}`,
    `${oneLine(about.story)} Message ${inlineCode(about.message)}${aboutValues(about)}.`,
    "### Time",
    markdownTable(headlineTable(data, { rates: true })),
    ...pictured(name, "time"),
    ...data.run.operations.flatMap((operation) =>
      titled(`#### ${oneLine(operation)} on each machine`, machinesTable(data, operation)),
    ),
    ...machinesKey(data.run.record),
    ...bulletList([
      ...fileLines(about),
      ...data.refusals(),
      ...data.withoutBaseline(),
      ...data.otherProcesses(),
      ...clockNotes(data),
    ]),
    ...titled("### On a core, by the clock, and on all threads", clocksTable(data)),
    ...titled("### Parts of encode and decode", partsTable(data)),
    ...titled("### In a process with all codecs and shapes", sharedTable(data)),
    ...bulletList(sharedRefusals(data)),
    ...titled("### Instructions, per call", countersTable(data)),
    "### Size",
    ...((about.values ?? 1) > 1
      ? ["Of the first value alone; the bytes beside the times are the mean over all values."]
      : []),
    markdownTable(sizeTable(data)),
    ...titled("### Where the bytes go", usesTable(data)),
    ...bulletList(usesLines(data)),
    ...pictured(name, "size"),
    ...titled("### Memory, per call", memoryTable(data)),
    ...bulletList(memoryFindings(data)),
    ...titled("### Cold start", startTable(data)),
    ...linkSection(data),
  ].join("\n\n");
}

function titled(title: string, table: Table | undefined): string[] {
  return table === undefined ? [] : [title, markdownTable(table)];
}

function aboutValues({ values, int64, sha256 }: DatasetRecord): string {
  if (values === undefined || sha256 === undefined) return "";
  const ring = values === 1 ? "one value, copied" : `${values} values`;
  return `, ${ring}; 64-bit integers are ${int64}s; SHA-256 ${sha256.slice(0, 16)}…`;
}

function noiseSection(record: RunRecord): string[] {
  const lines = [...timeSourceLines(record), ...noiseLines(record)];
  return lines.length === 0 ? [] : ["## Noise", ...bulletList(lines)];
}

function reading({ options, payloads }: RunRecord): string {
  return `## How to read this

Times are for one message, on a core where the system tells that: the median over processes, or both levels where they are of
two. By the clock a call takes longer where its thread waits, and on all threads where others work for it. ± is half of the
95 % confidence interval over processes, as a share of the median. × ${options.baseline} is the time as a multiple of ${options.baseline}'s, block by block: below 1 is faster; ~ marks
what cannot be told from ${options.baseline}. Codecs of one rank cannot be told apart (~). MB/s counts encoded
bytes, so a format that takes more bytes scores higher for the same time. encode is a plain value to bytes; decode is
bytes to a plain value with every field; access visits every field from bytes without making the value. Every codec was
proven to carry the data, in each process that timed it. Memory is in bytes per call, measured in a pass of its own:
on the collected heap, outside of it, the time of collections and their longest pause, what one kept result keeps alive,
and the most that a measuring process held. Cold figures are medians over processes: loading the library, binding to the
schema, the first call, and how long calls took until their time stayed within a tenth of the measured one. Compressed sizes are with the defaults of Node's zlib${brotliNote(payloads)}.`;
}

/** What is said of messages for which Brotli's default level takes too long. */
function brotliNote(payloads: RunRecord["payloads"]): string {
  const lower = payloads.filter(({ brotliQuality, bytes }) => brotliQuality !== undefined || bytes > 2 ** 20);
  const [first] = lower;
  if (first === undefined) return "";
  const least = formatBytes(Math.min(...lower.map(({ bytes }) => bytes)));
  return `, and at Brotli's quality ${first.brotliQuality ?? 5} for messages of ${least} bytes and more`;
}
