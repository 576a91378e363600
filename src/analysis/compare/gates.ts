/** What a comparison is to fail by: cells that are slower, cells that cannot be told, and all of them together. */
import type {
  BlindCell,
  ComparedCell,
  Comparison,
  LoneCell,
  Shift,
  ShiftLimit,
  SlowerLimit,
  UndecidedLimit,
} from "../../model/records/comparison.ts";
import { formatShare } from "../../model/share.ts";

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
  return {
    limit,
    slower: slower.map(({ operation, dataset, codec, ratio }) => ({ operation, dataset, codec, ratio })),
    failed: failedCells(alone),
    blind: blindCells(limit, cells),
  };
}

/** What the base measured and failed in the head. */
function failedCells(alone: readonly LoneCell[]): SlowerLimit["failed"] {
  return alone
    .filter(({ side, other }) => side === "base" && other === "failed")
    .map(({ operation, dataset, codec }) => ({ operation, dataset, codec }));
}

/**
 * The cells of which it is not known whether they are slower by more than a limit: those that are not slower by their verdict, and whose
 * 95 % interval reaches beyond it or is not known, and those that failed in the head. One that is the same within a wide threshold may
 * be among them. Where there is no cell at all, nothing is known.
 * @param limit a share
 */
export function undecidedLimit(
  limit: number,
  cells: readonly ComparedCell[],
  alone: readonly LoneCell[],
): UndecidedLimit {
  const failed = failedCells(alone);
  return {
    limit,
    cells: blindCells(limit, cells),
    ...(failed.length === 0 ? {} : { failed }),
    ...(cells.length === 0 ? { nothing: true } : {}),
  };
}

function blindCells(limit: number, cells: readonly ComparedCell[]): BlindCell[] {
  return cells
    .filter(
      ({ verdict, ci95, reference }) =>
        verdict !== "slower" && reference === undefined && (ci95 === null || ci95[1] > 1 + limit),
    )
    .map(({ operation, dataset, codec, ci95 }) => ({ operation, dataset, codec, ci95 }));
}

/** Whether the cells together became slower by more than a limit, whatever was taken off them. @param limit a share */
export function shiftLimit(limit: number, shift: Shift | null): ShiftLimit {
  return { limit, shifted: shift !== null && shift.median > 1 + limit };
}

/** Shown of many. */
const SHOWN = 3;

/**
 * That a gate lets pass what it does not see, in a sentence without a full stop; undefined where it sees all, and where
 * who asked has it as an exit code.
 */
export function blindWarning({
  failIfSlower,
  failIfUndecided,
  cells,
}: Pick<Comparison, "failIfSlower" | "failIfUndecided" | "cells">): string | undefined {
  const { limit, blind = [] } = failIfSlower ?? { limit: 0 };
  if (blind.length === 0 || failIfUndecided !== undefined) return undefined;
  const farthest = blind.toSorted((a, b) => reachOf(b) - reachOf(a));
  const shown = farthest.slice(0, SHOWN).map(({ operation, dataset, codec, ci95 }) => {
    const reach = ci95 === null ? "by anything" : `up to ${ci95[1].toPrecision(3)} times the time`;
    return `${operation}/${dataset}/${codec} ${reach}`;
  });
  const more = blind.length > SHOWN ? ", …" : "";
  return `the gate is blind for ${blind.length} of ${cells.length} ${cells.length === 1 ? "cell" : "cells"}: they may be slower by more than the limit of ${formatShare(limit)} and pass: ${shown.join(", ")}${more}; --fail-if-undecided exits with 3 for them`;
}

function reachOf({ ci95 }: BlindCell): number {
  return ci95 === null ? Number.POSITIVE_INFINITY : ci95[1];
}
