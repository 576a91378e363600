import type { IpcPercentiles } from "../../model/records/ipc.ts";
import type { IpcRemoteRecord } from "../../model/records/ipc-remote.ts";
import { oneLine } from "../escape.ts";
import { libraryName, runtimeName } from "../provenance.ts";
import { left, right, type Table, tableOf } from "../table.ts";
import { counted, formatNanos } from "../units.ts";

const PERCENTILES = ["min", "p50", "p90", "p99", "p999", "max"] as const;

/** What was sent between two machines, and between which, a line each. */
export function remoteHead(record: IpcRemoteRecord): string[] {
  const { codec, dataset, encodedBytes, messages, warmup, depth, received, lost } = record;
  const { environment, listener } = record;
  const others = lost > 0 ? `, ${lost} lost` : "";
  return [
    `${codec} (${libraryName(record)}), ${dataset}: ${counted(encodedBytes, "byte")} a message, ${depth} at a time`,
    `${received} of ${messages} messages answered${others}, after ${warmup} of warm-up${record.complete ? "" : ": not complete"}`,
    `talker: ${environment.cpu.model}, ${counted(environment.cpu.cores, "core")}, ${runtimeName(environment.runtime)}`,
    `listener: ${listener.cpu}, ${counted(listener.cores, "core")}, Node ${listener.node}`,
    `through: ${record.transport}, channel ${record.channel}`,
  ].map(oneLine);
}

/** The times of the stages that can be measured between two clocks. */
export function remoteTable({ stages }: IpcRemoteRecord): Table {
  const rows: readonly (readonly [name: string, times: IpcPercentiles])[] = [
    ["encode", stages.encode],
    ["decode", stages.decode],
    ["sent to answered", stages.sentToAck],
    ["round trip", stages.roundTrip],
  ];
  return tableOf(rows, [
    left("", ([name]) => name),
    ...PERCENTILES.map((percentile) =>
      right<(typeof rows)[number]>(percentile.replace("999", "99.9"), ([, times]) => {
        const nanos = times[percentile];
        return nanos === undefined ? "" : formatNanos(nanos);
      }),
    ),
  ]);
}

/** How the table is to be read, and why there is no time for one way. */
export function remoteKey({ stages }: IpcRemoteRecord): string {
  const missing =
    stages.roundTrip.p50 === undefined ? "\nA percentile needs more messages: p50 needs 20, p99 1,000." : "";
  return `round trip: from the start of encode until the listener's answer, which it gives once it has read every field.
decode: as the listener's own clock has it. There is no time for one way: the clocks of two machines differ by more
than a message takes, and half a round trip is one way only where both take as long.${missing}`;
}
