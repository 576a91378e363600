import { OWN_VERSION } from "../catalog/library-version.ts";
import {
  type DatasetRecord,
  type PayloadRecord,
  RECORD_VERSION,
  type RunRecord,
} from "../model/run-record.ts";
import { CellBuilder } from "./cell-builder.ts";
import { environment } from "./environment.ts";
import type { JobResult } from "./job.ts";
import type { PlannedOperation } from "./operations.ts";
import type { Pair, Plan } from "./plan.ts";

/** Gathers what the processes of a run answer, and gives the record of it at any moment. */
export class RecordBuilder {
  readonly #base: Pick<RunRecord, "schemaVersion" | "tool" | "startedAt" | "environment" | "options">;
  readonly #cells = new Map<Pair, CellBuilder[]>();
  readonly #datasets = new Map<string, DatasetRecord>();
  readonly #payloads: PayloadRecord[] = [];
  readonly #operations: readonly PlannedOperation[];

  constructor(plan: Plan, command: string) {
    this.#operations = plan.operations;
    this.#base = {
      schemaVersion: RECORD_VERSION,
      tool: { name: "wirebench", version: OWN_VERSION, command },
      startedAt: new Date().toISOString(),
      environment: environment(),
      options: {
        profile: plan.profileName,
        seed: plan.seed,
        baseline: plan.baseline,
        codecs: [...new Set(plan.pairs.map(({ codec }) => codec))],
        datasets: [...new Set(plan.pairs.map(({ dataset }) => dataset.name))],
        operations: plan.operations.map(({ name }) => name),
        isolate: plan.isolate,
        ...plan.profile,
        timeoutSeconds: plan.timeoutSeconds,
      },
    };
    for (const pair of plan.pairs) {
      const { codec, identity, dataset, refused } = pair;
      const { name, story, message } = dataset;
      this.#datasets.set(name, { name, story, message });
      const cells = plan.operations.map(({ name: operation, part }) => {
        const which = part ? { operation, part } : { operation };
        return new CellBuilder({ ...which, dataset: name, codec, ...identity });
      });
      if (refused !== undefined) for (const cell of cells) cell.refuse(refused);
      this.#cells.set(pair, cells);
    }
  }

  /** Adds what one process answered that was to measure these operations of a pair. */
  add(pair: Pair, operations: readonly string[], result: JobResult): void {
    const { codec, dataset } = pair;
    const { name, story, message } = dataset;
    for (const cell of this.#cells.get(pair) ?? []) if (operations.includes(cell.operation)) cell.add(result);
    if (result.dataset !== undefined) this.#datasets.set(name, { name, story, message, ...result.dataset });
    if (result.payload !== undefined) {
      this.#payloads.push({ dataset: name, codec, ...result.payload });
    }
  }

  /** Whether the size of a pair's message is known. */
  isDescribed({ codec, dataset }: Pair): boolean {
    return this.#payloads.some((payload) => payload.codec === codec && payload.dataset === dataset.name);
  }

  /** The operations of a pair of which more can come: those whose cells are not refused. */
  open(pair: Pair): readonly PlannedOperation[] {
    const cells = this.#cells.get(pair) ?? [];
    return this.#operations.filter((_, index) => cells[index]?.isRefused === false);
  }

  /** The record as it stands: cells by dataset, then by operation, then in the order of the codecs. */
  record(complete: boolean): RunRecord {
    const { datasets, operations, codecs } = this.#base.options;
    const rank = (names: readonly string[], name: string): number => names.indexOf(name);
    const cells = [...this.#cells.values()].flat().flatMap((builder) => builder.cell() ?? []);
    cells.sort(
      (a, b) =>
        rank(datasets, a.dataset) - rank(datasets, b.dataset) ||
        rank(operations, a.operation) - rank(operations, b.operation) ||
        rank(codecs, a.codec) - rank(codecs, b.codec),
    );
    return {
      ...this.#base,
      ...(complete ? { finishedAt: new Date().toISOString() } : {}),
      complete,
      datasets: [...this.#datasets.values()],
      payloads: [...this.#payloads].sort((a, b) => rank(codecs, a.codec) - rank(codecs, b.codec)),
      cells,
    };
  }
}
