import type { IpcRemoteRecord } from "../model/records/ipc-remote.ts";
import { PERCENTILES } from "./ipc-shape.ts";
import { check, damaged, ENVIRONMENT, type Shape } from "./shape.ts";

const IPC_REMOTE_RECORD: Shape = {
  tool: { name: "string", version: "string", command: "string" },
  startedAt: "string",
  finishedAt: "string",
  complete: "boolean",
  "reason?": "string",
  environment: ENVIRONMENT,
  listener: {
    version: "string",
    library: "string",
    libraryVersion: "string",
    cpu: "string",
    cores: "number",
    os: "string",
    node: "string",
  },
  channel: "string",
  transport: "string",
  codec: "string",
  format: "string",
  library: "string",
  version: "string",
  dataset: "string",
  payloadBytes: "number",
  encodedBytes: "number",
  messages: "number",
  warmup: "number",
  depth: "number",
  received: "number",
  lost: "number",
  stages: { encode: PERCENTILES, decode: PERCENTILES, roundTrip: PERCENTILES, sentToAck: PERCENTILES },
};

/** A value as the record of messages between two machines. Throws UsageError that names the place of what is damaged. */
export function checkedIpcRemoteRecord(value: unknown, file: string): IpcRemoteRecord {
  check(value, IPC_REMOTE_RECORD, "", file);
  const record = value as IpcRemoteRecord;
  if (!record.complete && record.reason === undefined) {
    throw damaged(file, "reason", "a string", record.reason);
  }
  return record;
}
