import type { Comparison } from "../../model/records/comparison.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { pairedRatio } from "../statistics/ratio.ts";
import { type CompareOptions, compared } from "./compared.ts";
import type { NamePair } from "./sizes.ts";

/**
 * What is faster, slower, larger or smaller of two codecs that were measured in the same blocks of one run: block by
 * block, so that a drift of the machine meets both. Throws UsageError where nothing was measured of both.
 * @param names pairs of codecs of the record
 * @param sources what the two sides are called
 */
export function compareSides(
  record: RunRecord,
  names: readonly NamePair[],
  sources: { readonly base: string; readonly head: string },
  options: CompareOptions = {},
): Comparison {
  const sides = { method: "paired", base: record, head: record, sources, names, differences: [] } as const;
  return compared({ ...sides, estimate: pairedRatio }, options);
}
