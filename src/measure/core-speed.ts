/**
 * How fast the core is from moment to moment. Threads of other programs, and those of other virtual machines, which this one
 * cannot see, may share a core's units: then code takes up to twice as long, for some milliseconds or for a second, while
 * all clocks say that it had the core for itself. Fixed work beside each batch tells it, and knows nothing of the codec.
 *
 * Measured with the default matrix on a virtual machine with such neighbours, three processes a cell: times of a cell's
 * processes deviated by 15.5 % in the middle cell, and by 4.5 % without the batches beside which the core was slow. In an
 * hour in which these were most batches they deviated by 28 %, and by 11 % when divided by how much longer the fixed work took. Codecs
 * slow down as it does to the power of 1.05 in the middle cell, and of 0.6 to 1.5 in nine of ten; in another hour, of 1.2 in the middle one.
 */
import { mean, quantile } from "../analysis/statistics/location.ts";
import type { Clock } from "./clock.ts";

/** Turns of the fixed work: 1.5 µs of a core with 3 GHz, a fiftieth of a batch. */
const TURNS = 1024;

/** What the fixed work takes at most, in nanoseconds, where an engine does not compile it: it has fewer turns there. */
const MOST_NANOS = 40_000;

/**
 * For how long it is called before its time is believed, in milliseconds: for longer where it seems not to be compiled, as while the
 * thread that compiles it waits for the same core. And how many calls that are at most, for a clock that stands still: fewer where
 * each has more turns.
 */
const WARM_UP = { ms: 2, uncompiledMs: 30, leastCalls: 64, calls: 2000 };

/** Most turns, for a clock of coarse steps: for one of 5 µs, as browsers have, a quarter of them is enough, a tenth of its batches. */
const MOST_TURNS = 2 ** 18;

/** Steps of the clock in it at least: one more or less is no slow core. */
const LEAST_STEPS = 12;

/** From this multiple of its usual time on the core is slow. A clock that is lowered by a tenth is within it. */
const SLOW = 1.15;

/** From this multiple on it was interrupted: no neighbour on a core takes as much of it. */
const INTERRUPTED = 3;

/** Share of a process's probes that are at its full speed: interruptions are never in most of them. */
const FASTEST = 0.1;

/**
 * For how many milliseconds a process measures on while its core is slow, before it takes what it gets. At most it is as long as most
 * of what a neighbour does at once, and no time of a profile's: with 60 ms in quick runs a tenth of the processes had to be
 * scaled, and half of the changes of 20 % were found in place of two thirds.
 */
const PATIENCE_MS = { most: 200, least: 25 };

/** Probes the speed of the core that the process is on. */
export class CoreSpeed {
  readonly #now: Clock["now"];
  readonly #usual: number | undefined;
  readonly #probes: number[] = [];
  #turns = TURNS;
  /** Nanoseconds of the work at full speed; undefined where nothing is known yet. */
  #full: number | undefined;
  #last: number | undefined;
  #patienceMs: number;

  /**
   * @param usual nanoseconds of a turn at full speed; by default what the process has found so far
   * @param patienceMs for how long it waits for its core to be fast again
   */
  constructor({ now }: Pick<Clock, "now">, usual?: number, patienceMs: number = PATIENCE_MS.most) {
    this.#now = now;
    this.#usual = usual;
    this.#patienceMs = patienceMs;
    let times = this.#times();
    while (times[0]! > MOST_NANOS && this.#turns > 1) {
      this.#turns = Math.max(1, 2 ** Math.floor(Math.log2((this.#turns * MOST_NANOS) / times[0]!)));
      times = this.#times();
    }
    const isTold = (): boolean => times[0]! > LEAST_STEPS * stepIn(times);
    for (; !isTold() && this.#turns < MOST_TURNS; times = this.#times()) this.#turns *= 2;
    if (!isTold()) this.#turns = 0;
  }

  /** Finds out anew what full speed is: it is asked for before each phase. */
  prepare(): void {
    const usual = this.#usual ?? this.turnNanos;
    this.#full = usual === undefined ? undefined : usual * this.#turns;
  }

  /** How many times as long as at full speed code takes since the last probe; undefined where the core was not slow, then and now. */
  slowdown(): number | undefined {
    if (!this.isTold) return undefined;
    const nanos = this.#probe();
    const last = this.#last ?? nanos;
    this.#probes.push(nanos);
    this.#last = nanos;
    return this.#full === undefined ? undefined : slowdownBetween(last, nanos, this.#full);
  }

  /** Whether the process waits for its core to be fast again, and a time when it was slow does not count. */
  waits(slowMs: number): boolean {
    if (this.#patienceMs <= 0) return false;
    this.#patienceMs -= slowMs;
    return true;
  }

  /** Whether the clock is fine enough to tell anything. */
  get isTold(): boolean {
    return this.#turns > 0;
  }

  /** Nanoseconds of a turn at the full speed that the process has seen; undefined where it is not told. */
  get turnNanos(): number | undefined {
    if (!this.isTold || this.#probes.length === 0) return undefined;
    return fullSpeedOf(this.#probes) / this.#turns;
  }

  /**
   * The work is done twice, and the second time counts: the first finds caches and predictors as a codec has left them. With one
   * alone it took 1.05 to 1.3 times as long beside some codecs, and on a quiet machine 21 % of a quick run's batches seemed slow in place of 3 %.
   */
  #probe(): number {
    this.#now();
    work(Math.min(this.#turns, TURNS));
    const from = this.#now();
    work(this.#turns);
    return (this.#now() - from) * 1e6;
  }

  /** Nanoseconds of many probes, sorted. */
  #times(): Float64Array {
    const from = this.#now();
    const times: number[] = [];
    let least = Number.POSITIVE_INFINITY;
    const mostCalls = Math.max(2 * WARM_UP.leastCalls, WARM_UP.calls * Math.min(1, TURNS / this.#turns));
    const isWarm = (): boolean =>
      times.length >= WARM_UP.leastCalls &&
      this.#now() - from >= (least > MOST_NANOS ? WARM_UP.uncompiledMs : WARM_UP.ms);
    do {
      const nanos = this.#probe();
      times.push(nanos);
      least = Math.min(least, nanos);
    } while (times.length < mostCalls && !isWarm());
    return Float64Array.from(times).sort();
  }
}

/** How many times as long as at full speed code takes between two probes; undefined where the core was slow in neither. */
export function slowdownBetween(before: number, after: number, full: number): number | undefined {
  if (Math.max(before, after) <= SLOW * full) return undefined;
  const told = [before, after].map((one) => one / full).filter((times) => times < INTERRUPTED);
  return told.length === 0 ? 1 : Math.max(mean(told), 1);
}

/** The power of how much longer the fixed work takes by which codecs do: between the middle cells of two hours. */
const EXPONENT = 1.1;

/** The time of a batch as it would be at full speed. @param slowdown how many times as long the fixed work took */
export function atFullSpeed(ms: number, slowdown: number): number {
  return ms / slowdown ** EXPONENT;
}

/**
 * Fewest batches beside which the core was fast, as a number and as a share, and their time together in milliseconds: a median of five
 * stretches is taken of them. Few among many are the ends of what a neighbour did, and take longer: where they were less than a fifth,
 * a tenth of the processes was more than a third too slow.
 */
const ENOUGH = { batches: 5, share: 0.1, ms: 1.2 };

/**
 * Whether the batches beside which the core was fast tell a time without the others. They do where there are no others.
 * @param fast milliseconds of each
 * @param all how many batches there are
 */
export function areEnough(fast: readonly number[], all: number): boolean {
  const ms = fast.reduce((sum, one) => sum + one, 0);
  const least = Math.max(ENOUGH.batches, ENOUGH.share * all);
  return fast.length === all || (fast.length >= least && ms >= ENOUGH.ms);
}

/** What a probe takes at the full speed that a process has seen. */
export function fullSpeedOf(probes: readonly number[]): number {
  return quantile(Float64Array.from(probes).sort(), FASTEST);
}

/** Nanoseconds of the clock's step: the smallest difference between sorted times; 0 where all are the same. */
function stepIn(times: Float64Array): number {
  const steps = Array.from(times, (time, i) => Math.round(time - (times[i - 1] ?? time))).filter(Boolean);
  return steps.length === 0 ? 0 : Math.min(...steps);
}

/** Small enough to stay in the first cache beside what a codec keeps there. */
const numbers = Int32Array.from({ length: 128 }, (_, i) => Math.imul(i, 0x9e3779b1));

let sum = 0;

/**
 * As many independent steps at once as a core has units for: it is those that a neighbour takes. All are on integers of 32 bits,
 * and the variables are declared one by one: from a destructured array V8 makes code that is three times as slow.
 */
function work(turns: number): void {
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  for (let i = 0; i < turns; i++) {
    a = (a + numbers[i & 127]!) | 0;
    b = (b ^ (i + (a << 1))) | 0;
    c = (c + Math.imul(i, 5)) | 0;
    d = (d + (numbers[Math.imul(i, 7) & 127]! ^ i)) | 0;
    a = (a ^ (d >>> 3)) | 0;
    c = (c - b) | 0;
  }
  sum = (sum + a + b + c + d) | 0;
}

/** Processes whose speeds are remembered: a core that is throttled for long has a new usual speed after as many. */
const RECENT = 16;

/** Nanoseconds of a turn at the usual speed of the processes of a run, by what they run in. */
export class UsualSpeeds {
  readonly #recent = new Map<string, number[]>();

  /** That of the fastest of the last ones: a process may see nothing but a slow core. Undefined before the first. */
  of(runtime: string): number | undefined {
    const recent = this.#recent.get(runtime);
    return recent && Math.min(...recent);
  }

  add(runtime: string, turnNanos: number | undefined): void {
    if (turnNanos === undefined) return;
    this.#recent.set(runtime, [...(this.#recent.get(runtime) ?? []).slice(1 - RECENT), turnNanos]);
  }
}

/**
 * How long the processes of a run wait for their cores to be fast: for half as long after one that waited in vain, and for twice as
 * long after one that did not. Where neighbours are there all the time a run does not wait for them in each of its processes.
 */
export class Patience {
  #ms = PATIENCE_MS.most;

  get ms(): number {
    return this.#ms;
  }

  /** A process has ended. @param scaled of each of its operations, whether it was slow for too long */
  add(scaled: readonly boolean[]): void {
    if (scaled.length === 0) return;
    const inVain = mean(scaled.map(Number)) >= 0.5;
    this.#ms = inVain ? Math.max(this.#ms / 2, PATIENCE_MS.least) : Math.min(this.#ms * 2, PATIENCE_MS.most);
  }
}
