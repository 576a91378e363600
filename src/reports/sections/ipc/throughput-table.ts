import type { IpcTestRecord } from "../../../model/records/ipc.ts";
import { formatShare } from "../../../model/share.ts";
import type { Table } from "../../table.ts";
import { formatBytes } from "../../units.ts";
import { left, right } from "./columns.ts";
import { formatSpeed } from "./figures.ts";

/** What arrived per second, of each codec that has a throughput; undefined where none has. */
export function throughputTable(rows: readonly IpcTestRecord[]): Table | undefined {
  const told = rows.flatMap(({ codec, throughput }) =>
    throughput === undefined ? [] : [{ codec, ...throughput }],
  );
  if (told.length === 0) return undefined;
  return {
    columns: [...left("codec"), ...right("messages/s", "payload MB/s", "encoded MB/s", "of memcpy")],
    rows: told.map((row) => [
      row.codec,
      formatBytes(row.messagesPerSecond),
      formatSpeed(row.payloadBytesPerSecond),
      formatSpeed(row.encodedBytesPerSecond),
      formatShare(row.shareOfMemcpy),
    ]),
  };
}
