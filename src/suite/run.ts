import type { Job, Member } from "../measure/job.ts";
import { seededRandom, shuffled } from "../model/random.ts";
import type { RunRecord } from "../model/records/run.ts";
import { isolate } from "../runtimes/node/isolate.ts";
import { grouped } from "./operations.ts";
import { makePlan, type Pair, type Plan } from "./plan.ts";
import { type OnProgress, ProgressMeter } from "./progress-meter.ts";
import { type Assignment, RecordBuilder } from "./record-builder.ts";
import { Schedule } from "./schedule.ts";
import type { Selection } from "./selection.ts";

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
  const { profile, timeoutSeconds } = plan;
  const { signal, onProgress, onRecord } = listeners;
  const random = seededRandom(plan.seed);
  const meter = new ProgressMeter(onProgress);
  const schedule = new Schedule(profile, plan.operations.length);
  for (let block = 0; block < profile.processes; block++) {
    const pairs = plan.pairs.filter(({ dataset }) => block < schedule.blocksOf(dataset.name));
    const turns = inOrder(turnsOf(plan, pairs, builder, random), plan.seed, block);
    for (const [index, turn] of turns.entries()) {
      // Its cells may have been refused since the block began.
      const assignments = turn.assignments.filter(({ pair }) => builder.open(pair).length > 0);
      const [first] = assignments;
      if (first === undefined) continue;
      const { together } = turn;
      const { codec, dataset } = first.pair;
      const left = turnsLeft(turns, index, schedule, block);
      const current = together
        ? { codec: "all codecs", dataset: "together" }
        : { codec, dataset: dataset.name };
      meter.starts(current, left.length, schedule.expectedMs(left));
      const isLast = block === schedule.blocksOf(dataset.name) - 1;
      const survey = plan.survey && isLast && !together;
      const job: Job = {
        members: assignments.map((assignment) => memberOf(assignment, builder, survey)),
        int64: plan.int64,
        profile,
        others: together ? plan.others : [],
      };
      const from = Date.now();
      const result = await isolate(job, timeoutSeconds, signal);
      if (together) builder.addShared(assignments, result, block);
      else builder.add(first, result, block);
      schedule.took(turnOf(turn), Date.now() - from);
      onRecord?.(builder.record(false));
    }
    builder.endBlock();
    if (block === 0) schedule.decide();
  }
  meter.ends();
}

/** What a process measures: one pair, or all of them together. */
interface Turn {
  readonly together: boolean;
  readonly assignments: readonly Assignment[];
}

/**
 * The processes of a block in random order, and those of every second block in the reverse order of the one before:
 * whatever it is worth to come first, everything comes first as often as last.
 */
function inOrder(turns: readonly Turn[], seed: number, block: number): Turn[] {
  const order = shuffled(turns, seededRandom(seed + Math.floor(block / 2)));
  return block % 2 === 0 ? order : order.reverse();
}

function turnOf({ together, assignments }: Turn): { codec: string; dataset: string } {
  const [first] = assignments;
  if (together || first === undefined) return { codec: "*", dataset: "*" };
  return { codec: first.pair.codec, dataset: first.pair.dataset.name };
}

/** What is left of a block from a turn on, and the blocks after it. */
function turnsLeft(
  turns: readonly Turn[],
  from: number,
  schedule: Schedule,
  block: number,
): { codec: string; dataset: string }[] {
  return turns.map(turnOf).flatMap((turn, index) => {
    const later = schedule.blocksOf(turn.dataset) - block - 1;
    return Array.from({ length: later + (index < from ? 0 : 1) }, () => turn);
  });
}

/** The processes of one block. */
function turnsOf(plan: Plan, pairs: readonly Pair[], builder: RecordBuilder, random: () => number): Turn[] {
  const isolated = pairs.flatMap((pair) => {
    const open = builder.open(pair);
    return open.length === 0
      ? []
      : grouped(open, plan.isolate, random).map(
          (operations): Turn => ({ together: false, assignments: [{ pair, operations }] }),
        );
  });
  if (plan.jit === "isolated") return isolated;
  const all = shuffled(pairs, random).flatMap((pair) => {
    const [operations] = grouped(builder.open(pair), "codec", random);
    return pair.twinOf === undefined && operations !== undefined ? [{ pair, operations }] : [];
  });
  return all.length === 0 ? isolated : [...isolated, { together: true, assignments: all }];
}

function memberOf({ pair, operations }: Assignment, builder: RecordBuilder, survey: boolean): Member {
  return {
    source: pair.source,
    dataset: pair.dataset.source,
    operations,
    describe: pair.twinOf === undefined && !builder.isDescribed(pair),
    // Memory and compression are measured once, where nothing is timed any more.
    survey: survey && pair.twinOf === undefined,
  };
}
