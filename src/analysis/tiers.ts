import type { Standing } from "../model/records/run.ts";
import type { RatioEstimate } from "./statistics/ratio.ts";
import { type Limits, verdictOf } from "./verdict.ts";

/** One codec of a table. */
export interface Contender {
  readonly median: number;
  /** What the run says of it beside the baseline; undefined for the baseline itself, and where there is none. */
  readonly verdict: Standing["verdict"] | undefined;
}

/**
 * The tier of each contender, in the order given: no two members of a tier can be told apart. They are gone through by
 * their medians, equal ones as they are given; each shares the tier so far unless it differs from one of its members, and
 * else begins the next. So the last of a tier may not differ from the first of the next. The baseline and another are
 * told apart by the run's own verdict, and two others where one is faster and one slower than it. For any other pair,
 * which of them are compared is decided by the data: each p is multiplied by the number of all pairs (Bonferroni), so that
 * equal ones are parted in at most 5 % of tables. Those that cannot be compared, of a single block, have tiers of their own.
 * @param ratioOf how two of them compare, in either order; undefined where they cannot be compared
 */
export function tiersOf<One extends Contender>(
  contenders: readonly One[],
  ratioOf: (one: One, other: One) => RatioEstimate | undefined,
  limits: Limits,
): number[] {
  const order = contenders.map((_, i) => i).sort((a, b) => contenders[a]!.median - contenders[b]!.median);
  const pairs = (contenders.length * (contenders.length - 1)) / 2;
  const isDistinct = (one: One, other: One): boolean => {
    const { verdict: first } = one;
    const { verdict: second } = other;
    if (first === undefined || second === undefined) {
      const known = first ?? second;
      if (known !== undefined) return isDifferent(known);
    } else if (isDifferent(first) && isDifferent(second) && first !== second) return true;
    const estimate = ratioOf(one, other);
    if (estimate === undefined || estimate.p === null) return true;
    return isDifferent(verdictOf({ ...estimate, p: estimate.p * pairs }, limits));
  };
  const tiers = contenders.map(() => 1);
  let members: One[] = [];
  let tier = 0;
  for (const at of order) {
    const contender = contenders[at]!;
    if (tier === 0 || members.some((member) => isDistinct(contender, member))) {
      tier += 1;
      members = [];
    }
    members.push(contender);
    tiers[at] = tier;
  }
  return tiers;
}

/** Whether a verdict says that two differ. */
export function isDifferent(verdict: Standing["verdict"]): boolean {
  return verdict === "faster" || verdict === "slower";
}
