import type { Cell, Nanos } from "../model/run-record.ts";
import type { JobResult, OperationResult, Refusal } from "./job.ts";
import type { Samples } from "./sampler.ts";
import { confidenceInterval, median, medianAbsoluteDeviation, quantile } from "./statistics.ts";

type Identity = Pick<Cell, "operation" | "dataset" | "codec" | "format" | "library" | "version">;

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

function summary(samples: readonly Samples[]): Nanos {
  const processes = samples.map(({ batches }) => median(batches));
  const all = Float64Array.from(samples.flatMap(({ batches }) => batches)).sort();
  return {
    median: round(median(processes)),
    ci95: interval(processes),
    mad: round(medianAbsoluteDeviation(processes)),
    p99: round(quantile(all, 0.99)),
    min: round(all[0] ?? Number.NaN),
    loop: round(median(samples.map(({ loop }) => loop))),
    processes: processes.map(round),
    batchCalls: samples.map(({ batchCalls }) => batchCalls),
    batches: samples.map(({ batches }) => batches),
  };
}

function interval(processes: readonly number[]): [number, number] | null {
  const found = confidenceInterval(processes);
  return found === null ? null : [round(found[0]), round(found[1])];
}

function round(nanos: number): number {
  return Math.round(nanos * 100) / 100;
}
