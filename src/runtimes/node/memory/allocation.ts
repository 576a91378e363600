import { mean, median, medianOfMeans } from "../../../analysis/statistics/location.ts";
import { CallLoop } from "./call-loop.ts";
import { collectYoung, watch } from "./heap-watch.ts";

/** Bytes that a call allocates, on the garbage-collected heap and outside of it. */
export interface Allocation {
  readonly heapBytes: number;
  readonly externalBytes: number;
}

/**
 * What is aimed at in one window, so that most windows see no collection: the least young generation is 1 MiB. A round that takes
 * longer, and not very long, is a window too: those of single calls are too few to meet a slab (measured: `external` of
 * python-pickle's encode was 0 in one quick run of eight).
 */
const WINDOW = { bytes: 64 * 1024, ms: 0.3, mostMs: 1.5 };

/** Windows of one call that each input should have. */
const REPEATS = 3;

/** Windows of several calls. */
const LEAST_WINDOWS = 64;

/** Windows in which memory outside of the heap is taken, where it is at all: as long again is spent to see so many. */
const LEAST_SLABS = 64;

/** Stretches of windows: what happens in one of them only, such as a compilation, does not count. */
const STRETCHES = 5;

/**
 * What a call allocates, from windows in which nothing is collected. Each is of whole rounds of the inputs where
 * they are small; otherwise of single calls, and the figure is the mean over the inputs of the median of each.
 * V8 also counts what it leaves unused at the end of a page of 256 KiB because the next object does not fit: a
 * single call therefore begins on an empty page.
 * @param ms how long it should take
 */
export function allocation(loop: CallLoop, ms: number): Allocation {
  const overhead = watchingOverhead();
  const rounds = roundsThatFit(loop);
  const windows = rounds > 0 ? inRounds(loop, rounds, ms) : singly(loop, ms);
  return {
    heapBytes: Math.max(0, windows.heapBytes - overhead / windows.calls),
    externalBytes: windows.externalBytes,
  };
}

/** How many rounds of the inputs fit into a window, by their time and by what they allocate. */
function roundsThatFit(loop: CallLoop): number {
  if (loop.callsWithin(WINDOW.mostMs) < loop.inputs) return 0;
  const inTime = Math.max(1, Math.floor(loop.callsWithin(WINDOW.ms) / loop.inputs));
  const bytes = Array.from({ length: 5 }, () => watch(() => loop.run(loop.inputs)).heapBytes);
  return Math.min(inTime, Math.floor(WINDOW.bytes / Math.max(median(bytes), 1)));
}

/** Bytes per call, from windows of so many calls, the cost of watching included. */
interface Windows extends Allocation {
  readonly calls: number;
}

interface Window extends Allocation {
  readonly input: number;
  readonly collected: boolean;
}

/** Windows for some milliseconds, at least some; after a collection the young generation is emptied first. */
function windowsFor(loop: CallLoop, calls: number, least: number, ms: number): Window[] {
  const start = performance.now();
  const windows: Window[] = [];
  let collected = true;
  let slabs = 0;
  const enough = (): boolean => {
    const times = slabs > 0 && slabs < LEAST_SLABS ? 2 : 1;
    return windows.length >= least && performance.now() - start >= times * ms;
  };
  while (!enough()) {
    if (collected || calls === 1) collectYoung();
    const input = loop.next;
    const { heapBytes, externalBytes, pauses } = watch(() => loop.run(calls));
    collected = pauses.length > 0;
    if (externalBytes > 0) slabs += 1;
    windows.push({ input, heapBytes, externalBytes, collected });
  }
  // What is outside of the heap is not exact where there was a collection. A call so large that there always is
  // one has no better figure.
  const undisturbed = windows.filter((window) => !window.collected);
  return undisturbed.length > 0 ? undisturbed : windows;
}

function inRounds(loop: CallLoop, rounds: number, ms: number): Windows {
  const calls = rounds * loop.inputs;
  const windows = windowsFor(loop, calls, LEAST_WINDOWS, ms);
  const heaps = windows.map(({ heapBytes }) => heapBytes);
  return {
    calls,
    heapBytes: medianOfMeans(heaps, STRETCHES) / calls,
    externalBytes: perWindow(windows.map(({ externalBytes }) => externalBytes)) / calls,
  };
}

/**
 * The mean, over the windows that follow the first with any bytes, up to the last with any. Memory that is taken
 * in slabs, one for many windows, is then counted from slab to slab.
 */
function perWindow(bytes: readonly number[]): number {
  const slabs = bytes.flatMap((count, index) => (count > 0 ? [index] : []));
  const [first, last] = [slabs[0] ?? 0, slabs.at(-1) ?? 0];
  return mean(last > first ? bytes.slice(first + 1, last + 1) : bytes);
}

function singly(loop: CallLoop, ms: number): Windows {
  const affordable = loop.callsWithin(2 * ms);
  const windows = windowsFor(loop, 1, Math.min(affordable, loop.inputs * REPEATS), ms);
  const byInput = new Map<number, Window[]>();
  for (const window of windows) {
    const same = byInput.get(window.input);
    if (same === undefined) byInput.set(window.input, [window]);
    else same.push(window);
  }
  const inputs = [...byInput.values()];
  return {
    calls: 1,
    heapBytes: mean(inputs.map((same) => median(same.map(({ heapBytes }) => heapBytes)))),
    externalBytes: mean(inputs.map((same) => mean(same.map(({ externalBytes }) => externalBytes)))),
  };
}

/** What watching itself allocates. */
function watchingOverhead(): number {
  const nothing = new CallLoop({ inputs: [undefined], run: () => undefined });
  collectYoung();
  const windows = Array.from({ length: 16 }, () => watch(() => nothing.run(1)).heapBytes);
  return median(windows.slice(4));
}
