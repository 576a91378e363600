/**
 * What became faster, slower, larger or smaller from one measurement to another. `schemas/comparison.schema.json`
 * is made of it.
 */
import type { Bytes, Count, Interval, Nanoseconds, NonNegative, Share, Timestamp } from "./quantities.ts";
import type { Verdict } from "./run.ts";

/** Version of the shape below. */
export const COMPARISON_VERSION = 1;

/** Two measurements beside each other. Ratios are times of the head as multiples of those of the base. */
export interface Comparison {
  readonly schemaVersion: typeof COMPARISON_VERSION;
  readonly kind: "comparison";
  /** `records`: two runs, at two times. `paired`: both sides were measured in the same blocks of one run. */
  readonly method: "records" | "paired";
  readonly base: ComparedSide;
  readonly head: ComparedSide;
  /** All runs of a side that has several, of which the one above is the first. */
  readonly bases?: readonly ComparedSide[];
  readonly heads?: readonly ComparedSide[];
  /** Differences below this share are not called differences, whatever their interval. */
  readonly threshold: NonNegative;
  /**
   * What is not beyond it is not called different: the threshold, or the noise that the runs found in themselves where that is
   * greater and what they differ by is not in the intervals (see {@link Comparison.betweenRuns}).
   */
  readonly gate: NonNegative;
  /** Whether a run measured its own noise: where it did not, the gate is the threshold alone. */
  readonly noiseMeasured: boolean;
  /** How many cells have which verdict. */
  readonly counts: Readonly<Record<Verdict, Count>>;
  /** The least difference, as a share, that would have been found four times in five in the median cell; null where it cannot be known. */
  readonly detectable: NonNegative | null;
  /** How the cells moved together, whatever is taken off their ratios; null where there is none. */
  readonly shift: Shift | null;
  /** What was taken off every ratio; absent where times are compared as they are. */
  readonly calibration?: Calibration;
  /** What ratios of equal code vary by from comparison to comparison; absent where it is not known. */
  readonly betweenRuns?: BetweenRuns;
  /**
   * Set where ratios are of the faster halves of processes' batches rather than of their means, which differed more from
   * process to process: what garbage collection costs is then in no ratio.
   */
  readonly basis?: "faster-half";
  /** Set where times were to be compared as they are. */
  readonly absolute?: true;
  /** What was measured on both sides, in the order of the base. */
  readonly cells: readonly ComparedCell[];
  /** Flags of the engine with which both sides were measured, and which a published run never has. */
  readonly steadyArgv?: readonly string[];
  /** Instructions per call, where they were to be counted. */
  readonly instructions?: ComparedInstructions;
  /** Exact: the messages of both sides. */
  readonly sizes: readonly ComparedSize[];
  /** What only one side measured. */
  readonly alone: readonly LoneCell[];
  /** Circumstances that differ. */
  readonly differences: readonly Difference[];
  /** All that should make a reader careful, in sentences. */
  readonly warnings: readonly string[];
  /** Set where slower cells were to be found out: see {@link SlowerLimit}. */
  readonly failIfSlower?: SlowerLimit;
  /** Set where cells that nothing is known of were to be found out: see {@link UndecidedLimit}. */
  readonly failIfUndecided?: UndecidedLimit;
  /** Set where a change of most cells was to be found out: see {@link ShiftLimit}. */
  readonly failIfShifted?: ShiftLimit;
}

/** Where one of the two comes from. */
export interface ComparedSide {
  /** The file of the record, or what was asked for: `msgpackr@2.1.3`, `new/my-codec.js`. */
  readonly source: string;
  /** ISO 8601, UTC. */
  readonly startedAt: Timestamp;
  /** False where the run was interrupted, or is not complete for the reason given. */
  readonly complete: boolean;
  readonly reason?: string;
  readonly command: string;
  /** Version of wirebench. */
  readonly tool: string;
  readonly profile: string;
  readonly cpu: string;
  /** What was measured in: `node 20.1.2`. */
  readonly runtime: string;
  /** The libraries that were measured. */
  readonly libraries: readonly {
    readonly library: string;
    readonly version: string;
    /** What the version does not tell of how it was built. */
    readonly build?: string;
  }[];
  /** The largest difference of the baseline from itself, as a share; null where it was not measured. */
  readonly noise: NonNegative | null;
}

/** One operation of one codec on one dataset, on both sides. */
export interface ComparedCell {
  readonly operation: string;
  /** Set for a step of encode or decode. */
  readonly part?: true;
  readonly dataset: string;
  readonly codec: string;
  /** `faster`: the head takes less time. */
  readonly verdict: Verdict;
  /** Set for the baseline where ratios are compared: to itself it is 1 by definition, and nothing is known of it. */
  readonly reference?: true;
  /** Time of the head as a multiple of the base's, without what is taken off every ratio; null where one of them is 0. */
  readonly ratio: number | null;
  /** 95 % confidence interval of the ratio; null where it cannot be known. */
  readonly ci95: Interval | null;
  /** Probability of a ratio so far from 1 by chance, adjusted for the number of cells (Holm); null where it cannot be known. */
  readonly p: Share | null;
  /** The least difference, as a share, that would have been found four times in five; null where it cannot be known. */
  readonly detectable: NonNegative | null;
  readonly base: CellSide;
  readonly head: CellSide;
  /** What a call allocates and keeps, by its name in the record, where both sides have it. */
  readonly memory?: Readonly<Record<MemoryFigure, ComparedBytes>>;
}

/** A cell on one side. */
export interface CellSide {
  /** Nanoseconds per call, as they were measured; of several runs, their median. */
  readonly median: Nanoseconds;
  /** The same of the faster halves of the processes' batches, where ratios are of those: see {@link Comparison.basis}. */
  readonly fasterHalf?: Nanoseconds;
  /** Of all runs. */
  readonly processes: Count;
  readonly bytes: Bytes;
  readonly library: string;
  readonly version: string;
  readonly build?: string;
}

/** Figures of a cell's memory that are compared. */
export type MemoryFigure = "heapBytes" | "externalBytes" | "retainedBytes";

/** Bytes on both sides, of several runs the median; the ratio is null where the base has none. */
export interface ComparedBytes {
  readonly base: number;
  readonly head: number;
  readonly ratio: number | null;
  /** `same`: by less than a fifth. `undecided`: by that or more, and not by more than runs of equal code differ. */
  readonly verdict: "less" | "same" | "more" | "undecided";
}

/** A size of a codec's message: sizes are exact, any difference is one. */
export interface ComparedSize {
  readonly dataset: string;
  readonly codec: string;
  /** `bytes` as it is, else how it is compressed. */
  readonly measure: "bytes" | "gzip" | "brotli" | "zstd";
  readonly base: number;
  readonly head: number;
  /** Head less base. */
  readonly change: number;
}

/** A cell that only one side measured. */
export interface LoneCell {
  readonly operation: string;
  readonly dataset: string;
  readonly codec: string;
  /** The side that measured it. */
  readonly side: "base" | "head";
  /** What it is on the other side. */
  readonly other: "absent" | "unsupported" | "failed";
  /** Why it is unsupported or failed there. */
  readonly reason?: string;
}

/** How all cells moved together. */
export interface Shift {
  /**
   * Median of the cells' ratios as they were measured.
   * @exclusiveMinimum 0
   */
  readonly median: number;
  readonly cells: Count;
  /** Cells with a ratio on the same side of 1 as the median. */
  readonly together: Count;
  /** Set where most cells moved alike and further than the threshold: what they share changed. */
  readonly machine: boolean;
}

/** What two runs differ by in all their cells, and is taken off each ratio. */
export interface Calibration {
  /**
   * What ratios are divided by: a run on a machine that was 12 % slower has 1.12.
   * @exclusiveMinimum 0
   */
  readonly factor: number;
  /** `cells`: it is the median of all cells' ratios. `baseline`: ratios to the baseline of each run are compared. */
  readonly by: "cells" | "baseline";
  /** So many cells it was made of. */
  readonly cells: Count;
  /** The codec that ratios are to, where it is by `baseline`. */
  readonly baseline?: string;
}

/** By how much ratios of equal code vary from comparison to comparison. */
export interface BetweenRuns {
  /** Standard deviation of a ratio, as a share: by `runs` the whole of it, by `cells` what processes do not explain. */
  readonly deviation: NonNegative;
  /** `cells`: estimated from the cells of two runs. `runs`: measured, by several runs of a side. */
  readonly source: "cells" | "runs";
}

/** A circumstance that differs. */
export interface Difference {
  readonly what: string;
  readonly base: string;
  readonly head: string;
  /** `forced`: it forbids a comparison that was made all the same. `note`: it may be what the comparison is about. */
  readonly weight: "forced" | "warning" | "note";
}

/** A limit on how much slower a cell may become. */
export interface SlowerLimit {
  /** As a share. */
  readonly limit: NonNegative;
  /** Cells that are slower, with a ratio above 1 + limit. */
  readonly slower: readonly Pick<ComparedCell, "operation" | "dataset" | "codec" | "ratio">[];
  /** Cells that the base measured and that failed in the head. */
  readonly failed: readonly Pick<ComparedCell, "operation" | "dataset" | "codec">[];
  /** Cells that may be slower by more than the limit, and pass: see {@link UndecidedLimit}. */
  readonly blind?: readonly BlindCell[];
}

/** A limit on how much slower a cell may be unseen. */
export interface UndecidedLimit {
  /** As a share. */
  readonly limit: NonNegative;
  /** Cells not called slower whose 95 % interval reaches beyond 1 + limit, or is not known. */
  readonly cells: readonly BlindCell[];
  /** Cells that the base measured and that failed in the head; absent where there are none. */
  readonly failed?: readonly Pick<ComparedCell, "operation" | "dataset" | "codec">[];
  /** Set where both sides have measured no cell: then nothing is known at all. */
  readonly nothing?: true;
}

/** A cell of which it is not known whether it is slower. */
export type BlindCell = Pick<ComparedCell, "operation" | "dataset" | "codec" | "ci95">;

/** A limit on how much slower the median cell may become. */
export interface ShiftLimit {
  /** As a share. */
  readonly limit: NonNegative;
  /** Whether the median of the cells' ratios, as they were measured, is above 1 + limit. */
  readonly shifted: boolean;
}

/** Instructions per call of both sides: beside times, and not in their place. */
export interface ComparedInstructions {
  /** What was counted on both sides, in the order of the cells. */
  readonly cells: readonly ComparedCount[];
  /** Why nothing was counted, or not in all processes. */
  readonly reason?: string;
}

/** One cell's instructions on both sides. */
export interface ComparedCount {
  readonly operation: string;
  readonly dataset: string;
  readonly codec: string;
  /** As the verdict of a time, by the threshold alone: the noise of times is not in counts. */
  readonly verdict: "fewer" | "more" | "same" | "undecided";
  /** Instructions of the head as a multiple of the base's; null where one of them is 0. */
  readonly ratio: number | null;
  /** 95 % confidence interval of the ratio; null where it cannot be known. */
  readonly ci95: Interval | null;
  /** Adjusted for the number of counted cells (Holm); null where it cannot be known. */
  readonly p: Share | null;
  /** Medians of processes. */
  readonly base: NonNegative;
  readonly head: NonNegative;
}
