import { spin } from "./known-cost.ts";

/** Turns of one loop, half a millisecond that the scheduler seldom cuts short, and loops of which the least counts. */
const [LONG, LOOPS] = [500_000, 128];

/**
 * Nanoseconds that a turn of the known-cost codec takes in this process: the least of several long loops, as a
 * neighbour only ever adds time. It shares nothing with the sampler: neither its clock nor its batches.
 */
export function turnCost(): number {
  let least = Number.POSITIVE_INFINITY;
  let state = 1;
  for (let i = 0; i < LOOPS; i++) {
    const from = process.hrtime.bigint();
    state = spin(state, LONG);
    least = Math.min(least, Number(process.hrtime.bigint() - from) / LONG);
  }
  // Makes use of the result, so that the loops cannot be left out.
  return state === 0 ? least + Number.EPSILON : least;
}
