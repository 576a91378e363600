import { seededRandom, shuffled } from "../model/random.ts";
import type { RunRecord } from "../model/run-record.ts";
import { isolate } from "./isolate.ts";
import { makePlan, type Plan, type Selection } from "./plan.ts";
import { type OnProgress, ProgressMeter } from "./progress-meter.ts";
import { RecordBuilder } from "./record-builder.ts";

/** What to measure, and what to be told meanwhile. */
export interface RunOptions extends Selection {
  /** The command line, for the record. */
  readonly command?: string;
  /** Stops the run: what was measured until then is returned, with `complete` false. */
  readonly signal?: AbortSignal;
  /** Called before each measuring process starts, and once at the end. */
  readonly onProgress?: OnProgress;
  /** Called with the record so far after each measuring process. */
  readonly onRecord?: (record: RunRecord) => void;
}

/**
 * Measures every operation of every codec on every dataset, one process per codec, dataset and block, in
 * blocks that are shuffled and complete: a drift of the machine meets all codecs alike.
 * Throws UsageError for names that are not known, before anything is measured.
 */
export async function run(options: RunOptions = {}): Promise<RunRecord> {
  const plan = await makePlan(options);
  const builder = new RecordBuilder(plan, options.command ?? "wirebench.run()");
  try {
    await measure(plan, builder, options);
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
    return builder.record(false);
  }
  const record = builder.record(true);
  options.onRecord?.(record);
  return record;
}

async function measure(plan: Plan, builder: RecordBuilder, options: RunOptions): Promise<void> {
  const { pairs, profile, plugins, timeoutSeconds } = plan;
  const random = seededRandom(plan.seed);
  const meter = new ProgressMeter(options.onProgress);
  for (let block = 0; block < profile.processes; block++) {
    const open = pairs.filter((pair) => !builder.isOver(pair));
    const order = shuffled(open, random);
    for (const [index, pair] of order.entries()) {
      const { codec, dataset } = pair;
      meter.starts(
        { codec, dataset: dataset.name },
        order.length - index + open.length * (profile.processes - block - 1),
      );
      const job = {
        codec,
        dataset: dataset.source,
        plugins,
        operations: shuffled(plan.operations, random),
        profile,
        describe: block === 0,
      };
      builder.add(pair, await isolate(job, timeoutSeconds, options.signal));
      options.onRecord?.(builder.record(false));
    }
  }
  meter.ends();
}
