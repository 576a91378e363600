import type { Allocation } from "./allocation.ts";
import type { CallLoop } from "./call-loop.ts";
import { settledUse, type Used } from "./heap-watch.ts";

/** The figures of calls that leave nothing. */
export const NO_LEAK: Used = { heap: 0, external: 0 };

/**
 * Growth that may be the engine's own: compiled code, feedback, pages of its tables. In all, per call, and as a share of
 * what is allocated (measured: calls of 467 KB left 44 bytes each in one of ten processes, without a leak).
 */
const NOISE = { bytes: 64 * 1024, perCall: 1, share: 1 / 2000 };

/**
 * Windows that must agree with the suspicion, and how many times as many calls each has as there were before it.
 * An array or a map that is full grows by half or to twice its size, and then not for as many calls: so it grows
 * in each of these windows too.
 */
const WINDOWS = { count: 2, times: 2 };

/** Bytes that a window may leave: a leak must not end the process. */
const MOST_BYTES = 128 * 1024 * 1024;

/** What was in use when a loop had made some calls. */
export interface UseBefore {
  readonly used: Used;
  readonly calls: number;
}

/** What calls leave. */
export interface Leak {
  /** Bytes per call that they leave for good; zeros where the growth is not above noise. */
  readonly leaked: Used;
  /** What is in use after the last of them. */
  readonly used: Used;
}

/**
 * What the calls of a loop leave. Growth since it was warm, over as many calls as it took to get there at least, is only
 * suspicious: a pool or a cache grows once. It is a leak when each of two windows of further calls leaves more than noise
 * too; their mean is the figure.
 * @param before what was in use when the loop was warm, and how many calls it had made by then
 * @param allocated what a call allocates
 */
export function leakOf(loop: CallLoop, before: UseBefore, { heapBytes, externalBytes }: Allocation): Leak {
  const noise = Math.max(NOISE.perCall, NOISE.share * (heapBytes + externalBytes));
  // On a busy machine there may have been few in between, and a list that is seldom full grows in none of them.
  loop.run(Math.max(0, 2 * before.calls - loop.calls));
  let used = settledUse();
  let growth = growthOf(before.used, used);
  let calls = loop.calls - before.calls;
  if (isNoise(growth, noise * calls)) return { leaked: NO_LEAK, used };
  const total = { heap: 0, external: 0, calls: 0 };
  for (let window = 0; window < WINDOWS.count; window++) {
    const bearable = Math.ceil((MOST_BYTES * calls) / (growth.heap + growth.external));
    calls = Math.min(WINDOWS.times * loop.calls, bearable);
    const from = used;
    loop.run(calls);
    used = settledUse();
    growth = growthOf(from, used);
    if (isNoise(growth, noise * calls)) return { leaked: NO_LEAK, used };
    total.heap += growth.heap;
    total.external += growth.external;
    total.calls += calls;
  }
  const leaked = { heap: perCall(total.heap, total.calls), external: perCall(total.external, total.calls) };
  return { leaked, used };
}

function growthOf(before: Used, after: Used): Used {
  return { heap: after.heap - before.heap, external: after.external - before.external };
}

function isNoise({ heap, external }: Used, ofCalls: number): boolean {
  return heap + external <= Math.max(NOISE.bytes, ofCalls);
}

function perCall(bytes: number, calls: number): number {
  return Math.max(0, bytes / calls);
}
