import type { Task } from "../../../model/operation.ts";
import type { Memory, MemoryFinding } from "../../../model/records/run.ts";
import { type Allocation, allocation } from "./allocation.ts";
import { CallLoop } from "./call-loop.ts";
import { type GcPauses, type PauseBudget, pausesOf, sustainedPauses } from "./gc-pauses.ts";
import { collectYoung, settledUse, type Used, watch } from "./heap-watch.ts";
import { leakOf, NO_LEAK } from "./leak.ts";
import { MOST_HELD, retention } from "./retention.ts";

/**
 * What each part may take, in budgets. A loop that is not fully optimised allocates up to twice as much: the warm-up
 * has a whole budget. Collections that nobody forces are waited for where a call allocates, for some take 10 ms to come.
 */
const SHARES = { warmUp: 1, allocation: 0.2, sustained: 0.25, collections: 1, held: 0.12 };

/** How memory is measured. */
export interface MemoryOptions {
  /** A third of how long it takes, roughly; of a call longer than that there are three. */
  readonly budgetMs?: number;
  /** As {@link PauseBudget.onCore}: a warm-up is as long as that. */
  readonly onCore?: PauseBudget["onCore"];
}

/** Most bytes that held results may take. */
const HELD_BYTES = 32 * 1024 * 1024;

/**
 * What calls of a task allocate and keep. Runs after everything is timed, in the same warm process: its forced
 * collections and its looking into results change how later calls would be timed.
 */
export function measureMemory(task: Task, { budgetMs = 50, onCore }: MemoryOptions = {}): Memory {
  const loop = new CallLoop(task);
  loop.warmUp(budgetMs * SHARES.warmUp, onCore);
  const long = loop.callMs > budgetMs;
  if (long) collectYoung();
  const once = long ? watch(() => loop.run(1)) : undefined;
  const allocated = once ?? allocation(loop, budgetMs * SHARES.allocation);
  // By now the engine has made most of what it makes once for this code. What calls allocate was seen before, for collections
  // of all memory discard optimised code.
  const warm = { used: settledUse(), calls: loop.calls };
  const pauses =
    once === undefined
      ? sustainedPauses(
          loop,
          { ms: budgetMs * SHARES.sustained, longestMs: budgetMs * SHARES.collections, onCore },
          allocated,
        )
      : pausesOf(once.pauses, 1);
  // A leak is not looked for where calls are long: one call does not tell it from what the engine does.
  const leak = long ? { leaked: NO_LEAK, used: settledUse() } : leakOf(loop, warm, allocated);
  const { retainedBytes, pooledView } = retention(task, resultsToHold(loop, budgetMs, allocated), leak);
  return memoryOf(allocated, pauses, leak.leaked, retainedBytes, pooledView);
}

/** As many as there is time for, or one of each input where that is not very long; at least one. */
function resultsToHold(loop: CallLoop, budgetMs: number, { heapBytes, externalBytes }: Allocation): number {
  const affordable = loop.callsWithin(budgetMs * SHARES.held);
  const ofEach = Math.min(loop.inputs, loop.callsWithin(budgetMs));
  const fitting = Math.floor(HELD_BYTES / (heapBytes + externalBytes + 1));
  return Math.max(1, Math.min(MOST_HELD, Math.max(affordable, ofEach), fitting));
}

function memoryOf(
  { heapBytes, externalBytes }: Allocation,
  { gcNanos, longestPauseNanos }: GcPauses,
  leaked: Used,
  retainedBytes: number,
  pooledView: boolean,
): Memory {
  const leakedBytes = leaked.heap + leaked.external;
  const findings: MemoryFinding[] = [];
  if (leakedBytes > 0) findings.push("leak");
  if (pooledView) findings.push("pooled-view");
  return {
    heapBytes: tenths(heapBytes),
    externalBytes: tenths(externalBytes),
    gcNanos: tenths(gcNanos),
    longestPauseNanos: tenths(longestPauseNanos),
    retainedBytes: tenths(retainedBytes),
    leakedBytes: tenths(leakedBytes),
    findings,
  };
}

function tenths(amount: number): number {
  return Math.round(amount * 10) / 10;
}
