import type { Replicate } from "../../statistics/ratio.ts";
import { pairedRatio } from "../../statistics/ratio.ts";
import { verdictOf } from "../verdict.ts";

/** One codec of a table. */
export interface Contender {
  readonly median: number;
  readonly replicates: readonly Replicate[];
}

/**
 * The tier of each contender, in the order given. They are gone through by their medians, equal ones as they are given.
 * The first leads the first tier; each of the next is compared with the leader of the tier so far, and either is slower
 * beyond doubt and leads the next tier, or shares that one. So a tier is what cannot be told from its leader; two of its
 * members may differ from each other, and the last of one may not from the first of the next. A table has one
 * comparison less than contenders, but which of the pairs they are is decided by the data: each p is multiplied by the
 * number of all pairs (Bonferroni), so that equal ones are parted in at most 5 % of tables. Where there are no two blocks
 * to compare, each has a tier of its own.
 */
export function tiersOf(contenders: readonly Contender[], gate: number): number[] {
  const order = contenders.map((_, i) => i).sort((a, b) => contenders[a]!.median - contenders[b]!.median);
  const pairs = (contenders.length * (contenders.length - 1)) / 2;
  const tiers = contenders.map(() => 1);
  let leader = order[0];
  let tier = 1;
  for (const at of order.slice(1)) {
    const estimate = pairedRatio(contenders[at]!.replicates, contenders[leader!]!.replicates);
    const p = estimate.p === null ? null : estimate.p * pairs;
    if (p === null || verdictOf({ ...estimate, p }, gate) === "slower") {
      tier += 1;
      leader = at;
    }
    tiers[at] = tier;
  }
  return tiers;
}
