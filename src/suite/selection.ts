import type { ProfileName } from "../measure/profiles.ts";
import type { Dataset } from "../model/dataset.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { NativeSelection } from "./natives.ts";

/** What is to be measured. Everything has a default. */
export interface Selection {
  /** Names or patterns as on the command line; by default every codec without its variants. */
  readonly codecs?: readonly string[];
  /** Names, or datasets from `loadDataset`; by default `tellist`. */
  readonly datasets?: readonly (string | Dataset)[];
  /** Count instructions and cycles per call too, where the system can. */
  readonly counters?: boolean;
  /** Type of 64-bit integers in the datasets that are named; by default numbers where all are safe. */
  readonly int64?: Int64Mode;
  /** Names or patterns; by default those that are no part of another. */
  readonly operations?: readonly string[];
  /** Measure build, write, read and plain too. */
  readonly parts?: boolean;
  /** By default `standard`. */
  readonly profile?: ProfileName;
  /**
   * Which of the profile's blocks are carried out, by their numbers from 0; by default all of them. Each is what it would
   * be in a whole run with this seed.
   */
  readonly blocks?: readonly number[];
  /** A share of the blocks, as `2/5`: every fifth, beginning with the second. */
  readonly shard?: string;
  /** Whether memory and compression are measured too, in the last block; by default they are. */
  readonly survey?: boolean;
  /** `codec`, the default: a codec's operations share a process. `cell`: each has its own. */
  readonly isolate?: Isolation;
  /** How many cores each measuring process is pinned to, on Linux: the last ones that it may use. By default all. */
  readonly cores?: number;
  /** Makes the order of the measurements repeatable: 0 to 2^31 - 1; by default drawn anew and recorded. */
  readonly seed?: number;
  /** The codec that ratios are to; by default `json`, or the first codec where json is not measured. */
  readonly baseline?: string;
  /**
   * What codecs are measured in: names of runtimes, with or without the path of a program, as `bun` or
   * `node@../node22/bin/node`; by default the one that wirebench is run with.
   */
  readonly runtimes?: readonly string[];
  /** Measure reference programs in other languages too, which are the originals of the codecs; none by default. */
  readonly native?: NativeSelection;
  /** Files of the user's own codecs, datasets, operations and reports. */
  readonly plugins?: readonly string[];
  /** A process that gives no sign that it gets on for this long is killed; by default 120. */
  readonly timeoutSeconds?: number;
  /** Differences below this share are not called differences; by default 0.01. */
  readonly threshold?: number;
  /** `shared`: measures everything in processes that run every codec and dataset too, as a server does. */
  readonly jit?: Jit;
  /** Bits per second for which the report says what a message costs on a wire. */
  readonly bandwidths?: readonly number[];
  /**
   * `size`: datasets are measured in several sizes, besides those that are named. `reads`: parts of a message are
   * read, which has operations of its own.
   */
  readonly study?: Study;
}

/** What is swept: the sizes of the datasets, or how much of a message is read. */
export type Study = "size" | "reads";

/** Whether a codec has the compiled code of its process to itself. */
export type Jit = "isolated" | "shared";

/** What is measured in a process of its own. */
export type Isolation = "codec" | "cell";
