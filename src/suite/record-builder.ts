import { withStandings } from "../analysis/standings/standings.ts";
import { OWN_VERSION } from "../catalog/library-version.ts";
import type { JobResult, MemberResult } from "../measure/job.ts";
import {
  type Cell,
  type CompressionRecord,
  type DatasetRecord,
  type Noise,
  type PayloadRecord,
  type ProcessRecord,
  RECORD_VERSION,
  type RunRecord,
} from "../model/records/run.ts";
import { CellBuilder } from "./cell-builder.ts";
import { environment } from "./environment.ts";
import type { PlannedOperation } from "./operations.ts";
import type { Pair, Plan } from "./plan.ts";

/** Which operations of a pair a process was to measure. */
export interface Assignment {
  readonly pair: Pair;
  readonly operations: readonly string[];
}

/** Gathers what the processes of a run answer, and gives the record of it at any moment. */
export class RecordBuilder {
  readonly #base: Pick<RunRecord, "schemaVersion" | "tool" | "startedAt" | "environment" | "options">;
  readonly #cells = new Map<Pair, CellBuilder[]>();
  readonly #datasets = new Map<string, DatasetRecord>();
  readonly #payloads: PayloadRecord[] = [];
  readonly #compression: CompressionRecord[] = [];
  readonly #processes: ProcessRecord[] = [];
  readonly #operations: readonly PlannedOperation[];
  /** What the comparisons gave when the last block ended, by cell. */
  #standings: { readonly of: ReadonlyMap<string, Cell["standing"]>; readonly noise?: Noise } = {
    of: new Map(),
  };

  constructor(plan: Plan, command: string) {
    this.#operations = plan.operations;
    const { twin: _, ...profile } = plan.profile;
    this.#base = {
      schemaVersion: RECORD_VERSION,
      tool: { name: "wirebench", version: OWN_VERSION, command },
      startedAt: new Date().toISOString(),
      environment: environment(),
      options: {
        profile: plan.profileName,
        seed: plan.seed,
        baseline: plan.baseline,
        codecs: [
          ...new Set(plan.pairs.filter((pair) => pair.twinOf === undefined).map(({ codec }) => codec)),
        ],
        datasets: [...new Set(plan.pairs.map(({ dataset }) => dataset.name))],
        operations: [...new Set(plan.operations.map(({ name }) => name))],
        isolate: plan.isolate,
        ...profile,
        timeoutSeconds: plan.timeoutSeconds,
        threshold: plan.threshold,
        jit: plan.jit,
        ...(plan.study === undefined ? {} : { study: plan.study }),
        ...(plan.bandwidths === undefined ? {} : { bandwidths: plan.bandwidths }),
      },
    };
    for (const pair of plan.pairs) {
      const { codec, identity, dataset, refused, twinOf } = pair;
      const { name, story, message, size } = dataset;
      this.#datasets.set(name, { name, story, message, ...(size && { size }) });
      const cells = operationsOn(plan.operations, pair).map(({ name: operation, part, reads }) => {
        const which = {
          ...(part ? { part } : {}),
          ...(twinOf === undefined ? {} : { twinOf }),
          ...(reads === undefined ? {} : { reads }),
        };
        return new CellBuilder({ operation, ...which, dataset: name, codec, ...identity });
      });
      if (refused !== undefined) for (const cell of cells) cell.refuse(refused);
      this.#cells.set(pair, cells);
    }
  }

  /** Adds what one process answered that measured some operations of one pair. */
  add({ pair, operations }: Assignment, result: JobResult, block: number): void {
    const [member] = result.members;
    if (member === undefined) return;
    for (const cell of this.#cells.get(pair) ?? []) {
      if (operations.includes(cell.operation)) cell.add(member, block, result.unsurveyed);
    }
    this.#describe(pair, member);
    this.#addProcess(pair.codec, pair.dataset.name, operations, result, block);
  }

  /** Adds what a process answered that ran all pairs together. */
  addShared(assignments: readonly Assignment[], result: JobResult, block: number): void {
    for (const [index, { pair }] of assignments.entries()) {
      const member = result.members[index];
      if (member !== undefined) for (const cell of this.#cells.get(pair) ?? []) cell.addShared(member, block);
    }
    this.#addProcess(
      "*",
      "*",
      [...new Set(assignments.flatMap(({ operations }) => operations))],
      result,
      block,
    );
  }

  /** A block is complete: its cells can be compared. */
  endBlock(): void {
    const { baseline, threshold } = this.#base.options;
    const { cells, noise } = withStandings(this.#measuredCells(), { baseline, threshold });
    this.#standings = {
      of: new Map(cells.map((cell) => [keyOf(cell), cell.standing])),
      ...(noise === undefined ? {} : { noise }),
    };
  }

  /** Whether the size of a pair's message is known. */
  isDescribed({ codec, dataset }: Pair): boolean {
    return this.#payloads.some((payload) => payload.codec === codec && payload.dataset === dataset.name);
  }

  /** The operations of a pair of which more can come: those whose cells are not refused. */
  open(pair: Pair): readonly PlannedOperation[] {
    const cells = this.#cells.get(pair) ?? [];
    return operationsOn(this.#operations, pair).filter((_, index) => cells[index]?.isRefused === false);
  }

  /** The record as it stands: cells by dataset, then by operation, then in the order of the codecs. */
  record(complete: boolean): RunRecord {
    const { codecs } = this.#base.options;
    const { of, noise } = this.#standings;
    const cells = this.#measuredCells().map((cell) => {
      const standing = of.get(keyOf(cell));
      return standing === undefined ? cell : { ...cell, standing };
    });
    return {
      ...this.#base,
      ...(complete ? { finishedAt: new Date().toISOString() } : {}),
      complete,
      datasets: [...this.#datasets.values()],
      payloads: [...this.#payloads].sort((a, b) => codecs.indexOf(a.codec) - codecs.indexOf(b.codec)),
      compression: [...this.#compression],
      processes: [...this.#processes],
      ...(noise === undefined ? {} : { noise }),
      cells,
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

  #describe({ codec, dataset }: Pair, member: MemberResult): void {
    const { name } = dataset;
    const known = this.#datasets.get(name);
    if (member.dataset !== undefined && known !== undefined) {
      this.#datasets.set(name, { ...known, ...member.dataset });
    }
    if (member.payload !== undefined) this.#payloads.push({ dataset: name, codec, ...member.payload });
    for (const one of member.compression ?? []) this.#compression.push({ dataset: name, codec, ...one });
  }

  #addProcess(
    codec: string,
    dataset: string,
    operations: readonly string[],
    { conditions }: JobResult,
    block: number,
  ): void {
    if (conditions !== undefined) this.#processes.push({ block, dataset, codec, operations, ...conditions });
  }
}

/** The operations that are measured on a pair's dataset. */
function operationsOn(operations: readonly PlannedOperation[], { dataset }: Pair): PlannedOperation[] {
  return operations.filter(
    (operation) => operation.dataset === undefined || operation.dataset === dataset.name,
  );
}

function keyOf({ operation, dataset, codec }: Cell): string {
  return JSON.stringify([operation, dataset, codec]);
}
