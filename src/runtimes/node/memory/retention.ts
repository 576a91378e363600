import { mean } from "../../../analysis/statistics/location.ts";
import type { Task } from "../../../model/operation.ts";
import { type BackingBuffer, backingBuffers } from "./backing-buffers.ts";
import { settledUse, type Used } from "./heap-watch.ts";

/** What results keep alive. */
export interface Retention {
  /** Bytes that one result keeps alive. */
  readonly retainedBytes: number;
  /** Whether some result keeps a buffer alive for the sake of a small part of it. */
  readonly pooledView: boolean;
}

/**
 * A buffer is much larger than what is seen of it when it is more than twice as large, and by more than this. A
 * builder that doubles its buffer and cuts the message from it is within the first; what is below the second is
 * of the order of what an object and its fields take anyway.
 */
const SPARE = { times: 2, bytes: 1024 };

/** What the places of results hold before there are any: they are as large before as after. */
const NOTHING = {};

/**
 * Holds the results of some calls, each of an input of its own as far as there are so many, and sees how much
 * more is in use than before and than after they are let go. The mean of the two is taken: collections also free
 * code that has not run for a while, which lowers the one by as much as it raises the other.
 *
 * A buffer counts with its whole length for each result that is a view of it: all of it lives as long as that
 * one result does. So does a buffer of the input's.
 * @param calls how many
 * @param leaked bytes per call that stay anyhow
 */
export function retention(task: Task, calls: number, leaked: Used): Retention {
  const { inputs } = task;
  const places: unknown[] = new Array(calls).fill(NOTHING);
  const before = settledUse();
  // The collection has discarded optimised code, and calls without it leave numbers of their own on the heap.
  const rehearsed = Math.floor(calls / 2);
  hold(task, places, rehearsed);
  places.fill(NOTHING);
  hold(task, places, calls);
  const held = settledUse();
  const { bufferBytes, pooledView } = buffersOf(places, inputs);
  places.fill(NOTHING);
  const released = settledUse();
  const made = (rehearsed + calls) / calls;
  const heap = (held.heap - before.heap) / calls - leaked.heap * made;
  const freed = (held.heap - released.heap) / calls;
  // Buffers that a result hides, in private fields or closures, are in this at least.
  const external = (held.external - before.external) / calls - leaked.external * made;
  return {
    retainedBytes: Math.max(0, (heap + freed) / 2) + Math.max(bufferBytes, external),
    pooledView,
  };
}

function hold({ inputs, run }: Task, places: unknown[], count: number): void {
  for (let i = 0; i < count; i++) places[i] = run(inputs[i % inputs.length]);
}

/**
 * Bytes of the buffers that a result keeps alive, and whether any is a pool; from one result of each input. A
 * function of its own, so that none of what it looks at is alive in the caller.
 */
function buffersOf(places: readonly unknown[], inputs: readonly unknown[]) {
  const walked = places.slice(0, inputs.length).map((result) => backingBuffers(result));
  const sums = walked.map((each) => each.reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
  return { bufferBytes: mean(sums), pooledView: hasPooledView(walked, inputs) };
}

function hasPooledView(results: readonly BackingBuffer[][], inputs: readonly unknown[]): boolean {
  const spare = results.flat().filter(({ buffer, viewed }) => {
    return buffer.byteLength > SPARE.times * viewed && buffer.byteLength > viewed + SPARE.bytes;
  });
  if (spare.length === 0) return false;
  // The caller's own buffers are no pool. Looked up only now: looking can move an input's content off the heap.
  const given = new Set(inputs.flatMap((input) => backingBuffers(input).map(({ buffer }) => buffer)));
  return spare.some(({ buffer }) => !given.has(buffer));
}
