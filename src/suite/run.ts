import { availableParallelism } from "node:os";
import { mean } from "../analysis/statistics/location.ts";
import { Patience, UsualSpeeds } from "../measure/core-speed.ts";
import type { Job, JobResult, Member } from "../measure/job.ts";
import type { Samples } from "../measure/sampler.ts";
import { defined } from "../model/defined.ts";
import { expectKnown, expectOptions } from "../model/expect-option.ts";
import type { RunRecord } from "../model/records/run.ts";
import { isolate } from "../runtimes/launch/isolate.ts";
import { endWaiting } from "../runtimes/launch/waiting.ts";
import { type Slot, type SlotMember, slotsOf } from "./block.ts";
import { estimateOf } from "./estimate.ts";
import { type JournalEntry, type JournalHeader, type JournalLine, journalHeader } from "./journal.ts";
import type { Pair } from "./pair.ts";
import { makePlan, type Plan } from "./plan.ts";
import { type OnProgress, ProgressMeter } from "./progress-meter.ts";
import { RecordBuilder } from "./record-builder.ts";
import { type ProcessSlot, Schedule } from "./schedule.ts";
import type { Selection } from "./selection.ts";
import { Surveys, untilTimed } from "./surveys.ts";

/** Who hears of a run's progress, and how it is stopped. */
export interface Listeners {
  /** The command line, for the record. */
  readonly command?: string;
  /** Stops the run: what was measured until then is returned, with `complete` false. */
  readonly signal?: AbortSignal;
  /** Called before each measuring process starts, and once at the end. */
  readonly onProgress?: OnProgress;
  /** Called with the record so far after each measuring process, and once at the end. */
  readonly onRecord?: (record: RunRecord) => void;
  /** Called with each line of the run's journal as it comes: all that its record is made of. */
  readonly onJournal?: (line: JournalLine) => void;
}

/** What to measure, and who hears of its progress. */
export interface RunOptions extends Selection, Listeners {}

const OPTIONS: Readonly<Record<keyof RunOptions, true>> = {
  codecs: true,
  datasets: true,
  counters: true,
  int64: true,
  operations: true,
  parts: true,
  profile: true,
  blocks: true,
  shard: true,
  survey: true,
  isolate: true,
  cores: true,
  seed: true,
  baseline: true,
  runtimes: true,
  native: true,
  use: true,
  install: true,
  noEval: true,
  plugins: true,
  timeoutSeconds: true,
  threshold: true,
  jit: true,
  goal: true,
  bandwidths: true,
  study: true,
  command: true,
  signal: true,
  onProgress: true,
  onRecord: true,
  onJournal: true,
};

/** Throws UsageError for options that are none, and for one that nobody knows. */
export function expectRunOptions(options: RunOptions): void {
  expectOptions("options", options);
  expectKnown(options, Object.keys(OPTIONS));
}

/**
 * Measures every operation of every codec on every dataset, one process per codec, dataset and block, in
 * blocks that are shuffled and complete: a drift of the machine meets all codecs alike.
 * Throws UsageError for names that are not known, before anything is measured.
 */
export async function run(options: RunOptions = {}): Promise<RunRecord> {
  expectRunOptions(options);
  return runPlan(await makePlan(options), options);
}

/** {@link run}, once everything is known and nothing has begun. */
export async function runPlan(plan: Plan, listeners: Listeners): Promise<RunRecord> {
  const { signal, onRecord, onJournal } = listeners;
  const header = journalHeader(plan, listeners.command ?? "wirebench.run()");
  onJournal?.(header);
  const builder = new RecordBuilder(header);
  const add = (entry: JournalEntry): void => {
    onJournal?.(entry);
    builder.add(entry);
  };
  const surveys = new Surveys(plan.cores?.length ?? availableParallelism());
  try {
    await measure(plan, builder, add, surveys, listeners);
    add({ finishedAt: new Date().toISOString() });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  } finally {
    await surveys.abandon();
    endWaiting();
  }
  const record = builder.record();
  onRecord?.(record);
  return record;
}

/** The record of a run that was killed, of the lines of its journal. */
export function recoveredRecord(header: JournalHeader, entries: readonly JournalEntry[]): RunRecord {
  const builder = new RecordBuilder(header);
  for (const entry of entries) builder.add(entry);
  return builder.record();
}

/** Why a process has times and no survey, where nothing follows them. */
const RUN_ENDED = "the run ended before";

async function measure(
  plan: Plan,
  builder: RecordBuilder,
  add: (entry: JournalEntry) => void,
  surveys: Surveys,
  listeners: Listeners,
): Promise<void> {
  const { profile, timeoutSeconds, counters } = plan;
  const { signal, onProgress, onRecord } = listeners;
  const meter = new ProgressMeter(onProgress);
  const speeds = new UsualSpeeds();
  const patience = new Patience();
  const slowed: number[] = [];
  const waited: number[] = [];
  const schedule = new Schedule(profile, plan.operations.length, plan.blocks?.length);
  for (let turn = 0; turn < schedule.blocks; turn++) {
    const block = plan.blocks?.[turn] ?? turn;
    const hasTurn = ({ dataset }: Pair): boolean => turn < schedule.blocksOf(dataset.name);
    const slots = slotsOf(plan, block)
      .map((slot) => openPart(slot, builder, hasTurn))
      .filter(({ members }) => members.length > 0);
    for (const [index, slot] of slots.entries()) {
      // Its cells may have been refused since the block began.
      const { members } = openPart(slot, builder, hasTurn);
      const [first] = members;
      if (first === undefined) continue;
      const isShared = slot.kind === "shared";
      const { codec, dataset } = first.pair;
      const left = slotsLeft(slots, index, schedule, turn);
      const current = isShared
        ? { codec: "all codecs", dataset: "together" }
        : { codec, dataset: dataset.name };
      meter.starts(current, left.length, schedule.expectedMs(left) ?? estimateOf(plan).ms);
      const isLast = turn === schedule.blocksOf(dataset.name) - 1;
      const survey = plan.survey && isLast && !isShared;
      const job: Job = {
        members: members.map((member) => memberOf(member, builder, survey)),
        int64: plan.int64,
        profile,
        patienceMs: patience.ms,
        others: isShared ? plan.others : [],
        ...defined({ cores: plan.cores, turnNanos: speeds.of(slot.runtime.label) }),
        ...(counters !== undefined && !("unavailable" in counters) && !isShared && { counters }),
      };
      const from = Date.now();
      const assignments = members.map(({ pair, operations }) => ({
        codec: pair.codec,
        dataset: pair.dataset.name,
        operations,
      }));
      const together = isShared ? (true as const) : undefined;
      const entry = { block, assignments, ...defined({ together }) };
      const { launch, label } = slot.runtime;
      const { result, survey: waiting } = await untilTimed((onTimed) =>
        isolate(job, launch, timeoutSeconds, signal, { onTimed, following: left.length - 1 }),
      );
      speeds.add(label, result.turnNanos);
      const samples = samplesIn(result);
      patience.add(samples.map(({ scaled }) => scaled === true));
      slowed.push(...samples.flatMap((one) => one.slowed ?? []));
      waited.push(Number(result.conditions?.disturbedBy.includes("waiting") === true));
      schedule.took(processSlot(slot), Date.now() - from);
      if (waiting === undefined) add({ ...entry, result });
      else {
        // Should the run end before the survey does, what was timed is kept.
        add({ ...entry, surveyPending: true, result: { ...result, unsurveyed: RUN_ENDED } });
        await surveys.add(waiting, (whole) => add({ ...entry, result: whole }));
      }
      if (!surveys.areWaiting) onRecord?.(builder.record());
    }
    await surveys.make();
    add({ completedBlock: block });
    schedule.completed(turn + 1, { slowed: mean(slowed), waiting: mean(waited) });
  }
  meter.ends();
}

/** What a process timed, operation by operation. */
function samplesIn({ members }: JobResult): Samples[] {
  return members.flatMap(({ operations }) =>
    operations.flatMap((one) => ("samples" in one ? [one.samples] : [])),
  );
}

/** What the schedule knows a process by. */
function processSlot({ kind, runtime, members }: Slot): ProcessSlot {
  const [first] = members;
  if (kind === "shared" || first === undefined) return { kind: "shared", runtime: runtime.label };
  return { kind, codec: first.pair.codec, dataset: first.pair.dataset.name };
}

/** What is left of a block from a process on, and the blocks after it. @param turn of the block among those of the run */
function slotsLeft(slots: readonly Slot[], from: number, schedule: Schedule, turn: number): ProcessSlot[] {
  return slots.map(processSlot).flatMap((slot, index) => {
    const later = schedule.blocksOfSlot(slot) - turn - 1;
    return Array.from({ length: later + (index < from ? 0 : 1) }, () => slot);
  });
}

/** What a process still has to measure: of the pairs that are in the block, the cells that are not refused. */
function openPart(slot: Slot, builder: RecordBuilder, isInBlock: (pair: Pair) => boolean): Slot {
  const members = slot.members.flatMap(({ pair, operations }) => {
    const open = new Set(builder.open(pair.codec, pair.dataset.name).map(({ name }) => name));
    const left = operations.filter((operation) => open.has(operation));
    return isInBlock(pair) && left.length > 0 ? [{ pair, operations: left }] : [];
  });
  return { ...slot, members };
}

function memberOf({ pair, operations }: SlotMember, builder: RecordBuilder, survey: boolean): Member {
  return {
    source: pair.source,
    dataset: pair.dataset.source,
    operations,
    describe: pair.twinOf === undefined && !builder.isDescribed(pair.codec, pair.dataset.name),
    // Memory and compression are measured once, where nothing is timed any more.
    survey: survey && pair.twinOf === undefined,
  };
}
