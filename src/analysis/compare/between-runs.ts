/** What runs of the same code differ by: a factor that all cells share, and what each cell does by itself. */
import { mean, median } from "../statistics/location.ts";
import { moderated, type Variance } from "../statistics/moderation.ts";
import { type LogEstimate, summedVariance } from "../statistics/ratio.ts";

/** One cell in all runs of a comparison: logarithms of its time in each, in the order of the records. */
export interface CellInRuns {
  readonly base: readonly LogEstimate[];
  readonly head: readonly LogEstimate[];
}

/** How cells differ between the runs of two sides. */
export interface RunDifferences {
  /** Logarithms of the ratios of the cells, in the order given, without what they share where that is taken off. */
  readonly differences: readonly LogEstimate[];
  /** Logarithm of what was taken off each; 0 for nothing. */
  readonly shared: number;
  /**
   * Standard deviation of a log ratio of equal code from comparison to comparison. Of `cells` it is what their processes
   * do not explain, of `runs` the whole. Absent where it is not known.
   */
  readonly between?: { readonly deviation: number; readonly source: "cells" | "runs" };
}

/**
 * The difference of each cell between the runs of the base and those of the head: of the means, where there are several.
 * With `calibrate`, the median of all differences is taken off each. Variances within runs are {@link moderated} over
 * the cells. To them comes what differs between runs: see {@link betweenOf} and {@link beyondProcesses}.
 */
export function runDifferences(cells: readonly CellInRuns[], calibrate: boolean): RunDifferences {
  const raw = cells.map(({ base, head }) => meanLog(head) - meanLog(base));
  const finite = raw.filter(Number.isFinite);
  const shared = calibrate && finite.length > 0 ? median(finite) : 0;
  const logs = raw.map((log) => log - shared);
  const within = moderatedBy(cells.map(withinRuns), cells.map(shareOf));
  const { variances, between } = withBetween(cells, { logs, within, calibrate });
  const center = calibrate ? varianceOfMedian(variances) : 0;
  const differences = logs.map((log, i): LogEstimate => {
    const own = variances[i] ?? null;
    const isKnown = own !== null && Number.isFinite(log);
    return { log, variance: isKnown ? { ...own, variance: own.variance + center } : null };
  });
  return { differences, shared, ...(between === undefined ? {} : { between }) };
}

/** A variance, or null where it cannot be known. */
type Known = Variance | null;

/** What moderation takes for one that is not known. */
const UNKNOWN: Variance = { variance: Number.NaN, degrees: 0 };

function withBetween(
  cells: readonly CellInRuns[],
  { logs, within, calibrate }: { logs: readonly number[]; within: readonly Known[]; calibrate: boolean },
): { variances: readonly Known[]; between?: RunDifferences["between"] } {
  const [first] = cells;
  if (first !== undefined && (first.base.length > 1 || first.head.length > 1)) {
    const measured = betweenOf(cells, calibrate);
    // What processes differ by differs between runs too: who measured less by chance was lucky.
    const variances = within.map((own, i) => {
      const whole = measured[i] ?? null;
      return own !== null && whole !== null && own.variance > whole.variance ? own : whole;
    });
    const known = measured.flatMap((whole) => whole?.variance ?? []);
    const deviation = known.length === 0 ? 0 : Math.sqrt(median(known));
    return { variances, between: { deviation, source: "runs" } };
  }
  const least = within.map((own, i) => own && withHidden(own, hiddenLevels(cells[i]!)));
  if (!calibrate) return { variances: least };
  const beyond = beyondProcesses(logs, least);
  const variances = least.map((own) => own && withMore(own, beyond(own.variance)));
  const more = least.flatMap((own) => (own === null ? [] : [beyond(own.variance).variance]));
  const deviation = Math.sqrt(BY_RUN + (more.length === 0 ? 0 : median(more)));
  return { variances, between: { deviation, source: "cells" } };
}

function meanLog(runs: readonly LogEstimate[]): number {
  return mean(runs.map(({ log }) => log));
}

/**
 * What processes tell of the variance of a cell's difference, moderated over the cells. Both sides together, since a cell
 * that is noisy in one is noisy in the other: moderated apart, quiet ones would be thought so twice.
 */
function withinRuns({ base, head }: CellInRuns): Known {
  const parts = [base, head].flatMap((runs) =>
    runs.map(({ variance }) => scaled(variance, 1 / runs.length ** 2)),
  );
  return sumOf(parts);
}

/** What the variance of a cell's difference would be if that of a process were 1. */
function shareOf({ base, head }: CellInRuns): number {
  const shares = [base, head].flatMap((runs) =>
    runs.map(({ variance }) => 1 / ((variance?.degrees ?? 0) + 1) / runs.length ** 2),
  );
  return shares.reduce((sum, share) => sum + share, 0);
}

/**
 * How far apart two codes are that V8 makes of one function, as its background compiler has it: 86,000 or 109,000 instructions a call
 * of protobufjs's encode.
 */
const CODES = Math.log(1.25);

/**
 * The least variance of a cell's difference between two runs. A cell may have two levels of which its processes, however alike, show
 * one: all of k have the same code once in 2^(k - 1) times. So much of what two levels vary by is taken to be hidden. In 190 pairs of
 * quick records of the same code, whose processes were drawn again at random, 8.3 % had a false difference without this and 3.9 % with it;
 * of a codec 20 % slower 65.7 and 63.5 % were found.
 */
function hiddenLevels({ base, head }: CellInRuns): number {
  const hidden = [base, head].flatMap((runs) =>
    runs.map(({ variance }) => {
      const processes = (variance?.degrees ?? 0) + 1;
      return (2 ** (1 - processes) * (CODES / 2) ** 2) / processes / runs.length ** 2;
    }),
  );
  return hidden.reduce((sum, one) => sum + one, 0);
}

/**
 * Variance of a cell's difference between two runs of the same code that no process tells, as each has its run's code and memory. A run
 * deviated by 0.3 to 1.3 % from twenty of its kind in half of the cells, and by nothing in the others. Of 190 pairs of
 * standard records 9.5 % had a false difference without this and 4.2 % with it, and a codec 10 % slower was found in 71.9 and 75.2 %;
 * at quick one 20 % slower in 82.1 and 81.0 %.
 */
const BY_RUN = 0.01 ** 2;

/** With what processes do not tell: by what their run differs from another, or which of two levels they have, if that is more. */
function withHidden(own: Variance, hidden: number): Variance {
  return { ...own, variance: Math.max(own.variance + BY_RUN, hidden) };
}

/**
 * Variances that are moderated as those of one process of each cell, since they may be of different numbers of them.
 * @param shares what each would be if that of a process were 1
 */
function moderatedBy(variances: readonly Known[], shares: readonly number[]): Known[] {
  const items = variances.map((one, i) => (one === null ? UNKNOWN : scaled(one, 1 / shares[i]!)));
  return moderated(items).map((one, i) => (variances[i] === null ? null : scaled(one, shares[i]!)));
}

/**
 * What the log ratio of each cell varies by from comparison to comparison, measured by the runs of a side that has
 * several: by the variance of the cell around the side's mean, without what all cells share where that is taken off.
 * It is moderated over the cells, and has the degrees of freedom of the runs. Null for a cell that took no time in one of them.
 */
function betweenOf(cells: readonly CellInRuns[], calibrate: boolean): Known[] {
  const squares = cells.map(() => 0);
  let degrees = 0;
  let share = 0;
  for (const side of ["base", "head"] as const) {
    const runs = cells[0]?.[side].length ?? 0;
    share += 1 / runs;
    degrees += runs - 1;
    for (let run = 0; run < runs; run++) {
      const off = cells.map((cell) => cell[side][run]!.log - meanLog(cell[side]));
      const finite = off.filter(Number.isFinite);
      const shared = calibrate && finite.length > 0 ? median(finite) : 0;
      off.forEach((log, i) => {
        squares[i]! += (log - shared) ** 2;
      });
    }
  }
  const variances = squares.map((sum) =>
    Number.isFinite(sum) ? { variance: sum / degrees, degrees } : UNKNOWN,
  );
  return moderated(variances).map((one, i) => (variances[i] === UNKNOWN ? null : scaled(one, share)));
}

/**
 * A squared deviation counts up to the 80th percentile of the chi-square distribution with one degree of freedom: a cell
 * that changed counts like one that is at the edge. Below are, of such a square of a normal value, its mean, and what it knows
 * of the spread as a share of what all values know.
 */
const MOST_SQUARE = 1.6424;
const MEAN_SQUARE = 0.6786;
const EFFICIENCY = 0.628;

/** By how much the spread of one cell is taken for more: six cells called equal ones different in 7 % of simulated runs without. */
const MORE = 2.26;

/**
 * What comes to the variance that a cell's processes explain, for log ratios of equal code, estimated from the cells of two
 * runs as an overdispersion is: so much that the mean of r² / variance, of which each counts up to {@link MOST_SQUARE}, is that
 * of the chi-square distribution, and somewhat more for few cells. Once in proportion to all variances: where V8 lands
 * processes in one of two codes, six of eight in one look surer than they are. And once alike for all, for what cells do
 * by themselves from run to run. Neither is known to be the right one, and a cell has the larger. In 78 pairs of
 * records of the same code at standard the second alone left 11 with a false difference.
 */
function beyondProcesses(logs: readonly number[], within: readonly Known[]): (variance: number) => Variance {
  const cells = logs.flatMap((log, i) => {
    const own = within[i] ?? null;
    return own !== null && own.variance > 0 && Number.isFinite(log) ? [{ square: log ** 2, own }] : [];
  });
  const share = leastThat(cells, (variance, more) => variance * (1 + more));
  const addend = leastThat(cells, (variance, more) => variance + more);
  const degrees = Math.max(EFFICIENCY * (cells.length - 1), 1);
  return (variance) => ({ variance: Math.max(share * variance, addend), degrees });
}

/** A cell's squared log ratio, and what its processes explain of it. */
interface Explained {
  readonly square: number;
  readonly own: Variance;
}

/** The least that, brought into each variance by `widened`, explains the cells; 0 where nothing is needed. */
function leastThat(cells: readonly Explained[], widened: (variance: number, more: number) => number): number {
  const wanted = MEAN_SQUARE / (1 + MORE / cells.length);
  const isTooLittle = (more: number): boolean => {
    const squares = cells.map(({ square, own: { variance, degrees } }) =>
      Math.min(normalSquare(square / widened(variance, more), degrees), MOST_SQUARE),
    );
    return mean(squares) > wanted;
  };
  if (!isTooLittle(0)) return 0;
  let [low, high] = [0, 1];
  while (isTooLittle(high)) high *= 2;
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (isTooLittle(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** The square of the normal value that is as improbable as this square of Student's t (Abramowitz and Stegun 26.7.8). */
function normalSquare(square: number, degrees: number): number {
  return (square * (1 - 1 / (4 * degrees)) ** 2) / (1 + square / (2 * degrees));
}

/** Leaves less than 10^-15 of where it began. */
const BISECTIONS = 50;

/**
 * With half as many degrees again as its own at most: what is estimated from other cells may make a cell little surer. In
 * simulated runs of three processes 6 % had a false difference without a limit.
 */
function withMore(own: Variance, more: Variance): Variance {
  const sum = summedVariance([own, more]);
  return { ...sum, degrees: Math.min(sum.degrees, 1.5 * own.degrees) };
}

/**
 * The variance of the median of normal values with these variances: of n, n / (2 Σ f)² with the densities f in their
 * middle, which for equal ones is the known pi / 2 times that of the mean. NaN for none.
 */
function varianceOfMedian(variances: readonly Known[]): number {
  const known = variances.filter((one) => one !== null);
  const densities = known.reduce((sum, { variance }) => sum + 1 / Math.sqrt(2 * Math.PI * variance), 0);
  return known.length / (2 * densities) ** 2;
}

function sumOf(parts: readonly Known[]): Known {
  const known = parts.filter((part) => part !== null);
  return known.length < parts.length ? null : summedVariance(known);
}

function scaled<V extends Known>(variance: V, factor: number): V {
  return variance === null ? variance : { ...variance, variance: variance.variance * factor };
}
