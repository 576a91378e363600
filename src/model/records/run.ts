/**
 * The record of a run: the one file that everything else is rendered from. All times are nanoseconds, all
 * sizes bytes. `schemas/run-record.schema.json` is made of it, for other programs and for whoever reads a record.
 */
import type { RuntimeIdentity } from "../runtime.ts";
import type { Trait, World } from "../traits.ts";
import { show } from "../value.ts";
import type { Answer } from "./answer.ts";
import type { ByteUses } from "./byte-uses.ts";
import { type Nanos, nanosProblem, type TimeSource } from "./nanos.ts";
import type {
  Bandwidth,
  Bytes,
  Count,
  Interval,
  Milliseconds,
  Nanoseconds,
  NonNegative,
  PositiveCount,
  Share,
  Timestamp,
  Tool,
} from "./quantities.ts";

export type { Level, Nanos, TimeSource, WarmUp } from "./nanos.ts";

/** Version of the shape below. A reader of another version must convert it first. */
export const RECORD_VERSION = 2;

/** One run: its circumstances, its options and its cells. */
export interface RunRecord {
  readonly schemaVersion: typeof RECORD_VERSION;
  readonly tool: Tool;
  /** ISO 8601, UTC. */
  readonly startedAt: Timestamp;
  /** Absent until the run is over. */
  readonly finishedAt?: Timestamp;
  /** False while the run goes on, and for good when it was interrupted. */
  readonly complete: boolean;
  /** Why it is not complete, where it was not interrupted. */
  readonly reason?: string;
  readonly environment: Environment;
  /** What codecs were measured in, the baseline's first. */
  readonly runtimes: readonly RuntimeRecord[];
  /** The reference programs whose systems have cells; absent where none was asked for. */
  readonly natives?: readonly NativeRecord[];
  readonly options: RunOptionsRecord;
  readonly datasets: readonly DatasetRecord[];
  readonly payloads: readonly PayloadRecord[];
  /**
   * Set in a page, where two numbers stand for the batches of each fifth of a process, by which comparisons come out as by the
   * batches themselves.
   */
  readonly shortened?: true;
  /** What follows of it for whoever has to choose; absent until the run is over, and in records of before. */
  readonly answer?: readonly Answer[];
  /** What compressing those messages takes here; empty until it is measured. */
  readonly compression: readonly CompressionRecord[];
  /** The measuring processes, in the order in which they ran. */
  readonly processes: readonly ProcessRecord[];
  /** What the run can tell from noise; absent where no codec was measured against itself. */
  readonly noise?: Noise;
  /** Where it was put together from the records of several runs: which, and on which machines. */
  readonly merged?: Merged;
  readonly cells: readonly Cell[];
}

/**
 * What a merged record was made of. Its environment and runtimes are those of the first run, its seed too, and its blocks
 * are numbered anew where two runs had the same numbers.
 */
export interface Merged {
  readonly runs: readonly MergedRun[];
  /**
   * One where all runs had the same fingerprint. Of several, ratios are those of the machines together, and what is said of
   * times in `nanos` is of all processes: each machine's own are in `machines` of a cell.
   */
  readonly machines: readonly MachineRecord[];
}

/** A run of a merged record. */
export interface MergedRun {
  /** What its record was called. */
  readonly source: string;
  readonly startedAt: Timestamp;
  readonly seed: Count;
  readonly shard?: string;
  /** Label of its machine. */
  readonly machine: string;
  /** Its blocks, by their numbers in the merged record. */
  readonly blocks: readonly Count[];
}

/** A machine of a merged record, as the first run there found it. */
export interface MachineRecord {
  /** Its CPU model, and what else tells it from the others. */
  readonly label: string;
  readonly environment: Environment;
  readonly runtimes: readonly RuntimeRecord[];
  /** What was measured on it, by the numbers of the merged record. */
  readonly blocks: readonly Count[];
  readonly noise?: Noise;
}

/** Where a run was made. */
export interface Environment {
  readonly cpu: { readonly model: string; readonly cores: PositiveCount; readonly governor: string | null };
  readonly memoryBytes: Bytes;
  readonly os: { readonly platform: string; readonly release: string; readonly arch: string };
  /** What wirebench itself ran with; its flags are those of its measuring processes in Node, and its own in another. */
  readonly runtime: EnvironmentRuntime;
  /** 1, 5 and 15 minute load averages when the run began. */
  readonly load: readonly number[];
  readonly clocksource: string | null;
}

/** A runtime as it says itself. */
export interface EnvironmentRuntime extends RuntimeIdentity {
  /** Flags of its measuring processes, after variables that they are given: `NAME=value`. */
  readonly execArgv: readonly string[];
}

/** A runtime in which codecs were measured. */
export interface RuntimeRecord extends EnvironmentRuntime {
  /** What it is called in the names of cells, where there are several: `bun`, `node 22`. */
  readonly label: string;
  /** Nanoseconds of the clock's least step, where that was greatest; batches are 200 or more. Absent before an answer. */
  readonly clockStepNanos?: Nanoseconds;
  /** What batches were timed by, in the process where that told least. Absent before a process has answered. */
  readonly timeSource?: TimeSource;
  /** Of a browser: whether its page was isolated from all others (COOP and COEP) in every process: then its clock is finer. */
  readonly isolated?: boolean;
  /** What a browser calls itself that somebody had opened: its machine may be another than that of the record. */
  readonly userAgent?: string;
  /** Those of its flags that a run has only where two sides are compared: they leave less to chance, and change times. */
  readonly steadyArgv?: readonly string[];
  /** Why calls have no counters, or not in all processes, where they were asked for. */
  readonly countersReason?: string;
}

/** A reference program in another language. */
export interface NativeRecord {
  /** `cpp/protobuf`. */
  readonly program: string;
  readonly language: string;
  /** What compiled or ran it, with its version: `g++ 12.2.0`. */
  readonly compiler: string;
  /** The libraries that it found, with their versions. */
  readonly libraries: readonly string[];
  /** What the compiler was told. */
  readonly flags: readonly string[];
}

/** What the run was asked to do, defaults filled in. */
export interface RunOptionsRecord {
  readonly profile: string;
  readonly seed: Count;
  readonly baseline: string;
  readonly codecs: readonly string[];
  readonly datasets: readonly string[];
  readonly operations: readonly string[];
  readonly isolate: "codec" | "cell";
  /** How many cores each measuring process was pinned to; as many as there are where it is absent. */
  readonly cores?: PositiveCount;
  /** Of the profile: a cell has fewer where they take long, and more where others share the cores. */
  readonly processes: PositiveCount;
  readonly warmupMs: Milliseconds;
  readonly measureMs: Milliseconds;
  readonly batchMicros: NonNegative;
  readonly timeoutSeconds: NonNegative;
  /** Differences below this share are not called differences, whatever their interval. */
  readonly threshold: Share;
  /** `shared`: cells were also measured in processes that run every codec and dataset. */
  readonly jit: "isolated" | "shared";
  /** What the answer begins with, as `size` or `latency@100M`. */
  readonly goal?: string;
  /** Links that the report looks at, in bit/s; its own choice where absent. */
  readonly bandwidths?: readonly Bandwidth[];
  /** What is swept: the datasets' sizes, how much of a message is read, how 64-bit integers are held; a stream; or values of a message. */
  readonly study?: "size" | "reads" | "int64" | "stream" | "stall";
  /** Which share of the profile's blocks was carried out, as `2/5`: every fifth, beginning with the second. */
  readonly shard?: string;
  /** The numbers of the blocks that were carried out; absent where they were all of the profile's. */
  readonly blocks?: readonly Count[];
  /** Set where no code could be made of strings. */
  readonly noEval?: true;
  /** Set where instructions and cycles were to be counted too. */
  readonly counters?: true;
}

/** How many processes each codec and dataset was to have. */
export function processesOf({ blocks, processes }: RunOptionsRecord): number {
  return blocks?.length ?? processes;
}

/** A dataset as it was measured. What only a measuring process can tell is absent until one has. */
export interface DatasetRecord {
  readonly name: string;
  readonly story: string;
  readonly message: string;
  /** How many of what it has, where it can be had in several sizes. */
  readonly size?: { readonly unit: string; readonly count: PositiveCount };
  /** Distinct values in the ring that the timed loops went through. */
  readonly values?: PositiveCount;
  readonly int64?: "number" | "bigint";
  /** Of a user's data: mean bytes of a value in the file, of its JSON text as it stands there or of the encoded message. */
  readonly fileBytes?: NonNegative;
  /** Of a user's data, what schemaless codecs carried: its `documents` as they are, or `values` with every default filled in. */
  readonly schemaless?: "documents" | "values";
  /** Where the schema was inferred from the data: how many values it had, and a sentence for each choice they left open. */
  readonly inferred?: { readonly values: PositiveCount; readonly choices: readonly string[] };
  /**
   * SHA-256 of the values, in hex: equal data has equal hashes.
   * @pattern ^[0-9a-f]{64}$
   */
  readonly sha256?: string;
}

/** One codec's encoding of one dataset: its size as it is and compressed with Node's zlib. */
export interface PayloadRecord {
  readonly dataset: string;
  readonly codec: string;
  readonly bytes: Bytes;
  readonly gzip: Bytes;
  readonly brotli: Bytes;
  /** Where it is not Node's default. Earlier records lack it: there it was 5 above 1 MiB. */
  readonly brotliQuality?: Count;
  /** Absent where this Node has no zstd. */
  readonly zstd?: Bytes;
  readonly uses?: ByteUses;
}

/** What it takes to compress a message and to inflate it again, in one process of the codec. */
export interface CompressionRecord {
  readonly dataset: string;
  readonly codec: string;
  readonly algorithm: "gzip" | "brotli" | "zstd";
  /** As the algorithm counts them: an algorithm may have an entry for each of several levels. */
  readonly level: Count;
  readonly bytes: Bytes;
  /** Nanoseconds per message. */
  readonly compressNanos: Nanoseconds;
  /** 95 % interval over stretches of that process, which says nothing of others; null where it cannot be known. */
  readonly compressCi95: Interval | null;
  readonly decompressNanos: Nanoseconds;
  readonly decompressCi95: Interval | null;
}

/** One measuring process: what it ran, and what disturbed it while it measured. */
export interface ProcessRecord {
  /** From 0, as the whole run counts them; each block has one process of every codec and dataset. */
  readonly block: Count;
  readonly dataset: string;
  /** The codec, or `*` for a process that ran all of them. */
  readonly codec: string;
  /** Label of its runtime, where there are several. */
  readonly runtime?: string;
  readonly operations: readonly string[];
  /** Seconds of the measured phases, by the clock and by the processor (of the main thread, where that is known): it waited for the rest. */
  readonly wallSeconds: NonNegative;
  readonly cpuSeconds: NonNegative;
  /** Times that it (its main thread, where that is known) was taken off its core for another. */
  readonly involuntarySwitches: Count;
  /** Share of the time in which some process of the machine waited for a core (PSI); null where the system does not say. */
  readonly pressure: NonNegative | null;
  /** Share of the time of all cores that the hypervisor gave to others; null where the system does not say. */
  readonly steal: NonNegative | null;
  /** Times that the control group's quota stopped it; null where the system does not say. */
  readonly throttled: Count | null;
  /** Which of these say that it was disturbed; empty for a quiet one. */
  readonly disturbedBy: readonly Disturbance[];
  /** Most memory that the process held, in bytes. */
  readonly peakBytes: Bytes;
}

/** What disturbs a measurement: see {@link ProcessRecord}. */
export type Disturbance = "waiting" | "switches" | "pressure" | "steal" | "throttling";

/** What a run says of its own noise. */
export interface Noise {
  /** Name under which the baseline was measured again, in the same blocks; the first of them where it was more often. */
  readonly twin: string;
  /**
   * By how much the baseline differs from itself, as a share: half of the 95 % interval of the ratio of two of its
   * measurements, or the ratio's own distance from 1 where that is greater, both on logarithms. Of all operations and
   * datasets it is the lower quartile: so one that is noisy does not decide it, and where more are, each cell's own interval keeps it from claims.
   */
  readonly spread: NonNegative;
  /** The larger of the spread and the threshold: what is within it is not called different. */
  readonly gate: NonNegative;
}

/**
 * One operation of one codec on one dataset. One that is unsupported or failed is a cell like any other.
 * @needs { status: { measured: ["bytes", "nanos"], ok: ["bytes"], unsupported: ["reason"], failed: ["reason"] } }
 */
export interface Cell {
  readonly operation: string;
  /** Set for a step of encode or decode, which is shown beneath and never ranked. */
  readonly part?: true;
  readonly dataset: string;
  /** With the label of its runtime where there are several: `msgpackr (bun)`. Of a reference program `protobuf (C++ 3.21)`. */
  readonly codec: string;
  /** Label of the runtime, where there are several; the language of a reference program. */
  readonly runtime?: string;
  /** Set for a system of a reference program, which no codec is ranked with: the program's name, `cpp/protobuf`. */
  readonly program?: string;
  /** The codec that a reference program's system is the original of. */
  readonly originalOf?: string;
  readonly format: string;
  /** npm package, the runtime's name for what is built in, or `wirebench` for a codec that lives here. */
  readonly library: string;
  readonly version: string;
  /** The folder in whose `node_modules` the library is, where it is not wirebench's own copy. */
  readonly libraryFolder?: string;
  /** The version that the codec was tried with, where the measured one has another major version. */
  readonly tried?: string;
  /** What the version does not tell of how the library was built. */
  readonly build?: string;
  /** What the codec is for, and what it lacks; absent in records of before, and of reference programs. */
  readonly traits?: readonly Trait[];
  /** The language whose programs read and write its format, where that is another's. */
  readonly world?: World;
  readonly status: "measured" | "ok" | "unsupported" | "failed";
  /** Why it is unsupported or failed. */
  readonly reason?: string;
  /** Size of the encoded value; the mean where the dataset has values of several sizes. */
  readonly bytes?: Bytes;
  readonly nanos?: Nanos;
  /** Set for a further measurement of the baseline, which is compared with the first and never ranked. */
  readonly twinOf?: string;
  /** The same operation in processes that run every codec and dataset. */
  readonly shared?: Nanos;
  /** Why a process that ran every codec and dataset did not measure it; others may have. */
  readonly sharedReason?: string;
  /** How it compares with the others of its dataset and operation. */
  readonly standing?: Standing;
  /** Of a codec: how it compares with its original in another language, where that was measured. */
  readonly original?: OriginalRatio;
  /** How a program's first calls fare. */
  readonly start?: Start;
  readonly memory?: Memory;
  /** What a call takes by the processor's own counters, where that was asked for and can be had. */
  readonly counters?: Counters;
  /** Why its memory was not measured: the process ended when it was, or the runtime does not say enough. */
  readonly memoryReason?: string;
  /** The same cell on each machine, where a merged record has several. */
  readonly machines?: readonly CellOnMachine[];
  /** What a cell of a study of partial reads reads. */
  readonly reads?: Reads;
  /** Set where a partial read takes what it reads from the bytes; where it decodes everything first, it is absent. */
  readonly inPlace?: true;
}

/** A cell beside the baseline's and beside the others of its table. */
export interface Standing {
  /** Its time as a multiple of the baseline's, the middle of the blocks' ratios; null where that was not measured. */
  readonly ratio: NonNegative | null;
  /**
   * 95 % confidence interval of the ratio, from a hierarchical bootstrap whose variances are moderated over cells; null
   * where it cannot be known.
   */
  readonly ci95: Interval | null;
  /** Probability of a ratio so far from 1 by chance, adjusted for the number of cells (Holm); null where it cannot be known. */
  readonly p: Share | null;
  /** `disagree`: the machines of a merged record contradict each other beyond chance. */
  readonly verdict: Verdict | "disagree";
  /** The least difference, as a share, that the run would have found four times in five; null where it cannot be known. */
  readonly detectable: NonNegative | null;
  /** 1 for the fastest and those that cannot be told apart from it, and so on. */
  readonly tier: PositiveCount;
}

/** A codec's time as a multiple of its original's. */
export interface OriginalRatio {
  /** The original's codec, as its cells name it. */
  readonly codec: string;
  readonly ratio: NonNegative;
  /** 95 % confidence interval, as that of a {@link Standing}; null where it cannot be known. */
  readonly ci95: Interval | null;
}

/** A cell on one machine: its own time, and how it compares with the others there. */
export interface CellOnMachine {
  /** Label of the machine. */
  readonly machine: string;
  readonly processes: PositiveCount;
  readonly median: Nanoseconds;
  readonly ci95: Interval | null;
  readonly standing?: Standing;
}

/** Whether something takes less time than what it is compared with. `same`: any difference is within the threshold. */
export type Verdict = "faster" | "slower" | "same" | "undecided";

/** Cold figures in nanoseconds: medians over processes. */
export interface Start {
  /** Loading the codec's module and its library. */
  readonly importNanos: Nanoseconds;
  /** Binding the codec to the schema: code generation, reflection. */
  readonly bindNanos: Nanoseconds;
  /** The first call of the operation in its process. */
  readonly firstCallNanos: Nanoseconds;
  /** From the first timed call until the time per call stays near that of the measured phase; null where it never does. */
  readonly steadyNanos: Nanoseconds | null;
  /** Each process's own, in the order in which they ran; absent in records of before. */
  readonly processes?: readonly StartedProcess[];
}

/** The cold figures of one process in nanoseconds: see {@link Start}. */
export interface StartedProcess {
  readonly block: Count;
  readonly importNanos: Nanoseconds;
  readonly bindNanos: Nanoseconds;
  readonly firstCallNanos: Nanoseconds;
}

/**
 * What a call takes by the processor's own counters: in user space and in the thread that calls, without the loop around
 * it. It does not tell how long memory takes.
 */
export interface Counters {
  /** Instructions: the median over processes. */
  readonly instructions: NonNegative;
  /** Cycles, likewise; absent where only instructions are counted. */
  readonly cycles?: NonNegative;
  /**
   * Those of each process that counted, in the order in which they ran.
   * @minItems 1
   */
  readonly processes: readonly CountedProcess[];
}

/** What one process counted per call. */
export interface CountedProcess {
  readonly block: Count;
  readonly instructions: NonNegative;
  readonly cycles?: NonNegative;
}

/** What a call allocates and keeps, measured in a pass of its own after everything is timed. */
export interface Memory {
  /** Bytes per call on the garbage-collected heap. */
  readonly heapBytes: Bytes;
  /** Bytes per call outside of it: the content of buffers. */
  readonly externalBytes: Bytes;
  /**
   * Nanoseconds of garbage collection per call, and the longest pause: of the main thread's processor time, or by the
   * clock where nothing tells that, or where a call allocates very much.
   */
  readonly gcNanos: Nanoseconds;
  readonly longestPauseNanos: Nanoseconds;
  /** Bytes that one kept result keeps alive, with the whole of the buffers that it is a view of. */
  readonly retainedBytes: Bytes;
  /** Bytes per call that stay after every result is let go and garbage is collected. */
  readonly leakedBytes: Bytes;
  /** What is worth a warning: see {@link MemoryFinding}. */
  readonly findings: readonly MemoryFinding[];
}

/** `leak`: calls leave something behind for good. `pooled-view`: a result keeps a larger buffer alive than it needs. */
export type MemoryFinding = "leak" | "pooled-view";

/** How much of a message a cell reads: shares from 0 to 1. */
export interface Reads {
  readonly records: Share;
  readonly fields: Share;
}

/** What a cell is found by in a map: no two cells of a record have the same. */
export function cellKey({
  operation,
  dataset,
  codec,
}: Pick<Cell, "operation" | "dataset" | "codec">): string {
  return JSON.stringify([operation, dataset, codec]);
}

/**
 * What is wrong between fields of a record, which its schema cannot say, with its place; undefined where nothing is. No
 * report may leave out a cell.
 */
export function runRecordProblem({ cells, datasets }: RunRecord): string | undefined {
  const names = datasets.map(({ name }) => name);
  const seen = new Set<string>();
  for (const [index, { operation, dataset, codec, nanos, shared }] of cells.entries()) {
    const at = `cells[${index}]`;
    const key = cellKey({ operation, dataset, codec });
    if (seen.has(key))
      return `${at}: expected one cell of each operation, dataset and codec, got ${show(key)}`;
    seen.add(key);
    if (!names.includes(dataset)) {
      return `${at}.dataset: expected one of the datasets ${names.join(", ")}, got ${show(dataset)}`;
    }
    const problem =
      (nanos && nanosProblem(nanos, `${at}.nanos`)) ?? (shared && nanosProblem(shared, `${at}.shared`));
    if (problem !== undefined) return problem;
  }
  return undefined;
}
