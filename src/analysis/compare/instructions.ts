import { defined } from "../../model/defined.ts";
import type { ComparedCount, ComparedInstructions } from "../../model/records/comparison.ts";
import type { Counters, RunRecord, Verdict } from "../../model/records/run.ts";
import { familyOf } from "../statistics/inference.ts";
import { median } from "../statistics/location.ts";
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
  { bases, heads }: { readonly bases: readonly RunRecord[]; readonly heads: readonly RunRecord[] },
  pairs: readonly CellPair[],
  estimate: (head: readonly Replicate[], base: readonly Replicate[]) => RatioEstimate,
  threshold: number,
): ComparedInstructions | undefined {
  if (![...bases, ...heads].some(isCounted)) return undefined;
  const counted = pairs.flatMap(({ codec, base, head }) => {
    const [from, to] = [base, head].map((cells) => cells.flatMap(({ counters }) => counters ?? []));
    if (from!.length === 0 || to!.length === 0) return [];
    const { operation, dataset } = base[0]!;
    const ratio = estimate(to!.flatMap(replicatesOf), from!.flatMap(replicatesOf));
    return [{ operation, dataset, codec, from: middleOf(from!), to: middleOf(to!), estimate: ratio }];
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
      base: from,
      head: to,
    };
  });
  const reasons = [...bases, ...heads].flatMap(({ runtimes }) =>
    runtimes.flatMap(({ countersReason }) => countersReason ?? []),
  );
  return { cells, ...defined({ reason: reasons[0] ?? oneSided(bases, heads) }) };
}

function replicatesOf({ processes }: Counters): Replicate[] {
  return processes.map(({ block, instructions }) => ({ block, stretches: [instructions] }));
}

/** Of several runs, which count alike, their median. */
function middleOf(counters: readonly Counters[]): number {
  return median(counters.map(({ instructions }) => instructions));
}

function isCounted({ options }: RunRecord): boolean {
  return options.counters === true;
}

/** Some records may have been made without. */
function oneSided(bases: readonly RunRecord[], heads: readonly RunRecord[]): string | undefined {
  const without = bases.every(isCounted) ? (heads.every(isCounted) ? undefined : "head") : "base";
  return without && `the ${without} was measured without --counters`;
}
