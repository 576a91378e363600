import { GCProfiler, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "../../../analysis/statistics/location.ts";

/** What a stretch of calls did to the heap. */
export interface Watched {
  /** Bytes allocated on the heap, those that were collected meanwhile included. */
  readonly heapBytes: number;
  /** The same of what is outside of it; exact only where nothing was collected. */
  readonly externalBytes: number;
  /** Nanoseconds of each garbage collection. */
  readonly pauses: readonly number[];
}

/** Bytes in use. */
export interface Used {
  readonly heap: number;
  readonly external: number;
}

let exposed: NodeJS.GCFunction | undefined;

/** The collector of `--expose-gc`, which can be exposed without the flag too. */
function collector(): NodeJS.GCFunction {
  exposed ??= globalThis.gc ?? exposeCollector();
  return exposed;
}

function exposeCollector(): NodeJS.GCFunction {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as NodeJS.GCFunction;
}

/** Empties the young generation. */
export function collectYoung(): void {
  // Buffers are freed by another thread. The second collection waits for those of the first to be taken off
  // the count, which would otherwise happen at some later allocation (measured on Node 20, 22 and 24).
  collector()({ type: "minor" });
  collector()({ type: "minor" });
}

/** Objects whose collections are to be seen, many times what any young generation holds, and how many more than this. */
const COLLECTED = { objects: 300_000, collections: 3 };

/** Objects that are to be seen while nothing is collected: no engine holds one, and its list, in fewer bytes. */
const ALLOCATED = { objects: 1000, bytesEach: 16, tries: 5 };

/** Where the objects go, so that they are made. */
const proofSink: { value: unknown } = { value: undefined };

/**
 * Why this runtime's word about its heap cannot be taken; undefined where it can. Collections are seen by making many
 * objects, and allocations by making a few: Bun, which has Node's functions, counts what is allocated only when it collects.
 */
export function heapIsUntold(): string | undefined {
  const least = ALLOCATED.objects * ALLOCATED.bytesEach;
  const seen = Array.from(
    { length: ALLOCATED.tries },
    () => watch(() => makeObjects(ALLOCATED.objects)).heapBytes,
  );
  const collections = watch(() => makeObjects(COLLECTED.objects)).pauses.length;
  proofSink.value = undefined;
  if (collections <= COLLECTED.collections) {
    return `it does not report its garbage collections: expected more than ${COLLECTED.collections} for ${english(COLLECTED.objects)} objects, got ${collections}`;
  }
  if (median(seen) < least) {
    return `it does not count what is allocated as it is: expected ${english(least)} bytes or more for ${english(ALLOCATED.objects)} objects, got ${english(median(seen))}`;
  }
  return undefined;
}

/** With commas. */
function english(count: number): string {
  return count.toLocaleString("en-US");
}

function makeObjects(count: number): void {
  for (let i = 0; i < count; i++) proofSink.value = { i, list: [i, i + 1, i + 2, i + 3] };
}

/** Bytes in use after all garbage was collected. */
export function settledUse(): Used {
  // Twice: what hangs on an object of native code, such as v8.deserialize makes, is only freed by the second.
  // Without options: a collection by `{ type: "major" }` leaves old buffers alive (measured on Node 20).
  collector()();
  collector()();
  collectYoung();
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return { heap, external };
}

/**
 * Watches calls. What they allocate is exact across collections: it is the growth up to each of them and since
 * the last, by V8's own sizes before and after each.
 */
export function watch(work: () => void): Watched {
  const profiler = new GCProfiler();
  profiler.start();
  const start = getHeapStatistics();
  work();
  const end = getHeapStatistics();
  const collections = profiler.stop().statistics;
  let heapBytes = 0;
  let externalBytes = 0;
  let from: Used = { heap: start.used_heap_size, external: start.external_memory };
  const grow = ({ heap, external }: Used): void => {
    heapBytes += heap - from.heap;
    externalBytes += Math.max(0, external - from.external);
  };
  for (const { beforeGC, afterGC } of collections) {
    grow(usedOf(beforeGC.heapStatistics));
    from = usedOf(afterGC.heapStatistics);
  }
  grow({ heap: end.used_heap_size, external: end.external_memory });
  return { heapBytes, externalBytes, pauses: collections.map(({ cost }) => cost * 1000) };
}

function usedOf(statistics: { usedHeapSize: number; externalMemory: number }): Used {
  return { heap: statistics.usedHeapSize, external: statistics.externalMemory };
}
