/** A record without its batches, which are most of it. */
import type { Nanos, RunRecord } from "../model/records/run.ts";
import { fasterHalves, STRETCHES, stretchesOf } from "./statistics/location.ts";

/** What is compared of a stretch: its mean, and that of its faster half. */
const PER_STRETCH = 2;

/** Digits of what stands for batches: a comparison shows three. */
const DIGITS = 6;

/** Digits of what else is measured. */
const OTHER_DIGITS = 8;

/**
 * The record with two numbers for each stretch of a process in place of its batches: the mean of the faster half, and what makes
 * the mean of both that of the stretch. `compare` finds in it what it finds in the whole.
 */
export function shortenedRecord(record: RunRecord): RunRecord {
  const cells = record.cells.map((cell) => ({
    ...cell,
    ...(cell.nanos && { nanos: shortened(cell.nanos) }),
    ...(cell.shared && { shared: shortened(cell.shared) }),
  }));
  return rounded({ ...record, shortened: true, cells }, OTHER_DIGITS) as RunRecord;
}

function shortened(nanos: Nanos): Nanos {
  const batches = nanos.batches.map((means, i) => {
    if (means.length <= PER_STRETCH * STRETCHES) return means;
    const loop = nanos.loops[i]!;
    const halves = fasterHalves(means, loop);
    return stretchesOf(means, loop).flatMap((mean, stretch) => [
      halves[stretch]! + loop,
      2 * mean - halves[stretch]! + loop,
    ]);
  });
  return { ...nanos, batches: rounded(batches, DIGITS) as number[][] };
}

/** Fractions in so many digits; what is whole, such as sizes and seeds, is exact. */
function rounded(value: unknown, digits: number): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  if (Array.isArray(value)) return value.map((item) => rounded(item, digits));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, rounded(field, digits)]));
}
