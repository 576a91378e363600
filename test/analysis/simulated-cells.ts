import { median, stretchesOf } from "../../src/analysis/statistics/location.ts";
import type { Cell, Nanos } from "../../src/model/records/run.ts";
import { seededNormal } from "./statistics/normal.ts";

/** What a loop costs, which is in every batch. */
const LOOP = 2;

/** Nanoseconds of processes, one of each block, each of ten batches. */
export function nanosFrom(processes: readonly (readonly number[])[], blocks?: readonly number[]): Nanos {
  const times = processes.map((batches) => median(stretchesOf(batches, 0)));
  return {
    median: median(times),
    ci95: null,
    mad: 0,
    p99: Math.max(...processes.flat()),
    min: Math.min(...processes.flat()),
    processes: times,
    blocks: blocks ?? processes.map((_, i) => i),
    outliers: [],
    warmUp: processes.map(() => "steady"),
    loops: processes.map(() => LOOP),
    batchCalls: processes.map(() => 16),
    batches: processes.map((batches) => batches.map((batch) => batch + LOOP)),
  };
}

/** A measured cell. */
export function cellOf(codec: string, nanos: Nanos, more: Partial<Cell> = {}): Cell {
  return {
    operation: "encode",
    dataset: "tellist",
    codec,
    format: "any",
    library: `lib-${codec}`,
    version: "1.2.3",
    status: "measured",
    nanos,
    ...more,
  };
}

/** Makes cells whose processes are normal on logarithms, in blocks that drift. */
export class Simulation {
  readonly #normal: () => number;
  readonly #blocks: number;

  constructor(seed: number, blocks: number) {
    this.#normal = seededNormal(seed);
    this.#blocks = blocks;
  }

  /** The cells of one table: codecs with their times in ns and the paired standard deviation of their logarithms. */
  table(codecs: Readonly<Record<string, number>>, deviation: number, more: Partial<Cell> = {}): Cell[] {
    const drift = Array.from({ length: this.#blocks }, () => 0.05 * this.#normal());
    return Object.entries(codecs).map(([codec, time]) => {
      const processes = drift.map((shift) => {
        const level = time * Math.exp(shift + 0.67 * deviation * this.#normal());
        return Array.from({ length: 10 }, () => level * Math.exp(0.3 * deviation * this.#normal()));
      });
      const twin = codec === "again" ? { twinOf: "json" } : {};
      return cellOf(codec, nanosFrom(processes), { ...more, ...twin });
    });
  }
}
