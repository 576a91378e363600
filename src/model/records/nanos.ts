/** The times of a cell in a record. */
import { show } from "../value.ts";
import type { Count, Interval, Nanoseconds, PositiveCount, Share } from "./quantities.ts";

/**
 * What batches are timed by. `schedstat`: time on a core, as Linux tells it in nanoseconds. `thread-cpu`: time on a core, by
 * `process.threadCpuUsage()`. `wall`: time by the clock, where neither can be had.
 */
export type TimeSource = "schedstat" | "thread-cpu" | "wall";

/**
 * How the time per call went while it was measured. `warming`: it fell. `slowing`: it rose. `erratic`: it jumped about.
 */
export type WarmUp = "steady" | "warming" | "slowing" | "erratic";

/**
 * Time of one call, without the loop around it. The process is the statistical unit. It is time on a core, but where the
 * runtime's `timeSource` is `wall`.
 */
export interface Nanos {
  /** Median of {@link processes}. */
  readonly median: Nanoseconds;
  /** 95 % confidence interval of the median; null where it cannot be known. */
  readonly ci95: Interval | null;
  /** Median absolute deviation of {@link processes}, not scaled. */
  readonly mad: Nanoseconds;
  /** 99th percentile of all batch means. It is not a latency: single calls are not timed. */
  readonly p99: Nanoseconds;
  /** Least batch mean of all. */
  readonly min: Nanoseconds;
  /**
   * One time per process, in the order in which they ran: the median of the means of five stretches.
   * @minItems 1
   */
  readonly processes: readonly Nanoseconds[];
  /**
   * Two levels, the lower one first, where the times are of two and not of one: {@link median} is then between them, and a time that
   * may never occur. The levels are those of processes, or those between which processes flip while they are measured.
   * @minItems 2
   * @maxItems 2
   */
  readonly levels?: readonly Level[];
  /** Time by the clock, estimated as {@link processes}; null for a process that had no other. Absent where none had. */
  readonly wall?: readonly (Nanoseconds | null)[];
  /**
   * Processor time of all threads of each process, per call: that of the calling thread in its batches, and that of the others in the
   * middle one of five parts of the phase. Null for a process in which nothing tells it, and absent where all are.
   */
  readonly allThreads?: readonly (Nanoseconds | null)[];
  /** Share of each process's batches in which its thread was ready to run and had to wait for a core. As above. */
  readonly preempted?: readonly (Share | null)[];
  /**
   * Share of each process's batches beside which fixed work took over 1.15 times as long as usual: somebody else was on the same
   * core, or its clock was lowered. They are left out. As above.
   */
  readonly slowed?: readonly (Share | null)[];
  /**
   * Indexes of the processes in which too few other batches were left: all of theirs count, those beside a slow core divided by how
   * many times as long as usual the fixed work took, to the power of 1.1. Absent where there are none.
   */
  readonly scaled?: readonly Count[];
  /** The block of each process: those of one block ran next to each other. */
  readonly blocks: readonly Count[];
  /** Indexes of the processes whose times are beyond Tukey's fences. They count like the others. */
  readonly outliers: readonly Count[];
  /** Whether the time per call still changed while it was measured, per process. */
  readonly warmUp: readonly WarmUp[];
  /** What a turn of the timed loop costs around nothing, per process; it is taken off the figures above. */
  readonly loops: readonly Nanoseconds[];
  /** Calls per batch, per process. */
  readonly batchCalls: readonly PositiveCount[];
  /** Every batch mean of every process as it was measured, in order, the loop included. */
  readonly batches: readonly (readonly Nanoseconds[])[];
}

/** A level of a cell's times. */
export interface Level {
  readonly nanos: Nanoseconds;
  /** Share of the processes that are at it, or of the time where processes flip. */
  readonly share: Share;
}

/** What is wrong between the figures of a cell, with its place: everything that is said per process is said of every process. */
export function nanosProblem(nanos: Nanos, at: string): string | undefined {
  const { processes, outliers, scaled = [] } = nanos;
  const each = [
    "loops",
    "batchCalls",
    "batches",
    "blocks",
    "warmUp",
    "wall",
    "allThreads",
    "preempted",
    "slowed",
  ] as const;
  for (const key of each) {
    if ((nanos[key] ?? processes).length !== processes.length) {
      return `${at}.${key}: expected ${processes.length} of them, one per process, got ${show(nanos[key])}`;
    }
  }
  for (const [key, indexes] of Object.entries({ outliers, scaled })) {
    const wrong = indexes.findIndex((index) => processes[index] === undefined);
    if (wrong >= 0)
      return `${at}.${key}[${wrong}]: expected the index of a process, got ${show(indexes[wrong])}`;
  }
  return undefined;
}
