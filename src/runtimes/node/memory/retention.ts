import { types } from "node:util";
import { getHeapStatistics } from "node:v8";
import { mean } from "../../../analysis/statistics/location.ts";
import type { Task } from "../../../model/operation.ts";
import { settledUse } from "./heap-watch.ts";
import type { Leak } from "./leak.ts";

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

/** Most results that are held. */
export const MOST_HELD = 2 ** 14;

/** What the places of results hold before there are any. */
const NOTHING = {};

/** Places of results, for all tasks: they are in use whenever that is looked at, and as large before as after. */
const places: unknown[] = new Array(MOST_HELD).fill(NOTHING);

/**
 * Holds the results of some calls, each of an input of its own as far as there are so many, and sees how much
 * more is in use than before and than after they are let go. The mean of the two is taken: collections also free
 * code that has not run for a while, which lowers the one by as much as it raises the other.
 *
 * A buffer counts with its whole length for each result that is a view of it: all of it lives as long as that
 * one result does. So does a buffer of the input's.
 * @param calls how many, at most {@link MOST_HELD}
 * @param leak what calls leave anyhow, and what is in use now
 */
export function retention(task: Task, calls: number, { leaked, used: before }: Leak): Retention {
  const { inputs } = task;
  // The collection has discarded optimised code, and calls without it leave numbers of their own on the heap.
  const rehearsed = Math.floor(calls / 2);
  hold(task, rehearsed);
  places.fill(NOTHING);
  hold(task, calls);
  const held = settledUse();
  const { bufferBytes, pooledView } = buffersOf(calls, inputs);
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

function hold({ inputs, run }: Task, count: number): void {
  for (let i = 0; i < count; i++) places[i] = run(inputs[i % inputs.length]);
}

/**
 * Bytes of the buffers that a result keeps alive, and whether any is a pool; from one result of each input. A
 * function of its own, so that none of what it looks at is alive in the caller.
 */
function buffersOf(calls: number, inputs: readonly unknown[]) {
  const walked = places.slice(0, Math.min(inputs.length, calls)).map((result) => backingBuffers(result));
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

/** A buffer outside of the heap, and how much of it is seen. */
interface BackingBuffer {
  readonly buffer: ArrayBufferLike;
  /** Bytes of the views of it together; at most its length. */
  readonly viewed: number;
}

/** Fields and elements of a value that are looked at: what lies beyond is not found. */
const MAX_FIELDS = 20_000;

/** Longest view whose content V8 may hold on the heap. */
const MAX_ON_HEAP = 64;

/**
 * Every buffer that a value keeps alive by what can be reached from it: elements, fields, entries of maps and
 * sets. Getters and proxies are passed over, and so is what private fields and closures hold. Never throws.
 */
export function backingBuffers(value: unknown): BackingBuffer[] {
  const viewed = new Map<ArrayBufferLike, number>();
  const seen = new Set<unknown>();
  const pending: object[] = [];
  let looks = 0;
  const reach = (found: unknown): boolean => {
    if (typeof found === "object" && found !== null && !seen.has(found)) {
      seen.add(found);
      pending.push(found);
    }
    return ++looks < MAX_FIELDS;
  };
  reach(value);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    try {
      if (types.isProxy(next)) continue;
      if (types.isAnyArrayBuffer(next)) viewed.set(next, next.byteLength);
      else if (ArrayBuffer.isView(next)) addView(viewed, next);
      else reachFrom(next, reach);
    } catch {
      // A view of a buffer that has become too small for it, or an object that is odd in some other way.
    }
  }
  return Array.from(viewed, ([buffer, bytes]) => ({ buffer, viewed: bytes }));
}

/** Tells what an object holds, until `reach` says that it is enough. */
function reachFrom(object: object, reach: (found: unknown) => boolean): void {
  if (Array.isArray(object)) {
    for (let i = 0; i < object.length; i++) {
      if (!reach(Object.getOwnPropertyDescriptor(object, i)?.value)) return;
    }
    return;
  }
  if (types.isMap(object)) {
    for (const [key, entry] of Map.prototype.entries.call(object)) {
      if (!reach(key) || !reach(entry)) return;
    }
  } else if (types.isSet(object)) {
    for (const entry of Set.prototype.values.call(object)) {
      if (!reach(entry)) return;
    }
  }
  for (const key of Reflect.ownKeys(object)) {
    if (!reach(Object.getOwnPropertyDescriptor(object, key)?.value)) return;
  }
}

function addView(viewed: Map<ArrayBufferLike, number>, view: ArrayBufferView): void {
  if (isOnHeap(view)) return;
  const { buffer } = view;
  viewed.set(buffer, Math.min(buffer.byteLength, (viewed.get(buffer) ?? 0) + view.byteLength));
}

/**
 * Whether a view's content is on the heap and no buffer keeps it. To ask such a view for its buffer moves the
 * content out, which shows where it was: only then does V8 count more bytes outside of the heap.
 */
function isOnHeap(view: ArrayBufferView): boolean {
  if (view.byteLength > MAX_ON_HEAP || view.byteOffset > 0) return false;
  const before = getHeapStatistics().external_memory;
  const whole = view.buffer.byteLength === view.byteLength;
  return whole && getHeapStatistics().external_memory > before;
}
