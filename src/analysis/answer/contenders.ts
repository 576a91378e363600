/** What a record has of a dataset, as contests of its codecs. */

import type { Among, Answer } from "../../model/records/answer.ts";
import type { Cell, RunRecord } from "../../model/records/run.ts";
import { hasTrait, isForService } from "../../model/traits.ts";
import { isMeasured, type MeasuredCell } from "../cells.ts";
import { gateOf } from "../link/choices.ts";
import type { Replicate } from "../statistics/ratio.ts";
import { replicatesOf } from "../verdict.ts";
import { type Contender, type Contest, figureContest, timeContest } from "./contest.ts";

/** The measured cells of a dataset's codecs: neither parts nor reads, nor programs in other languages. */
export class Measurements {
  readonly record: RunRecord;
  readonly dataset: string;
  /** In the order of the record. */
  readonly codecs: readonly string[];
  readonly #cells: readonly MeasuredCell[];
  /** Further measurements of codecs. */
  readonly #twins: readonly MeasuredCell[];

  constructor(record: RunRecord, dataset: string) {
    this.record = record;
    this.dataset = dataset;
    const own = record.cells
      .filter((cell) => cell.dataset === dataset && cell.part !== true && cell.reads === undefined)
      .filter(isMeasured)
      .filter(({ program }) => program === undefined);
    this.#cells = own.filter(({ twinOf }) => twinOf === undefined);
    this.#twins = own.filter(({ twinOf }) => twinOf !== undefined);
    this.codecs = [...new Set(this.#cells.map(({ codec }) => codec))];
  }

  /** The codecs of a pool. */
  pool(among: Among): string[] {
    if (among === "all") return [...this.codecs];
    return this.codecs.filter((codec) => {
      const cell = this.#cells.find((one) => one.codec === codec) as Cell;
      const { traits = [] } = cell;
      return isForService(cell) && (among === "service" || hasTrait({ traits }, "schemaless"));
    });
  }

  cell(operation: string, codec: string): MeasuredCell | undefined {
    return this.#cells.find((cell) => cell.operation === operation && cell.codec === codec);
  }

  /** Encode and decode where both were measured, or the one of them that was; undefined for neither. */
  get operation(): Answer["operation"] | undefined {
    const [encode, decode] = ["encode", "decode"].map((name) =>
      this.#cells.some(({ operation }) => operation === name),
    );
    if (encode && decode) return "round-trip";
    return encode ? "encode" : decode ? "decode" : undefined;
  }

  /** Bytes of a message. */
  sizes(): Contest {
    const figures = this.codecs.map((codec) => ({
      codec,
      value: this.#cells.find((cell) => cell.codec === codec)!.bytes,
    }));
    return figureContest(figures, EXACT);
  }

  /** Bytes of a message by gzip; undefined where it is of a value whose size is not that of the others. */
  compressedSizes(): Contest | undefined {
    const own = this.record.payloads.filter(
      ({ dataset, codec }) => dataset === this.dataset && this.codecs.includes(codec),
    );
    const { values } = this.sizes();
    if (own.length === 0 || own.some(({ codec, bytes }) => values.get(codec) !== bytes)) return undefined;
    return figureContest(
      own.map(({ codec, gzip }) => ({ codec, value: gzip })),
      EXACT,
    );
  }

  /** Nanoseconds of {@link operation}. */
  speeds(): Contest {
    const { operation } = this;
    const names =
      operation === "round-trip" ? ["encode", "decode"] : operation === undefined ? [] : [operation];
    return this.#times(
      names,
      ({ nanos }) => nanos.median,
      ({ nanos }) => replicatesOf(nanos),
    );
  }

  /**
   * Nanoseconds until a new process has encoded and decoded its first message, of codecs whose library is loaded: what a
   * runtime has of its own a program need not load, and what is measured of it is wirebench's.
   */
  coldStarts(): Contest {
    if (this.operation !== "round-trip") return timeContest([], this.#limits);
    const ready = ({ start }: MeasuredCell): number =>
      (start?.importNanos ?? Number.NaN) + (start?.bindNanos ?? 0);
    // Both are in one process, which loads and binds once.
    const value = (cell: MeasuredCell): number =>
      (cell.start?.firstCallNanos ?? Number.NaN) + (cell.operation === "encode" ? ready(cell) : 0);
    const builtIn = new Set(this.record.runtimes.map(({ name }) => name));
    const isLoaded = ({ library }: MeasuredCell): boolean => !builtIn.has(library);
    return this.#times(
      ["encode", "decode"],
      (cell) => (isLoaded(cell) ? value(cell) : Number.NaN),
      ({ start, operation }) =>
        (start?.processes ?? []).map(({ block, importNanos, bindNanos, firstCallNanos }) => ({
          block,
          stretches: [firstCallNanos + (operation === "encode" ? importNanos + bindNanos : 0)],
        })),
    );
  }

  /** Bytes that encoding and decoding allocate. */
  memory(): Contest {
    const bytesOf = (cell: MeasuredCell | undefined): number =>
      cell?.memory === undefined ? Number.NaN : cell.memory.heapBytes + cell.memory.externalBytes;
    const figures = this.codecs.map((codec) => ({
      codec,
      value: bytesOf(this.cell("encode", codec)) + bytesOf(this.cell("decode", codec)),
    }));
    return figureContest(
      figures.filter(({ value }) => Number.isFinite(value)),
      MEMORY_FACTOR,
    );
  }

  get #limits() {
    return { threshold: this.record.options.threshold, gate: gateOf(this.record) };
  }

  #times(
    operations: readonly string[],
    figureOf: (cell: MeasuredCell) => number,
    replicates: (cell: MeasuredCell) => readonly Replicate[],
  ): Contest {
    const cellsOf = (of: readonly MeasuredCell[], codec: string): MeasuredCell[] =>
      operations.flatMap((name) => of.find((cell) => cell.operation === name && cell.codec === codec) ?? []);
    const contenders = this.codecs.flatMap((codec): Contender[] => {
      const cells = cellsOf(this.#cells, codec);
      const value = cells.reduce((sum, cell) => sum + figureOf(cell), 0);
      if (cells.length < operations.length || !Number.isFinite(value)) return [];
      const twins = [...new Set(this.#twins.flatMap((twin) => (twin.twinOf === codec ? [twin.codec] : [])))];
      const all = [cells, ...twins.map((twin) => cellsOf(this.#twins, twin))];
      return [{ codec, value, replicates: all.flatMap((one) => summed(one.map(replicates))) }];
    });
    return timeContest(contenders, this.#limits);
  }
}

const EXACT = 1;

/** Memory is measured in one process of a run: see `compare/memory.ts`. */
const MEMORY_FACTOR = 2.5;

/** The times of several operations together, in the blocks that all have; stretch by stretch where they have as many. */
function summed(operations: readonly (readonly Replicate[])[]): Replicate[] {
  const [first = [], ...others] = operations;
  return first.flatMap(({ block, stretches }) => {
    const same = others.map((replicates) => replicates.find((one) => one.block === block)?.stretches);
    const known = same.flatMap((one) => (one?.length === stretches.length ? [one] : []));
    if (known.length < others.length) return [];
    return [
      { block, stretches: stretches.map((time, i) => known.reduce((sum, one) => sum + one[i]!, time)) },
    ];
  });
}
