import { Bench } from "tinybench";
import { median } from "../analysis/statistics/location.ts";
import type { Turn } from "../analysis/statistics/steady-time.ts";
import { VerificationError } from "../model/errors.ts";
import { compile } from "../model/generated-code.ts";
import type { Task } from "../model/operation.ts";
import type { ConditionsMeter } from "../runtimes/node/conditions.ts";
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
  readonly turns: readonly Turn[];
}

/** Runs `count` calls from input `start` on and returns their time in ms; adds the folds to `sink.sum`. */
type Batch = (start: number, count: number) => number;

/** Everything a timed call makes goes through here, so that V8 cannot leave the work out. */
const sink: { value: unknown; sum: number } = { value: undefined, sum: 0 };
(globalThis as { wirebenchSink?: unknown }).wirebenchSink = sink;

/** Most calls in a batch: reached only by an operation that costs almost nothing. */
const MAX_CALLS = 2 ** 20;

/** Batches that a median is taken of: at least the first number, and the second unless calls are very long. */
const BATCHES = { least: 3, usual: 16 };

/**
 * Measures a task in this process with tinybench, in batches by its `overriddenDuration` contract: a single
 * call is too short for a clock. Every batch's results are folded, and the sum is compared with what checked
 * results fold to. Throws VerificationError when they differ.
 * @param meter is told when the measured phase begins and ends
 * @param onLongTurn is called between batches after each that took over a second
 */
export function sample(
  task: Task,
  profile: Profile,
  meter?: ConditionsMeter,
  onLongTurn: () => void = () => {},
): Sampling {
  const batch = compileBatch(task.run, task.fold, task.inputs);
  const { folds, firstMs } = checkedFolds(task);
  const ring = new Ring(batch, folds, onLongTurn);
  const loop = loopCost(task.inputs.length);
  const { batchCalls, batchMs } = calibrate(ring, profile);
  // Four times the budget is spent at most to have enough batches of a call that takes long.
  const affordable = Math.floor((4 * profile.measureMs) / batchMs);
  const iterations = Math.min(Math.max(affordable, BATCHES.least), BATCHES.usual);
  // A call of a second is many times what V8 needs to compile it, and more of them would make a run take hours.
  const warm = batchMs > LONG_TURN_MS;
  const batches: number[] = [];
  const bench = new Bench({
    warmup: !warm,
    time: profile.measureMs,
    iterations,
    warmupTime: profile.warmupMs * WARM_UP.tinybench,
    warmupIterations: Math.ceil(iterations / 2),
    throws: true,
    // Garbage of the phase before is not charged to this one.
    setup: () => globalThis.gc?.(),
  });
  let measuring = false;
  const timed = () => {
    const elapsed = measuring ? ring.turn(batchCalls) : ring.warmingTurn(batchCalls);
    if (measuring) batches.push(round((elapsed / batchCalls) * 1e6));
    return { overriddenDuration: elapsed / batchCalls, overriddenIterationCost: elapsed };
  };
  // tinybench calls beforeAll once for the warm-up and once for the measured phase.
  const beforeAll = (mode?: "run" | "warmup"): void => {
    measuring = mode === "run";
    if (!measuring) return;
    if (!warm) settle(ring, batchCalls, profile);
    meter?.start();
  };
  const afterAll = (mode?: "run" | "warmup"): void => {
    if (mode === "run") meter?.stop();
  };
  bench.add("task", timed, { async: false, beforeAll, afterAll });
  bench.runSync();
  checkedFolds(task);
  return { samples: { batches, batchCalls, loop }, firstCallNanos: round(firstMs * 1e6), turns: ring.turns };
}

/** How the warm-up is divided: finding the batch size, tinybench's own, and settling after the collection. */
const WARM_UP = { calibrate: 0.4, tinybench: 0.3, settle: 0.3 };

/** What each input's result folds to, after it was checked, and the milliseconds of the first call. */
function checkedFolds(task: Task): { readonly folds: Int32Array; readonly firstMs: number } {
  let firstMs = 0;
  const folds = Int32Array.from(task.inputs, (input, index) => {
    const from = performance.now();
    const result = task.run(input);
    if (index === 0) firstMs = performance.now() - from;
    task.check(result, index);
    return task.fold(result);
  });
  return { folds, firstMs };
}

/**
 * A forced collection also throws away optimised code whose object shapes have no object left, and the first
 * calls after it are several times slower (measured: the first 6 ms took 3 times as long for protobufjs, 4 times
 * for capnp-ts). They are no part of what a warm program pays.
 */
function settle(ring: Ring, batchCalls: number, profile: Profile): void {
  const until = performance.now() + profile.warmupMs * WARM_UP.settle;
  do ring.turn(batchCalls);
  while (performance.now() < until);
}

/**
 * The timed loop, generated anew for each task: with one loop for all, V8 would specialise it for the first
 * task and make every later one pay for the difference.
 */
function compileBatch(
  run: (input: unknown) => unknown,
  fold: (result: unknown) => number,
  inputs: readonly unknown[],
): Batch {
  return compile<Batch>(
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
    { run, fold, inputs, size: inputs.length, sink, now: performance.now.bind(performance) },
  );
}

/** Milliseconds that no batch takes unless a single call does. */
const LONG_TURN_MS = 1000;

/** Goes round the inputs, batch after batch, and proves each batch's sum. */
class Ring {
  readonly #batch: Batch;
  readonly #folds: Int32Array;
  readonly #onLongTurn: () => void;
  readonly #round: number;
  readonly turns: Turn[] = [];
  #next = 0;

  constructor(batch: Batch, folds: Int32Array, onLongTurn: () => void) {
    this.#batch = batch;
    this.#folds = folds;
    this.#onLongTurn = onLongTurn;
    this.#round = folds.reduce((sum, fold) => (sum + fold) | 0, 0);
  }

  /** A turn that is kept in mind as one of the warm-up. */
  warmingTurn(count: number): number {
    const elapsedMs = this.turn(count);
    this.turns.push({ elapsedMs, nanos: (elapsedMs / count) * 1e6 });
    return elapsedMs;
  }

  /** Milliseconds of `count` calls. */
  turn(count: number): number {
    const size = this.#folds.length;
    sink.sum = 0;
    const elapsed = this.#batch(this.#next, count);
    if (elapsed > LONG_TURN_MS) this.#onLongTurn();
    let expected = Math.imul(this.#round, Math.floor(count / size));
    for (let i = 0; i < count % size; i++) expected = (expected + this.#folds[(this.#next + i) % size]!) | 0;
    if (sink.sum !== expected) {
      throw new VerificationError(`the timed calls' results fold to ${sink.sum}, expected ${expected}`);
    }
    this.#next = (this.#next + count) % size;
    return elapsed;
  }
}

/**
 * The first part of the warm-up, which also finds how many calls make a batch of about the aimed length: a power
 * of two, found anew as the code gets faster.
 */
function calibrate(ring: Ring, profile: Profile): { batchCalls: number; batchMs: number } {
  const until = performance.now() + profile.warmupMs * WARM_UP.calibrate;
  let batchCalls = 1;
  let batchMs = ring.warmingTurn(batchCalls);
  while (performance.now() < until) {
    batchMs = median(Array.from({ length: 5 }, () => ring.warmingTurn(batchCalls)));
    const share = (batchMs * 1000) / profile.batchMicros;
    if (share < 0.5 && batchCalls < MAX_CALLS) batchCalls *= 2;
    else if (share > 1.5 && batchCalls > 1) batchCalls /= 2;
  }
  return { batchCalls, batchMs };
}

/** The same loop around a function that gives back its input. */
function loopCost(inputs: number): number {
  const numbers = Array.from({ length: inputs }, (_, i) => i);
  const same = compile<(input: unknown) => number>("return (input) => input;");
  const empty = compileBatch(same, same as (result: unknown) => number, numbers);
  const calls = 2 ** 14;
  const times = Array.from({ length: 60 }, () => empty(0, calls));
  return round((median(times.slice(20)) / calls) * 1e6);
}

/** Hundredths of short times, tenths of long ones: more would only fill the record. */
function round(nanos: number): number {
  return nanos < 100 ? Math.round(nanos * 100) / 100 : Math.round(nanos * 10) / 10;
}
