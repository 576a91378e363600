import { defined } from "../../model/defined.ts";
import type { ComparedCount, ComparedInstructions } from "../../model/records/comparison.ts";
import type { Counters, RunRecord, Verdict } from "../../model/records/run.ts";
import { familyOf } from "../statistics/inference.ts";
import type { RatioEstimate, Replicate } from "../statistics/ratio.ts";
import { LEVEL, verdictOf } from "../verdict.ts";
import type { CellPair } from "./cells.ts";

/** What a verdict on a time is called of a count. */
const VERDICTS: Readonly<Record<Verdict, ComparedCount["verdict"]>> = {
  faster: "fewer",
  slower: "more",
  same: "same",
  undecided: "undecided",
};

/**
 * Instructions per call of both sides, as times are compared, in a family of their own; undefined where neither side was
 * to count them. The gate is the threshold: how much a time varies has no part in a count.
 * @param estimate the ratio of two sides
 */
export function comparedInstructions(
  { base, head }: { readonly base: RunRecord; readonly head: RunRecord },
  pairs: readonly CellPair[],
  estimate: (head: readonly Replicate[], base: readonly Replicate[]) => RatioEstimate,
  threshold: number,
): ComparedInstructions | undefined {
  if (base.options.counters !== true && head.options.counters !== true) return undefined;
  const counted = pairs.flatMap(({ codec, base: before, head: after }) => {
    const [from, to] = [before.counters, after.counters];
    if (from === undefined || to === undefined) return [];
    const { operation, dataset } = before;
    return [
      { operation, dataset, codec, from, to, estimate: estimate(replicatesOf(to), replicatesOf(from)) },
    ];
  });
  const { adjusted } = familyOf(counted, (one) => one.estimate.p, LEVEL);
  const cells = counted.map((one): ComparedCount => {
    const { operation, dataset, codec, from, to } = one;
    const { ratio, ci95 } = one.estimate;
    const p = adjusted.get(one) ?? null;
    return {
      operation,
      dataset,
      codec,
      verdict: VERDICTS[verdictOf({ ratio, ci95, p }, { threshold, gate: threshold })],
      ratio: Number.isFinite(ratio) && ratio > 0 ? ratio : null,
      ci95,
      p,
      base: from.instructions,
      head: to.instructions,
    };
  });
  const reasons = [base, head].flatMap(({ runtimes }) =>
    runtimes.flatMap(({ countersReason }) => countersReason ?? []),
  );
  return { cells, ...defined({ reason: reasons[0] ?? oneSided(base, head) }) };
}

function replicatesOf({ processes }: Counters): Replicate[] {
  return processes.map(({ block, instructions }) => ({ block, stretches: [instructions] }));
}

/** Of two records one may have been made without. */
function oneSided(base: RunRecord, head: RunRecord): string | undefined {
  const [counted, other] = base.options.counters === true ? [base, head] : [head, base];
  return counted.options.counters === true && other.options.counters !== true
    ? `the ${other === base ? "base" : "head"} was measured without --counters`
    : undefined;
}
