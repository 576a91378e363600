import type { Dataset } from "../model/dataset.ts";
import type { Refusal, Unavailable } from "../model/errors.ts";
import type {
  Cell,
  CompressionRecord,
  Memory,
  PayloadRecord,
  RuntimeRecord,
  Start,
  TimeSource,
  WarmUp,
} from "../model/records/run.ts";
import type { RuntimeIdentity } from "../model/runtime.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { CounterEvents, Counts } from "./counting.ts";
import type { CodecSource, Conditions } from "./host.ts";
import type { Profile } from "./profiles.ts";
import type { Samples } from "./sampler.ts";

/**
 * What a measuring process has to do. With one member it is isolated; with all of them it is a server of many codecs;
 * without any it says what runtime it is.
 */
export interface Job {
  readonly members: readonly Member[];
  /** Type of 64-bit integers in datasets that are named; undefined for the one that fits. */
  readonly int64: Int64Mode | undefined;
  readonly profile: Profile;
  /** Names of datasets that every codec runs too before anything is timed; what it cannot carry it leaves out. */
  readonly others: readonly string[];
  /** Numbers of the cores that the process is pinned to; every core that there is where it is absent. */
  readonly cores?: readonly number[];
  /** Nanoseconds of a turn of `CoreSpeed` at full speed, as processes of this runtime found before; absent where none has. */
  readonly turnNanos?: number;
  /** For how many milliseconds the process waits for a fast core, as {@link Patience} has it; as long as it does by itself where absent. */
  readonly patienceMs?: number;
  /** Set where no code may be made of strings. */
  readonly noEval?: true;
  /** What is counted of each operation after all of them are timed; nothing where it is absent. */
  readonly counters?: CounterEvents;
}

/** One codec on one dataset. Codecs and datasets cross as names; a user's own data as itself. */
export interface Member {
  readonly source: CodecSource;
  readonly dataset: string | Dataset;
  /** Operations to time, in this order; none for a round trip only. */
  readonly operations: readonly string[];
  /**
   * Whether what is the same in all processes is found out too: the hash of the dataset, what the coordinator makes of a message,
   * and that the codec keeps no results. Once per codec and dataset is enough. `data`: all but the message.
   */
  readonly describe: boolean | "data";
  /** Whether to measure compression and memory too, after every operation is timed. */
  readonly survey: boolean;
}

/** The first message of a member that is to be described. */
export interface SentMessage {
  /** Place of the member in its job. */
  readonly member: number;
  /** Wire format of its codec. */
  readonly format: string;
  /** In base64; text in UTF-8. */
  readonly encoded: string;
}

/** Bytes of a message that is sent at most: a larger one is not taken apart, and nobody compresses it. */
export const MOST_SENT = 1 << 27;

/**
 * What a measuring process says: that it gets on, that it times nothing any more, a message that is to be described, what was
 * timed before memory is surveyed, and at last its result.
 */
export type WorkerMessage =
  | { readonly after: string }
  | { readonly timedAll: true }
  | { readonly sent: SentMessage }
  | { readonly timed: JobResult }
  | { readonly result: JobResult };

/** What is left of it once messages were described. */
export type DescribedMessage = Exclude<WorkerMessage, { readonly sent: SentMessage }>;

/** Hears how a measuring process gets on. */
export interface JobListeners {
  /** Called with what it has just done. */
  onStep(after: string): void;
  /** Called when no operation is timed any more, and nothing is proven yet. */
  onTimedAll(): void;
  /** Called with each message that is to be described, before its codec is proven. */
  onMessage(message: SentMessage): void;
  /** Called with the result without memory, before that is surveyed: it must not be lost with it. It may be waited for. */
  onTimed(result: JobResult): void | Promise<void>;
}

/** What a measuring process answers: about each member, and about itself. */
export interface JobResult {
  readonly members: readonly MemberResult[];
  /** Absent where the process was lost before it could say. */
  readonly runtime?: RuntimeIdentity & {
    readonly clockStepNanos: number;
    readonly timeSource?: TimeSource;
    /** As {@link RuntimeRecord.isolated}. */
    readonly isolated?: boolean;
  };
  /** Nanoseconds of a turn of `CoreSpeed` at the full speed that the process saw; absent where it could not tell. */
  readonly turnNanos?: number;
  /** Absent where the runtime does not say. */
  readonly conditions?: Conditions;
  /** Why there is no survey although it was asked for: the process ended in it. */
  readonly unsurveyed?: string;
}

/** What became of one member: about the dataset once, and about each operation. */
export interface MemberResult {
  /** Why the codec cannot carry the dataset, or why it lost it; then there are no operations. */
  readonly refused?: Refusal;
  /** How its library was built, where its version does not tell. */
  readonly build?: string;
  /** Mean size of the encoded values. */
  readonly bytes: number;
  readonly payload?: Omit<PayloadRecord, "dataset" | "codec">;
  readonly compression?: readonly Omit<CompressionRecord, "dataset" | "codec">[];
  readonly dataset?: {
    readonly sha256?: string;
    readonly values: number;
    readonly int64: "number" | "bigint";
  };
  readonly operations: readonly OperationResult[];
}

/** What one process found of one operation. */
export interface Measured {
  readonly samples: Samples;
  readonly warmUp: WarmUp;
  readonly start: Start;
  readonly memory?: Memory;
  /** Why the runtime has no figures of its memory. */
  readonly memoryReason?: string;
  /** What a call takes by the processor's counters, or why that is not known; absent where it was not asked for. */
  readonly counts?: Counts | Unavailable;
  /** As {@link Cell.inPlace}. */
  readonly inPlace?: true;
}

/** One operation's measurement, or why there is none. */
export type OperationResult = { readonly operation: string } & (Measured | { readonly refused: Refusal });
