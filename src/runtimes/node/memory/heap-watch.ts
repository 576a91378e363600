import { GCProfiler, getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
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

/**
 * Objects that are made at once, and how many collections are to be seen of all of them: more than this. A young generation
 * that has grown holds so many that there are two or three at once (measured after v8.deserialize): there are as many tries
 * as it takes, which make many times what any young generation holds.
 */
const COLLECTED = { objects: 300_000, collections: 3, tries: { least: 3, most: 20 } };

/** Objects that are to be seen while nothing is collected: no engine holds one, and its list, in fewer bytes. */
const ALLOCATED = { objects: 1000, bytesEach: 16, tries: 5 };

/** Where the objects go, so that they are made. */
const proofSink: { value: unknown } = { value: undefined };

/** Nanoseconds of the units in which runtimes give the cost of a collection, those of Node first. */
const COST_UNITS = { microsecond: 1000, nanosecond: 1 };

/** Nanoseconds of this runtime's unit. */
let costUnit: number = COST_UNITS.microsecond;

/** What the collections of some work cost, in the runtime's unit, and how long the work took with them. */
export interface CostedWork {
  readonly costs: readonly number[];
  readonly nanos: number;
}

/**
 * Nanoseconds of the unit in which the costs of collections are: the largest in which none of the works spends more time
 * in its collections than it took. Undefined where they are too long in any unit.
 */
export function costUnitOf(works: readonly CostedWork[]): number | undefined {
  return Object.values(COST_UNITS).find((unit) =>
    works.every(({ costs, nanos }) => sum(costs) * unit <= nanos),
  );
}

/**
 * Proves this runtime's figures of its heap, and finds out their unit of time: what is wrong with them, or undefined where
 * they can be used. Collections are seen by making many objects, and allocations by making a few: Bun, which has Node's
 * functions, counts what is allocated only when it collects. Deno, which has them too, gives nanoseconds for microseconds.
 */
export function proveHeapFigures(): string | undefined {
  const least = ALLOCATED.objects * ALLOCATED.bytesEach;
  const seen = Array.from(
    { length: ALLOCATED.tries },
    () => watch(() => makeObjects(ALLOCATED.objects)).heapBytes,
  );
  const works = collectedWorks(() => costedWork(COLLECTED.objects));
  proofSink.value = undefined;
  const collections = collectionsOf(works);
  if (collections <= COLLECTED.collections) {
    return `it does not report its garbage collections: expected more than ${COLLECTED.collections} for ${english(works.length * COLLECTED.objects)} objects, got ${collections}`;
  }
  if (median(seen) < least) {
    return `it does not count what is allocated as it is: expected ${english(least)} bytes or more for ${english(ALLOCATED.objects)} objects, got ${english(median(seen))}`;
  }
  const unit = costUnitOf(works);
  if (unit === undefined) {
    const { costs, nanos } = works.find((work) => costUnitOf([work]) === undefined) ?? works[0]!;
    return `it reports garbage collections that are longer than the work in which they happen: expected ${english(nanos)} ns or less, got ${english(sum(costs))}`;
  }
  costUnit = unit;
  return undefined;
}

/** Works, until more collections than the least were seen in all of them, or there were enough works to have many. */
export function collectedWorks(work: () => CostedWork): CostedWork[] {
  const { tries, collections } = COLLECTED;
  const works: CostedWork[] = [];
  while (works.length < tries.least || (works.length < tries.most && collectionsOf(works) <= collections))
    works.push(work());
  return works;
}

function collectionsOf(works: readonly CostedWork[]): number {
  return sum(works.map(({ costs }) => costs.length));
}

/** Makes objects with the collector watched. */
function costedWork(objects: number): CostedWork {
  const profiler = new GCProfiler();
  profiler.start();
  const start = performance.now();
  makeObjects(objects);
  const nanos = (performance.now() - start) * 1e6;
  return { costs: profiler.stop().statistics.map(({ cost }) => cost), nanos };
}

/** A whole number with commas. */
function english(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function makeObjects(count: number): void {
  for (let i = 0; i < count; i++) proofSink.value = { i, list: [i, i + 1, i + 2, i + 3] };
}

/**
 * Bytes in use after all garbage was collected, but for machine code: collections discard it, and warm calls bring it back
 * (measured: 60 to 180 kB, as much as the noise of what calls leave).
 */
export function settledUse(): Used {
  // Twice: what hangs on an object of native code, such as v8.deserialize makes, is only freed by the second.
  // Without options: a collection by `{ type: "major" }` leaves old buffers alive (measured on Node 20).
  collector()();
  collector()();
  collectYoung();
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  const code = getHeapSpaceStatistics().filter(({ space_name: name }) => name.startsWith("code_"));
  return { heap: used - sum(code.map(({ space_used_size: size }) => size)), external };
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
  return { heapBytes, externalBytes, pauses: collections.map(({ cost }) => cost * costUnit) };
}

function usedOf(statistics: { usedHeapSize: number; externalMemory: number }): Used {
  return { heap: statistics.usedHeapSize, external: statistics.externalMemory };
}
