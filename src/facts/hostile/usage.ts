/** What one case after the other takes of time and memory, where nearly all of them take next to none. */
import { memoryMeter } from "./peak-memory.ts";

/** What something took: milliseconds on a core, and bytes. */
export interface Usage {
  readonly millis: number;
  readonly memory: number;
}

/** Milliseconds for which the counters that were read last stand: reading them takes longer than most cases. */
const STANDING = 5;

/** Milliseconds by the clock in which no process comes into megabytes of memory, each page of which is cleared for it. */
const TOO_SHORT = 0.5;

/** Reads the counters of the process where a case was long enough to tell. */
export class UsageMeter {
  readonly #startMemory = memoryMeter();
  #memory = this.#startMemory();
  #cpu = process.cpuUsage();
  #at = Number.NEGATIVE_INFINITY;

  /**
   * Does something. What was done within some milliseconds before may count with it.
   * @param limit milliseconds up to which the time by the clock will do
   * @param isExact whether nothing before may count
   */
  of(work: () => void, limit: number, isExact = false): Usage {
    if (isExact || performance.now() - this.#at > STANDING) this.#readCounters();
    const started = performance.now();
    work();
    const millis = performance.now() - started;
    if (millis < TOO_SHORT) return { millis, memory: 0 };
    const memory = this.#memory();
    if (millis <= limit) return { millis, memory };
    const { user, system } = process.cpuUsage(this.#cpu);
    return { millis: (user + system) / 1000, memory };
  }

  #readCounters(): void {
    this.#memory = this.#startMemory();
    this.#cpu = process.cpuUsage();
    this.#at = performance.now();
  }
}
