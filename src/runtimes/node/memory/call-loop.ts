import { compile } from "../../../model/generated-code.ts";
import type { Task } from "../../../model/operation.ts";

/** Runs `count` calls from input `start` on and returns the input that comes next. */
type Calls = (start: number, count: number) => number;

/** Most calls of one stretch: reached only by an operation that costs almost nothing. */
const MAX_CALLS = 2 ** 20;

/** How many times as long as on a core calls may take. */
const WAITING = 10;

/**
 * Tells how many milliseconds this thread has been on a core since now, and at least a tenth of those by the clock: calls
 * that wait for something else end too.
 * @param onCore nanoseconds on a core; absent where nothing tells it: then it is the clock
 */
export function stopwatch(onCore: (() => number) | undefined): () => number {
  const start = performance.now();
  const from = onCore?.() ?? 0;
  return () => {
    const wall = performance.now() - start;
    return onCore === undefined ? wall : Math.max((onCore() - from) / 1e6, wall / WAITING);
  };
}

/** A task's calls, going round its inputs in a loop of their own that is as optimised as the timed one. */
export class CallLoop {
  /** How many inputs there are. */
  readonly inputs: number;
  readonly #calls: Calls;
  /** Milliseconds of a call, roughly; set by {@link warmUp}. */
  callMs = 0;
  #next = 0;
  #made = 0;

  constructor(task: Pick<Task, "inputs" | "run">) {
    this.#calls = compileCalls(task.run, task.inputs);
    this.inputs = task.inputs.length;
  }

  /**
   * Runs calls for some milliseconds, or one where that takes longer.
   * @param onCore as of {@link stopwatch}: while others have the core, nothing gets warm
   */
  warmUp(ms: number, onCore?: () => number): void {
    const spent = stopwatch(onCore);
    let count = 1;
    let now = performance.now();
    this.callMs = Number.POSITIVE_INFINITY;
    do {
      const begun = now;
      this.run(count);
      now = performance.now();
      // The least of all: a batch that was interrupted, or not yet optimised, took too long.
      this.callMs = Math.min(this.callMs, (now - begun) / count);
      count = Math.min(this.#made, MAX_CALLS);
      // How long the first took says little: it compiles, and where somebody else had the core it was on none.
    } while (spent() + this.callMs * count < ms || (this.#made === 1 && spent() < ms));
  }

  /** How many calls take about so long: at least one. */
  callsWithin(ms: number): number {
    return Math.max(1, Math.min(MAX_CALLS, Math.floor(ms / Math.max(this.callMs, 1e-6))));
  }

  /** The input that the next call takes. */
  get next(): number {
    return this.#next;
  }

  /** How many calls were made. */
  get calls(): number {
    return this.#made;
  }

  run(count: number): void {
    this.#made += count;
    this.#next = this.#calls(this.#next, count);
  }
}

/**
 * The loop around the calls, generated anew for each task as the timed one is. A result is let go when the next
 * one comes. It is not folded: only what the call itself allocates is to be seen.
 */
function compileCalls(run: (input: unknown) => unknown, inputs: readonly unknown[]): Calls {
  const sink = { value: undefined };
  return compile<Calls>(
    `return function calls(start, count) {
  let next = start;
  for (let i = 0; i < count; i++) {
    sink.value = run(inputs[next]);
    if (++next === size) next = 0;
  }
  sink.value = undefined;
  return next;
};`,
    { run, inputs, size: inputs.length, sink },
  );
}
