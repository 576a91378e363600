import type { IpcPair, IpcTestRecord } from "../../../model/records/ipc.ts";
import type { Table } from "../../table.ts";
import { formatBytes } from "../../units.ts";
import { left, right } from "./columns.ts";
import { timeOrNothing } from "./figures.ts";

/** What became of the messages of each codec, over all pairs, and how long they took; p99.9 where one has it. */
export function messageTable(rows: readonly IpcTestRecord[]): Table {
  const rare = rows.some(({ stages }) => stages.endToEnd?.p999 !== undefined);
  return {
    columns: [
      ...left("codec"),
      ...right("payload", "encoded", "received", "dropped: sender", "overwritten", "receiver"),
      ...right("p50", "p90", "p99", ...(rare ? ["p99.9"] : []), "max"),
    ],
    rows: rows.map((row) => {
      const { codec, status, payloadBytes, encodedBytes, pairs, stages } = row;
      const payload = formatBytes(payloadBytes);
      if (status !== "measured") return [codec, payload, "", status];
      const { p50, p90, p99, p999, max } = stages.endToEnd ?? {};
      return [
        codec,
        payload,
        formatBytes(encodedBytes),
        ...fatesOf(pairs),
        ...[p50, p90, p99, ...(rare ? [p999] : []), max].map(timeOrNothing),
      ];
    }),
  };
}

/** Received of published, and the drops by place, over some pairs. */
export function fatesOf(pairs: readonly IpcPair[]): string[] {
  const sum = (count: (pair: IpcPair) => number): number =>
    pairs.reduce((total, pair) => total + count(pair), 0);
  return [
    `${formatBytes(sum(({ received }) => received))} of ${formatBytes(sum(({ published }) => published))}`,
    formatBytes(sum(({ drops }) => drops.sender)),
    formatBytes(sum(({ drops }) => drops.overwritten)),
    formatBytes(sum(({ drops }) => drops.receiver)),
  ];
}
