/**
 * The record of published claims that were put to the test: what was published, what was measured, and a verdict on each.
 * `schemas/claims-record.schema.json` is made of it.
 */
import type { IpcRecord } from "./ipc.ts";
import type { Count, Interval, NonNegative, Timestamp, Tool } from "./quantities.ts";
import type { Environment, RunRecord } from "./run.ts";

/** Version of the shape below. */
export const CLAIMS_RECORD_VERSION = 1;

/** The published benchmarks that the claims are of. */
export const BENCHMARKS = ["address-book", "erlang-term", "interprocess", "python"] as const;

/** The name of one of {@link BENCHMARKS}. */
export type Benchmark = (typeof BENCHMARKS)[number];

/** Claims that were tested, with everything that they are judged by. */
export interface ClaimsRecord {
  readonly schemaVersion: typeof CLAIMS_RECORD_VERSION;
  readonly kind: "claims";
  readonly tool: Tool;
  readonly startedAt: Timestamp;
  /** Absent until all is measured. */
  readonly finishedAt?: Timestamp;
  /** False for good when it was interrupted: the verdicts are of what was measured until then. */
  readonly complete: boolean;
  readonly environment: Environment;
  readonly options: ClaimsOptionsRecord;
  /** Originals that could not be built or run, and what to install for them: a line each. */
  readonly missing: readonly string[];
  /** In the order in which they were published. */
  readonly claims: readonly ClaimRecord[];
  /** What was measured in one process; absent where no claim needs that. */
  readonly run?: RunRecord;
  /** What was measured between processes; absent where no claim needs that. */
  readonly ipc?: IpcRecord;
}

/** What was asked for, defaults filled in. */
export interface ClaimsOptionsRecord {
  readonly profile: "quick" | "standard";
  readonly seed: Count;
  /** Ids of the claims. */
  readonly claims: readonly string[];
}

/** A published claim, and what becomes of it here. */
export interface ClaimRecord {
  readonly id: string;
  readonly benchmark: Benchmark;
  readonly statement: string;
  /** What a reader should know of how it was published, or of how it is tested here. */
  readonly notes: readonly string[];
  /** One for the originals and one for the TypeScript codecs, or one for each dataset and each of them. */
  readonly results: readonly ClaimResult[];
}

/** Whose code a claim was tested with. */
export type Side = "native" | "typescript";

/** What becomes of a claim on one side. */
export interface ClaimResult {
  readonly side: Side;
  /** The codecs or systems that stand for the published ones, by their names in the records. */
  readonly subjects: readonly string[];
  /** Where it is tested with messages of one dataset of several. */
  readonly dataset?: string;
  readonly verdict: ClaimVerdict;
  /** Empty where nothing could be measured. */
  readonly parts: readonly ClaimPart[];
  /** Why it cannot be tested here. */
  readonly reason?: string;
}

/**
 * `holds`: the difference has the published direction, and at least half of its size as logarithms, for certain. `holds weaker`: it
 * has the direction for certain, and not for certain so much of the size. `does not hold`: there is no such difference, or one part of a claim fails and
 * another does not. `reversed`: the difference has the other direction for certain. `impossible`: no machine can have the
 * published figure. `not testable`: something is missing, or chance may have made it either way.
 */
export type ClaimVerdict =
  | "holds"
  | "holds weaker"
  | "does not hold"
  | "reversed"
  | "impossible"
  | "not testable";

/** One comparison of those that a claim is made of. */
export interface ClaimPart {
  /** What is compared: `encode of tellist`. */
  readonly what: string;
  /** As published, one for each machine or datum that it was published of; empty where no figure was given. */
  readonly published: readonly NonNegative[];
  readonly figures: readonly ClaimFigure[];
  /** Measured here, in the same sense as `published`; absent where there is none. */
  readonly ratio?: NonNegative;
  /** 95 % interval; equal ends where it is exact. */
  readonly ci95?: Interval;
  readonly verdict: ClaimVerdict;
  /** Why it cannot be tested here. */
  readonly reason?: string;
  /** Between processes: the stage that made the difference. */
  readonly decisive?: string;
}

/** A figure that was measured. */
export interface ClaimFigure {
  /** Codec or system. */
  readonly of: string;
  readonly value: NonNegative;
  /** `share` from 0 to 1. */
  readonly unit: "nanoseconds" | "bytes" | "bytes per second" | "share";
  /** Of how many messages, where it is a share. */
  readonly messages?: Count;
}
