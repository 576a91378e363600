import type { Dataset } from "../model/dataset.ts";
import type { Cell, PayloadRecord } from "../model/run-record.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { Profile } from "./profiles.ts";
import type { Samples } from "./sampler.ts";

/** What a measuring process is told. Codecs and datasets cross as names; a user's own data as itself. */
export interface Job {
  readonly codec: string;
  readonly dataset: string | Dataset;
  /** Type of 64-bit integers in a dataset that is named; undefined for the one that fits. */
  readonly int64: Int64Mode | undefined;
  /** Files of the user's codecs and datasets. */
  readonly plugins: readonly string[];
  /** Operations to time, in this order; none for a round trip only. */
  readonly operations: readonly string[];
  readonly profile: Profile;
  /** Whether to hash the dataset and compress the message too: once per codec and dataset is enough. */
  readonly describe: boolean;
}

/** What it answers: about the dataset once, and about each operation. */
export interface JobResult {
  /** Why the codec cannot carry the dataset, or why it lost it; then there are no operations. */
  readonly refused?: Refusal;
  /** Mean size of the encoded values. */
  readonly bytes: number;
  readonly payload?: Omit<PayloadRecord, "dataset" | "codec">;
  readonly dataset?: {
    readonly sha256: string;
    readonly values: number;
    readonly int64: "number" | "bigint";
  };
  readonly operations: readonly OperationResult[];
}

/** A hole or a failure, with its reason. */
export interface Refusal {
  readonly status: Extract<Cell["status"], "unsupported" | "failed">;
  readonly reason: string;
}

/** One operation's samples, or why there are none. */
export type OperationResult = { readonly operation: string } & (
  | { readonly samples: Samples }
  | { readonly refused: Refusal }
);
