import { UsageError } from "../model/errors.ts";
import { ownRuntime } from "../model/runtime.ts";

/**
 * The clock that talkers and listeners share: CLOCK_MONOTONIC, which is one for all processes and threads of a
 * Linux machine. Times are nanoseconds since a base that the coordinator sets, so that they are exact as numbers.
 */
export class Clock {
  readonly #base: bigint;

  constructor(base: bigint) {
    this.#base = base;
  }

  /** Nanoseconds since the base. */
  now(): number {
    return Number(process.hrtime.bigint() - this.#base);
  }
}

/** A base for {@link Clock}: now. */
export function clockBase(): bigint {
  return process.hrtime.bigint();
}

/**
 * Throws UsageError in a runtime whose processes each have a clock of their own: `process.hrtime` of Bun and of Deno counts
 * from the start of its process.
 */
export function expectSharedClock(): void {
  const { name, version } = ownRuntime();
  if (name === "node") return;
  throw new UsageError(
    `tests between processes need a clock that they share: expected Node, whose process.hrtime is the machine's, got ${name} ${version}, whose processes each count from their own start`,
  );
}

/** How often a clock is asked before it is trusted. */
const PINGS = 10;

/**
 * Proves that another process or thread reads the same clock: whenever it is asked, its time lies between asking
 * and answer. Returns the least time that asking and answering took, in nanoseconds; undefined where the clocks
 * differ, as in containers with time namespaces of their own.
 */
export async function sharesClock(clock: Clock, ask: () => Promise<number>): Promise<number | undefined> {
  let least = Number.POSITIVE_INFINITY;
  for (let ping = 0; ping < PINGS; ping++) {
    const before = clock.now();
    const there = await ask();
    const after = clock.now();
    if (!(before <= there && there <= after)) return undefined;
    least = Math.min(least, after - before);
  }
  return least;
}
