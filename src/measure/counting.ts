import type { Counter, Counts, Unavailable } from "./host.ts";

/** Runs so many calls. */
type Calls = (count: number) => void;

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
