import type { Profile } from "../measure/profiles.ts";

/** A measuring process by what it runs. */
export interface Turn {
  readonly codec: string;
  readonly dataset: string;
}

/** Fewest blocks of a dataset, unless the profile has fewer: fewer processes give no interval worth its name. */
const LEAST_BLOCKS = 3;

/** How many times as long as the profile foresees a process may take before its dataset has fewer blocks. */
const PATIENCE = 4;

/** Milliseconds in which a process starts and proves its codec, roughly. */
const START_MS = 1000;

/**
 * How many blocks each dataset has, and how long the rest of a run takes, from how long its processes took. A run of
 * messages whose calls take seconds stays bounded: such a dataset has fewer blocks, the same for all of its codecs,
 * so that those that it has are complete.
 */
export class Schedule {
  readonly #processes: number;
  readonly #allowedMs: number;
  /** Total milliseconds and number of turns, by dataset and codec. */
  readonly #taken = new Map<string, Map<string, { ms: number; turns: number }>>();
  readonly #blocks = new Map<string, number>();

  /** @param operations that a process measures at most */
  constructor({ processes, warmupMs, measureMs }: Profile, operations: number) {
    this.#processes = processes;
    this.#allowedMs = PATIENCE * (START_MS + operations * (warmupMs + measureMs));
  }

  /** A process has ended. */
  took({ dataset, codec }: Turn, ms: number): void {
    const ofDataset = this.#taken.get(dataset) ?? new Map<string, { ms: number; turns: number }>();
    const before = ofDataset.get(codec) ?? { ms: 0, turns: 0 };
    ofDataset.set(codec, { ms: before.ms + ms, turns: before.turns + 1 });
    this.#taken.set(dataset, ofDataset);
  }

  /** Decides how many blocks there are; called when the first one is complete. */
  decide(): void {
    for (const dataset of this.#taken.keys()) {
      const affordable = Math.floor((this.#processes * this.#allowedMs) / (this.#meanOf(dataset) ?? 1));
      this.#blocks.set(dataset, Math.min(this.#processes, Math.max(LEAST_BLOCKS, affordable)));
    }
  }

  /** Blocks of a dataset; as many as the profile has until they are decided. */
  blocksOf(dataset: string): number {
    return this.#blocks.get(dataset) ?? this.#processes;
  }

  /** Milliseconds that some turns are expected to take; undefined while nothing is known. */
  expectedMs(turns: readonly Turn[]): number | undefined {
    const means = [...this.#taken.keys()].flatMap((dataset) => this.#meanOf(dataset) ?? []);
    if (means.length === 0) return undefined;
    const unknown = means.reduce((sum, mean) => sum + mean, 0) / means.length;
    return turns.reduce((sum, { codec, dataset }) => {
      const own = this.#taken.get(dataset)?.get(codec);
      return sum + (own === undefined ? (this.#meanOf(dataset) ?? unknown) : own.ms / own.turns);
    }, 0);
  }

  #meanOf(dataset: string): number | undefined {
    const taken = [...(this.#taken.get(dataset)?.values() ?? [])];
    const turns = taken.reduce((sum, one) => sum + one.turns, 0);
    return turns === 0 ? undefined : taken.reduce((sum, one) => sum + one.ms, 0) / turns;
  }
}
