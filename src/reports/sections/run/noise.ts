import { blindnessOf } from "../../../analysis/blindness.ts";
import { isMeasured } from "../../../analysis/cells.ts";
import { isMostlySteady } from "../../../analysis/processor-time.ts";
import type { Cell, Disturbance, RunRecord, WarmUp } from "../../../model/records/run.ts";
import { formatShare } from "../../../model/share.ts";
import { formatRatio, formatRatios } from "../../units.ts";

/** Share of pairs up to which nothing was told apart that one would rely on. */
const NEARLY_NONE = 0.05;

/** The largest difference that is said: of a larger one nobody asks how large. */
const MOST_SAID = 10;

/**
 * With what a report begins where a run was too noisy for its purpose; empty for one that told codecs apart which differ by
 * half.
 */
export function blindnessLines(record: RunRecord): string[] {
  const blindness = blindnessOf(record);
  if (blindness === undefined) return isOfOneBlock(record) ? [ORDER_ALONE] : [];
  const { detectable, pairs, told, isBusy } = blindness;
  const whom =
    told <= NEARLY_NONE * pairs
      ? "tell any two codecs apart"
      : `tell codecs apart that differ by less than ${formatShare(Math.min(detectable, MOST_SAID))}`;
  return isBusy
    ? [`This machine was too busy to ${whom}: close programs and run again.`]
    : [
        `The processes of this run differed too much to ${whom}: take more of them (--profile), or ask wirebench doctor.`,
      ];
}

const ORDER_ALONE =
  "Each codec was measured by one process: nothing tells a difference from chance, and ranks are the order of the times.";

/** Whether codecs were compared, and all of them in a single block: as in a small shard. */
function isOfOneBlock({ cells, options }: RunRecord): boolean {
  const ratios = cells.flatMap(({ codec, twinOf, part, standing }) =>
    codec === options.baseline || twinOf !== undefined || part === true || standing?.ratio == null
      ? []
      : [standing],
  );
  return ratios.length > 0 && ratios.every(({ p }) => p === null);
}

/** What a run says of its own noise, a sentence or two a line; none for a record in which nothing was compared. */
export function noiseLines(record: RunRecord): string[] {
  return [
    ...againstItself(record),
    ...detectable(record),
    ...disturbed(record),
    ...outlying(record),
    ...unsteady(record),
  ];
}

function againstItself({ noise, cells, options }: RunRecord): string[] {
  if (noise === undefined) return [];
  const twins = cells.flatMap(({ twinOf, operation, dataset, standing }) => {
    if (twinOf === undefined || standing === undefined || standing.ratio === null) return [];
    const { ratio, ci95 } = standing;
    const interval = ci95 === null ? "" : ` (${formatRatios(ci95)})`;
    const where = options.datasets.length > 1 ? `${operation} of ${dataset}` : operation;
    return [`${where} ${formatRatio(ratio)}${interval}`];
  });
  return [
    `A/A: ${options.baseline} against itself, under other names: ${twins.join(", ")}.`,
    `Differences within ${formatShare(noise.gate)} are not called differences (A/A spread ${formatShare(noise.spread)}, threshold ${formatShare(options.threshold)}).`,
  ];
}

/** Smallest, middle and largest of what cells could have shown. */
function detectable({ cells }: RunRecord): string[] {
  const shares = cells
    .flatMap(({ standing, twinOf, program }) =>
      twinOf === undefined && program === undefined ? (standing?.detectable ?? []) : [],
    )
    .sort((a, b) => a - b);
  const [least, middle, most] = [shares[0], shares[Math.floor(shares.length / 2)], shares.at(-1)];
  if (least === undefined || middle === undefined || most === undefined) return [];
  const of = shares.length === 1 ? "" : ` for the middle one of ${shares.length} comparisons`;
  const [low, high] = [formatShare(least), formatShare(most)];
  const range = low === high ? "" : `, ${low} to ${high} for all`;
  return [`Minimum detectable effect against the baseline: ${formatShare(middle)}${of}${range}.`];
}

const DISTURBANCES: Readonly<Record<Disturbance, string>> = {
  waiting: "waited for a core",
  switches: "often taken off its core",
  pressure: "ran while others waited for a core",
  steal: "lost time to other machines of the host",
  throttling: "stopped by its quota",
};

function disturbed({ processes }: RunRecord): string[] {
  if (processes.length === 0) return [];
  const reasons = Object.entries(DISTURBANCES).flatMap(([name, words]) => {
    const count = processes.filter(({ disturbedBy }) => disturbedBy.includes(name as Disturbance)).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const count = processes.filter(({ disturbedBy }) => disturbedBy.length > 0).length;
  if (count === 0) return [`None of ${processes.length} measuring processes was disturbed.`];
  return [
    `${count} of ${processes.length} measuring processes were disturbed, and count like the others: ${reasons.join(", ")}.`,
  ];
}

/** Fewest processes among which one can be an outlier. */
const LEAST_PROCESSES = 4;

function outlying({ cells }: RunRecord): string[] {
  const known = cells.filter(isMeasured).filter(({ nanos }) => nanos.processes.length >= LEAST_PROCESSES);
  const total = known.reduce((sum, { nanos }) => sum + nanos.processes.length, 0);
  const count = known.reduce((sum, { nanos }) => sum + nanos.outliers.length, 0);
  if (total === 0) return [];
  if (count === 0) return [`None of ${total} process times is an outlier (beyond Tukey's fences).`];
  const are = count === 1 ? "is an outlier" : "are outliers";
  return [
    `${count} of ${total} process times ${are} (beyond Tukey's fences), and ${count === 1 ? "counts" : "count"} like the others.`,
  ];
}

function unsteady({ cells }: RunRecord): string[] {
  const verdicts = cells.filter(isMeasured).flatMap(({ nanos }) => nanos.warmUp);
  if (verdicts.length === 0) return [];
  const count = (which: WarmUp): number => verdicts.filter((verdict) => verdict === which).length;
  const others = (["warming", "slowing", "erratic"] as const).filter((which) => count(which) > 0);
  const list = others.map((which) => `${count(which)} ${which}`).join(", ");
  const often = mostly(cells);
  return [
    `While it was measured, the time per call was steady in ${count("steady")} of ${verdicts.length} measurements${list === "" ? "" : `; ${list}`}.${often}`,
  ];
}

/** Cells whose processes were mostly not steady. */
function mostly(cells: readonly Cell[]): string {
  const names = cells.filter(isMeasured).flatMap(({ nanos, operation, dataset, codec }) => {
    return isMostlySteady(nanos) ? [] : [`${operation}/${dataset}/${codec}`];
  });
  return names.length === 0 ? "" : ` Mostly not steady: ${names.join(", ")}.`;
}
