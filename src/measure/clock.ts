/** What times are read from. */
export interface Clock {
  /** Milliseconds since some moment; never less than before. */
  now(): number;
  /** Nanoseconds between two readings that differ, at least: no time is known more exactly. */
  readonly stepNanos: number;
}

/** Steps that are looked at: a fifth of a millisecond of Node's clock, and a fifth of a second of one of 100 µs. */
const STEPS = 2000;

/** A clock, whose smallest step is measured first: by reading it without a pause until it has moved on often. */
export function measuredClock(now: () => number): Clock {
  let least = Number.POSITIVE_INFINITY;
  let last = now();
  for (let steps = 0; steps < STEPS; ) {
    const next = now();
    if (next <= last) continue;
    least = Math.min(least, next - last);
    last = next;
    steps += 1;
  }
  return { now, stepNanos: Math.round(least * 1e7) / 10 };
}
