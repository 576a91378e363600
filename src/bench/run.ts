import { seededRandom, shuffled } from "../model/random.ts";
import type { RunRecord } from "../model/run-record.ts";
import { isolate } from "./isolate.ts";
import type { Job } from "./job.ts";
import { grouped } from "./operations.ts";
import { makePlan, type Pair, type Plan, type Selection } from "./plan.ts";
import { type OnProgress, ProgressMeter } from "./progress-meter.ts";
import { RecordBuilder } from "./record-builder.ts";

/** What a run tells, and how it is stopped. */
export interface Listeners {
  /** The command line, for the record. */
  readonly command?: string;
  /** Stops the run: what was measured until then is returned, with `complete` false. */
  readonly signal?: AbortSignal;
  /** Called before each measuring process starts, and once at the end. */
  readonly onProgress?: OnProgress;
  /** Called with the record so far after each measuring process, and once at the end. */
  readonly onRecord?: (record: RunRecord) => void;
}

/** What to measure, and what to be told meanwhile. */
export interface RunOptions extends Selection, Listeners {}

/**
 * Measures every operation of every codec on every dataset, one process per codec, dataset and block, in
 * blocks that are shuffled and complete: a drift of the machine meets all codecs alike.
 * Throws UsageError for names that are not known, before anything is measured.
 */
export async function run(options: RunOptions = {}): Promise<RunRecord> {
  return runPlan(await makePlan(options), options);
}

/** {@link run}, once everything is known and nothing has begun. */
export async function runPlan(plan: Plan, listeners: Listeners): Promise<RunRecord> {
  const { signal, onRecord } = listeners;
  const builder = new RecordBuilder(plan, listeners.command ?? "wirebench.run()");
  let complete = false;
  try {
    await measure(plan, builder, listeners);
    complete = true;
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
  const record = builder.record(complete);
  onRecord?.(record);
  return record;
}

async function measure(plan: Plan, builder: RecordBuilder, listeners: Listeners): Promise<void> {
  const { profile, plugins, timeoutSeconds, int64 } = plan;
  const { signal, onProgress, onRecord } = listeners;
  const random = seededRandom(plan.seed);
  const meter = new ProgressMeter(onProgress);
  for (let block = 0; block < profile.processes; block++) {
    const order = shuffled(jobsOf(plan, builder, random), random);
    for (const [index, { pair, operations }] of order.entries()) {
      // Its cells may have been refused since the block began.
      if (builder.open(pair).length === 0) continue;
      const { codec, dataset } = pair;
      const blocksLeft = profile.processes - block - 1;
      meter.starts({ codec, dataset: dataset.name }, order.length * (blocksLeft + 1) - index);
      const job: Job = {
        codec,
        dataset: dataset.source,
        int64,
        plugins,
        operations,
        profile,
        describe: !builder.isDescribed(pair),
      };
      builder.add(pair, operations, await isolate(job, timeoutSeconds, signal));
      onRecord?.(builder.record(false));
    }
  }
  meter.ends();
}

/** What the processes of one block measure. */
function jobsOf(
  plan: Plan,
  builder: RecordBuilder,
  random: () => number,
): { readonly pair: Pair; readonly operations: readonly string[] }[] {
  return plan.pairs.flatMap((pair) => {
    const open = builder.open(pair);
    return open.length === 0
      ? []
      : grouped(open, plan.isolate, random).map((operations) => ({ pair, operations }));
  });
}
