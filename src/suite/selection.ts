import type { Profile, ProfileName } from "../measure/profiles.ts";
import type { Dataset } from "../model/dataset.ts";
import { UsageError } from "../model/errors.ts";
import { expectNumber } from "../model/expect-option.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { NativeProgram } from "../runtimes/native/manifest.ts";
import type { BuildOptions } from "../runtimes/native/toolchain.ts";

/** What is to be measured. Everything has a default. */
export interface Selection {
  /** Names, patterns or groups as on the command line; by default `@published`, or `@node` for data of one's own. */
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
  /** Forbid to make code of strings, as pages with a strict content security policy do. */
  readonly noEval?: boolean;
  /** Measure reference programs in other languages too, which are the originals of the codecs; none by default. */
  readonly native?: NativeSelection;
  /** Versions of libraries that are measured beside those that are there, as `avsc@5.7.9`. They are fetched where the cache has them not. */
  readonly use?: readonly string[];
  /** Fetch the libraries of the codecs that are nowhere, in the versions that these were tried with. */
  readonly install?: boolean;
  /** Files of the user's own codecs, datasets, operations and reports. */
  readonly plugins?: readonly string[];
  /** A process that gives no sign that it gets on for this long is killed; by default 120. */
  readonly timeoutSeconds?: number;
  /** Differences below this share are not called differences; by default 0.01. */
  readonly threshold?: number;
  /** `shared`: measures everything in processes that run every codec and dataset too, as a server does. */
  readonly jit?: Jit;
  /** What the answer begins with: `size`, `speed`, `latency@100M`, `memory` or `cold-start`. */
  readonly goal?: string;
  /** Bits per second for which the report says what a message costs on a wire. */
  readonly bandwidths?: readonly number[];
  /**
   * `size`: datasets are measured in several sizes, besides those that are named. `reads`: parts of a message are
   * read, which has operations of its own. `int64`: datasets are measured with 64-bit integers as numbers, bigints and text.
   * `stream`: messages are decoded out of a stream. `stall`: messages of more and more values are decoded here and by a worker.
   */
  readonly study?: Study;
}

/** Which reference programs take part. */
export interface NativeSelection extends BuildOptions {
  /** A folder of programs in place of those of wirebench. */
  readonly folder?: string;
  /** Which of its programs are built; all by default. */
  readonly only?: (program: NativeProgram) => boolean;
  /** Called with what is being built. */
  readonly onBuild?: (program: string) => void;
}

/**
 * What is swept: the sizes of the datasets, how much of a message is read, how 64-bit integers are held; a stream; or how many values a
 * message has.
 */
export type Study = "size" | "reads" | "int64" | "stream" | "stall";

/** Whether a codec has the compiled code of its process to itself. */
export type Jit = "isolated" | "shared";

/** What is measured in a process of its own. */
export type Isolation = "codec" | "cell";

/** The numbers of a whole run's blocks. */
export function allBlocks({ processes }: Profile): number[] {
  return Array.from({ length: processes }, (_, block) => block);
}

/**
 * The numbers, in order, of the blocks that a selection asks for; undefined where that is all of them. Throws UsageError
 * for one that the profile does not have, for none, and for a share of them that would be empty.
 */
export function chosenBlocks(
  { blocks, shard }: Selection,
  name: string,
  profile: Profile,
): number[] | undefined {
  const { processes } = profile;
  const all = allBlocks(profile);
  if (shard !== undefined) {
    if (blocks !== undefined)
      throw new UsageError("shard: it chooses the blocks, expected no blocks beside it");
    const [number, of] = shardOf(shard);
    if (of > processes) {
      throw new UsageError(
        `shard ${shard}: the profile ${name} has ${processes} blocks, expected at most ${processes} shards`,
      );
    }
    return all.filter((block) => block % of === number - 1);
  }
  if (blocks === undefined) return undefined;
  for (const block of blocks) expectNumber("blocks", block, { integer: true, least: 0, most: processes - 1 });
  const chosen = all.filter((block) => blocks.includes(block));
  if (chosen.length === 0) throw new UsageError("no block: expected at least one");
  if (chosen.length < blocks.length)
    throw new UsageError(`blocks: expected each once, got ${blocks.join(", ")}`);
  return chosen;
}

/** `2/5` as its numbers. */
function shardOf(shard: string): [number, number] {
  const [number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).slice(1).map(Number);
  if (number >= 1 && number <= of && Number.isSafeInteger(of)) return [number, of];
  throw new UsageError(`shard: expected a number and how many there are, as 2/5, got ${shard}`);
}
