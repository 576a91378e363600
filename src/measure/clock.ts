import { mean } from "../analysis/statistics/location.ts";
import type { TimeSource } from "../model/records/run.ts";

/** What times are read from. */
export interface Clock {
  /** Milliseconds since some moment; never less than before. */
  now(): number;
  /** Nanoseconds between two readings that differ, at least, by what batches are timed by: no time is known more exactly. */
  readonly stepNanos: number;
  /** What batches are timed by; absent where nothing tells it reliably, and batches are timed by {@link now}. */
  readonly core?: CoreTime;
}

/** What tells for how long this thread has been on a core. */
export interface CoreTime {
  readonly source: Exclude<TimeSource, "wall">;
  /** Nanoseconds that this thread has been on a core. */
  onCore(): number;
  /** Nanoseconds that it was ready to run and waited for a core, as of the last reading; absent where nothing tells it. */
  waited?(): number;
  /** Nanoseconds of processor time of all threads of the process. */
  allThreads(): number;
}

/**
 * A clock, whose smallest step is measured first, with the first of the candidates that tells the time of a busy loop.
 * @param candidates open what tells the time on a core; undefined where the system has no such thing
 */
export function measuredClock(
  now: () => number,
  candidates: readonly (() => CoreTime | undefined)[] = [],
): Clock {
  const stepNanos = stepOf(now);
  for (const open of candidates) {
    const core = open();
    if (core === undefined || !tellsBusyLoop(core, now)) continue;
    return { now, stepNanos: Math.max(stepNanos, coreStepOf(core, now)), core };
  }
  return { now, stepNanos };
}

/** Steps that are looked at: a fifth of a millisecond of Node's clock, and a fifth of a second of one of 100 µs. */
const STEPS = 2000;

/** Nanoseconds of a clock's smallest step: it is read without a pause until it has moved on often. */
function stepOf(now: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  let last = now();
  for (let steps = 0; steps < STEPS; ) {
    const next = now();
    if (next <= last) continue;
    least = Math.min(least, next - last);
    last = next;
    steps += 1;
  }
  return Math.round(least * 1e7) / 10;
}

/** A busy loop: its parts, the milliseconds of each, how many of them have to be whole, and how often it is tried. */
const SPIN = { parts: 11, ms: 0.2, whole: 3, tries: 10 };

/** How far from the time of a busy loop a reading of it may be, as a share: what is updated by ticks is far off. */
const OFF = 0.2;

/**
 * Whether a busy loop has as much time on a core as it takes, less what it waited for one: some of its parts are within a fifth of
 * that, fewer are longer, and none is below 0. Where it is not told how long it waited, parts in which the thread was off its core
 * are too short; and one is too long in which code of the readings was loaded. Then it is tried again.
 */
function tellsBusyLoop(core: CoreTime, now: () => number): boolean {
  let whole = 0;
  let longer = 0;
  for (let tries = 0; tries < SPIN.tries; tries++) {
    const parts = Array.from({ length: SPIN.parts }, () => spin(core, now));
    if (parts.some(({ onCore }) => !(onCore >= 0))) return false;
    whole += parts.filter((part) => Math.abs((part.onCore + part.waited) / part.wall - 1) <= OFF).length;
    longer += parts.filter(({ onCore, wall }) => onCore / wall > 1 + OFF).length;
    if (whole >= SPIN.whole && whole > longer) return true;
  }
  return false;
}

/** What a part took, in nanoseconds. */
function spin(
  core: CoreTime,
  now: () => number,
): { readonly onCore: number; readonly waited: number; readonly wall: number } {
  const onCore = core.onCore();
  const waited = core.waited?.() ?? 0;
  const from = now();
  let until = from;
  while (until - from < SPIN.ms) until = now();
  return {
    onCore: core.onCore() - onCore,
    waited: (core.waited?.() ?? 0) - waited,
    wall: (until - from) * 1e6,
  };
}

/** Pairs of readings that a cost is taken from: half a millisecond. */
const PAIRS = 100;

/** Nanoseconds on a core between pairs of readings with nothing but two readings of the time in between, sorted. */
function pairs({ onCore }: CoreTime, now: () => number): Float64Array {
  return Float64Array.from({ length: PAIRS }, () => {
    const before = onCore();
    now();
    now();
    return onCore() - before;
  }).sort();
}

/** Nanoseconds of the step: the smallest difference between costs of readings, which vary by more than a fine one's. */
function coreStepOf(core: CoreTime, now: () => number): number {
  const costs = pairs(core, now);
  return Math.min(...Array.from(costs, (cost, i) => cost - (costs[i - 1] ?? 0)).filter((step) => step > 0));
}

/** Share of the costs of readings that are without what the system does now and then. */
const USUAL = 0.9;

/**
 * Nanoseconds on a core that a batch has of its two readings: their mean, since a coarse clock's is between two steps. It is measured
 * where it is needed: readings become faster as their code is compiled (measured: 2.7 µs at first and 2.2 later).
 */
export function readingCost(core: CoreTime, now: () => number): number {
  return mean([...pairs(core, now).subarray(0, USUAL * PAIRS)]);
}
