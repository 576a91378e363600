import { answersOf } from "../analysis/answer/answer.ts";
import { withOriginals } from "../analysis/originals.ts";
import { withStandings } from "../analysis/standings.ts";
import type { JobResult, MemberResult } from "../measure/job.ts";
import { defined } from "../model/defined.ts";
import {
  type Cell,
  type CompressionRecord,
  cellKey,
  type DatasetRecord,
  type Noise,
  type PayloadRecord,
  type ProcessRecord,
  type RunRecord,
  type TimeSource,
} from "../model/records/run.ts";
import { CellBuilder } from "./cell-builder.ts";
import type { Assignment, JournalEntry, JournalHeader, ProcessEntry } from "./journal.ts";
import { operationsOn, type PlannedOperation } from "./operations.ts";

/**
 * Makes the record of a run of the lines of its journal: while they come, and of those that a run left behind. It gives
 * the record as it stands at any moment.
 */
export class RecordBuilder {
  readonly #base: JournalHeader["run"];
  readonly #cells = new Map<string, CellBuilder[]>();
  readonly #datasets = new Map<string, DatasetRecord>();
  readonly #payloads: PayloadRecord[] = [];
  readonly #compression: CompressionRecord[] = [];
  readonly #processes: ProcessRecord[] = [];
  /** Nanoseconds of the coarsest clock in a runtime's processes, by its label. */
  readonly #clockSteps = new Map<string, number>();
  /** Whether the pages of a browser were isolated, by its label. */
  readonly #isolated = new Map<string, boolean>();
  /** What told least of what a runtime's processes were timed by, by its label. */
  readonly #timeSources = new Map<string, TimeSource>();
  /** Why calls were not counted, by the label of their runtime. */
  readonly #uncounted = new Map<string, string>();
  /** Labels of the runtimes of pairs. */
  readonly #runtimes = new Map<string, string>();
  readonly #operations: readonly PlannedOperation[];
  /** What the comparisons gave when the last block ended, by cell. */
  #standings: {
    readonly of: ReadonlyMap<string, Pick<Cell, "standing" | "original">>;
    readonly noise?: Noise;
  } = {
    of: new Map(),
  };
  #finishedAt: string | undefined;
  /** What processes had timed whose whole answers are not there, by what they were to measure. */
  readonly #timed = new Map<string, ProcessEntry>();

  constructor({ run, datasets, operations, pairs }: JournalHeader) {
    this.#base = run;
    this.#operations = operations;
    for (const dataset of datasets) this.#datasets.set(dataset.name, dataset);
    for (const { codec, dataset, identity, twinOf, refused } of pairs) {
      const cells = operationsOn(operations, dataset).map(({ name: operation, part, reads }) => {
        const which = defined({ part: part ? (true as const) : undefined, twinOf, reads });
        return new CellBuilder({ operation, ...which, dataset, codec, ...identity });
      });
      if (refused !== undefined) for (const cell of cells) cell.refuse(refused);
      this.#cells.set(pairKey(codec, dataset), cells);
      this.#runtimes.set(pairKey(codec, dataset), identity.runtime ?? run.runtimes[0]?.label ?? "");
    }
  }

  /** Adds what happened next. */
  add(entry: JournalEntry): void {
    if ("finishedAt" in entry) this.#finishedAt = entry.finishedAt;
    else if ("completedBlock" in entry) this.#compare();
    else if (entry.surveyPending === true) this.#timed.set(taskKey(entry), entry);
    else {
      this.#timed.delete(taskKey(entry));
      this.#addAnswer(entry);
    }
  }

  /** Whether the size of a pair's message is known. */
  isDescribed(codec: string, dataset: string): boolean {
    return this.#payloads.some((payload) => payload.codec === codec && payload.dataset === dataset);
  }

  /** The operations of a pair of which more can come: those whose cells are not refused. */
  open(codec: string, dataset: string): readonly PlannedOperation[] {
    const cells = this.#cells.get(pairKey(codec, dataset)) ?? [];
    return operationsOn(this.#operations, dataset).filter((_, index) => cells[index]?.isRefused === false);
  }

  /**
   * The record as it stands, complete once the run's end was added: cells by dataset, then by operation, then in the order
   * of the codecs.
   */
  record(): RunRecord {
    // It is asked for amid a survey only where the run ended there.
    for (const entry of this.#timed.values()) this.#addAnswer(entry);
    this.#timed.clear();
    const { codecs } = this.#base.options;
    const { of, noise } = this.#standings;
    const cells = this.#measuredCells().map((cell) => {
      return { ...cell, ...of.get(cellKey(cell)) };
    });
    const record: RunRecord = {
      ...this.#base,
      ...defined({ finishedAt: this.#finishedAt }),
      complete: this.#finishedAt !== undefined,
      runtimes: this.#base.runtimes.map((runtime) => ({
        ...runtime,
        ...defined({
          clockStepNanos: this.#clockSteps.get(runtime.label),
          timeSource: this.#timeSources.get(runtime.label),
          isolated: this.#isolated.get(runtime.label),
          countersReason: this.#uncounted.get(runtime.label) ?? runtime.countersReason,
        }),
      })),
      datasets: [...this.#datasets.values()],
      payloads: [...this.#payloads].sort((a, b) => codecs.indexOf(a.codec) - codecs.indexOf(b.codec)),
      compression: [...this.#compression],
      processes: [...this.#processes],
      ...defined({ noise }),
      cells,
    };
    if (!record.complete) return record;
    const answer = answersOf(record);
    return answer.length === 0 ? record : { ...record, answer };
  }

  #addAnswer(entry: ProcessEntry): void {
    if (entry.together === true) this.#addShared(entry);
    else this.#addIsolated(entry);
  }

  /** What one process answered that measured some operations of one pair. */
  #addIsolated({ assignments, result, block }: ProcessEntry): void {
    const [member] = result.members;
    const [assignment] = assignments;
    if (member === undefined || assignment === undefined) return;
    const { codec, dataset, operations } = assignment;
    for (const cell of this.#cells.get(pairKey(codec, dataset)) ?? []) {
      if (operations.includes(cell.operation)) cell.add(member, block, result.unsurveyed);
    }
    this.#describe(assignment, member);
    const label = this.#runtimes.get(pairKey(codec, dataset)) ?? "";
    for (const own of member.operations) {
      if (!("counts" in own) || own.counts === undefined || !("unavailable" in own.counts)) continue;
      this.#uncounted.set(label, this.#uncounted.get(label) ?? own.counts.unavailable);
    }
    this.#addProcess(assignment, { codec, dataset, operations }, result, block);
  }

  /** What a process answered that ran all pairs together. */
  #addShared({ assignments, result, block }: ProcessEntry): void {
    for (const [index, { codec, dataset }] of assignments.entries()) {
      const member = result.members[index];
      if (member === undefined) continue;
      for (const cell of this.#cells.get(pairKey(codec, dataset)) ?? []) cell.addShared(member, block);
    }
    const operations = [...new Set(assignments.flatMap((one) => one.operations))];
    const [first] = assignments;
    if (first !== undefined) this.#addProcess(first, { codec: "*", dataset: "*", operations }, result, block);
  }

  #compare(): void {
    const { baseline, threshold } = this.#base.options;
    const { cells, noise } = withStandings(this.#measuredCells(), { baseline, threshold });
    this.#standings = {
      of: new Map(
        withOriginals(cells).map((cell) => {
          const { standing, original } = cell;
          return [cellKey(cell), defined({ standing, original })];
        }),
      ),
      ...defined({ noise }),
    };
  }

  #measuredCells(): Cell[] {
    const { datasets, operations, codecs } = this.#base.options;
    // A twin comes after all others.
    const rank = (names: readonly string[], name: string): number =>
      names.includes(name) ? names.indexOf(name) : names.length;
    const cells = [...this.#cells.values()].flat().flatMap((builder) => builder.cell() ?? []);
    return cells.sort(
      (a, b) =>
        rank(datasets, a.dataset) - rank(datasets, b.dataset) ||
        rank(operations, a.operation) - rank(operations, b.operation) ||
        rank(codecs, a.codec) - rank(codecs, b.codec),
    );
  }

  #describe({ codec, dataset }: Assignment, member: MemberResult): void {
    const known = this.#datasets.get(dataset);
    if (member.dataset !== undefined && known !== undefined) {
      this.#datasets.set(dataset, { ...known, ...member.dataset });
    }
    // Processes of several machines, or of one operation each, describe it more than once.
    if (member.payload !== undefined && !this.isDescribed(codec, dataset))
      this.#payloads.push({ dataset, codec, ...member.payload });
    const isCompressed = this.#compression.some((one) => one.codec === codec && one.dataset === dataset);
    if (isCompressed) return;
    for (const one of member.compression ?? []) this.#compression.push({ dataset, codec, ...one });
  }

  /** @param assignment one of those of the process, which has its runtime */
  #addProcess(
    { codec, dataset }: Assignment,
    named: Assignment,
    { conditions, runtime: own }: JobResult,
    block: number,
  ): void {
    const label = this.#runtimes.get(pairKey(codec, dataset)) ?? "";
    if (own !== undefined) {
      this.#clockSteps.set(label, Math.max(own.clockStepNanos, this.#clockSteps.get(label) ?? 0));
      const { timeSource = "wall", isolated } = own;
      if (isolated !== undefined) this.#isolated.set(label, isolated && this.#isolated.get(label) !== false);
      this.#timeSources.set(label, lessTelling(timeSource, this.#timeSources.get(label)));
    }
    if (conditions === undefined) return;
    const runtime = this.#base.runtimes.length > 1 ? label : undefined;
    this.#processes.push({ block, ...named, ...defined({ runtime }), ...conditions });
  }
}

/** From what tells most to what tells least. */
const TIME_SOURCES: readonly TimeSource[] = ["schedstat", "thread-cpu", "wall"];

export function lessTelling(one: TimeSource, other: TimeSource = one): TimeSource {
  return TIME_SOURCES.indexOf(one) > TIME_SOURCES.indexOf(other) ? one : other;
}

/** What a process was to measure, and in which block. */
function taskKey({ block, assignments }: ProcessEntry): string {
  return JSON.stringify([block, assignments]);
}

function pairKey(codec: string, dataset: string): string {
  return JSON.stringify([codec, dataset]);
}
