import type { CellSide, ComparedBytes, ComparedCell, MemoryFigure } from "../../model/records/comparison.ts";
import type { Cell, Memory, Nanos } from "../../model/records/run.ts";
import { holm } from "../statistics/inference.ts";
import { detectableShare, type RatioEstimate, type Replicate } from "../statistics/ratio.ts";
import { LEVEL, type Limits, replicatesOf, verdictOf } from "../verdict.ts";

/** A cell whose times are known. */
export type TimedCell = Cell & { readonly nanos: Nanos; readonly bytes: number };

/** One cell on both sides. */
export interface CellPair {
  readonly codec: string;
  readonly base: TimedCell;
  readonly head: TimedCell;
}

/** Whether a cell has times. */
export function isTimed(cell: Cell | undefined): cell is TimedCell {
  return cell?.status === "measured" && cell.nanos !== undefined && cell.bytes !== undefined;
}

/**
 * Judges all cells of a comparison: each has a ratio and an interval of its own, and a probability that is adjusted for
 * how many there are (Holm). A difference is called one only where it is beyond the gate too.
 */
export function judged(
  pairs: readonly CellPair[],
  estimate: (head: readonly Replicate[], base: readonly Replicate[]) => RatioEstimate,
  limits: Limits,
): ComparedCell[] {
  const estimates = pairs.map(({ base, head }) =>
    estimate(replicatesOf(head.nanos), replicatesOf(base.nanos)),
  );
  const adjusted = adjustedOf(estimates);
  const found = [...adjusted.values()].filter((p) => p < LEVEL).length;
  // What Holm asks of the next one.
  const level = LEVEL / Math.max(adjusted.size - found, 1);
  return pairs.map(({ codec, base, head }, index) => {
    const { ratio, ci95, standardError, degrees } = estimates[index]!;
    const p = adjusted.get(index) ?? null;
    const compared = { ratio, ci95, p };
    return {
      operation: base.operation,
      ...(base.part === true ? { part: true as const } : {}),
      dataset: base.dataset,
      codec,
      verdict: verdictOf(compared, limits),
      ratio: Number.isFinite(ratio) && ratio > 0 ? ratio : null,
      ci95,
      p,
      detectable:
        standardError === null || degrees === null
          ? null
          : detectableShare(standardError, degrees, level, limits.gate),
      base: sideOf(base),
      head: sideOf(head),
      ...comparedMemory(base.memory, head.memory),
    };
  });
}

/** Holm's probabilities, by the place of the cell; none where none is known. */
function adjustedOf(estimates: readonly RatioEstimate[]): Map<number, number> {
  const known = estimates.flatMap(({ p }, index) => (p === null ? [] : [{ p, index }]));
  const adjusted = holm(known.map(({ p }) => p));
  return new Map(known.map(({ index }, rank) => [index, adjusted[rank]!]));
}

function sideOf({ nanos, bytes, library, version, build }: TimedCell): CellSide {
  return {
    median: nanos.median,
    processes: nanos.processes.length,
    bytes,
    library,
    version,
    ...(build === undefined ? {} : { build }),
  };
}

function comparedMemory(base: Memory | undefined, head: Memory | undefined): Pick<ComparedCell, "memory"> {
  if (base === undefined || head === undefined) return {};
  const compared = (figure: MemoryFigure): ComparedBytes => ({
    base: base[figure],
    head: head[figure],
    ratio: base[figure] === 0 ? null : head[figure] / base[figure],
  });
  return {
    memory: {
      heapBytes: compared("heapBytes"),
      externalBytes: compared("externalBytes"),
      retainedBytes: compared("retainedBytes"),
    },
  };
}
