import type { IpcRemoteRecord } from "../../model/records/ipc-remote.ts";
import { defineReport } from "../../model/report.ts";
import { csvText } from "../escape.ts";
import { contextOf, OBSERVATION, type Observation, stagesOf } from "../sections/ipc/observations.ts";

export default defineReport({
  of: "ipc-remote",
  summary: "one line per figure, to be joined with others; times in nanoseconds",
  render: renderRemoteCsv,
});

/** The figures of messages between two machines as CSV (RFC 4180), one a row. */
export function renderRemoteCsv(record: IpcRemoteRecord): string {
  const { codec, format, library, version, dataset, transport, depth, messages, warmup, listener } = record;
  const identity = {
    codec,
    dataset,
    transport,
    format,
    library,
    version,
    depth,
    messages,
    warmup,
    payload_bytes: record.payloadBytes,
    encoded_bytes: record.encodedBytes,
    ...contextOf(record),
    listener_cpu: listener.cpu,
    listener_cores: listener.cores,
    listener_platform: listener.os,
    listener_runtime_version: listener.node,
    listener_wirebench: listener.version,
    reason: record.reason,
  };
  const figures: Observation[] = [
    ["messages", "received", "messages", record.received],
    ["messages", "lost", "messages", record.lost],
    ...stagesOf(record.stages),
  ];
  const rows = figures.map((figure) => [...figure, ...Object.values(identity)]);
  return csvText([[...OBSERVATION, ...Object.keys(identity)], ...rows]);
}
