/** Which times of processes a comparison goes by, and how sure that makes it. */
import type { MeasuredCell } from "../cells.ts";
import { fasterHalves, mean, median, stretchesOf } from "../statistics/location.ts";
import type { CellPair } from "./cells.ts";
import { type Basis, once, processesOf } from "./processes.ts";

/** Share of the deviation of means below which that of faster halves is less. */
const QUIETER = 0.9;

/** Cells, spread evenly, that are asked for it at most: to sort the batches of a thousand takes longer than to compare them. */
const TOLD_BY = 200;

/**
 * Which times of processes are compared: those that count all that happened in them, or, where these vary more from
 * process to process, the means of the faster half of their batches. What interrupts a process only ever adds time (Chen and
 * Revels, "Robust benchmarking in noisy environments", 2016), and on a busy machine it makes most of the difference
 * between processes. In twenty quick runs, half of them beside a busy loop, they deviate by 3.7 % in the middle cell, and
 * the faster halves by 1.9 %. What is left out is what happens in few batches, garbage collection too. It is chosen by
 * how much processes differ within each side, which knows nothing of the sides' difference.
 */
export function basisOf(pairs: readonly CellPair[]): Basis {
  const every = Math.ceil(pairs.length / TOLD_BY);
  const cells = pairs.filter((_, i) => i % every === 0).flatMap(({ base, head }) => [...base, ...head]);
  // NaN, which is below nothing, where no cell tells it.
  const deviation = (basis: Basis): number =>
    median(cells.map((cell) => deviationOf(cell, basis)).filter(Number.isFinite));
  return deviation(fasterHalves) < QUIETER * deviation(stretchesOf) ? fasterHalves : stretchesOf;
}

/** What a comparison says of it. */
export function shownBasis(basis: Basis): { readonly basis?: "faster-half" } {
  return basis === fasterHalves ? { basis: "faster-half" } : {};
}

/** Standard deviation of the logarithms of the processes' times; NaN for less than two. */
const deviationOf = once((cell, basis) => {
  const logs = logsOf(cell, basis);
  const middle = mean(logs);
  return Math.sqrt(logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1));
});

/** Squared contradictions up to so many times the middle one are noise: three of its standard deviations. */
const NOISE = 9;

/** Share of what is more that counts as variance: either may be wrong, and half of the distance is a standard error. */
const SHARE = 1 / 4;

/** From so many processes of each side on their fastest third tells a level. */
const TELLING = 8;

/**
 * What comes to the variances of log ratios because other times contradict those that are compared.
 *
 * Where faster halves are compared, whole processes may. Batches of v8's decode take 15 or 20 µs, and where about half of them are fast,
 * faster halves differ by 25 % between processes whose means differ by 4 %. Of 190 pairs of quick records of the same code,
 * 12.1 % had a false difference without this and 1.6 % with it, and a codec slower by 20 % was found in 59.5 and 57.2 %.
 *
 * The fastest third of the processes may, from {@link TELLING} on. V8 lands processes of protobufjs's encode at 5.2 or 6.3 µs, and
 * more of them at the upper one beside others: what is only another share of two levels leaves the fastest where they were. Of
 * 190 pairs of standard records 4.2 % had a false difference without this and 2.1 % with it, and a codec slower by
 * 10 % was found in 75.2 and 73.1 %.
 * @param cells each with the one that its ratio is to, where it is to another cell
 * @param logs of the ratios as compared, each without what all cells share
 */
export function contradictions(cells: readonly Judged[], logs: readonly number[], basis: Basis): number[] {
  const whole =
    basis === fasterHalves ? beyondNoise(cells, logs, (cell) => middleLog(cell, stretchesOf)) : [];
  const fastest = beyondNoise(cells, logs, (cell) => fastestLog(cell, basis));
  return cells.map((_, i) => (whole[i] ?? 0) + fastest[i]!);
}

/** A cell on both sides, and the baseline's cell that its times are multiples of. */
export interface Judged {
  readonly pair: CellPair;
  readonly to?: CellPair;
}

/**
 * By how much other times of the cells contradict their log ratios, as a variance.
 * @param timeOf the logarithm of such a time; NaN where it tells nothing
 */
function beyondNoise(
  cells: readonly Judged[],
  logs: readonly number[],
  timeOf: (cell: MeasuredCell) => number,
): number[] {
  const moved = ({ base, head }: CellPair): number => mean(head.map(timeOf)) - mean(base.map(timeOf));
  const apart = cells.map(({ pair, to }, i) => moved(pair) - (to === undefined ? 0 : moved(to)) - logs[i]!);
  const shared = median(apart.filter(Number.isFinite));
  const squares = apart.map((log) => (log - shared) ** 2);
  const noise = NOISE * median(squares.filter(Number.isFinite));
  return squares.map((square) => (square > noise && Number.isFinite(square) ? SHARE * (square - noise) : 0));
}

const middleLog = once((cell, basis) => median(logsOf(cell, basis)));

const fastestLog = once((cell, basis) => {
  const logs = logsOf(cell, basis).sort((a, b) => a - b);
  return logs.length < TELLING ? Number.NaN : mean(logs.slice(0, Math.ceil(logs.length / 3)));
});

/** Logarithms of the processes' times. */
function logsOf(cell: MeasuredCell, basis: Basis): number[] {
  return processesOf(cell, basis).map(({ stretches }) => Math.log(median(stretches)));
}
