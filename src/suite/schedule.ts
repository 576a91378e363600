import type { Profile } from "../measure/profiles.ts";

/** A measuring process by what it runs: one codec on one dataset, or all pairs of a runtime together. */
export type ProcessSlot =
  | { readonly kind: "pair"; readonly codec: string; readonly dataset: string }
  | { readonly kind: "shared"; readonly runtime: string };

/** Fewest blocks of a dataset, unless the run has fewer: fewer processes give no interval worth its name. */
const LEAST_BLOCKS = 3;

/** How many times as long as the profile foresees a process may take before its dataset has fewer blocks. */
const PATIENCE = 4;

/** What others take of the machine while a run measures, as shares; NaN where nothing tells it. */
export interface Neighbours {
  /** Batches beside which the core was slow. */
  readonly slowed: number;
  /** Processes that waited for a core. */
  readonly waiting: number;
}

/**
 * From which shares on a run has more blocks, and how many times as many. Times of processes differ by more beside others, and four of
 * them find little: of a codec that was 20 % slower, quick records found 52 % with slow cores beside 13 % of the batches, and with a fifth
 * block 79 % beside 14 %. Beside a loop on one of two cores eight in ten processes waited, and without it one in ten.
 */
const MORE_BLOCKS = { times: 1.25, slowed: 0.05, waiting: 0.5 };
const MOST_BLOCKS = { times: 1.5, slowed: 0.2 };

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
 * so that those that it has are complete. Where others share the cores a dataset has more, as far as time allows.
 */
export class Schedule {
  readonly #planned: number;
  readonly #allowedMs: number;
  readonly #busyMs: number;
  /** What the processes of each slot took, those that ran all pairs first. */
  readonly #shared = new Map<string, Taken>();
  /** By dataset and codec. */
  readonly #pairs = new Map<string, Map<string, Taken>>();
  readonly #blocks = new Map<string, number>();

  /**
   * @param operations that a process measures at most
   * @param chosen how many blocks were asked for, which never become more; by default those of the profile
   */
  constructor(profile: Profile, operations: number, chosen?: number) {
    const { warmupMs, measureMs, meanProcessMs, busyProcessMs = 0 } = profile;
    this.#planned = chosen ?? profile.processes;
    this.#allowedMs = meanProcessMs ?? PATIENCE * (START_MS + operations * (warmupMs + measureMs));
    this.#busyMs = chosen === undefined ? busyProcessMs : 0;
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

  /**
   * A block is complete: how many there are is decided anew, until the last has begun.
   * @param done blocks until now
   * @param neighbours what others took meanwhile
   */
  completed(done: number, neighbours: Neighbours): void {
    for (const [dataset, taken] of this.#pairs) {
      if (this.blocksOf(dataset) <= done) continue;
      const mean = meanOf(taken) ?? 1;
      const wanted = Math.max(this.#affordable(mean), this.#beside(neighbours, mean));
      // There has to be another one: what is measured once is measured in the last.
      this.#blocks.set(dataset, Math.max(wanted, done + 1));
    }
  }

  /** Blocks of processes that take so many milliseconds. */
  #affordable(mean: number): number {
    const most = Math.floor((this.#planned * this.#allowedMs) / mean);
    return Math.min(this.#planned, Math.max(LEAST_BLOCKS, most));
  }

  /** The same beside others. */
  #beside({ slowed, waiting }: Neighbours, mean: number): number {
    const more = slowed > MORE_BLOCKS.slowed || waiting > MORE_BLOCKS.waiting ? MORE_BLOCKS.times : 1;
    const times = slowed > MOST_BLOCKS.slowed ? MOST_BLOCKS.times : more;
    return Math.floor(this.#planned * Math.min(times, this.#busyMs / mean));
  }

  /** Blocks of a dataset, the first of the run; those that were planned until it is decided. */
  blocksOf(dataset: string): number {
    return this.#blocks.get(dataset) ?? this.#planned;
  }

  /** Blocks in which a slot has a process: those of its dataset, and all of them where it runs every dataset. */
  blocksOfSlot(slot: ProcessSlot): number {
    return slot.kind === "shared" ? this.blocks : this.blocksOf(slot.dataset);
  }

  /** Blocks of the run: those of the dataset that has the most. */
  get blocks(): number {
    return this.#blocks.size === 0 ? this.#planned : Math.max(...this.#blocks.values());
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
