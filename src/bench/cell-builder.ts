import type { Cell, Nanos } from "../model/run-record.ts";
import type { JobResult, OperationResult, Refusal } from "./job.ts";
import type { Samples } from "./sampler.ts";
import {
  confidenceInterval,
  median,
  medianAbsoluteDeviation,
  medianOfMeans,
  quantile,
} from "./statistics.ts";

/** What is known of a cell before anything is measured. */
export type Identity = Pick<
  Cell,
  "operation" | "part" | "dataset" | "codec" | "format" | "library" | "version" | "build"
>;

/** Gathers what the processes of one cell measured. */
export class CellBuilder {
  readonly #identity: Identity;
  readonly #samples: Samples[] = [];
  #bytes: number | undefined;
  #refused: Refusal | undefined;
  /** The summary, until another process is added. */
  #nanos: Nanos | undefined;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  /** Adds one process. A cell that was refused once stays so: half a measurement is none. */
  add(result: JobResult): void {
    const own = result.operations.find(({ operation }) => operation === this.#identity.operation);
    const refused = result.refused ?? refusalOf(own);
    if (refused !== undefined) this.#refused ??= refused;
    else if (own !== undefined && "samples" in own) {
      this.#samples.push(own.samples);
      this.#nanos = undefined;
      this.#bytes = result.bytes;
    }
  }

  refuse(refusal: Refusal): void {
    this.#refused ??= refusal;
  }

  get operation(): string {
    return this.#identity.operation;
  }

  get isRefused(): boolean {
    return this.#refused !== undefined;
  }

  /** The cell as it stands; undefined before its first process has answered. */
  cell(): Cell | undefined {
    if (this.#refused !== undefined) return { ...this.#identity, ...this.#refused };
    if (this.#samples.length === 0) return undefined;
    const bytes = this.#bytes === undefined ? {} : { bytes: this.#bytes };
    this.#nanos ??= summary(this.#samples);
    return { ...this.#identity, status: "measured", ...bytes, nanos: this.#nanos };
  }
}

function refusalOf(result: OperationResult | undefined): Refusal | undefined {
  return result !== undefined && "refused" in result ? result.refused : undefined;
}

/** Stretches of a process whose means are compared; each is long enough for several collections of garbage. */
const STRETCHES = 5;

function summary(samples: readonly Samples[]): Nanos {
  const net = samples.map(({ batches, loop }) => batches.map((batch) => Math.max(batch - loop, 0)));
  const processes = net.map((batches) => roundNanos(medianOfMeans(batches, STRETCHES)));
  const all = Float64Array.from(net.flat()).sort();
  const interval = confidenceInterval(processes);
  return {
    median: roundNanos(median(processes)),
    ci95: interval === null ? null : [roundNanos(interval[0]), roundNanos(interval[1])],
    mad: roundNanos(medianAbsoluteDeviation(processes)),
    p99: roundNanos(quantile(all, 0.99)),
    min: roundNanos(all[0] ?? Number.NaN),
    processes,
    loops: samples.map(({ loop }) => loop),
    batchCalls: samples.map(({ batchCalls }) => batchCalls),
    batches: samples.map(({ batches }) => batches),
  };
}

function roundNanos(nanos: number): number {
  return Math.round(nanos * 100) / 100;
}
