import type { Unavailable } from "../model/errors.ts";

/** The names by which the system knows what is counted. */
export interface CounterEvents {
  readonly instructions: string;
  readonly cycles: string;
}

/** What was counted. Cycles are absent where only instructions are known. */
export interface Counts {
  readonly instructions: number;
  readonly cycles?: number;
}

/** Counts what the processor does for a program. */
export interface Counter {
  /** What some work took in the thread that does it; or why that is not known, and then the work may not have been done. */
  count(work: () => void): Counts | Unavailable;
}

/** Runs so many calls. */
type Calls = (count: number) => unknown;

/**
 * What a call of a warm task takes by the processor's own counters: in a phase of its own after the timed one, as whoever
 * counts must not be beside what is timed. The loop, and what it takes to begin and to end, are counted around nothing as
 * well, and taken off.
 * @param count calls
 * @param empty the same loop around nothing
 */
export function countedCalls(
  counter: Counter,
  count: number,
  loops: { readonly task: Calls; readonly empty: Calls },
): Counts | Unavailable {
  const whole = counter.count(() => loops.task(count));
  if ("unavailable" in whole) return whole;
  const around = counter.count(() => loops.empty(count));
  if ("unavailable" in around) return around;
  const perCall = (of: number, loop: number): number =>
    Math.round((Math.max(of - loop, 0) / count) * 100) / 100;
  return {
    instructions: perCall(whole.instructions, around.instructions),
    ...(whole.cycles !== undefined &&
      around.cycles !== undefined && { cycles: perCall(whole.cycles, around.cycles) }),
  };
}
