import type { IpcPercentiles } from "../../model/records/ipc.ts";
import type { IpcRemoteRecord } from "../../model/records/ipc-remote.ts";
import { inlineCode, oneLine } from "../escape.ts";
import { markdownTable, type Table, textTable } from "../table.ts";
import { formatBytes, formatNanos } from "../units.ts";
import { left, right } from "./columns.ts";

const PERCENTILES = ["min", "p50", "p90", "p99", "p999", "max"] as const;

/** Messages between two machines as a terminal shows them, and why there is no time for one way. */
export function renderRemoteText(record: IpcRemoteRecord): string {
  return `${[headOf(record).join("\n"), textTable(tableOf(record)), keyOf(record)].join("\n\n")}\n`;
}

/** The same as Markdown, with what was run and when. */
export function renderRemoteMarkdown(record: IpcRemoteRecord): string {
  const { tool, startedAt, reason } = record;
  const head = [
    `Command: ${inlineCode(tool.command)}`,
    `Date: ${startedAt}`,
    ...headOf(record),
    ...(reason === undefined ? [] : [`not complete: ${reason}`]),
  ];
  const parts = [
    "# wirebench report: between two machines",
    head.map((line) => `- ${oneLine(line)}`).join("\n"),
    markdownTable(tableOf(record)),
    keyOf(record),
  ];
  return `${parts.join("\n\n")}\n`;
}

function headOf(record: IpcRemoteRecord): string[] {
  const { codec, library, version, dataset, encodedBytes, messages, warmup, depth, received, lost } = record;
  const { environment, listener } = record;
  const others = lost > 0 ? `, ${lost} lost` : "";
  return [
    `${codec} (${library} ${version}), ${dataset}: ${formatBytes(encodedBytes)} bytes a message, ${depth} at a time`,
    `${received} of ${messages} messages answered${others}, after ${warmup} of warm-up${record.complete ? "" : ": not complete"}`,
    `talker: ${environment.cpu.model}, ${environment.cpu.cores} cores, Node ${environment.node.version}`,
    `listener: ${listener.cpu}, ${listener.cores} cores, Node ${listener.node}`,
    `through: ${record.transport}, channel ${record.channel}`,
  ].map(oneLine);
}

function tableOf({ stages }: IpcRemoteRecord): Table {
  const row = (name: string, times: IpcPercentiles): string[] => [
    name,
    ...PERCENTILES.map((percentile) => {
      const nanos = times[percentile];
      return nanos === undefined ? "" : formatNanos(nanos);
    }),
  ];
  return {
    columns: [...left(""), ...right(...PERCENTILES.map((name) => name.replace("999", "99.9")))],
    rows: [
      row("encode", stages.encode),
      row("decode", stages.decode),
      row("sent to answered", stages.sentToAck),
      row("round trip", stages.roundTrip),
    ],
  };
}

function keyOf({ stages }: IpcRemoteRecord): string {
  const missing =
    stages.roundTrip.p50 === undefined ? "\nA percentile needs more messages: p50 needs 20, p99 1,000." : "";
  return `round trip: from the start of encode until the listener's answer, which it gives once it has read every field.
decode: as the listener's own clock has it. There is no time for one way: the clocks of two machines differ by more
than a message takes, and half a round trip is one way only where both take as long.${missing}`;
}
