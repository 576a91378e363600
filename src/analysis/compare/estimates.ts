/** The ratios of cells: of two sides that share blocks, and of records that share none. */
import type { BetweenRuns, Calibration } from "../../model/records/comparison.ts";
import type { RunRecord } from "../../model/records/run.ts";
import type { MeasuredCell } from "../cells.ts";
import { mean, median } from "../statistics/location.ts";
import {
  estimateOf,
  type LogEstimate,
  logTime,
  moderatedRatios,
  pairedRatio,
  type RatioEstimate,
} from "../statistics/ratio.ts";
import { basisOf, contradictions, shownBasis } from "./basis.ts";
import { type CellInRuns, type RunDifferences, runDifferences } from "./between-runs.ts";
import { areEnough, type CellEstimate, type CellPair } from "./cells.ts";
import { type Basis, once, processesOf } from "./processes.ts";

/** What the cells of a comparison are judged by. */
export interface Estimates {
  /** In the order of the cells. */
  readonly estimates: readonly CellEstimate[];
  /** Their ratios as they were measured, with nothing taken off. */
  readonly measured: readonly number[];
  readonly calibration?: Calibration;
  readonly betweenRuns?: BetweenRuns;
  /** Set where nothing tells a machine that changed from cells that did. */
  readonly uncertain?: true;
  /** Set where the faster halves of batches were compared: see {@link basisOf}. */
  readonly basis?: "faster-half";
}

/** Ratios of two sides that were measured in the same blocks of one run, with variances moderated over the cells. */
export function pairedEstimates(pairs: readonly CellPair[]): Estimates {
  const basis = basisOf(pairs);
  const ratios = pairs.map(({ base: [base], head: [head] }) => ratioOf(head!, base!, basis));
  const moderated = moderatedRatios(ratios);
  const more = contradictions(
    pairs.map((pair) => ({ pair })),
    moderated.map(({ ratio }) => Math.log(ratio)),
    basis,
  );
  const estimates = moderated.map((one, i) => estimateOf(widened(logOf(one), more[i]!)));
  return { estimates, measured: estimates.map(({ ratio }) => ratio), ...shownBasis(basis) };
}

/** A bootstrap of so many knows its standard error to 2 %, and a thousand cells take a fraction of a second. */
const RESAMPLES = 1000;

/**
 * Ratios of cells that were measured in other runs. What all cells share is taken off each, unless `absolute` is set: by the
 * median of all, from six cells of three codecs on; with fewer, as ratios to the baseline of each run, where all
 * have it. Where neither can be had and no side has several runs, a machine that changed is not told from the cells.
 */
export function recordEstimates(
  pairs: readonly CellPair[],
  records: readonly RunRecord[],
  absolute: boolean,
): Estimates {
  const basis = basisOf(pairs);
  const times = pairs.map((pair) => inRuns(pair, (cell) => logTimeOf(cell, basis)));
  const measured = times.map(({ base, head }) => Math.exp(meanLog(head) - meanLog(base)));
  const enough = areEnough(pairs);
  const references = absolute || enough ? undefined : referencesOf(pairs, records);
  if (references !== undefined) return relativeEstimates(pairs, measured, references, basis);
  const calibrate = enough && !absolute;
  const { differences, shared, between } = runDifferences(times, calibrate);
  const more = contradictions(
    pairs.map((pair) => ({ pair })),
    differences.map(({ log }) => log),
    basis,
  );
  return {
    estimates: pairs.map((pair, i) =>
      isOneMeasurement(pair) ? ITSELF : estimateOf(widened(differences[i]!, more[i]!)),
    ),
    measured,
    ...(calibrate
      ? { calibration: { factor: Math.exp(shared), by: "cells" as const, cells: pairs.length } }
      : {}),
    ...shownBetween(between),
    ...shownBasis(basis),
    ...(absolute || between !== undefined ? {} : { uncertain: true }),
  };
}

/** The baseline's cell of each cell's table, in the order of the cells. */
interface References {
  readonly baseline: string;
  readonly cells: readonly CellPair[];
}

/** Undefined where the records have no baseline in common, where a cell lacks it, and where there is nothing else. */
function referencesOf(pairs: readonly CellPair[], records: readonly RunRecord[]): References | undefined {
  const [baseline, ...others] = new Set(records.map(({ options }) => options.baseline));
  if (baseline === undefined || others.length > 0) return undefined;
  const table = ({ base: [cell] }: CellPair): string => JSON.stringify([cell!.operation, cell!.dataset]);
  const known = new Map(pairs.filter(({ codec }) => codec === baseline).map((pair) => [table(pair), pair]));
  const cells = pairs.flatMap((pair) => known.get(table(pair)) ?? []);
  return cells.length < pairs.length || known.size === pairs.length ? undefined : { baseline, cells };
}

/** The baseline is 1 by definition; what it did itself is what it was taken for, the machine. */
const REFERENCE: CellEstimate = { ...estimateOf({ log: 0, variance: null }), ci95: [1, 1], reference: true };

function relativeEstimates(
  pairs: readonly CellPair[],
  measured: readonly number[],
  { baseline, cells }: References,
  basis: Basis,
): Estimates {
  const judged = pairs.flatMap((pair, i) => (pair.codec === baseline ? [] : [{ pair, to: cells[i]! }]));
  const { differences, between } = runDifferences(
    judged.map(({ pair, to }) => inRuns(pair, (cell, side, run) => logRatio(cell, to[side][run]!, basis))),
    false,
  );
  const more = contradictions(
    judged,
    differences.map(({ log }) => log),
    basis,
  );
  const estimates = new Map(
    judged.map(({ pair }, i) => [pair, estimateOf(widened(differences[i]!, more[i]!))]),
  );
  const own = measured.filter((_, i) => pairs[i]!.codec === baseline);
  return {
    estimates: pairs.map((pair) => {
      const estimate = estimates.get(pair);
      return estimate !== undefined && isOneMeasurement(pair) ? ITSELF : (estimate ?? REFERENCE);
    }),
    measured,
    calibration: {
      factor: Math.exp(median(own.map(Math.log))),
      by: "baseline",
      cells: own.length,
      baseline,
    },
    ...shownBetween(between),
    ...shownBasis(basis),
  };
}

type Side = "base" | "head";

function inRuns(
  { base, head }: CellPair,
  of: (cell: MeasuredCell, side: Side, run: number) => LogEstimate,
): CellInRuns {
  return {
    base: base.map((cell, run) => of(cell, "base", run)),
    head: head.map((cell, run) => of(cell, "head", run)),
  };
}

const logTimeOf = once((cell, basis) => logTime(processesOf(cell, basis), { resamples: RESAMPLES }));

function ratioOf(of: MeasuredCell, to: MeasuredCell, basis: Basis): RatioEstimate {
  return pairedRatio(processesOf(of, basis), processesOf(to, basis));
}

/** With more variance, where it has one. */
function widened({ log, variance }: LogEstimate, more: number): LogEstimate {
  return { log, variance: variance && { ...variance, variance: variance.variance + more } };
}

function logRatio(of: MeasuredCell, to: MeasuredCell, basis: Basis): LogEstimate {
  return logOf(ratioOf(of, to, basis));
}

function logOf({ ratio, standardError, degrees }: RatioEstimate): LogEstimate {
  const isKnown = standardError !== null && degrees !== null;
  return { log: Math.log(ratio), variance: isKnown ? { variance: standardError ** 2, degrees } : null };
}

function meanLog(runs: readonly LogEstimate[]): number {
  return mean(runs.map(({ log }) => log));
}

function shownBetween(between: RunDifferences["between"]): Pick<Estimates, "betweenRuns"> {
  if (between === undefined) return {};
  return { betweenRuns: { deviation: Math.expm1(between.deviation), source: between.source } };
}

/** A measurement is the same as itself, however unsure it is of the time. */
const ITSELF: CellEstimate = { ...estimateOf({ log: 0, variance: null }), ci95: [1, 1], p: 1 };

/** Whether both sides are the same processes, as in a record and its copy: two that were measured apart never agree in all. */
function isOneMeasurement({ base, head }: CellPair): boolean {
  const [before, after] = [base[0]!.nanos, head[0]!.nanos];
  if (base.length > 1 || head.length > 1 || !isEqual(before.processes, after.processes)) return false;
  return before.batches.every((batches, i) => isEqual(batches, after.batches[i]!));
}

function isEqual(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}
