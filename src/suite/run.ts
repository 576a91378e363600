import type { Job, Member } from "../measure/job.ts";
import { defined } from "../model/defined.ts";
import { seededRandom, shuffled } from "../model/random.ts";
import type { RunRecord } from "../model/records/run.ts";
import type { FoundRuntime } from "../runtimes/launch/find.ts";
import { isolate } from "../runtimes/launch/isolate.ts";
import { type JournalEntry, type JournalHeader, type JournalLine, journalHeader } from "./journal.ts";
import { grouped, type PlannedOperation } from "./operations.ts";
import { makePlan, type Pair, type Plan } from "./plan.ts";
import { type OnProgress, ProgressMeter } from "./progress-meter.ts";
import { RecordBuilder } from "./record-builder.ts";
import { type ProcessSlot, Schedule } from "./schedule.ts";
import type { Selection } from "./selection.ts";

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
  const { signal, onRecord, onJournal } = listeners;
  const header = journalHeader(plan, listeners.command ?? "wirebench.run()");
  onJournal?.(header);
  const builder = new RecordBuilder(header);
  const add = (entry: JournalEntry): void => {
    onJournal?.(entry);
    builder.add(entry);
  };
  try {
    await measure(plan, builder, add, listeners);
    add({ finishedAt: new Date().toISOString() });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
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
  listeners: Listeners,
): Promise<void> {
  const { profile, timeoutSeconds } = plan;
  const { signal, onProgress, onRecord } = listeners;
  const random = seededRandom(plan.seed);
  const meter = new ProgressMeter(onProgress);
  const schedule = new Schedule(profile, plan.operations.length);
  for (let block = 0; block < profile.processes; block++) {
    const pairs = plan.pairs.filter(({ dataset }) => block < schedule.blocksOf(dataset.name));
    const slots = inOrder(slotsOf(plan, pairs, builder, random), plan.seed, block);
    for (const [index, slot] of slots.entries()) {
      // Its cells may have been refused since the block began.
      const members = slot.members.filter(({ pair }) => openOf(builder, pair).length > 0);
      const [first] = members;
      if (first === undefined) continue;
      const isShared = slot.kind === "shared";
      const { codec, dataset } = first.pair;
      const left = slotsLeft(slots, index, schedule, block);
      const current = isShared
        ? { codec: "all codecs", dataset: "together" }
        : { codec, dataset: dataset.name };
      meter.starts(current, left.length, schedule.expectedMs(left));
      const isLast = block === schedule.blocksOf(dataset.name) - 1;
      const survey = plan.survey && isLast && !isShared;
      const job: Job = {
        members: members.map((member) => memberOf(member, builder, survey)),
        int64: plan.int64,
        profile,
        others: isShared ? plan.others : [],
      };
      const from = Date.now();
      const assignments = members.map(({ pair, operations }) => ({
        codec: pair.codec,
        dataset: pair.dataset.name,
        operations,
      }));
      const together = isShared ? (true as const) : undefined;
      const entry = { block, assignments, ...defined({ together }) };
      // Should the run end in the survey, what was timed is kept.
      const result = await isolate(job, slot.runtime.launch, timeoutSeconds, signal, (timed) =>
        add({ ...entry, surveyPending: true, result: { ...timed, unsurveyed: RUN_ENDED } }),
      );
      add({ ...entry, result });
      schedule.took(processSlot(slot), Date.now() - from);
      onRecord?.(builder.record());
    }
    add({ completedBlock: block });
    if (block === 0) schedule.decide();
  }
  meter.ends();
}

/** A process of a block: for one pair, or for all pairs of a runtime together. */
interface Slot {
  readonly kind: ProcessSlot["kind"];
  readonly runtime: FoundRuntime;
  readonly members: readonly SlotMember[];
}

/** Operations of a pair that a process measures. */
interface SlotMember {
  readonly pair: Pair;
  readonly operations: readonly string[];
}

/**
 * The processes of a block in random order, and those of every second block in the reverse order of the one before:
 * whatever it is worth to come first, everything comes first as often as last.
 */
function inOrder(slots: readonly Slot[], seed: number, block: number): Slot[] {
  const order = shuffled(slots, seededRandom(seed + Math.floor(block / 2)));
  return block % 2 === 0 ? order : order.reverse();
}

/** What the schedule knows a process by. */
function processSlot({ kind, runtime, members }: Slot): ProcessSlot {
  const [first] = members;
  if (kind === "shared" || first === undefined) return { kind: "shared", runtime: runtime.label };
  return { kind, codec: first.pair.codec, dataset: first.pair.dataset.name };
}

/** What is left of a block from a process on, and the blocks after it. */
function slotsLeft(slots: readonly Slot[], from: number, schedule: Schedule, block: number): ProcessSlot[] {
  return slots.map(processSlot).flatMap((slot, index) => {
    const later = schedule.blocksOfSlot(slot) - block - 1;
    return Array.from({ length: later + (index < from ? 0 : 1) }, () => slot);
  });
}

/** The processes of one block. */
function slotsOf(plan: Plan, pairs: readonly Pair[], builder: RecordBuilder, random: () => number): Slot[] {
  const isolated = pairs.flatMap((pair) => {
    const open = openOf(builder, pair);
    if (open.length === 0) return [];
    const { runtime } = pair;
    return grouped(open, plan.isolate, random).map(
      (operations): Slot => ({ kind: "pair", runtime, members: [{ pair, operations }] }),
    );
  });
  if (plan.jit === "isolated") return isolated;
  const all = shuffled(pairs, random).flatMap((pair) => {
    const [operations] = grouped(openOf(builder, pair), "codec", random);
    return pair.twinOf === undefined && operations !== undefined ? [{ pair, operations }] : [];
  });
  const shared = plan.runtimes.flatMap((runtime): Slot[] => {
    const members = all.filter(({ pair }) => pair.runtime === runtime);
    return members.length === 0 ? [] : [{ kind: "shared", runtime, members }];
  });
  return [...isolated, ...shared];
}

function openOf(builder: RecordBuilder, { codec, dataset }: Pair): readonly PlannedOperation[] {
  return builder.open(codec, dataset.name);
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
