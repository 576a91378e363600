import type { Dataset } from "../../model/dataset.ts";
import type { IpcProcess, Reliability } from "../../model/records/ipc.ts";
import type { Int64Mode } from "../../model/schema.ts";

/** A talker's or a listener's part in an exchange. */
export interface Part {
  readonly role: "talker" | "listener";
  /** From 0 in each role. */
  readonly id: number;
}

/** `talker 0`. */
export function partName({ role, id }: Part): string {
  return `${role} ${id}`;
}

/** What a talker or a listener is to do. Codecs and datasets cross as names, a user's own data as itself. */
export interface IpcJob extends Part {
  readonly codec: string;
  readonly dataset: string | Dataset;
  readonly int64: Int64Mode | undefined;
  readonly plugins: readonly string[];
  /** Whether to prove every value's round trip before anything is sent. */
  readonly prove: boolean;
  /** Whether to say what the dataset is, too: its hash takes seconds where there are millions of values. */
  readonly describe: boolean;
  readonly talkers: number;
  readonly listeners: number;
  /** Name of the transport, and what follows it. */
  readonly transport: string;
  readonly address: string;
  readonly reliability: Reliability;
  readonly depth: number;
  /** By how much a listener is to be slower with each message, in milliseconds. */
  readonly delayMs: number;
  /** A folder of this exchange alone. */
  readonly folder: string;
  /** What its clock counts from. */
  readonly clockBase: bigint;
}

/** Processor time that one may take, in seconds: a day, so that none outlives its coordinator for ever. */
export const CPU_SECONDS = 24 * 3600;

/** A stretch of messages. Warm-up goes before what counts, one message at a time. */
export interface Phase {
  readonly name: "warmup" | "measured";
  /** Per talker. */
  readonly messages: number;
  /** Messages that may be on their way to a listener before the talker waits; infinite if it never does. */
  readonly window: number;
  /** Messages that a queue keeps; infinite to keep all. */
  readonly limit: number;
  /** Messages per second and talker; absent where each is sent as soon as it may be. */
  readonly rateHz?: number;
}

/** What a talker or listener used of the machine in a phase. */
export type ProcessUse = Pick<IpcProcess, "cpuMs" | "rssBytes" | "rssSamples" | "gc">;

/** What a talker did in a phase. Arrays have an element per message; times are of the common clock. */
export interface TalkerLog {
  readonly intended: Float64Array;
  readonly encodeStart: Float64Array;
  readonly encoded: Float64Array;
  /** Per listener: when each message went onto its link; 0 where it never did. */
  readonly sent: readonly Float64Array[];
  /** Per listener: 1 for each message that was dropped before it was sent. */
  readonly dropped: readonly Uint8Array[];
  /** Time that it waited for its listeners, in nanoseconds. */
  readonly stalled: number;
  readonly use: ProcessUse;
}

/** What a listener made of a talker's messages in a phase. */
export interface ListenerLog {
  /** One per talker. */
  readonly talkers: readonly ReceivedLog[];
  readonly use: ProcessUse;
}

/** Arrays have an element per message of the talker; times are of the common clock, and 0 where it never came. */
export interface ReceivedLog {
  readonly firstByte: Float64Array;
  readonly lastByte: Float64Array;
  readonly taken: Float64Array;
  readonly read: Float64Array;
  readonly outcome: Uint8Array;
  /** Messages that were read after a later one. */
  readonly outOfOrder: number;
}

/** What became of a message at its listener. */
export const OUTCOME = { missing: 0, received: 1, overwritten: 2, receiver: 3 } as const;
