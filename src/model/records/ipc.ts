/**
 * The record of a run between processes. All times are nanoseconds of the monotonic clock, all sizes bytes.
 * `schemas/ipc-record.schema.json` is made of it.
 */
import type { Bytes, Count, Milliseconds, Nanoseconds, NonNegative, Timestamp, Tool } from "./quantities.ts";
import type { DatasetRecord, Environment, NativeRecord } from "./run.ts";

/** Version of the shape below. */
export const IPC_RECORD_VERSION = 1;

/** The tests, by the names they have everywhere. */
export const IPC_TESTS = [
  "latency",
  "throughput",
  "stability",
  "one-to-two",
  "two-to-one",
  "single-point",
] as const;

/** The name of one of {@link IPC_TESTS}. */
export type IpcTestName = (typeof IPC_TESTS)[number];

/**
 * What a talker does when its listeners are slower than itself. `reliable`: it waits, and loses nothing.
 * `best-effort`: it never waits; each queue keeps the newest messages and drops the oldest.
 */
export type Reliability = "reliable" | "best-effort";

/** What lies between a talker and its listeners, which decides which times can be known. */
export type IpcScope = "inter-process" | "inter-thread";

/** One run: its circumstances, its options and its tests. */
export interface IpcRecord {
  readonly schemaVersion: typeof IPC_RECORD_VERSION;
  readonly kind: "ipc";
  readonly tool: Tool;
  /** ISO 8601, UTC. */
  readonly startedAt: Timestamp;
  /** Absent until the run is over. */
  readonly finishedAt?: Timestamp;
  /** False while the run goes on, and for good when it was interrupted. */
  readonly complete: boolean;
  readonly environment: Environment;
  /** The reference programs whose tests there are; absent where there are none. */
  readonly natives?: readonly NativeRecord[];
  readonly options: IpcOptionsRecord;
  readonly datasets: readonly DatasetRecord[];
  /** How fast this machine copies memory, per size of message: one thread, from buffer to buffer. */
  readonly memcpy: readonly { readonly bytes: Bytes; readonly bytesPerSecond: NonNegative }[];
  readonly tests: readonly IpcTestRecord[];
}

/** What the run was asked to do, defaults filled in. */
export interface IpcOptionsRecord {
  readonly profile: "quick" | "standard";
  readonly tests: readonly IpcTestName[];
  readonly codecs: readonly string[];
  readonly datasets: readonly string[];
  /** Name of the transport; for NATS with the server's address. */
  readonly transport: string;
  /** By how much the last listener was slowed down with each message, in milliseconds. */
  readonly listenerDelayMs: Milliseconds;
  readonly timeoutSeconds: NonNegative;
}

/**
 * One test of one codec on one dataset. One that is unsupported or failed is a row like any other.
 * @needs { status: { unsupported: ["reason"], failed: ["reason"] } }
 */
export interface IpcTestRecord {
  readonly test: IpcTestName;
  readonly codec: string;
  readonly format: string;
  /** npm package, `node` for what is built in, or `wirebench` for a codec that lives here. */
  readonly library: string;
  readonly version: string;
  /** What the version does not tell of how the library was built. */
  readonly build?: string;
  /** Set for a native program, the original of a published system: its name, `cpp/talker`. */
  readonly program?: string;
  readonly dataset: string;
  readonly status: "measured" | "unsupported" | "failed";
  /** Why it is unsupported or failed. */
  readonly reason?: string;
  /** What a message holds, the same for every codec: bytes of its numbers, texts and byte fields. */
  readonly payloadBytes: Bytes;
  /** Bytes that went over the transport per message, without the frame's header; 0 until they are known. */
  readonly encodedBytes: Bytes;
  readonly transport: string;
  readonly scope: IpcScope;
  readonly reliability: Reliability;
  /** Reliable: messages that may be on their way to a listener. Best effort: messages that a queue keeps. */
  readonly depth: Count;
  /** Messages per second and talker; absent where each is sent as soon as it may be. */
  readonly rateHz?: NonNegative;
  /** Messages per talker that count. */
  readonly messages: Count;
  /** Messages per talker before these, which are in messages.csv and count nowhere. */
  readonly warmup: Count;
  /** One per talker and listener. Empty unless measured, like everything below. */
  readonly pairs: readonly IpcPair[];
  readonly stages: IpcStages;
  /** At the receivers, from the first byte of the first message to the last field of the last. */
  readonly throughput?: IpcThroughput;
  /** How end-to-end times moved over the test; absent below 20 messages. */
  readonly drift?: IpcDrift;
  /**
   * Between talkers: the median end-to-end time of the slowest as a multiple of the quickest's. Absent for one
   * talker, and where it has no median.
   */
  readonly unfairness?: NonNegative;
  /** Empty for a native program, which says less of its processes. */
  readonly processes: readonly IpcProcess[];
  /** Of a native program: what the first message took each talker and listener, in nanoseconds; 0 where it came to none. */
  readonly first?: { readonly talkers: readonly Nanoseconds[]; readonly listeners: readonly Nanoseconds[] };
}

/** What became of one talker's messages to one listener: published = received + all drops. */
export interface IpcPair {
  readonly talker: Count;
  readonly listener: Count;
  readonly published: Count;
  readonly received: Count;
  /**
   * Where messages were lost: `sender` in the talker's queue, `overwritten` in a slot that was written again
   * before it was read, `receiver` in the listener's queue.
   */
  readonly drops: { readonly sender: Count; readonly overwritten: Count; readonly receiver: Count };
  /** From when the first message was to be sent to when the last was read, in milliseconds. */
  readonly totalMs: Milliseconds;
  /** Messages that were read after one that was sent later. */
  readonly outOfOrder: Count;
  readonly endToEnd: IpcPercentiles;
}

/**
 * Where the time of a message went, over all pairs.
 *
 *     intended ── encode starts ──encode── encoded ──transport── last byte ── taken ──decode── every field read
 */
export interface IpcStages {
  /** From the plain value to bytes. */
  readonly encode?: IpcPercentiles;
  /** From the end of encode to the last byte at the listener, the sender's queue included. */
  readonly transport?: IpcPercentiles;
  /** From the last byte until the listener turns to the message. */
  readonly queue?: IpcPercentiles;
  /** Decoding, and reading every field. */
  readonly decode?: IpcPercentiles;
  /** From the start of encode until every field was read. */
  readonly endToEnd?: IpcPercentiles;
  /** The same from when the message was to be sent: a stall counts for all that it held up. */
  readonly response?: IpcPercentiles;
}

/**
 * Nearest-rank percentiles, each there only from as many messages on as tell it: at least 10 above and below it,
 * so p50 from 20 on, p90 from 100, p99 from 1,000 and p99.9 from 10,000.
 */
export interface IpcPercentiles {
  /** Messages. */
  readonly n: Count;
  readonly min?: Nanoseconds;
  readonly p50?: Nanoseconds;
  readonly p90?: Nanoseconds;
  readonly p99?: Nanoseconds;
  readonly p999?: Nanoseconds;
  readonly max?: Nanoseconds;
}

/** Bytes over time where they arrive. */
export interface IpcThroughput {
  readonly messagesPerSecond: NonNegative;
  /** By what messages hold: comparable between codecs. */
  readonly payloadBytesPerSecond: NonNegative;
  /** By what was sent: comparable between transports. */
  readonly encodedBytesPerSecond: NonNegative;
  /** {@link encodedBytesPerSecond} as a share of what one thread of this machine copies, from 0 on. */
  readonly shareOfMemcpy: NonNegative;
}

/** A trend of end-to-end times, in nanoseconds. */
export interface IpcDrift {
  /** Theil and Sen's slope: the median of the slopes between pairs of messages, per 1,000 messages. */
  readonly slopePer1000: number;
  /** 95 % confidence interval of the slope. */
  readonly ci95: readonly [number, number];
  /** Medians of the first and the last tenth of the messages. */
  readonly firstDecile: Nanoseconds;
  readonly lastDecile: Nanoseconds;
}

/** What one talker or listener took. */
export interface IpcProcess {
  readonly role: "talker" | "listener";
  readonly id: Count;
  /** From being started to its first answer. */
  readonly startMs: Milliseconds;
  /** Loading the codec, making the data and binding them. */
  readonly bindMs: Milliseconds;
  /** Opening its end of the transport, and waiting for the others. */
  readonly connectMs: Milliseconds;
  /** While messages counted: processor time of the process, or of the process that its thread is in. */
  readonly cpuMs: { readonly user: Milliseconds; readonly system: Milliseconds };
  /** Encoding, or decoding and reading, all messages that count. */
  readonly handlingMs: Milliseconds;
  /** Handling of the first message it ever met, warm-up included, in nanoseconds. */
  readonly firstHandling: Nanoseconds;
  /** Resident memory when the messages that count began and ended, and at its highest. */
  readonly rssBytes: { readonly start: Bytes; readonly end: Bytes; readonly peak: Bytes };
  /** Resident memory over the test: how many messages it had handled, and its size then. */
  readonly rssSamples: readonly { readonly messages: Count; readonly bytes: Bytes }[];
  readonly gc: { readonly count: Count; readonly totalMs: Milliseconds; readonly longestMs: Milliseconds };
  /** Time that a reliable talker waited for its listeners, in milliseconds; 0 for a listener. */
  readonly stalledMs: Milliseconds;
}

/** What became of one message on its way to one listener: a row of messages.csv. */
export interface IpcMessage {
  readonly phase: "warmup" | "measured";
  readonly talker: Count;
  readonly listener: Count;
  /** From 0 in each phase, per talker. */
  readonly sequence: number;
  readonly outcome: "received" | "dropped-sender" | "dropped-overwritten" | "dropped-receiver";
  readonly encodedBytes: number;
  /** Nanoseconds since the test's start, of the talker. */
  readonly intended: number;
  readonly encodeStart: number;
  readonly encoded: number;
  /** When it went onto its link; absent for one that was dropped before. */
  readonly sent?: number;
  /** Of the listener; absent for a message that was dropped. */
  readonly firstByte?: number;
  readonly lastByte?: number;
  readonly taken?: number;
  readonly read?: number;
}
