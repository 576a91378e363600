import type { DatasetRecord, RunRecord } from "../../model/records/run.ts";
import { defineReport } from "../../model/report.ts";
import { inlineCode, oneLine } from "../escape.ts";
import { markdownTable } from "../table.ts";
import { librariesOf, refusals } from "../tables/cells.ts";
import { fewerProcesses } from "../tables/fewer-processes.ts";
import { memoryFindings, memoryTable } from "../tables/memory-table.ts";
import { noiseLines } from "../tables/noise-lines.ts";
import { isProof, proofTable } from "../tables/proof-table.ts";
import { ADDRESS_BOOK, publishedAddressBook } from "../tables/published-address-book.ts";
import { sharedRefusals, sharedTable } from "../tables/shared-table.ts";
import { sizeTable } from "../tables/size-table.ts";
import { startTable } from "../tables/start-table.ts";
import { studySections } from "../tables/studies.ts";
import { headlineTable, partsTable } from "../tables/timing-table.ts";
import { wireSection } from "../tables/wire-section.ts";
import { formatBytes } from "../units.ts";

export default defineReport({
  summary: "the whole report, as report.md has it",
  render: renderMarkdown,
});

/** The report of a run as Markdown. */
export function renderMarkdown(record: RunRecord): string {
  const sections = isProof(record)
    ? [markdownTable(proofTable(record))]
    : [
        ...record.datasets.map((dataset) => datasetSection(record, dataset)),
        ...studySections(record),
        ...noiseSection(record),
        reading(record),
      ];
  return `${["# wirebench report", circumstances(record), ...sections].join("\n\n")}\n`;
}

function circumstances(record: RunRecord): string {
  const { tool, environment } = record;
  const { cpu, os, node } = environment;
  const governor = cpu.governor === null ? "" : `, governor ${cpu.governor}`;
  const memory = `${(environment.memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  const lines = [
    `- Command: ${inlineCode(tool.command)}`,
    `- Date: ${record.startedAt}${record.complete ? "" : " (not complete: the run goes on, or was interrupted)"}`,
    `- Machine: ${cpu.model}, ${cpu.cores} cores${governor}, ${memory}, ${os.platform} ${os.release} ${os.arch}, load ${environment.load.join(" ")}`,
    `- Node ${node.version}, V8 ${node.v8}, ${node.execArgv.join(" ")}; wirebench ${tool.version}`,
    `- Libraries: ${librariesOf(record).join(", ")}`,
    ...(isProof(record) ? [] : [`- ${howMeasured(record)}`]),
  ];
  return lines.join("\n");
}

function howMeasured({ options }: RunRecord): string {
  const { profile, processes, isolate, warmupMs, measureMs, batchMicros, seed } = options;
  const each = isolate === "cell" ? "operation, codec" : "codec";
  return `Profile ${profile}: ${processes} processes per ${each} and dataset, ${warmupMs} ms of warm-up and ${measureMs} ms measured per operation, in batches of about ${batchMicros} µs; seed ${seed}`;
}

function datasetSection(record: RunRecord, dataset: DatasetRecord): string {
  const { name, story, message } = dataset;
  const parts = partsTable(record, name);
  const holes = refusals(record, name);
  const memory = memoryTable(record, name);
  const start = startTable(record, name);
  const shared = sharedTable(record, name);
  const published = name === ADDRESS_BOOK ? publishedAddressBook(record) : undefined;
  return [
    `## ${oneLine(name)}`,
    `${oneLine(story)} Message ${inlineCode(message)}${aboutValues(dataset)}.`,
    "### Time",
    markdownTable(headlineTable(record, name, { rates: true })),
    ...bulleted([...holes, ...fewerProcesses(record, name)]),
    ...(parts === undefined ? [] : ["### Parts of encode and decode", markdownTable(parts)]),
    ...(shared === undefined ? [] : ["### In a process with all codecs and shapes", markdownTable(shared)]),
    ...bulleted(sharedRefusals(record, name)),
    "### Size",
    ...((dataset.values ?? 1) > 1
      ? ["Of the first value alone; the bytes beside the times are the mean over all values."]
      : []),
    markdownTable(sizeTable(record, name)),
    ...(memory === undefined ? [] : ["### Memory, per call", markdownTable(memory)]),
    ...bulleted(memoryFindings(record, name)),
    ...(start === undefined ? [] : ["### Cold start", markdownTable(start)]),
    ...wireSection(record, name),
    ...(published === undefined ? [] : ["### Beside the published figures", published]),
  ].join("\n\n");
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${oneLine(line)}`).join("\n");
}

/** A list of these lines, if there are any. */
function bulleted(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [bullets(lines)];
}

function aboutValues({ values, int64, sha256 }: DatasetRecord): string {
  if (values === undefined || sha256 === undefined) return "";
  const ring = values === 1 ? "one value, copied" : `${values} values`;
  return `, ${ring}; 64-bit integers are ${int64}s; SHA-256 ${sha256.slice(0, 16)}…`;
}

function noiseSection(record: RunRecord): string[] {
  const lines = noiseLines(record);
  return lines.length === 0 ? [] : ["## Noise", bullets(lines)];
}

function reading({ options, payloads }: RunRecord): string {
  const largest = Math.max(0, ...payloads.map(({ bytes }) => bytes));
  const brotli = largest > 2 ** 20 ? `, and quality 5 above ${formatBytes(2 ** 20)} bytes` : "";
  return `## How to read this

Times are for one message: the median over processes. ± is half of the 95 % confidence interval over processes, as a
share of the median. × ${options.baseline} is the time as a multiple of ${options.baseline}'s, block by block: below 1 is faster; ~ marks
what cannot be told from ${options.baseline}. Codecs of one rank cannot be told apart (~). MB/s counts encoded
bytes, so a format that takes more bytes scores higher for the same time. encode is a plain value to bytes; decode is
bytes to a plain value with every field; access visits every field from bytes without making the value. Every codec was
proven to carry the data, in each process, before it was timed. Memory is in bytes per call, measured in a pass of its own:
on the collected heap, outside of it, the time of collections and their longest pause, what one kept result keeps alive,
and the most that a measuring process held. Cold figures are medians over processes: loading the library, binding to the
schema, the first call, and how long calls took until their time stayed within a tenth of the measured one. Compressed sizes are with the defaults of Node's zlib${brotli}.`;
}
