import type { DoctorCheck, DoctorProof, DoctorRate, DoctorRecord } from "../../model/records/doctor.ts";
import type { Table } from "../table.ts";
import { formatNanos } from "../units.ts";

/** What was looked at, a row each: its value, its limit and what to make of it. */
export function checkTable(checks: readonly DoctorCheck[], heading: string): Table {
  return {
    columns: [
      { heading, align: "left" },
      { heading: "is", align: "right" },
      { heading: "limit", align: "right" },
      { heading: "verdict", align: "left" },
    ],
    rows: checks.map((check) => [
      check.name,
      check.value === null ? "–" : amount(check.value, check.unit),
      limitOf(check),
      check.verdict === "unknown" ? "not told" : check.verdict,
    ]),
  };
}

/** What to do, a line for each check that is not well. */
export function adviceOf(checks: readonly DoctorCheck[]): string[] {
  return checks.flatMap(({ name, verdict, advice }) =>
    advice === undefined ? [] : [`${verdict}: ${name}: ${advice}`],
  );
}

/** How often each slowdown was called what, with the intervals of these rates. */
export function slowdownTable({ slowdowns }: DoctorProof): Table {
  const headings = ["slower by", "measured", "found", "undecided", "called the same", "called faster"];
  return {
    columns: headings.map((heading) => ({ heading, align: "right" as const })),
    rows: slowdowns.map(({ injected, ratio, found, undecided, same, reversed }) => [
      inPercent(injected),
      inPercent(ratio - 1),
      ...[found, undecided, same, reversed].map(formatRate95),
    ]),
  };
}

/** Sentences about the known cost and about equal codecs. */
export function proofLines({ trials, options, proof }: DoctorRecord): string[] {
  if (proof === undefined) return [];
  const { knownCost, alike, alikeTrials, detectable } = proof;
  const truths = trials.map((trial) => trial.knownCost.truth);
  const gates = trials.map(({ gate }) => gate);
  return [
    `A call of ${options.turns} turns takes ${range(truths, formatNanos)}, by another clock in long loops; what a run measured is off by ${inPercent(knownCost.median)} (furthest trial: ${inPercent(knownCost.furthest)}).`,
    `The same codec under two other names was called different from itself in ${formatRate95(alike)} comparisons, in ${formatRate95(alikeTrials)} trials.`,
    `Differences had to exceed ${range(gates, inPercent)}.${detectable === null ? "" : ` By its intervals, a trial finds one of ${inPercent(detectable)} four times in five.`}`,
  ];
}

/** The answer, in a sentence. */
export function conclusionLine({ conclusion, trials, options }: DoctorRecord): string {
  if (conclusion === undefined) return "No trial was finished: nothing is known.";
  const { verdict, smallest } = conclusion;
  if (smallest === null)
    return `This machine cannot measure with the profile ${options.profile}: not even the largest slowdown was found in nine of ten trials.`;
  const what = `differences of ${inPercent(smallest, 0)} and more (found in at least 90 % of ${trials.length === 1 ? "1 trial" : `${trials.length} trials`})`;
  if (verdict === "cannot") return `This machine cannot measure as it is: see what is bad. It found ${what}.`;
  return `This machine can measure ${what}${verdict === "with-care" ? ", with care: see the warnings" : ""}.`;
}

/** `4 of 5 (38 to 96 %)`. */
function formatRate95({ count, of, ci95 }: DoctorRate): string {
  const [low, high] = ci95.map((end) => (end * 100).toFixed(0));
  return `${count} of ${of} (${low} to ${high} %)`;
}

/** `3.0 %`, `12.0 %`: of a column, with as many decimals in each row. */
function inPercent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`;
}

function amount(value: number | string, unit: DoctorCheck["unit"]): string {
  if (typeof value === "string") return value;
  if (unit === "nanoseconds") return formatNanos(value);
  return unit === "share" ? inPercent(value) : `${value}`;
}

function limitOf({ most, least, unit }: DoctorCheck): string {
  if (most !== undefined) return `≤ ${amount(most, unit)}`;
  return least === undefined ? "" : `≥ ${amount(least, unit)}`;
}

/** `1.0 %`, or `1.0 % to 1.4 %`. */
function range(values: readonly number[], format: (value: number) => string): string {
  const [low, high] = [format(Math.min(...values)), format(Math.max(...values))];
  return low === high ? low : `${low} to ${high}`;
}
