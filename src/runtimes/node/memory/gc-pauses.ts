import { getHeapStatistics } from "node:v8";
import { median } from "../../../analysis/statistics/location.ts";
import type { Allocation } from "./allocation.ts";
import { type CallLoop, stopwatch } from "./call-loop.ts";
import { watch } from "./heap-watch.ts";

/** What garbage collection costs the calls that make the garbage. */
export interface GcPauses {
  /** Nanoseconds per call. */
  readonly gcNanos: number;
  readonly longestPauseNanos: number;
}

/** How collections are looked for. */
export interface PauseBudget {
  /** Milliseconds of calls, in which most codecs have several collections. */
  readonly ms: number;
  /** Milliseconds after which no further collection is waited for. */
  readonly longestMs: number;
  /** Nanoseconds that this thread has been on a core; absent where nothing tells it. */
  readonly onCore?: (() => number) | undefined;
}

/** Milliseconds of calls that are watched at once. */
const STRETCH_MS = 0.5;

/** Collections that should be seen, and those without which a long one would be taken for the usual one. */
const PAUSES = { enough: 20, least: 3 };

/**
 * For how long the least are waited for, in milliseconds and in times of {@link PauseBudget.longestMs}, which a short run does not
 * exceed: calls of `v8.serialize` have one in some 300 ms (measured).
 */
const LEAST_PAUSES = { ms: 500, times: 20 };

/** Bytes per call below which nothing is taken to be allocated. */
const LEAST_BYTES = 1;

/**
 * Bytes of a stretch beyond which a collection in it may free less than the stretch allocates, or not be the only one:
 * the least young generation is 1 MiB.
 */
const MOST_BYTES = 512 * 1024;

/**
 * The collections that V8 runs by itself in some milliseconds of calls, or in longer to see some: up to half a second to see
 * three. Only what stops the calls counts, not what other threads do.
 *
 * They are timed by the processor where that can be: a stretch of calls with a collection takes longer on a core than one
 * without. V8's own figure of a pause is by the clock, and has in it whoever had the core meanwhile (measured beside nine
 * busy processes, eight times each: 358 to 474 ns a call of msgpackr's decode, where pauses by the clock came to between
 * 492 and 7,200 ns).
 *
 * The usual collection counts as many times as there were any. One of all memory takes ten times as long, and whether it
 * falls into these milliseconds is chance.
 * @param allocated what a call allocates: where that is nothing, no collection is waited for
 */
export function sustainedPauses(loop: CallLoop, budget: PauseBudget, allocated: Allocation): GcPauses {
  const { heapBytes, externalBytes } = allocated;
  const { onCore } = budget;
  const allocates = heapBytes + externalBytes >= LEAST_BYTES;
  const leastPausesMs = Math.min(LEAST_PAUSES.ms, LEAST_PAUSES.times * budget.longestMs);
  const count = loop.callsWithin(Math.min(STRETCH_MS, budget.ms));
  const whileSeen = (stretch: () => number): void => {
    const spent = stopwatch(onCore);
    const start = performance.now();
    const isWaitedFor = (seen: number): boolean => {
      if (!allocates || seen >= PAUSES.enough) return false;
      return performance.now() - start < (seen < PAUSES.least ? leastPausesMs : budget.longestMs);
    };
    let seen = 0;
    do seen = stretch();
    while (spent() < budget.ms || isWaitedFor(seen));
  };
  if (onCore !== undefined && count * heapBytes <= MOST_BYTES) {
    const stretches: Stretch[] = [];
    let seen = 0;
    whileSeen(() => {
      const stretch = timedStretch(loop, count, onCore);
      stretches.push(stretch);
      if (stretch.collected) seen += 1;
      return seen;
    });
    return pausesByCore(stretches, count);
  }
  const pauses: number[] = [];
  let calls = 0;
  whileSeen(() => {
    pauses.push(...watch(() => loop.run(count)).pauses);
    calls += count;
    return pauses.length;
  });
  return pausesOf(pauses, calls);
}

/** Some calls at once. */
export interface Stretch {
  /** Nanoseconds that they were on a core. */
  readonly nanos: number;
  /** Whether garbage was collected: more than they allocated. */
  readonly collected: boolean;
}

function timedStretch(loop: CallLoop, count: number, onCore: () => number): Stretch {
  const used = getHeapStatistics().used_heap_size;
  const from = onCore();
  loop.run(count);
  const nanos = onCore() - from;
  return { nanos, collected: getHeapStatistics().used_heap_size < used };
}

/**
 * What stretches with a collection took beyond those without: per call, and at most.
 * @param count calls of a stretch
 */
export function pausesByCore(stretches: readonly Stretch[], count: number): GcPauses {
  const nanosOf = (collects: boolean): number[] =>
    stretches.filter(({ collected }) => collected === collects).map(({ nanos }) => nanos);
  const [collecting, usual] = [nanosOf(true), nanosOf(false)];
  if (usual.length === 0) return pausesOf([], 1);
  const without = median(usual);
  const pauses = collecting.map((nanos) => Math.max(0, nanos - without));
  return pausesOf(pauses, count * stretches.length);
}

/** The time per call, if each took as long as the median, and the longest of some pauses, in nanoseconds. */
export function pausesOf(pauses: readonly number[], calls: number): GcPauses {
  return {
    gcNanos: pauses.length === 0 ? 0 : (median(pauses) * pauses.length) / calls,
    longestPauseNanos: Math.max(0, ...pauses),
  };
}
