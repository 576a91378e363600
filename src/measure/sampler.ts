import { Bench } from "tinybench";
import { mean, median, stretchesOf } from "../analysis/statistics/location.ts";
import type { Batch } from "../analysis/statistics/warm-up.ts";
import { type Unavailable, VerificationError } from "../model/errors.ts";
import { compile } from "../model/generated-code.ts";
import type { Task } from "../model/operation.ts";
import { type Clock, type CoreTime, readingCost } from "./clock.ts";
import { areEnough, atFullSpeed, CoreSpeed } from "./core-speed.ts";
import { type Counter, type Counts, countedCalls } from "./counting.ts";
import type { Host } from "./host.ts";
import type { Profile } from "./profiles.ts";
import { aimedBatch, type BatchTime, Budget, fitted, recovered, settle, WARM_UP } from "./warming.ts";

/** What one process measured of one operation. */
export interface Samples {
  /**
   * Mean nanoseconds of a turn of the loop, one per batch, in order: on a core, or by the clock where nothing tells that. Batches
   * beside which the core was slow are not among them, unless they are `scaled`.
   */
  readonly batches: readonly number[];
  /** Calls per batch. */
  readonly batchCalls: number;
  /** Nanoseconds of a turn of the loop with an operation that does nothing. */
  readonly loop: number;
  /** Nanoseconds of a call by the clock, where batches are timed on a core. */
  readonly wall?: number;
  /** Nanoseconds of all threads per call, where that is told. */
  readonly allThreads?: number;
  /** Share of the batches in which the thread waited for a core, where that is told. */
  readonly preempted?: number;
  /** Share of all batches beside which the core was slow, where its speed is told. */
  readonly slowed?: number;
  /** Whether too few others were left, and slow batches are divided by how much longer calls take beside them. */
  readonly scaled?: true;
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
  /** Counts as many calls more as were to be timed, and proves their sum too: for when nothing is timed any more. */
  readonly count: (counter: Counter) => Counts | Unavailable;
}

/** Runs `count` calls from input `start` on and returns their time in ms; adds the folds to `sink.sum`. */
type TimedLoop = (start: number, count: number) => number;

/** Everything a timed call makes goes through here, so that V8 cannot leave the work out. */
const sink: { value: unknown; sum: number } = { value: undefined, sum: 0 };
(globalThis as { wirebenchSink?: unknown }).wirebenchSink = sink;

/** Batches that a median is taken of: at least the first number, and the second unless calls are very long. */
const BATCHES = { least: 3, usual: 16 };

/**
 * Measures a task in this process, in batches: a single call is too short for a clock. Every batch's results are
 * folded, and the sum is compared with what the first results fold to, which are proven later. tinybench says when the warm-up and the measured
 * phase end, and is given each batch by its `overriddenDuration` contract; it neither reads the clock for a batch nor
 * computes any figure of a record. Throws VerificationError when the sums differ.
 * @param host whose meter is started and stopped with the measured phase, and what is known of the speed of its core
 * @param onLongBatch is called after each batch, or call before them, that took over a second
 */
export function sample(
  task: Task,
  profile: Profile,
  host: Pick<Host, "clock" | "collect" | "meter"> & { readonly speed?: CoreSpeed },
  onLongBatch: () => void = () => {},
): Sampling {
  const { clock, collect, meter, speed = new CoreSpeed(clock) } = host;
  const timedLoop = compileLoop(task.run, task.fold, task.inputs, clock);
  const { folds, firstMs } = firstFolds(task, clock, onLongBatch);
  const timer = new BatchTimer(clock, speed);
  const ring = new Ring(timedLoop, timer, folds, onLongBatch);
  const { empty, loop } = emptyLoop(task.inputs.length, timer, clock);
  const aimed = aimedBatch(profile, clock);
  const first = fitted((count) => ring.warmUpBatch(count), 1, profile.warmupMs * WARM_UP.calibrate, aimed);
  let { batchCalls } = first;
  // Twice the budget is spent at most to have enough batches of a call that takes long.
  const affordable = Math.max(Math.floor((2 * profile.measureMs) / first.wallMs), BATCHES.least);
  // A call of a second is many times what V8 needs to compile it, and more of them would make a run take hours.
  const warm = first.wallMs > LONG_BATCH_MS;
  const batches: BatchTime[] = [];
  const bench = new Bench({
    warmup: !warm,
    time: profile.measureMs,
    iterations: Math.min(affordable, BATCHES.usual),
    warmupTime: profile.warmupMs * WARM_UP.tinybench,
    warmupIterations: 1,
    throws: true,
    // Garbage of what precedes the measured phase is not charged to it.
    setup: (_, mode) => void (mode === "run" && collect?.("all")),
    now: clock.now,
  });
  let measuring = false;
  let budget = new Budget();
  const timed = () => {
    const batch = measuring ? ring.batch(batchCalls) : ring.warmUpBatch(batchCalls);
    const cost = budget.spend(batch);
    if (measuring) {
      batches.push(batch);
      threads.after(batchCalls, budget.spentMs);
    }
    return { overriddenDuration: batch.ms / batchCalls, overriddenIterationCost: cost };
  };
  const threads = new ThreadsMeter(clock, profile);
  // tinybench calls beforeAll once for the warm-up and once for the measured phase.
  const beforeAll = (mode?: "run" | "warmup"): void => {
    measuring = mode === "run";
    budget = new Budget(measuring ? speed : undefined);
    if (!measuring) return;
    if (!warm) {
      // The code has become faster since, and a short batch is mostly what goes with each.
      const ofRing = (count: number): BatchTime => ring.batch(count);
      batchCalls = recovered(ofRing, batchCalls, profile.warmupMs * WARM_UP.recover, aimed);
      collect?.("young");
      settle(ofRing, batchCalls, profile.warmupMs * WARM_UP.settle);
    }
    timer.prepare();
    meter?.start();
    threads.start();
  };
  const afterAll = (mode?: "run" | "warmup"): void => {
    if (mode !== "run") return;
    meter?.stop();
  };
  bench.add("task", timed, { async: false, beforeAll, afterAll });
  bench.runSync();
  const perCall = (ms: number): number => round((ms / batchCalls) * 1e6);
  const fast = batches.filter(({ slowdown }) => slowdown === undefined);
  const fastMs = fast.map(({ ms }) => ms);
  const scaled = !areEnough(fastMs, batches.length);
  const counted = scaled ? batches : fast;
  return {
    samples: {
      batches: counted.map(({ ms, slowdown = 1 }) => perCall(atFullSpeed(ms, slowdown))),
      batchCalls,
      loop,
      ...(clock.core === undefined ? {} : beside(counted, batchCalls, loop, threads.nanos)),
      ...(speed.isTold ? { slowed: share(batches.map(({ slowdown }) => slowdown !== undefined)) } : {}),
      ...(scaled ? { scaled } : {}),
    },
    firstCallNanos: round(firstMs * 1e6),
    warmUp: ring.warmUp,
    folds,
    count: (counter) => {
      const calls = Math.max(1, Math.round(profile.measureMs / (first.wallMs / first.batchCalls)));
      const loops = { task: (count: number) => ring.batch(count), empty: (count: number) => empty(0, count) };
      return countedCalls(counter, calls, loops);
    },
  };
}

/** What is known of batches beside their time on a core. */
function beside(
  batches: readonly BatchTime[],
  batchCalls: number,
  loop: number,
  othersNanos: number,
): Pick<Samples, "wall" | "allThreads" | "preempted"> {
  const nanosOf = (ms: number): number => (ms / batchCalls) * 1e6;
  const wall = batches.map(({ wallMs }) => nanosOf(wallMs));
  const own = mean(batches.map(({ ms, slowdown = 1 }) => nanosOf(atFullSpeed(ms, slowdown))));
  const waited = batches.flatMap(({ waited }) => waited ?? []);
  return {
    wall: round(median(stretchesOf(wall, loop))),
    allThreads: round(Math.max(own - loop, 0) + othersNanos),
    ...(waited.length === 0 ? {} : { preempted: share(waited) }),
  };
}

/** Share of what is true, to a hundredth of a percent. */
function share(values: readonly boolean[]): number {
  return Math.round(mean(values.map(Number)) * 1e4) / 1e4;
}

/** Parts of a phase of which the middle one says what other threads take: as those that a process's time is made of. */
const PARTS = 5;

/**
 * The processor time that the other threads of the process take per call. It is that of the middle part of the measured phase: a thread that
 * compiles works once, and one that collects garbage throughout.
 */
class ThreadsMeter {
  readonly #core: CoreTime | undefined;
  readonly #partMs: number;
  readonly #perCall: number[] = [];
  #others = 0;
  #calls = 0;
  #until = 0;

  constructor({ core }: Clock, { measureMs }: Profile) {
    this.#core = core;
    this.#partMs = measureMs / PARTS;
  }

  start(): void {
    this.#others = this.#reading();
    this.#until = this.#partMs;
  }

  /** Some calls have ended, after which the phase has spent so much. */
  after(calls: number, spentMs: number): void {
    this.#calls += calls;
    if (spentMs < this.#until) return;
    const others = this.#reading();
    this.#perCall.push(Math.max(others - this.#others, 0) / this.#calls);
    this.#others = others;
    this.#calls = 0;
    this.#until = spentMs + this.#partMs;
  }

  /** Nanoseconds per call. */
  get nanos(): number {
    return median(this.#perCall);
  }

  #reading(): number {
    if (this.#core === undefined) return 0;
    const own = this.#core.onCore();
    return this.#core.allThreads() - own;
  }
}

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

/** Times batches by both clocks. */
class BatchTimer {
  readonly #clock: Clock;
  readonly #speed: CoreSpeed;
  #costNanos = 0;

  constructor(clock: Clock, speed: CoreSpeed) {
    this.#clock = clock;
    this.#speed = speed;
    this.prepare();
  }

  /** Finds out anew what its readings cost, and how fast the core is. */
  prepare(): void {
    const { core, now } = this.#clock;
    this.#speed.prepare();
    if (core !== undefined) this.#costNanos = readingCost(core, now);
  }

  /**
   * Time of a batch. That on a core is read outermost: its reading is a system call, whose cost is taken off, and the time by
   * the clock is not to have it.
   */
  time(loop: TimedLoop, start: number, count: number): BatchTime {
    const { core } = this.#clock;
    if (core === undefined) {
      const wallMs = loop(start, count);
      return { ms: wallMs, wallMs, waited: undefined, slowdown: this.#speed.slowdown() };
    }
    const before = core.onCore();
    const waitedBefore = core.waited?.();
    const wallMs = loop(start, count);
    const after = core.onCore();
    const waited = core.waited === undefined ? undefined : core.waited() !== waitedBefore;
    const ms = Math.max(after - before - this.#costNanos, 0) / 1e6;
    return { ms, wallMs, waited, slowdown: this.#speed.slowdown() };
  }
}

/** Goes round the inputs, batch after batch, and proves each batch's sum. */
class Ring {
  readonly #loop: TimedLoop;
  readonly #timer: BatchTimer;
  readonly #folds: Int32Array;
  readonly #onLongBatch: () => void;
  readonly #round: number;
  readonly warmUp: Batch[] = [];
  #next = 0;

  constructor(loop: TimedLoop, timer: BatchTimer, folds: Int32Array, onLongBatch: () => void) {
    this.#loop = loop;
    this.#timer = timer;
    this.#folds = folds;
    this.#onLongBatch = onLongBatch;
    this.#round = folds.reduce((sum, fold) => (sum + fold) | 0, 0);
  }

  /** {@link batch}, which is kept as one of the warm-up. */
  warmUpBatch(count: number): BatchTime {
    const batch = this.batch(count);
    this.warmUp.push({ elapsedMs: batch.ms, nanos: (batch.ms / count) * 1e6 });
    return batch;
  }

  /** What `count` calls take. */
  batch(count: number): BatchTime {
    const size = this.#folds.length;
    sink.sum = 0;
    const batch = this.#timer.time(this.#loop, this.#next, count);
    if (batch.wallMs > LONG_BATCH_MS) this.#onLongBatch();
    let expected = Math.imul(this.#round, Math.floor(count / size));
    for (let i = 0; i < count % size; i++) expected = (expected + this.#folds[(this.#next + i) % size]!) | 0;
    if (sink.sum !== expected) {
      throw new VerificationError(`the timed calls' results fold to ${sink.sum}, expected ${expected}`);
    }
    this.#next = (this.#next + count) % size;
    return batch;
  }
}

/** Turns of the empty loop that are timed at once: 15 µs or more, for a clock that steps by a tenth of one. */
const EMPTY_LOOP = { calls: 2 ** 14, stepNanos: 100 };

/** The same loop around a function that gives back its input, and nanoseconds of its turn. */
interface EmptyLoop {
  readonly empty: TimedLoop;
  readonly loop: number;
}

/** By the clock of a process, and by the number of inputs: it is compiled and timed once. */
const emptyLoops = new WeakMap<Clock, Map<number, EmptyLoop>>();

function emptyLoop(inputs: number, timer: BatchTimer, clock: Clock): EmptyLoop {
  const known = emptyLoops.get(clock) ?? new Map<number, EmptyLoop>();
  emptyLoops.set(clock, known);
  const found = known.get(inputs);
  if (found !== undefined) return found;
  const numbers = Array.from({ length: inputs }, (_, i) => i);
  const same = compile<(input: unknown) => number>("return (input) => input;");
  const empty = compileLoop(same, same as (result: unknown) => number, numbers, clock);
  const calls = EMPTY_LOOP.calls * Math.ceil(clock.stepNanos / EMPTY_LOOP.stepNanos);
  const times = Array.from({ length: 24 }, () => timer.time(empty, 0, calls).ms);
  const made = { empty, loop: round((median(times.slice(12)) / calls) * 1e6) };
  known.set(inputs, made);
  return made;
}

/** Hundredths of short times, tenths of long ones: more would only fill the record. */
function round(nanos: number): number {
  return nanos < 100 ? Math.round(nanos * 100) / 100 : Math.round(nanos * 10) / 10;
}
