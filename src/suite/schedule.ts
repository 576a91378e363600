import type { Profile } from "../measure/profiles.ts";

/** A measuring process by what it runs: one codec on one dataset, or all pairs of a runtime together. */
export type ProcessSlot =
  | { readonly kind: "pair"; readonly codec: string; readonly dataset: string }
  | { readonly kind: "shared"; readonly runtime: string };

/** Fewest blocks of a dataset, unless the run has fewer: fewer processes give no interval worth its name. */
const LEAST_BLOCKS = 3;

/** How many times as long as the profile foresees a process may take before its dataset has fewer blocks. */
const PATIENCE = 4;

/** Milliseconds in which a process starts and proves its codec, at most. */
const START_MS = 1000;

/**
 * What a process takes besides the times of its profile: milliseconds to start, and for each kB of its data. Measured with the
 * address book in all profiles, and with messages of 130 kB.
 */
const EXPECTED = { startMs: 350, msPerKilobyte: 2.5 };

/** Milliseconds that a process is expected to take before any has run. @param bytes of its data, as a file holds them */
export function expectedProcessMs(
  { warmupMs, measureMs }: Profile,
  operations: number,
  bytes: number,
): number {
  return EXPECTED.startMs + operations * (warmupMs + measureMs) + (EXPECTED.msPerKilobyte * bytes) / 1000;
}

/**
 * How many blocks each dataset has, and how long the rest of a run takes, from how long its processes took. A run of
 * messages whose calls take seconds stays bounded: such a dataset has fewer blocks, the same for all of its codecs,
 * so that those that it has are complete.
 */
export class Schedule {
  readonly #most: number;
  readonly #allowedMs: number;
  /** What the processes of each slot took, those that ran all pairs first. */
  readonly #shared = new Map<string, Taken>();
  /** By dataset and codec. */
  readonly #pairs = new Map<string, Map<string, Taken>>();
  readonly #blocks = new Map<string, number>();

  /**
   * @param operations that a process measures at most
   * @param blocks that the run has: those of its profile, or some of them
   */
  constructor({ warmupMs, measureMs, meanProcessMs }: Profile, operations: number, blocks: number) {
    this.#most = blocks;
    this.#allowedMs = meanProcessMs ?? PATIENCE * (START_MS + operations * (warmupMs + measureMs));
  }

  /** A process has ended. */
  took(slot: ProcessSlot, ms: number): void {
    if (slot.kind === "shared") add(this.#shared, slot.runtime, ms);
    else {
      const ofDataset = this.#pairs.get(slot.dataset) ?? new Map<string, Taken>();
      this.#pairs.set(slot.dataset, ofDataset);
      add(ofDataset, slot.codec, ms);
    }
  }

  /** Decides how many blocks there are; called when the first one is complete. */
  decide(): void {
    for (const [dataset, taken] of this.#pairs) {
      const affordable = Math.floor((this.#most * this.#allowedMs) / (meanOf(taken) ?? 1));
      this.#blocks.set(dataset, Math.min(this.#most, Math.max(LEAST_BLOCKS, affordable)));
    }
  }

  /** Blocks of a dataset, the first of the run; all of them until they are decided. */
  blocksOf(dataset: string): number {
    return this.#blocks.get(dataset) ?? this.#most;
  }

  /** Blocks in which a slot has a process: those of its dataset, and all of them where it runs every dataset. */
  blocksOfSlot(slot: ProcessSlot): number {
    return slot.kind === "shared" ? this.#most : this.blocksOf(slot.dataset);
  }

  /** Milliseconds that some processes are expected to take; undefined while nothing is known. */
  expectedMs(slots: readonly ProcessSlot[]): number | undefined {
    const means = [...this.#pairs.values(), this.#shared].flatMap((taken) => meanOf(taken) ?? []);
    if (means.length === 0) return undefined;
    const unknown = means.reduce((sum, mean) => sum + mean, 0) / means.length;
    return slots.reduce((sum, slot) => {
      const beside = slot.kind === "shared" ? this.#shared : this.#pairs.get(slot.dataset);
      const own = beside?.get(slot.kind === "shared" ? slot.runtime : slot.codec);
      return sum + (own === undefined ? (meanOf(beside) ?? unknown) : own.ms / own.processes);
    }, 0);
  }
}

/** How long some processes took together. */
interface Taken {
  readonly ms: number;
  readonly processes: number;
}

function add(taken: Map<string, Taken>, name: string, ms: number): void {
  const before = taken.get(name) ?? { ms: 0, processes: 0 };
  taken.set(name, { ms: before.ms + ms, processes: before.processes + 1 });
}

/** Milliseconds of a process in the mean; undefined where none has ended. */
function meanOf(taken: ReadonlyMap<string, Taken> | undefined): number | undefined {
  const all = [...(taken?.values() ?? [])];
  const processes = all.reduce((sum, one) => sum + one.processes, 0);
  return processes === 0 ? undefined : all.reduce((sum, one) => sum + one.ms, 0) / processes;
}
