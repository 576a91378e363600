import { compile } from "../../../model/generated-code.ts";
import type { Task } from "../../../model/operation.ts";

/** Runs `count` calls from input `start` on and returns the input that comes next. */
type Calls = (start: number, count: number) => number;

/** Most calls of one stretch: reached only by an operation that costs almost nothing. */
const MAX_CALLS = 2 ** 20;

/** How many times as long as on a core a warm-up may take. */
const WAITING = 10;

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
   * @param onCore nanoseconds that this thread has been on a core, where something tells it: while others have it, nothing
   *   gets warm. Calls that wait for something else count a tenth.
   */
  warmUp(ms: number, onCore?: () => number): void {
    const start = performance.now();
    const from = onCore?.() ?? 0;
    const spent = (): number => {
      const wall = now - start;
      return onCore === undefined ? wall : Math.max((onCore() - from) / 1e6, wall / WAITING);
    };
    let count = 1;
    let now = start;
    this.callMs = Number.POSITIVE_INFINITY;
    do {
      const begun = now;
      this.run(count);
      now = performance.now();
      // The least of all: a batch that was interrupted, or not yet optimised, took too long.
      this.callMs = Math.min(this.callMs, (now - begun) / count);
      count = Math.min(count * 2, MAX_CALLS);
    } while (spent() + this.callMs * count < ms);
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
