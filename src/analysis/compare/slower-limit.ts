import type { ComparedCell, LoneCell, SlowerLimit } from "../../model/records/comparison.ts";

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
  };
}
