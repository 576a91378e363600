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
import type { Pair, Plan } from "./plan.ts";

/** Gathers what the processes of a run answer, and gives the record of it at any moment. */
export class RecordBuilder {
  readonly #base: Pick<RunRecord, "schemaVersion" | "tool" | "startedAt" | "environment" | "options">;
  readonly #cells = new Map<Pair, CellBuilder[]>();
  readonly #datasets = new Map<string, DatasetRecord>();
  readonly #payloads: PayloadRecord[] = [];

  constructor(plan: Plan, command: string) {
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
        operations: plan.operations,
        ...plan.profile,
        timeoutSeconds: plan.timeoutSeconds,
      },
    };
    for (const pair of plan.pairs) {
      const { codec, identity, dataset, refused } = pair;
      const cells = plan.operations.map(
        (operation) => new CellBuilder({ operation, dataset: dataset.name, codec, ...identity }),
      );
      if (refused !== undefined) for (const cell of cells) cell.refuse(refused);
      this.#cells.set(pair, cells);
    }
  }

  add(pair: Pair, result: JobResult): void {
    const { codec, dataset } = pair;
    for (const cell of this.#cells.get(pair) ?? []) cell.add(result);
    if (result.dataset !== undefined) {
      const { name, story, message } = dataset;
      this.#datasets.set(name, { name, story, message, ...result.dataset });
    }
    if (result.payload !== undefined) {
      this.#payloads.push({ dataset: dataset.name, codec, ...result.payload });
    }
  }

  /** Whether nothing more can come of a pair: each of its cells is refused. */
  isOver(pair: Pair): boolean {
    return (this.#cells.get(pair) ?? []).every((cell) => cell.isRefused);
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
