import type { DoctorCheck, DoctorProof, DoctorRate, DoctorRecord } from "../../model/records/doctor.ts";
import { formatShare } from "../../model/share.ts";
import { oneLine } from "../escape.ts";
import { left, right, type Table, tableOf } from "../table.ts";
import { formatNanos } from "../units.ts";

/**
 * What `wirebench doctor` found: the machine, the proof, and the answer.
 * @param table how a table is shown
 * @param item how a line of a list is
 */
export function doctorSections(
  record: DoctorRecord,
  table: (table: Table) => string,
  item: (line: string) => string,
): string[] {
  const { machine, proof, trials, options, complete, reason } = record;
  const list = (lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [lines.map((line) => item(oneLine(line))).join("\n")];
  return [
    table(checkTable(machine, "the machine")),
    ...list(adviceOf(machine)),
    ...(proof === undefined
      ? []
      : [
          table(checkTable(proof.checks, `the tool, in ${trials.length} of ${options.trials} trials`)),
          ...list(adviceOf(proof.checks)),
          table(slowdownTable(proof)),
          ...list(proofLines(record)),
        ]),
    ...(complete || reason === undefined ? [] : [oneLine(`Not complete: ${reason}.`)]),
    conclusionLine(record),
  ];
}

/** What was looked at, a row each: its value, its limit and what to make of it. */
function checkTable(checks: readonly DoctorCheck[], heading: string): Table {
  return tableOf(checks, [
    left(heading, ({ name }) => name),
    right("is", ({ value, unit }) => (value === null ? "–" : amount(value, unit))),
    right("limit", limitOf),
    left("verdict", ({ verdict }) => (verdict === "unknown" ? "not known" : verdict)),
  ]);
}

/** What to do, a line for each check that is not well. */
function adviceOf(checks: readonly DoctorCheck[]): string[] {
  return checks.flatMap(({ name, verdict, advice }) =>
    advice === undefined ? [] : [`${verdict}: ${name}: ${advice}`],
  );
}

/** How often each slowdown was called what, with the intervals of these rates. */
export function slowdownTable({ slowdowns }: DoctorProof): Table {
  return tableOf(slowdowns, [
    right("slower by", ({ injected }) => formatShare(injected, 1)),
    right("measured", ({ ratio }) => formatShare(ratio - 1, 1)),
    right("found", ({ found }) => rateText(found)),
    right("undecided", ({ undecided }) => rateText(undecided)),
    right("called the same", ({ same }) => rateText(same)),
    right("called faster", ({ reversed }) => rateText(reversed)),
  ]);
}

/** Sentences about the known cost, about equal codecs, and about the rates of the table. */
export function proofLines({ trials, options, proof }: DoctorRecord): string[] {
  if (proof === undefined) return [];
  const { knownCost, alike, alikeTrials, detectable } = proof;
  const truths = trials.map((trial) => trial.knownCost.truth);
  const gates = trials.map(({ gate }) => gate);
  return [
    `A call of ${options.turns} turns takes ${range(truths, formatNanos)}, by another clock in long loops; what a run measured is off by ${formatShare(knownCost.median, 1)} (furthest trial: ${formatShare(knownCost.furthest, 1)}).`,
    `The same codec under two other names was called different from itself in ${rateText(alike)} comparisons, in ${rateText(alikeTrials)} trials.`,
    `Differences had to exceed ${range(gates, (gate) => formatShare(gate, 1))}.${detectable === null ? "" : ` By its intervals, a trial finds one of ${formatShare(detectable, 1)} four times in five.`}`,
    "In brackets: the 95 % interval of the rate (Wilson), as if all were independent; comparisons of one trial share a baseline.",
  ];
}

/** The answer, in a sentence. */
function conclusionLine({ conclusion, trials, options }: DoctorRecord): string {
  if (conclusion === undefined) return "No trial was finished: nothing is known.";
  const { verdict, smallest } = conclusion;
  if (smallest === null)
    return `This machine cannot measure with the profile ${options.profile}: not even the largest slowdown was found in nine of ten trials.`;
  const what = `differences of ${formatShare(smallest, 0)} and more (found in at least 90 % of ${trials.length === 1 ? "1 trial" : `${trials.length} trials`})`;
  if (verdict === "cannot") return `This machine cannot measure as it is: see what is bad. It found ${what}.`;
  return `This machine can measure ${what}${verdict === "with-care" ? ", with care: see the warnings" : ""}.`;
}

/** `4 of 5 (38 to 96 %)`. */
function rateText({ count, of, ci95 }: DoctorRate): string {
  const [low, high] = ci95.map((end) => (end * 100).toFixed(0));
  return `${count} of ${of} (${low} to ${high} %)`;
}

function amount(value: number | string, unit: DoctorCheck["unit"]): string {
  if (typeof value === "string") return value;
  if (unit === "nanoseconds") return formatNanos(value);
  return unit === "share" ? formatShare(value, 1) : `${value}`;
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
