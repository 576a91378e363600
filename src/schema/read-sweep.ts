import type { Schema } from "../model/schema.ts";
import type { Value } from "../model/value.ts";
import { recordsIn, recordsOf } from "./selection.ts";

/** One operation of a study of partial reads, and how much it reads: shares from 0 to 1. */
export interface SweepRead {
  /** `reads:STEP:FIELDS`. */
  readonly name: string;
  /** One record in STEP; the first record is always read, so that few records make the true share larger. */
  readonly records: number;
  readonly fields: number;
}

const STEPS = [16, 8, 4, 2, 1];

/**
 * The reads whose times show what a partial read costs: no record, every 16th, 8th, 4th, 2nd and every one, of each
 * the first field, half of the fields, and all. Steps beyond the number of records of the first value are left out.
 */
export function readSweep(schema: Schema, values: readonly Value[]): SweepRead[] {
  const { path, message } = recordsOf(schema);
  const [first] = values;
  const records = first === undefined ? 0 : recordsIn(first, path).length;
  const all = message.fields.length;
  const counts = [...new Set([1, Math.ceil(all / 2), all])].filter((count) => count > 0 && count <= all);
  const reads = STEPS.filter((step) => step <= records).flatMap((step) =>
    counts.map((count) => ({ name: `reads:${step}:${count}`, records: 1 / step, fields: count / all })),
  );
  return [{ name: "reads:0:0", records: 0, fields: 0 }, ...reads];
}
