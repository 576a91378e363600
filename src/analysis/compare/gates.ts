/** What a comparison is to fail by: cells that are slower, cells that cannot be told, and all of them together. */
import type {
  BlindCell,
  ComparedCell,
  LoneCell,
  Shift,
  ShiftLimit,
  SlowerLimit,
  UndecidedLimit,
} from "../../model/records/comparison.ts";

/**
 * The cells that break a limit. A gate that is run again and again must not fail by chance: a cell breaks it that is
 * slower by its verdict and whose ratio, not only the end of its interval, is beyond.
 * @param limit a share
 */
export function slowerLimit(
  limit: number,
  cells: readonly ComparedCell[],
  alone: readonly LoneCell[],
): SlowerLimit {
  const slower = cells.filter(
    ({ verdict, ratio }) => verdict === "slower" && ratio !== null && ratio > 1 + limit,
  );
  const failed = alone.filter(({ side, other }) => side === "base" && other === "failed");
  return {
    limit,
    slower: slower.map(({ operation, dataset, codec, ratio }) => ({ operation, dataset, codec, ratio })),
    failed: failed.map(({ operation, dataset, codec }) => ({ operation, dataset, codec })),
    blind: blindCells(limit, cells),
  };
}

/**
 * The cells of which it is not known whether they are slower by more than a limit: undecided ones whose 95 % interval
 * reaches beyond it, or is not known. Where there is no cell at all, nothing is known.
 * @param limit a share
 */
export function undecidedLimit(limit: number, cells: readonly ComparedCell[]): UndecidedLimit {
  return { limit, cells: blindCells(limit, cells), ...(cells.length === 0 ? { nothing: true } : {}) };
}

function blindCells(limit: number, cells: readonly ComparedCell[]): BlindCell[] {
  return cells
    .filter(
      ({ verdict, ci95, reference }) =>
        verdict === "undecided" && reference === undefined && (ci95 === null || ci95[1] > 1 + limit),
    )
    .map(({ operation, dataset, codec, ci95 }) => ({ operation, dataset, codec, ci95 }));
}

/** Whether the cells together became slower by more than a limit, whatever was taken off them. @param limit a share */
export function shiftLimit(limit: number, shift: Shift | null): ShiftLimit {
  return { limit, shifted: shift !== null && shift.median > 1 + limit };
}
