/**
 * The record of messages between two machines, as the talker saw them. All times are nanoseconds between two moments
 * of one clock: what passed from one machine to the other cannot be known, because their clocks have nothing in common.
 * `schemas/ipc-remote-record.schema.json` is made of it.
 */

import type { IpcPercentiles } from "./ipc.ts";
import type { Bytes, Count, PositiveCount, Timestamp, Tool } from "./quantities.ts";
import type { Environment } from "./run.ts";

/** Version of the shape below. */
export const IPC_REMOTE_RECORD_VERSION = 1;

/**
 * One run: its circumstances, its options and its times.
 * @needs { complete: { false: ["reason"] } }
 */
export interface IpcRemoteRecord {
  readonly schemaVersion: typeof IPC_REMOTE_RECORD_VERSION;
  readonly kind: "ipc-remote";
  readonly tool: Tool;
  /** ISO 8601, UTC. */
  readonly startedAt: Timestamp;
  readonly finishedAt: Timestamp;
  /** False when it was interrupted or went wrong. */
  readonly complete: boolean;
  /** Why it is not complete. */
  readonly reason?: string;
  /** Of the talker's machine. */
  readonly environment: Environment;
  /** What the listener says of itself. */
  readonly listener: IpcRemotePeer;
  readonly channel: string;
  /** The server's address, without a password. */
  readonly transport: string;
  readonly codec: string;
  readonly format: string;
  /** As in {@link IpcTestRecord}. */
  readonly library: string;
  readonly version: string;
  readonly dataset: string;
  /** What a message holds, the same for every codec. */
  readonly payloadBytes: Bytes;
  /** Bytes per message as encoded, the mean of the dataset's values. */
  readonly encodedBytes: Bytes;
  /** Messages that count, and those before them, which are in messages.csv only. */
  readonly messages: Count;
  readonly warmup: Count;
  /** Messages that may be on their way at a time. */
  readonly depth: PositiveCount;
  /** Of the messages that count: those that were answered, and those of which a later one was answered only. */
  readonly received: Count;
  readonly lost: Count;
  readonly stages: IpcRemoteStages;
}

/** A listener's machine and software. */
export interface IpcRemotePeer {
  /** Of wirebench. */
  readonly version: string;
  readonly library: string;
  readonly libraryVersion: string;
  readonly cpu: string;
  readonly cores: PositiveCount;
  readonly os: string;
  readonly node: string;
}

/** Where the time of a message went, of those that were answered. */
export interface IpcRemoteStages {
  /** From the plain value to bytes, by the talker's clock. */
  readonly encode: IpcPercentiles;
  /**
   * Decoding, and reading every field, by the listener's clock. The bytes were compared with those that were expected
   * just before: no others get to a codec, and these are in the processor's caches as far as they fit.
   */
  readonly decode: IpcPercentiles;
  /** From the start of encode until the answer was there: there, decoded, and back, by the talker's clock. */
  readonly roundTrip: IpcPercentiles;
  /** The same from the end of encode on. */
  readonly sentToAck: IpcPercentiles;
}

/** One message: a row of messages.csv. */
export interface IpcRemoteMessage {
  readonly phase: "warmup" | "measured";
  /** From 0 in each phase. */
  readonly sequence: number;
  readonly encode: number;
  /** Absent where it was not answered. */
  readonly roundTrip?: number;
  readonly decode?: number;
}
