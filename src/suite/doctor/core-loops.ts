/** Loops that take a core: one that is timed, and one that others are measured beside. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
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

/** Turns until the flag is set. Ends with this process in any case: it is a thread of it. */
const LOOP = `
const { workerData: stopped } = require("node:worker_threads");
while (Atomics.load(stopped, 0) === 0) for (let i = 0; i < 1e6; i++);
`;

/**
 * Does some work beside a busy loop, which takes one core from start to end and no memory. Rejects where the loop cannot
 * start, and with what the work rejects.
 */
export async function besideBusyCore<T>(work: () => Promise<T>): Promise<T> {
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const loop = new Worker(LOOP, { eval: true, workerData: stopped });
  try {
    await once(loop, "online");
    return await work();
  } finally {
    Atomics.store(stopped, 0, 1);
    await loop.terminate();
  }
}
