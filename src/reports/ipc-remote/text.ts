import type { IpcRemoteRecord } from "../../model/records/ipc-remote.ts";
import { defineReport } from "../../model/report.ts";
import { remoteHead, remoteKey, remoteTable } from "../sections/ipc-remote.ts";
import { fittedText, textTable } from "../table.ts";

export default defineReport({
  of: "ipc-remote",
  summary: "the round trips, as a terminal shows them",
  render: renderRemoteText,
});

/** Messages between two machines as a terminal shows them, and why there is no time for one way. */
export function renderRemoteText(record: IpcRemoteRecord, columns?: number): string {
  const blocks = [remoteHead(record).join("\n"), textTable(remoteTable(record), columns), remoteKey(record)];
  return fittedText(`${blocks.join("\n\n")}\n`, columns);
}
