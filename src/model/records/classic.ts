/**
 * The record of a published method that was run as it was published: loops that are timed as a whole, in one process each.
 * `schemas/classic-record.schema.json` is made of it.
 */
import type { Benchmark } from "./claims.ts";
import type {
  Bytes,
  Count,
  Milliseconds,
  NonNegative,
  PositiveCount,
  Timestamp,
  Tool,
} from "./quantities.ts";
import type { Environment } from "./run.ts";

/** Version of the shape below. */
export const CLASSIC_RECORD_VERSION = 1;

/** A published method, as it was run here. */
export interface ClassicRecord {
  readonly schemaVersion: typeof CLASSIC_RECORD_VERSION;
  readonly kind: "classic";
  readonly tool: Tool;
  readonly startedAt: Timestamp;
  /** Absent until it is over. */
  readonly finishedAt?: Timestamp;
  /** False for good when it was interrupted: what was measured until then is there. */
  readonly complete: boolean;
  readonly environment: Environment;
  readonly options: ClassicOptionsRecord;
  readonly rows: readonly ClassicRow[];
}

/** What was asked for, defaults filled in. */
export interface ClassicOptionsRecord {
  readonly benchmark: Benchmark;
  /** Calls of a run, where that is what ends it. */
  readonly loops?: PositiveCount;
  /** Seconds of a run, where that is what ends it. */
  readonly seconds?: NonNegative;
  /** Runs of each figure. */
  readonly repeats: PositiveCount;
  /** Between processes: messages, and the bytes of each. */
  readonly messages?: PositiveCount;
  readonly payloadBytes?: Bytes;
}

/**
 * One operation of one codec. One that is unsupported or failed is a row like any other.
 * @needs { status: { unsupported: ["reason"], failed: ["reason"] } }
 */
export interface ClassicRow {
  /** Of the published systems. */
  readonly system: string;
  readonly codec: string;
  readonly library: string;
  readonly version: string;
  /** Set for a native program: the original of the published system. */
  readonly runtime?: "native";
  readonly dataset: string;
  /** What is repeated: an operation, `latency` between processes, or `empty` for a loop around nothing. */
  readonly operation: "encode" | "decode" | "access" | "latency" | "empty";
  readonly status: "measured" | "unsupported" | "failed";
  readonly reason?: string;
  /** Of the encoded value; absent where nothing is encoded. */
  readonly bytes?: Bytes;
  /** In the order in which they were made; fewer than asked for where it was interrupted. */
  readonly runs: readonly ClassicRun[];
  /** Between processes: of each message, in the order in which they were sent; null for one that was lost. */
  readonly latenciesMs?: readonly (Milliseconds | null)[];
}

/** A loop that was timed as a whole. */
export interface ClassicRun {
  readonly calls: Count;
  readonly milliseconds: Milliseconds;
}
