import { CellIndex, isMeasured, librariesOf, type MeasuredCell } from "../analysis/cells.ts";
import { heldProcesses } from "../analysis/held-processes.ts";
import {
  type Cell,
  type DatasetRecord,
  type PayloadRecord,
  processesOf,
  type RunRecord,
} from "../model/records/run.ts";
import { oneLine } from "./escape.ts";
import { libraryName } from "./provenance.ts";

/** The record of a run, indexed once for everything that is shown of it. */
export class RunView {
  readonly record: RunRecord;
  /** In the order of the record. */
  readonly datasets: readonly DatasetView[];
  /**
   * Names of the operations that have cells, in the order of the record. Those of a study of partial reads are not among
   * them: they have tables of their own.
   */
  readonly operations: readonly string[];
  /** Names of the parts of them that have cells. */
  readonly parts: readonly string[];
  readonly #index: CellIndex;

  constructor(record: RunRecord) {
    this.record = record;
    this.#index = new CellIndex(record.cells);
    const own = record.cells.filter(({ reads }) => reads === undefined);
    const named = (isPart: boolean): string[] => [
      ...new Set(own.filter(({ part }) => (part === true) === isPart).map(({ operation }) => operation)),
    ];
    this.operations = named(false);
    this.parts = named(true);
    this.datasets = record.datasets.map((about) => new DatasetView(this, about));
  }

  /** What ratios are to. */
  get baseline(): string {
    return this.record.options.baseline;
  }

  /** Whether it is a record of `verify`, in which nothing was timed. */
  get isProof(): boolean {
    const { cells } = this.record;
    return cells.length > 0 && cells.every(({ operation }) => operation === "verify");
  }

  /** Whether its times are of several machines, and no one machine's. */
  get hasSeveralMachines(): boolean {
    return (this.record.merged?.machines.length ?? 1) > 1;
  }

  /** The libraries that were measured, with their versions. */
  get libraries(): string[] {
    return librariesOf(this.record.cells).map(libraryName);
  }

  /** The cell of those names; undefined where it was not measured or not asked for. */
  cell(operation: string, dataset: string, codec: string): Cell | undefined {
    return this.#index.cell(operation, dataset, codec);
  }

  /** A dataset of the record. */
  dataset(name: string): DatasetView | undefined {
    return this.datasets.find((one) => one.name === name);
  }
}

/** What a run has of one dataset. */
export class DatasetView {
  readonly run: RunView;
  readonly about: DatasetRecord;
  readonly name: string;
  /** All of its cells, second measurements of the baseline included. */
  readonly cells: readonly Cell[];
  /** Names of the codecs that have cells, in the order of the record; a second measurement is no codec of its own. */
  readonly codecs: readonly string[];
  readonly payloads: readonly PayloadRecord[];

  constructor(run: RunView, about: DatasetRecord) {
    const { cells, payloads } = run.record;
    this.run = run;
    this.about = about;
    this.name = about.name;
    this.cells = cells.filter(({ dataset }) => dataset === about.name);
    this.codecs = [
      ...new Set(this.cells.filter(({ twinOf }) => twinOf === undefined).map(({ codec }) => codec)),
    ];
    this.payloads = payloads.filter(({ dataset }) => dataset === about.name);
  }

  /** Undefined where it was not measured or not asked for. */
  cell(operation: string, codec: string): Cell | undefined {
    return this.run.cell(operation, this.name, codec);
  }

  /** The cell where it has numbers. */
  measured(operation: string, codec: string): MeasuredCell | undefined {
    const cell = this.cell(operation, codec);
    return isMeasured(cell) ? cell : undefined;
  }

  /**
   * A cell's time as a multiple of the baseline codec's: that of the blocks where they were compared, else of the
   * medians; undefined where either has none.
   */
  ratioToBaseline(cell: MeasuredCell): number | undefined {
    if (cell.standing !== undefined) return cell.standing.ratio ?? undefined;
    const base = this.measured(cell.operation, this.run.baseline);
    // A time of 0 is that of a loop around nothing: there is no multiple of it.
    return base === undefined || base.nanos.median === 0 ? undefined : cell.nanos.median / base.nanos.median;
  }

  /** Most memory that a process of a codec held, in bytes; undefined where it had no process of its own. */
  peakBytes(codec: string): number | undefined {
    const own = this.run.record.processes.filter(
      (process) => process.codec === codec && process.dataset === this.name,
    );
    return own.length === 0 ? undefined : Math.max(...own.map(({ peakBytes }) => peakBytes));
  }

  /**
   * What is unsupported or failed: one line per codec and reason, or one for all codecs where they have the same. A part
   * that is unsupported is empty, and no refusal.
   */
  refusals(): string[] {
    const lines = new Map<string, { cell: Cell; operations: string[] }>();
    for (const cell of this.cells) {
      const refused = cell.status === "failed" || (cell.status === "unsupported" && cell.part !== true);
      if (!refused || cell.twinOf !== undefined) continue;
      const key = `${cell.codec}\n${cell.status}\n${cell.reason}`;
      const line = lines.get(key) ?? { cell, operations: [] };
      line.operations.push(cell.operation);
      lines.set(key, line);
    }
    const codecs = new Map<string, string[]>();
    for (const { cell, operations } of lines.values()) {
      const everywhere = this.run.operations.every((operation) => operations.includes(operation));
      const which = everywhere ? "" : ` (${operations.join(", ")})`;
      const what = `${which}: ${cell.status}: ${cell.reason}`;
      codecs.set(what, [...(codecs.get(what) ?? []), cell.codec]);
    }
    const all = this.codecs.length;
    return Array.from(codecs).flatMap(([what, names]) =>
      (names.length === all && all > 1 ? ["every codec"] : names).map((name) => oneLine(`${name}${what}`)),
    );
  }

  /** Says of which operations there are no ratios, because the baseline was not measured while others were. */
  withoutBaseline(): string[] {
    const { baseline, operations } = this.run;
    const missing = operations.filter(
      (operation) =>
        this.measured(operation, baseline) === undefined &&
        this.codecs.some((codec) => this.measured(operation, codec) !== undefined),
    );
    if (missing.length === 0) return [];
    const where = missing.length === operations.length ? "" : ` of ${missing.join(", ")}`;
    return [oneLine(`${baseline} was not measured: there are no ratios to it${where}`)];
  }

  /** The codecs by a reason that some of their cells have: `one, two: reason`, a line for each reason. */
  codecsByReason(reasonOf: (cell: Cell) => string | undefined): string[] {
    const codecs = new Map<string, Set<string>>();
    for (const cell of this.cells) {
      const reason = reasonOf(cell);
      if (reason !== undefined) codecs.set(reason, (codecs.get(reason) ?? new Set()).add(cell.codec));
    }
    return Array.from(codecs, ([reason, names]) => oneLine(`${[...names].join(", ")}: ${reason}`));
  }

  /** Says that it had fewer or more processes than the profile has, and why; nothing where it had as many. */
  otherProcesses(): string[] {
    const { record } = this.run;
    const { complete, merged, options } = record;
    const planned = processesOf(options);
    const most = Math.max(...heldProcesses(record, this.name));
    if (!complete || most === planned) return [];
    // Of several runs it is not known what each was to have.
    if (merged !== undefined) return [`${most} processes, and ${planned} of other datasets`];
    const why = most < planned ? "because each took long" : "because others share the cores";
    return [`${most} processes in place of ${planned}, ${why}`];
  }
}

/** Indexes a record. */
export function viewOf(record: RunRecord): RunView {
  return new RunView(record);
}
