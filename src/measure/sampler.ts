import { Bench } from "tinybench";
import { median } from "../analysis/statistics/location.ts";
import type { Batch } from "../analysis/statistics/warm-up.ts";
import { VerificationError } from "../model/errors.ts";
import { compile } from "../model/generated-code.ts";
import type { Task } from "../model/operation.ts";
import type { Clock } from "./clock.ts";
import type { Host } from "./host.ts";
import type { Profile } from "./profiles.ts";

/** What one process measured of one operation. */
export interface Samples {
  /** Mean nanoseconds of a turn of the loop, one per batch, in order. */
  readonly batches: readonly number[];
  /** Calls per batch. */
  readonly batchCalls: number;
  /** Nanoseconds of a turn of the loop with an operation that does nothing. */
  readonly loop: number;
}

/** {@link Samples}, and how the process came there. */
export interface Sampling {
  readonly samples: Samples;
  /** Nanoseconds of the very first call of the task. */
  readonly firstCallNanos: number;
  /** The batches of the warm-up until the collection before the measured phase, in order. */
  readonly warmUp: readonly Batch[];
  /** What the first result of each input folds to. Nobody has checked those results yet. */
  readonly folds: Int32Array;
}

/** Runs `count` calls from input `start` on and returns their time in ms; adds the folds to `sink.sum`. */
type TimedLoop = (start: number, count: number) => number;

/** Everything a timed call makes goes through here, so that V8 cannot leave the work out. */
const sink: { value: unknown; sum: number } = { value: undefined, sum: 0 };
(globalThis as { wirebenchSink?: unknown }).wirebenchSink = sink;

/** Most calls in a batch: reached only by an operation that costs almost nothing. */
const MAX_CALLS = 2 ** 20;

/** Batches that a median is taken of: at least the first number, and the second unless calls are very long. */
const BATCHES = { least: 3, usual: 16 };

/**
 * Measures a task in this process, in batches: a single call is too short for a clock. Every batch's results are
 * folded, and the sum is compared with what the first results fold to, which are proven later. tinybench says when the warm-up and the measured
 * phase end, and is given each batch by its `overriddenDuration` contract; it neither reads the clock for a batch nor
 * computes any figure of a record. Throws VerificationError when the sums differ.
 * @param host whose meter is started and stopped with the measured phase
 * @param onLongBatch is called after each batch, or call before them, that took over a second
 */
export function sample(
  task: Task,
  profile: Profile,
  host: Pick<Host, "clock" | "collect" | "meter">,
  onLongBatch: () => void = () => {},
): Sampling {
  const { clock, collect, meter } = host;
  const timedLoop = compileLoop(task.run, task.fold, task.inputs, clock);
  const { folds, firstMs } = firstFolds(task, clock, onLongBatch);
  const ring = new Ring(timedLoop, folds, onLongBatch);
  const loop = loopCost(task.inputs.length, clock);
  const { batchCalls, batchMs } = calibrate(ring, profile, clock);
  // Four times the budget is spent at most to have enough batches of a call that takes long.
  const affordable = Math.floor((4 * profile.measureMs) / batchMs);
  const iterations = Math.min(Math.max(affordable, BATCHES.least), BATCHES.usual);
  // A call of a second is many times what V8 needs to compile it, and more of them would make a run take hours.
  const warm = batchMs > LONG_BATCH_MS;
  const batches: number[] = [];
  const bench = new Bench({
    warmup: !warm,
    time: profile.measureMs,
    iterations,
    warmupTime: profile.warmupMs * WARM_UP.tinybench,
    warmupIterations: Math.ceil(iterations / 2),
    throws: true,
    // Garbage of the phase before is not charged to this one.
    setup: () => collect?.(),
    now: clock.now,
  });
  let measuring = false;
  const timed = () => {
    const elapsed = measuring ? ring.batch(batchCalls) : ring.warmUpBatch(batchCalls);
    if (measuring) batches.push(round((elapsed / batchCalls) * 1e6));
    return { overriddenDuration: elapsed / batchCalls, overriddenIterationCost: elapsed };
  };
  // tinybench calls beforeAll once for the warm-up and once for the measured phase.
  const beforeAll = (mode?: "run" | "warmup"): void => {
    measuring = mode === "run";
    if (!measuring) return;
    if (!warm) settle(ring, batchCalls, profile, clock);
    meter?.start();
  };
  const afterAll = (mode?: "run" | "warmup"): void => {
    if (mode === "run") meter?.stop();
  };
  bench.add("task", timed, { async: false, beforeAll, afterAll });
  bench.runSync();
  return {
    samples: { batches, batchCalls, loop },
    firstCallNanos: round(firstMs * 1e6),
    warmUp: ring.warmUp,
    folds,
  };
}

/** How the warm-up is divided: finding the batch size, tinybench's own, and settling after the collection. */
const WARM_UP = { calibrate: 0.4, tinybench: 0.3, settle: 0.3 };

/** What each input's first result folds to, and the milliseconds of the very first call. */
function firstFolds(
  task: Task,
  { now }: Clock,
  onLongCall: () => void,
): { readonly folds: Int32Array; readonly firstMs: number } {
  let firstMs = 0;
  const folds = Int32Array.from(task.inputs, (input, index) => {
    const from = now();
    const result = task.run(input);
    const elapsedMs = now() - from;
    if (index === 0) firstMs = elapsedMs;
    if (elapsedMs > LONG_BATCH_MS) onLongCall();
    return task.fold(result);
  });
  return { folds, firstMs };
}

/**
 * A forced collection also throws away optimised code whose object shapes have no object left, and the first
 * calls after it are several times slower (measured: the first 6 ms took 3 times as long for protobufjs, 4 times
 * for capnp-ts). They are no part of what a warm program pays.
 */
function settle(ring: Ring, batchCalls: number, profile: Profile, { now }: Clock): void {
  const until = now() + profile.warmupMs * WARM_UP.settle;
  do ring.batch(batchCalls);
  while (now() < until);
}

/**
 * The timed loop, generated anew for each task: with one loop for all, V8 would specialise it for the first
 * task and make every later one pay for the difference.
 */
function compileLoop(
  run: (input: unknown) => unknown,
  fold: (result: unknown) => number,
  inputs: readonly unknown[],
  { now }: Clock,
): TimedLoop {
  return compile<TimedLoop>(
    `return function batch(start, count) {
  let sum = 0, next = start;
  const from = now();
  for (let i = 0; i < count; i++) {
    const result = run(inputs[next]);
    sink.value = result;
    sum = (sum + fold(result)) | 0;
    if (++next === size) next = 0;
  }
  const elapsed = now() - from;
  sink.sum = (sink.sum + sum) | 0;
  return elapsed;
};`,
    { run, fold, inputs, size: inputs.length, sink, now },
  );
}

/** Milliseconds that no batch takes unless a single call does. */
const LONG_BATCH_MS = 1000;

/** Goes round the inputs, batch after batch, and proves each batch's sum. */
class Ring {
  readonly #loop: TimedLoop;
  readonly #folds: Int32Array;
  readonly #onLongBatch: () => void;
  readonly #round: number;
  readonly warmUp: Batch[] = [];
  #next = 0;

  constructor(loop: TimedLoop, folds: Int32Array, onLongBatch: () => void) {
    this.#loop = loop;
    this.#folds = folds;
    this.#onLongBatch = onLongBatch;
    this.#round = folds.reduce((sum, fold) => (sum + fold) | 0, 0);
  }

  /** {@link batch}, which is kept as one of the warm-up. */
  warmUpBatch(count: number): number {
    const elapsedMs = this.batch(count);
    this.warmUp.push({ elapsedMs, nanos: (elapsedMs / count) * 1e6 });
    return elapsedMs;
  }

  /** Milliseconds of `count` calls. */
  batch(count: number): number {
    const size = this.#folds.length;
    sink.sum = 0;
    const elapsed = this.#loop(this.#next, count);
    if (elapsed > LONG_BATCH_MS) this.#onLongBatch();
    let expected = Math.imul(this.#round, Math.floor(count / size));
    for (let i = 0; i < count % size; i++) expected = (expected + this.#folds[(this.#next + i) % size]!) | 0;
    if (sink.sum !== expected) {
      throw new VerificationError(`the timed calls' results fold to ${sink.sum}, expected ${expected}`);
    }
    this.#next = (this.#next + count) % size;
    return elapsed;
  }
}

/** Steps of the clock in a batch at least: a step is then half a percent of it. */
const LEAST_STEPS = 200;

/**
 * The first part of the warm-up, which also finds how many calls make a batch of about the aimed length: a power
 * of two, found anew as the code gets faster.
 */
function calibrate(
  ring: Ring,
  profile: Profile,
  { now, stepNanos }: Clock,
): { batchCalls: number; batchMs: number } {
  const leastMicros = (LEAST_STEPS * stepNanos) / 1000;
  // A batch may be half as long as is aimed at.
  const aimedMicros = Math.max(profile.batchMicros, 2 * leastMicros);
  const until = now() + profile.warmupMs * WARM_UP.calibrate;
  let batchCalls = 1;
  let batchMs = ring.warmUpBatch(batchCalls);
  const isTooShort = (): boolean => batchMs * 1000 < leastMicros && batchCalls < MAX_CALLS;
  while (now() < until || isTooShort()) {
    batchMs = median(Array.from({ length: 5 }, () => ring.warmUpBatch(batchCalls)));
    const share = (batchMs * 1000) / aimedMicros;
    if (share < 0.5 && batchCalls < MAX_CALLS) batchCalls *= 2;
    else if (share > 1.5 && batchCalls > 1) batchCalls /= 2;
  }
  return { batchCalls, batchMs };
}

/** Turns of the empty loop that are timed at once: 15 µs or more, for a clock that steps by a tenth of one. */
const EMPTY_LOOP = { calls: 2 ** 14, stepNanos: 100 };

/** The same loop around a function that gives back its input. */
function loopCost(inputs: number, clock: Clock): number {
  const numbers = Array.from({ length: inputs }, (_, i) => i);
  const same = compile<(input: unknown) => number>("return (input) => input;");
  const empty = compileLoop(same, same as (result: unknown) => number, numbers, clock);
  const calls = EMPTY_LOOP.calls * Math.max(1, Math.ceil(clock.stepNanos / EMPTY_LOOP.stepNanos));
  const times = Array.from({ length: 60 }, () => empty(0, calls));
  return round((median(times.slice(20)) / calls) * 1e6);
}

/** Hundredths of short times, tenths of long ones: more would only fill the record. */
function round(nanos: number): number {
  return nanos < 100 ? Math.round(nanos * 100) / 100 : Math.round(nanos * 10) / 10;
}
