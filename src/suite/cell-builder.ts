import {
  confidenceInterval,
  median,
  medianAbsoluteDeviation,
  outliersOf,
  quantile,
  stretchesOf,
} from "../analysis/statistics/location.ts";
import { flippingLevels, twoLevels } from "../analysis/statistics/modes.ts";
import type { Measured, MemberResult, OperationResult } from "../measure/job.ts";
import { defined } from "../model/defined.ts";
import type { Refusal } from "../model/errors.ts";
import type {
  Cell,
  CountedProcess,
  Counters,
  Memory,
  Nanos,
  Start,
  StartedProcess,
} from "../model/records/run.ts";

/** What is known of a cell before anything is measured. */
export type Identity = Pick<
  Cell,
  | "operation"
  | "part"
  | "dataset"
  | "codec"
  | "runtime"
  | "program"
  | "originalOf"
  | "format"
  | "library"
  | "version"
  | "libraryFolder"
  | "tried"
  | "build"
  | "traits"
  | "world"
  | "twinOf"
  | "reads"
>;

/** One process's measurement of a cell. */
interface Replicate extends Measured {
  readonly block: number;
}

/** What is made of the processes of a cell. */
type Summary = Pick<
  Cell,
  "nanos" | "shared" | "sharedReason" | "start" | "counters" | "memory" | "memoryReason" | "inPlace"
>;

/** Gathers what the processes of one cell measured. */
export class CellBuilder {
  readonly #identity: Identity;
  readonly #replicates: Replicate[] = [];
  readonly #shared: Replicate[] = [];
  #sharedReason: string | undefined;
  #memoryReason: string | undefined;
  #bytes: number | undefined;
  #build: string | undefined;
  #refused: Refusal | undefined;
  /** The summary, until another process is added. */
  #measured: Summary | undefined;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  /**
   * Adds one process. A cell that was refused once stays so: half a measurement is none.
   * @param unsurveyed why its memory was not measured although it was to be
   */
  add(result: MemberResult, block: number, unsurveyed?: string): void {
    const own = this.#resultOf(result);
    const refused = result.refused ?? refusalOf(own);
    if (refused !== undefined) this.#refused ??= refused;
    else if (own !== undefined && "samples" in own) {
      this.#replicates.push({ ...own, block });
      this.#measured = undefined;
      this.#bytes = result.bytes;
      this.#build = result.build;
      this.#memoryReason ??= unsurveyed ?? own.memoryReason;
    }
  }

  /** Adds one process that ran every codec. One that failed there is measured by itself all the same. */
  addShared(result: MemberResult, block: number): void {
    const own = this.#resultOf(result);
    this.#sharedReason ??= (result.refused ?? refusalOf(own))?.reason;
    if (own !== undefined && "samples" in own) this.#shared.push({ ...own, block });
    this.#measured = undefined;
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
    if (this.#replicates.length === 0) return undefined;
    this.#measured ??= this.#summary();
    return {
      ...this.#identity,
      ...defined({ build: this.#build }),
      status: "measured",
      ...defined({ bytes: this.#bytes }),
      ...this.#measured,
    };
  }

  #resultOf(result: MemberResult): OperationResult | undefined {
    return result.operations.find(({ operation }) => operation === this.#identity.operation);
  }

  #summary(): Summary {
    const memory = this.#replicates.reduce<Memory | undefined>((last, one) => one.memory ?? last, undefined);
    return {
      nanos: nanosOf(this.#replicates),
      start: {
        ...startOf(this.#replicates.map(({ start }) => start)),
        processes: startsOf(this.#replicates),
      },
      ...defined({
        shared: this.#shared.length === 0 ? undefined : nanosOf(this.#shared),
        sharedReason: this.#sharedReason,
        counters: countersOf(this.#replicates),
        memory,
        memoryReason: this.#memoryReason,
        inPlace: this.#replicates.some(({ inPlace }) => inPlace) ? (true as const) : undefined,
      }),
    };
  }
}

function refusalOf(result: OperationResult | undefined): Refusal | undefined {
  return result !== undefined && "refused" in result ? result.refused : undefined;
}

/** The time of a cell, of its processes in order. */
export function nanosOf(replicates: readonly Pick<Replicate, "samples" | "warmUp" | "block">[]): Nanos {
  const samples = replicates.map((replicate) => replicate.samples);
  const processes = samples.map(({ batches, loop }) => roundNanos(median(stretchesOf(batches, loop))));
  const net = samples.flatMap(({ batches, loop }) => batches.map((batch) => Math.max(batch - loop, 0)));
  const all = Float64Array.from(net).sort();
  const interval = confidenceInterval(processes);
  const loops = samples.map(({ loop }) => loop);
  const batches = samples.map((one) => one.batches);
  const levels = twoLevels(processes) ?? flippingLevels(batches, loops);
  return {
    median: roundNanos(median(processes)),
    ci95: interval === null ? null : [roundNanos(interval[0]), roundNanos(interval[1])],
    mad: roundNanos(medianAbsoluteDeviation(processes)),
    p99: roundNanos(quantile(all, 0.99)),
    min: roundNanos(all[0] ?? Number.NaN),
    processes,
    ...defined({
      levels: levels?.map(({ nanos, share }) => ({ nanos: roundNanos(nanos), share: roundShare(share) })),
      wall: eachOf(samples.map(({ wall }) => wall)),
      allThreads: eachOf(samples.map(({ allThreads }) => allThreads)),
      preempted: eachOf(samples.map(({ preempted }) => preempted)),
      slowed: eachOf(samples.map(({ slowed }) => slowed)),
      scaled: indexesOf(samples.map(({ scaled }) => scaled === true)),
    }),
    blocks: replicates.map(({ block }) => block),
    outliers: outliersOf(processes),
    warmUp: replicates.map(({ warmUp }) => warmUp),
    loops,
    batchCalls: samples.map(({ batchCalls }) => batchCalls),
    batches,
  };
}

/** One figure per process, null where it has none; undefined where none has one. */
function eachOf(figures: readonly (number | undefined)[]): (number | null)[] | undefined {
  return figures.every((figure) => figure === undefined)
    ? undefined
    : figures.map((figure) => (figure === undefined ? null : figure));
}

/** Where it holds; undefined for nowhere. */
function indexesOf(each: readonly boolean[]): number[] | undefined {
  const indexes = each.flatMap((holds, index) => (holds ? [index] : []));
  return indexes.length === 0 ? undefined : indexes;
}

/** Of the processes that counted; undefined where none did. */
function countersOf(replicates: readonly Replicate[]): Counters | undefined {
  return countersFrom(
    replicates.flatMap(({ block, counts }): CountedProcess[] =>
      counts === undefined || "unavailable" in counts ? [] : [{ block, ...counts }],
    ),
  );
}

/** What processes counted, in the middle; undefined for none. */
export function countersFrom(processes: readonly CountedProcess[]): Counters | undefined {
  if (processes.length === 0) return undefined;
  const cycles = processes.flatMap((one) => one.cycles ?? []);
  return {
    instructions: roundNanos(median(processes.map(({ instructions }) => instructions))),
    ...(cycles.length === 0 ? {} : { cycles: roundNanos(median(cycles)) }),
    processes,
  };
}

/** Medians; a start that never became steady counts as one that took for ever. */
export function startOf(starts: readonly Start[]): Start {
  const middle = (nanos: (start: Start) => number): number => Math.round(median(starts.map(nanos)));
  const steady = middle(({ steadyNanos }) => steadyNanos ?? Number.POSITIVE_INFINITY);
  return {
    importNanos: middle(({ importNanos }) => importNanos),
    bindNanos: middle(({ bindNanos }) => bindNanos),
    firstCallNanos: middle(({ firstCallNanos }) => firstCallNanos),
    steadyNanos: Number.isFinite(steady) ? steady : null,
  };
}

function startsOf(replicates: readonly Replicate[]): StartedProcess[] {
  return replicates.map(({ block, start: { importNanos, bindNanos, firstCallNanos } }) => ({
    block,
    importNanos: Math.round(importNanos),
    bindNanos: Math.round(bindNanos),
    firstCallNanos: Math.round(firstCallNanos),
  }));
}

function roundShare(share: number): number {
  return Math.round(share * 1e4) / 1e4;
}

function roundNanos(nanos: number): number {
  return Math.round(nanos * 100) / 100;
}
