/**
 * The record of a run: the one file that everything else is rendered from. All times are nanoseconds, all
 * sizes bytes. `schemas/run-record.schema.json` describes it for other programs; a test holds the two equal.
 */

/** Version of the shape below. A reader of another version must convert it first. */
export const RECORD_VERSION = 1;

/** One run: its circumstances, its options and its cells. */
export interface RunRecord {
  readonly schemaVersion: typeof RECORD_VERSION;
  readonly tool: { readonly name: "wirebench"; readonly version: string; readonly command: string };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Absent until the run is over. */
  readonly finishedAt?: string;
  /** False while the run goes on, and for good when it was interrupted. */
  readonly complete: boolean;
  readonly environment: Environment;
  readonly options: RunOptionsRecord;
  readonly datasets: readonly DatasetRecord[];
  readonly payloads: readonly PayloadRecord[];
  readonly cells: readonly Cell[];
}

/** Where a run was made. */
export interface Environment {
  readonly cpu: { readonly model: string; readonly cores: number; readonly governor: string | null };
  readonly memoryBytes: number;
  readonly os: { readonly platform: string; readonly release: string; readonly arch: string };
  /** `execArgv` are the flags of the measuring processes. */
  readonly node: { readonly version: string; readonly v8: string; readonly execArgv: readonly string[] };
  /** 1, 5 and 15 minute load averages when the run began. */
  readonly load: readonly number[];
  readonly clocksource: string | null;
}

/** What the run was asked to do, defaults filled in. */
export interface RunOptionsRecord {
  readonly profile: string;
  readonly seed: number;
  readonly baseline: string;
  readonly codecs: readonly string[];
  readonly datasets: readonly string[];
  readonly operations: readonly string[];
  readonly isolate: "codec" | "cell";
  readonly processes: number;
  readonly warmupMs: number;
  readonly measureMs: number;
  readonly batchMicros: number;
  readonly timeoutSeconds: number;
}

/** A dataset as it was measured. What only a measuring process can tell is absent until one has. */
export interface DatasetRecord {
  readonly name: string;
  readonly story: string;
  readonly message: string;
  /** Distinct values in the ring that the timed loops went through. */
  readonly values?: number;
  readonly int64?: "number" | "bigint";
  /** SHA-256 of the values, in hex: equal data has equal hashes. */
  readonly sha256?: string;
}

/** One codec's encoding of one dataset: its size as it is and compressed with Node's zlib. */
export interface PayloadRecord {
  readonly dataset: string;
  readonly codec: string;
  readonly bytes: number;
  readonly gzip: number;
  readonly brotli: number;
  /** Absent where this Node has no zstd. */
  readonly zstd?: number;
}

/** One operation of one codec on one dataset. A hole or a failure is a cell like any other. */
export interface Cell {
  readonly operation: string;
  /** Set for a step of encode or decode, which is shown beneath and never ranked. */
  readonly part?: true;
  readonly dataset: string;
  readonly codec: string;
  readonly format: string;
  /** npm package, `node` for what is built in, or `wirebench` for a codec that lives here. */
  readonly library: string;
  readonly version: string;
  /** What the version does not tell of how the library was built. */
  readonly build?: string;
  readonly status: "measured" | "ok" | "unsupported" | "failed";
  /** Why it is unsupported or failed. */
  readonly reason?: string;
  /** Size of the encoded value; the mean where the dataset has values of several sizes. */
  readonly bytes?: number;
  readonly nanos?: Nanos;
}

/** Time of one call, without the loop around it. The process is the statistical unit. */
export interface Nanos {
  /** Median of {@link processes}. */
  readonly median: number;
  /** 95 % confidence interval of the median; null where it cannot be known. */
  readonly ci95: readonly [number, number] | null;
  /** Median absolute deviation of {@link processes}, not scaled. */
  readonly mad: number;
  /** 99th percentile of all batch means. It is not a latency: single calls are not timed. */
  readonly p99: number;
  /** Least batch mean of all. */
  readonly min: number;
  /** One time per process, in the order in which they ran: the median of the means of five stretches. */
  readonly processes: readonly number[];
  /** What a turn of the timed loop costs around nothing, per process; it is taken off the figures above. */
  readonly loops: readonly number[];
  /** Calls per batch, per process. */
  readonly batchCalls: readonly number[];
  /** Every batch mean of every process as it was measured, in order, the loop included. */
  readonly batches: readonly (readonly number[])[];
}
