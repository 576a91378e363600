/** What follows of a run for whoever has to choose: claims, each with its figure. */
import type { Goal } from "../goal.ts";
import type { Bandwidth, Interval, NonNegative, PositiveCount } from "./quantities.ts";

/**
 * Which codecs a claim is among. `all`: all that were measured. `service`: those whose format evolves and is of no other
 * language's world. `schemaless`: those of them that need no schema.
 */
export type Among = "all" | "service" | "schemaless";

/**
 * `best`: no other can be, for all that was measured. `level`: one of the codec and of `level` is it, and which one cannot be
 * told. `enough`: what the baseline takes, and what the best saves of it. `undecided`: two that cannot be told apart.
 */
export type Why = "best" | "level" | "enough" | "undecided";

/** How a message is compressed. */
export interface AnswerCompression {
  readonly algorithm: "gzip" | "brotli" | "zstd";
  /**
   * As the algorithm counts them; absent where it is its own default.
   * @asType integer
   */
  readonly level?: number;
}

/** One claim of an answer. */
export interface Answer {
  readonly dataset: string;
  readonly goal: Goal | "compressed-size" | "enough" | "undecided";
  readonly among: Among;
  /** The codec with the least value. */
  readonly codec: string;
  /** How its message is compressed. */
  readonly compression?: AnswerCompression;
  /** Of the goals `speed` and `undecided`: whose time it is. `round-trip`: encode and decode, one after the other. */
  readonly operation?: "round-trip" | "encode" | "decode";
  /** Of the goals `latency` and `enough`, in bit/s. */
  readonly bandwidth?: Bandwidth;
  /** Bytes of a message, bytes that a call allocates, or nanoseconds. */
  readonly value: NonNegative;
  readonly unit: "bytes" | "nanoseconds";
  /** What it is compared with; null where that was not measured, and where it is the codec itself. */
  readonly against: string | null;
  /** How what it is compared with is compressed. */
  readonly againstCompression?: AnswerCompression;
  /** Its value as a multiple of the other's: null where that is not told apart from 1, but for `undecided`. */
  readonly ratio: NonNegative | null;
  /** 95 % interval of the ratio, without width for sizes; null where the ratio is, or where it cannot be known. */
  readonly ci95: Interval | null;
  /** The others that may have the least value. */
  readonly level: readonly string[];
  readonly why: Why;
  /** Of `undecided`: about how many processes of each codec would tell them apart; absent where they are the same within the threshold, or it cannot be known. */
  readonly processes?: PositiveCount;
}
