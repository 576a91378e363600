/** The processes of cells, made once of each record: it may be compared with many others, and a cell is looked at more than once. */
import type { Nanos } from "../../model/records/run.ts";
import type { MeasuredCell } from "../cells.ts";
import type { stretchesOf } from "../statistics/location.ts";
import type { Replicate } from "../statistics/ratio.ts";
import { replicatesOf } from "../verdict.ts";

/** What stands for each stretch of a process. */
export type Basis = typeof stretchesOf;

/** A function of a cell and a basis, whose values are kept as long as the cell's times. */
export function once<Made>(make: (cell: MeasuredCell, basis: Basis) => Made) {
  const known = new Map<Basis, WeakMap<Nanos, Made>>();
  return (cell: MeasuredCell, basis: Basis): Made => {
    const ofBasis = known.get(basis) ?? new WeakMap<Nanos, Made>();
    known.set(basis, ofBasis);
    const made = ofBasis.get(cell.nanos) ?? make(cell, basis);
    ofBasis.set(cell.nanos, made);
    return made;
  };
}

/** The processes of a cell, with the time of each stretch by this basis in nanoseconds. */
export const processesOf: (cell: MeasuredCell, basis: Basis) => Replicate[] = once(({ nanos }, basis) =>
  replicatesOf(nanos, basis),
);
