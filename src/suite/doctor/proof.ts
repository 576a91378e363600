import { wilsonInterval } from "../../analysis/statistics/inference.ts";
import { median } from "../../analysis/statistics/location.ts";
import { defined } from "../../model/defined.ts";
import type {
  DoctorCheck,
  DoctorComparison,
  DoctorConclusion,
  DoctorFindings,
  DoctorProof,
  DoctorRate,
  DoctorSlowdown,
  DoctorTrial,
} from "../../model/records/doctor.ts";
import { SLOWDOWNS } from "./known-shares.ts";
import { numberCheck } from "./machine-checks.ts";

/** What the tool has to achieve. Fixed before anything is measured; docs/doctor.md has them. */
export const PROOF_LIMITS = {
  /** Share by which the middle of the measured costs may be off. */
  cost: 0.05,
  /** Share of comparisons of a codec with itself that may call it different. */
  alike: 0.05,
  /** Comparisons that may call a slower codec faster. */
  reversed: 0,
  /** Share of comparisons that must find a slowdown for it to count as one that can be measured. */
  found: 0.9,
} as const;

/** What trials prove, of which there is at least one. */
export function proofOf(trials: readonly DoctorTrial[]): DoctorProof {
  const findings = findingsOf(trials);
  return { ...findings, checks: proofChecks(findings) };
}

/** What trials found, of which there is at least one. */
export function findingsOf(trials: readonly DoctorTrial[]): DoctorFindings {
  const off = trials.flatMap(({ knownCost: { measured, truth } }) =>
    measured === undefined ? [] : measured / truth - 1,
  );
  const comparisons = trials.flatMap((trial) => trial.comparisons);
  const alike = comparisons.filter(({ injected }) => injected === 0);
  const slowdowns = Object.values(SLOWDOWNS).map((injected) =>
    slowdownOf(
      injected,
      comparisons.filter((one) => one.injected === injected),
    ),
  );
  const rates = {
    alike: rateOf(alike, isCalledDifferent),
    alikeTrials: rateOf(trials, (trial) =>
      trial.comparisons.some((one) => one.injected === 0 && isCalledDifferent(one)),
    ),
  };
  const knownCost =
    off.length === 0
      ? undefined
      : {
          median: share(median(off)),
          furthest: share(off.reduce((far, one) => (Math.abs(one) > Math.abs(far) ? one : far))),
        };
  const detectable = comparisons.flatMap((one) => one.detectable ?? []);
  return {
    ...defined({ knownCost }),
    slowdowns,
    ...rates,
    detectable: detectable.length === 0 ? null : share(median(detectable)),
  };
}

/** What follows from all checks, and which differences can be measured. */
export function conclusionOf(machine: readonly DoctorCheck[], proof: DoctorProof): DoctorConclusion {
  const verdicts = [...machine, ...proof.checks].map(({ verdict }) => verdict);
  const cares = verdicts.includes("warning") ? "with-care" : "can";
  return {
    verdict: verdicts.includes("bad") ? "cannot" : cares,
    smallest: smallestFound(proof.slowdowns),
  };
}

function proofChecks({ knownCost, alike, slowdowns }: DoctorFindings): DoctorCheck[] {
  const reversed = slowdowns.reduce((sum, slowdown) => sum + slowdown.reversed.count, 0);
  const largest = slowdowns.at(-1);
  const found = largest === undefined ? 0 : largest.found.count / largest.found.of;
  return [
    numberCheck(
      "known cost is off by",
      knownCost === undefined ? null : Math.abs(knownCost.median),
      "share",
      { most: PROOF_LIMITS.cost, bad: PROOF_LIMITS.cost },
      LOST,
    ),
    numberCheck(
      "equals called different",
      alike.count / alike.of,
      "share",
      // A few of few may be chance: it is bad once its interval says so.
      { most: PROOF_LIMITS.alike, bad: alike.ci95[0] <= PROOF_LIMITS.alike ? 1 : PROOF_LIMITS.alike },
      "more --trials tell chance from fault",
    ),
    numberCheck("slower called faster", reversed, "count", { most: 0, bad: PROOF_LIMITS.reversed }, LOST),
    {
      name: `${percent(largest?.injected ?? 0)} slower is found`,
      value: share(found),
      unit: "share",
      least: PROOF_LIMITS.found,
      ...(found >= PROOF_LIMITS.found ? { verdict: "ok" } : { verdict: "bad", advice: LOST }),
    },
  ];
}

const LOST = "do not trust measurements of this machine as it is: see what it says above";

function slowdownOf(injected: number, comparisons: readonly DoctorComparison[]): DoctorSlowdown {
  const called = (verdict: DoctorComparison["verdict"]): DoctorRate =>
    rateOf(comparisons, (one) => one.verdict === verdict);
  return {
    injected,
    ratio: share(median(comparisons.map(({ ratio }) => ratio))),
    found: called("slower"),
    reversed: called("faster"),
    same: called("same"),
    undecided: called("undecided"),
  };
}

/** The smallest slowdown that was found often enough, as was every larger one; they come in order, the smallest first. */
export function smallestFound(slowdowns: readonly DoctorSlowdown[]): number | null {
  let smallest: number | null = null;
  for (const { injected, found } of slowdowns.toReversed()) {
    if (found.count / found.of < PROOF_LIMITS.found) break;
    smallest = injected;
  }
  return smallest;
}

function isCalledDifferent({ verdict }: DoctorComparison): boolean {
  return verdict === "slower" || verdict === "faster";
}

function rateOf<T>(all: readonly T[], happened: (one: T) => boolean): DoctorRate {
  const count = all.filter(happened).length;
  const [low, high] = wilsonInterval(count, all.length);
  return { count, of: all.length, ci95: [share(low), share(high)] };
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function share(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
