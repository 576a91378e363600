import { medianOfMeans } from "../../../analysis/statistics/location.ts";
import type { Allocation } from "./allocation.ts";
import type { CallLoop } from "./call-loop.ts";
import { watch } from "./heap-watch.ts";

/** What garbage collection costs the calls that make the garbage. */
export interface GcPauses {
  /** Nanoseconds per call. */
  readonly gcNanos: number;
  readonly longestPauseNanos: number;
}

/** Milliseconds of calls that are watched at once. */
const STRETCH_MS = 0.5;

/** Collections that should be seen: of fewer, one that is long decides the mean. */
const PAUSES = 20;

/** Milliseconds in which the first is waited for: calls of `v8.serialize` have one in some 300 (measured), of several ms. */
const FIRST_PAUSE_MS = 500;

/** Stretches of collections whose means are compared. */
const STRETCHES = 5;

/** Bytes per call below which nothing is taken to be allocated. */
const LEAST_BYTES = 1;

/**
 * The pauses of collections that V8 runs by itself in some milliseconds of calls, or in longer to see some: half a
 * second to see one. Only what stops the calls counts, not what other threads do.
 * @param allocated what a call allocates: where that is nothing, no collection is waited for
 * @param longestMs after which no further collection is waited for
 */
export function sustainedPauses(
  loop: CallLoop,
  ms: number,
  { heapBytes, externalBytes }: Allocation,
  longestMs: number,
): GcPauses {
  const allocates = heapBytes + externalBytes >= LEAST_BYTES;
  const patience = (): number => {
    if (!allocates || pauses.length >= PAUSES) return ms;
    return pauses.length === 0 ? Math.max(longestMs, FIRST_PAUSE_MS) : longestMs;
  };
  const count = loop.callsWithin(Math.min(STRETCH_MS, ms));
  const pauses: number[] = [];
  let calls = 0;
  const start = performance.now();
  for (let elapsed = 0; elapsed < patience(); ) {
    pauses.push(...watch(() => loop.run(count)).pauses);
    calls += count;
    elapsed = performance.now() - start;
  }
  return pausesOf(pauses, calls);
}

/**
 * The time per call and the longest of some pauses, in nanoseconds. A pause in which another process had the core
 * is many times as long as the others: the median of the means of five stretches is taken for the mean of all.
 */
export function pausesOf(pauses: readonly number[], calls: number): GcPauses {
  return {
    gcNanos: pauses.length === 0 ? 0 : (medianOfMeans(pauses, STRETCHES) * pauses.length) / calls,
    longestPauseNanos: Math.max(0, ...pauses),
  };
}
