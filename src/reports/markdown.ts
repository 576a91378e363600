import { defineReport } from "../model/report.ts";
import type { DatasetRecord, RunRecord } from "../model/run-record.ts";
import { librariesOf, refusals } from "../rendering/cells.ts";
import { inlineCode, oneLine } from "../rendering/escape.ts";
import { isProof, proofTable } from "../rendering/proof-table.ts";
import { ADDRESS_BOOK, publishedAddressBook } from "../rendering/published-address-book.ts";
import { sizeTable } from "../rendering/size-table.ts";
import { markdownTable } from "../rendering/table.ts";
import { headlineTable, partsTable } from "../rendering/timing-table.ts";
import { formatBytes } from "../rendering/units.ts";

export default defineReport({
  summary: "the whole report, as report.md has it",
  render: renderMarkdown,
});

/** The report of a run as Markdown. */
export function renderMarkdown(record: RunRecord): string {
  const sections = isProof(record)
    ? [markdownTable(proofTable(record))]
    : [...record.datasets.map((dataset) => datasetSection(record, dataset)), reading(record)];
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
  const published = name === ADDRESS_BOOK ? publishedAddressBook(record) : undefined;
  return [
    `## ${oneLine(name)}`,
    `${oneLine(story)} Message ${inlineCode(message)}${aboutValues(dataset)}.`,
    "### Time",
    markdownTable(headlineTable(record, name, { rates: true })),
    ...(parts === undefined ? [] : ["### Parts of encode and decode", markdownTable(parts)]),
    ...(holes.length === 0 ? [] : [holes.map((line) => `- ${line}`).join("\n")]),
    "### Size",
    ...((dataset.values ?? 1) > 1
      ? ["Of the first value alone; the bytes beside the times are the mean over all values."]
      : []),
    markdownTable(sizeTable(record, name)),
    ...(published === undefined ? [] : ["### Beside the published figures", published]),
  ].join("\n\n");
}

function aboutValues({ values, int64, sha256 }: DatasetRecord): string {
  if (values === undefined || sha256 === undefined) return "";
  const ring = values === 1 ? "one value, copied" : `${values} values`;
  return `, ${ring}; 64-bit integers are ${int64}s; SHA-256 ${sha256.slice(0, 16)}…`;
}

function reading({ options, payloads }: RunRecord): string {
  const largest = Math.max(0, ...payloads.map(({ bytes }) => bytes));
  const brotli = largest > 2 ** 20 ? `, and quality 5 above ${formatBytes(2 ** 20)} bytes` : "";
  return `## How to read this

Times are for one message: the median over processes. ± is half of the 95 % confidence interval over processes, as a
share of the median. × ${options.baseline} is the time as a multiple of ${options.baseline}'s: below 1 is faster. MB/s counts encoded
bytes, so a format that takes more bytes scores higher for the same time. encode is a plain value to bytes; decode is
bytes to a plain value with every field; access visits every field from bytes without making the value. Every codec was
proven to carry the data, in each process, before it was timed. Compressed sizes are with the defaults of Node's zlib${brotli}.`;
}
