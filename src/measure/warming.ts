/** How a process warms up: what it calls before the measured phase, and how many calls make a batch. */
import { median } from "../analysis/statistics/location.ts";
import type { Clock } from "./clock.ts";
import type { CoreSpeed } from "./core-speed.ts";
import type { Profile } from "./profiles.ts";

/** What a batch took. */
export interface BatchTime {
  /** Milliseconds that it is said to take: on a core, or by the clock where nothing tells that. */
  readonly ms: number;
  /** Milliseconds by the clock. */
  readonly wallMs: number;
  /** Whether the thread waited for a core in it; undefined where nothing tells it. */
  readonly waited: boolean | undefined;
  /** As {@link CoreSpeed.slowdown} says it of the core before it and after it. */
  readonly slowdown: number | undefined;
}

/** Runs so many calls as a batch. */
type BatchOf = (count: number) => BatchTime;

/** A phase ends at this many times its length by the clock, however little of that was on a core. */
const WALL_CAP = 2;

/** What a phase has spent of its time: time on a core, or as much as its time by the clock allows. */
export class Budget {
  readonly #speed: CoreSpeed | undefined;
  #coreMs = 0;
  #wallMs = 0;

  /** @param speed which waits for its core to be fast again: meanwhile nothing is spent */
  constructor(speed?: CoreSpeed) {
    this.#speed = speed;
  }

  get spentMs(): number {
    return Math.max(this.#coreMs, this.#wallMs / WALL_CAP);
  }

  /** Milliseconds that a batch adds to what is spent. */
  spend({ ms, wallMs, slowdown }: BatchTime): number {
    if (slowdown !== undefined && this.#speed?.waits(wallMs) === true) return 0;
    const before = this.spentMs;
    this.#coreMs += ms;
    this.#wallMs += wallMs;
    return this.spentMs - before;
  }
}

/**
 * How the warm-up is divided: finding the batch size, tinybench's own, recovering from the collection of all garbage, and settling after
 * that of what the recovery left.
 *
 * A collection of all garbage also throws away optimised code whose object shapes have no object left, and the first calls after it
 * are several times slower (measured: the first 6 ms took 3 times as long for protobufjs, 4 times for capnp-ts). They are no part of what a
 * warm program pays. So most of the warm-up comes after it, and what is collected right before the measured phase is young: it
 * leaves code alone.
 */
export const WARM_UP = { calibrate: 0.35, tinybench: 0.1, recover: 0.5, settle: 0.05 };

/** Most calls in a batch: reached only by an operation that costs almost nothing. */
const MAX_CALLS = 2 ** 20;

/** Steps of the clock in a batch at least: a step is then half a percent of it. */
const LEAST_STEPS = 200;

/** What a batch should take. */
export interface AimedBatch {
  readonly micros: number;
  /** Below which the clock does not tell its time. */
  readonly leastMicros: number;
}

export function aimedBatch({ batchMicros }: Profile, { stepNanos }: Clock): AimedBatch {
  const leastMicros = (LEAST_STEPS * stepNanos) / 1000;
  // A batch may be half as long as is aimed at.
  return { micros: Math.max(batchMicros, 2 * leastMicros), leastMicros };
}

/**
 * A part of the warm-up, which also finds how many calls make a batch of about the aimed length: a power of two, found
 * anew as the code gets faster. What mostly waits is cut into batches by the clock.
 * @param batchCalls to begin with
 * @param ms how long it takes at least
 */
export function fitted(
  batchOf: BatchOf,
  batchCalls: number,
  ms: number,
  aimed: AimedBatch,
): { readonly batchCalls: number; readonly wallMs: number } {
  const budget = new Budget();
  const spentOn = (count: number): BatchTime => {
    const batch = batchOf(count);
    budget.spend(batch);
    return batch;
  };
  let last = [spentOn(batchCalls)];
  const wallMs = (): number => median(last.map((batch) => batch.wallMs));
  const micros = (): number => 1000 * Math.max(median(last.map((batch) => batch.ms)), wallMs() / WALL_CAP);
  // On a busy machine the time is gone before the first calls have become fast.
  const isTooShort = (): boolean =>
    micros() < Math.max(aimed.leastMicros, aimed.micros / 4) && batchCalls < MAX_CALLS;
  while (budget.spentMs < ms || isTooShort()) {
    last = [];
    // A batch of one call that takes long gets no shorter: then the time alone says when it is enough.
    do last.push(spentOn(batchCalls));
    while (last.length < 5 && (batchCalls > 1 || budget.spentMs < ms));
    const share = micros() / aimed.micros;
    if (share < 0.5 && batchCalls < MAX_CALLS) batchCalls *= 2;
    else if (share > 1.5 && batchCalls > 1) batchCalls /= 2;
  }
  return { batchCalls, wallMs: wallMs() };
}

/** Parts of the recovery, each held against the one before it. */
const PARTS = 4;

/** A part that takes less than this share of the one before it shows that the code is still getting faster. */
const STILL = 0.97;

/** The recovery takes this many times as long at most. */
const LONGEST = 2;

/**
 * The part of the warm-up after the collection of all garbage. It goes on for as long as the calls get faster: where a process
 * in ten was still warming up while it was measured, its time was 2 % too long in the middle and 28 % in every twentieth.
 * @param ms how long it takes at least
 * @returns calls per batch
 */
export function recovered(batchOf: BatchOf, batchCalls: number, ms: number, aimed: AimedBatch): number {
  const budget = new Budget();
  let nanos: number | undefined;
  for (;;) {
    const taken: number[] = [];
    const kept: BatchOf = (count) => {
      const batch = batchOf(count);
      budget.spend(batch);
      taken.push(batch.ms / count);
      return batch;
    };
    ({ batchCalls } = fitted(kept, batchCalls, ms / PARTS, aimed));
    const before = nanos;
    nanos = median(taken);
    if (budget.spentMs < ms) continue;
    if (before === undefined || nanos > STILL * before || budget.spentMs >= LONGEST * ms) return batchCalls;
  }
}

/** Calls for some milliseconds, one batch at least, of which nothing is kept. */
export function settle(batchOf: BatchOf, batchCalls: number, ms: number): void {
  const budget = new Budget();
  do budget.spend(batchOf(batchCalls));
  while (budget.spentMs < ms);
}
