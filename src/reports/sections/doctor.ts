import type {
  DoctorCheck,
  DoctorFindings,
  DoctorRate,
  DoctorRecord,
  DoctorSlowdown,
  DoctorTrial,
} from "../../model/records/doctor.ts";
import { formatShare } from "../../model/share.ts";
import { oneLine } from "../escape.ts";
import { runtimeName } from "../provenance.ts";
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
          table(slowdownTable(record)),
          ...list(proofLines(record)),
        ]),
    ...(complete || reason === undefined ? [] : [oneLine(`Not complete: ${reason}.`)]),
    ...conclusionLines(record),
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

/** How often each slowdown was called what, with the intervals of these rates: on the machine as it was, and beside a busy core. */
export function slowdownTable({ proof, load }: DoctorRecord): Table {
  const rows = [
    ...(proof?.slowdowns ?? []).map((of) => ({ machine: "as it is", ...of })),
    ...(load?.findings.slowdowns ?? []).map((of) => ({ machine: "one core busy", ...of })),
  ];
  return tableOf(rows, [
    ...(load === undefined ? [] : [left<(typeof rows)[number]>("machine", ({ machine }) => machine)]),
    right("slower by", ({ injected }) => formatShare(injected, 1)),
    right("measured", ({ ratio }) => formatShare(ratio - 1, 1)),
    right("found", ({ found }) => rateText(found)),
    right("undecided", ({ undecided }) => rateText(undecided)),
    right("called the same", ({ same }) => rateText(same)),
    right("called faster", ({ reversed }) => rateText(reversed)),
  ]);
}

/** Sentences about what was slowed, about the known cost, about equal codecs, and about the rates of the table. */
export function proofLines({ trials, options, proof, load }: DoctorRecord): string[] {
  if (proof === undefined) return [];
  const { knownCost } = proof;
  const truths = trials.map((trial) => trial.knownCost.truth);
  return [
    ...slowedLines(trials, options),
    `A call of ${options.turns} turns takes ${range(truths, formatNanos)}, by another clock in long loops; ${costText(trials, knownCost)}.`,
    ...findingLines(trials, proof),
    ...(load === undefined ? [] : findingLines(load.trials, load.findings).map(besideBusyCore)),
    "In brackets: the 95 % interval of the rate (Wilson), as if all were independent; comparisons of one trial share a baseline.",
  ];
}

/** How far off the known cost was measured, and in how many trials it was not. */
function costText(trials: readonly DoctorTrial[], knownCost: DoctorFindings["knownCost"]): string {
  const measured = trials.filter((trial) => trial.knownCost.measured !== undefined).length;
  const slow = "the core of all its processes was slow beside most batches";
  if (knownCost === undefined) return `what a run makes of it is not known, for ${slow}`;
  const { median, furthest } = knownCost;
  const off = `what a run measured is off by ${formatShare(median, 1)} (furthest trial: ${formatShare(furthest, 1)})`;
  if (measured === trials.length) return off;
  return `${off} in ${measured} of ${trials.length} trials; in the others ${slow}`;
}

/** What was slowed and how; nothing of older records, in which it was the codec of known cost. */
function slowedLines(
  trials: readonly DoctorTrial[],
  { messages, message }: DoctorRecord["options"],
): string[] {
  if (messages === undefined) return [];
  const codecs = [...new Set(trials.flatMap(({ slowed }) => slowed ?? []))];
  const whose = codecs.length > 1 ? `${codecs.join(" and ")}, by turns from trial to trial` : codecs[0];
  return [
    `What is slowed: ${whose}. A call encodes or decodes ${message} ${messages} times, and a slower one oftener by its share. Each trial is a run, judged as a run.`,
  ];
}

/** Of a row of trials. */
function findingLines(
  trials: readonly DoctorTrial[],
  { alike, alikeTrials, detectable }: DoctorFindings,
): string[] {
  const gates = trials.map(({ gate }) => gate);
  return [
    `The same codec under another name was called different from itself in ${rateText(alike)} comparisons, in ${rateText(alikeTrials)} trials.`,
    `Differences had to exceed ${range(gates, (gate) => formatShare(gate, 1))}.${detectable === null ? "" : ` By its intervals, a trial finds one of ${formatShare(detectable, 1)} four times in five.`}`,
  ];
}

/** A sentence that holds where one core is busy. */
function besideBusyCore(sentence: string): string {
  return `With one core busy, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** The answer, in a sentence for each row of trials: the machine's, and what is left of it beside a busy core. */
export function conclusionLines(record: DoctorRecord): string[] {
  const { conclusion, proof, load, options } = record;
  if (conclusion === undefined || proof === undefined) return ["No trial was finished: nothing is known."];
  const { verdict, smallest } = conclusion;
  const found = foundText(proof.slowdowns, smallest, options);
  const cares = verdict === "with-care" ? " Take care: see the warnings." : "";
  const can = smallest !== null && verdict !== "cannot";
  return [
    can
      ? `This machine can measure${measuredIn(record)}: ${found}.${cares}`
      : `This machine cannot measure${measuredIn(record)} as it is: ${smallest === null ? found : `see what is bad. But ${found}`}.`,
    ...(load === undefined
      ? []
      : [besideBusyCore(`${foundText(load.findings.slowdowns, load.smallest, options)}.`)]),
  ];
}

/** ` in Bun 1.3.1` where that is another runtime than wirebench's own. */
function measuredIn({ runtimes = [], environment }: DoctorRecord): string {
  const other = runtimes.find(({ name, version }) => {
    return name !== environment.runtime.name || version !== environment.runtime.version;
  });
  return other === undefined ? "" : ` in ${runtimeName(other)}`;
}

/** `a run at standard finds a codec that is 10 % slower in 19 of 20 comparisons`. */
function foundText(
  slowdowns: readonly DoctorSlowdown[],
  smallest: number | null,
  { profile, messages }: DoctorRecord["options"],
): string {
  const of = slowdowns.find(({ injected }) => injected === smallest) ?? slowdowns.at(-1);
  if (of === undefined) return "nothing was slowed";
  const codec = messages === undefined ? "a codec that makes no garbage and" : "a codec that";
  const what = `${codec} is ${formatShare(of.injected, 0)} slower in ${of.found.count} of ${of.found.of} comparisons`;
  return smallest === null
    ? `a run at ${profile} found even ${what} only`
    : `a run at ${profile} finds ${what}`;
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
