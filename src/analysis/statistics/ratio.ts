import { seededRandom } from "../../model/random.ts";
import { bootstrapLocation, LEVELS, stretchLevels } from "./bootstrap.ts";
import { median } from "./location.ts";
import { moderated, type Variance } from "./moderation.ts";
import { studentPoint, studentTails } from "./student.ts";

/** One process: the block that it ran in, and the means of its stretches in nanoseconds, without the loop. */
export interface Replicate {
  readonly block: number;
  readonly stretches: readonly number[];
}

/** How an estimate is made. The same seed gives the same estimate. */
export interface RatioOptions {
  readonly resamples?: number;
  readonly seed?: number;
}

/** A ratio of two times, and how sure it is. All but the ratio are null where it cannot be known. */
export interface RatioEstimate {
  /** Not finite, or NaN, where there are no two processes to compare or one of the times is 0. */
  readonly ratio: number;
  readonly ci95: readonly [number, number] | null;
  /** Of the ratio's logarithm. */
  readonly standardError: number | null;
  /** Two-sided probability of a ratio so far from 1 where there is no difference. */
  readonly p: number | null;
  /** See {@link detectableShare}: at the level of 5 %, of this comparison alone. */
  readonly detectable: number | null;
  /** Degrees of freedom of the t distribution that the interval and p are taken from. */
  readonly degrees: number | null;
}

const RESAMPLES = 2000;

/** Level of tests, and the share of true differences that is meant by detectable. */
const LEVEL = 0.05;
const POWER = 0.8;

/**
 * The time of `subject` as a multiple of the time of `baseline`, from the blocks that both have: Huber's location of the
 * differences of logarithms between any two of their processes in one block. The differences between equal ones are
 * symmetric, whatever their processes are distributed like; those to a mean of several would not be. The bootstrap is
 * hierarchical, over blocks and, within a process, its stretches. The interval and p are Student's with one degree of
 * freedom less than there are blocks, on the bootstrap's standard error: percentiles of a bootstrap of eight blocks are
 * too narrow, and cannot be as small as many comparisons need. So the tail beyond a few standard errors is assumed, not
 * seen. Of simulated processes, normal, with a tenth of them 20 % slow, and with t distributed logarithms, the interval
 * holds the truth in 94 to 99 % for 3, 8 and 16 blocks.
 */
export function pairedRatio(
  subject: readonly Replicate[],
  baseline: readonly Replicate[],
  options: RatioOptions = {},
): RatioEstimate {
  const others = byBlock(baseline);
  const blocks = [...byBlock(subject)].flatMap(([block, own]) => {
    const pairs = own.flatMap((of) => (others.get(block) ?? []).map((to) => ({ of, to })));
    return pairs.length === 0 ? [] : [pairs];
  });
  // A block that lacks a process has some pairs twice, so that all blocks count alike.
  const most = Math.max(0, ...blocks.map((pairs) => pairs.length));
  const filled = blocks.map((pairs) => Array.from({ length: most }, (_, k) => pairs[k % pairs.length]!));
  const logs = filled.flatMap((pairs) => pairs.map(({ of, to }) => timeLog(of) - timeLog(to)));
  if (blocks.length < 2 || !filled.flat().every(({ of, to }) => isPositive(of) && isPositive(to)))
    return estimateOf({ log: median(logs), variance: null });

  const levels = new Map([...subject, ...baseline].map((replicate) => [replicate, logLevels(replicate)]));
  const inner = new Float64Array(logs.length * LEVELS * LEVELS);
  let next = 0;
  for (const pairs of filled) {
    const [above, below] = [pairs.map(({ of }) => levels.get(of)!), pairs.map(({ to }) => levels.get(to)!)];
    for (let i = 0; i < LEVELS; i++)
      for (let j = 0; j < LEVELS; j++)
        for (let k = 0; k < most; k++)
          inner[next++] = above[k]![i]! - below[k]![(j * STRIDES[k % STRIDES.length]!) % LEVELS]!;
  }
  return estimateOf(bootstrapped(logs, inner, blocks.length, options));
}

/** The location of logarithms as many of which are independent as there are units: see {@link bootstrapLocation}. */
function bootstrapped(
  logs: readonly number[],
  inner: Float64Array,
  units: number,
  { seed = 1, resamples = RESAMPLES }: RatioOptions,
): LogEstimate {
  const random = seededRandom(seed);
  const { location, variance, least } = bootstrapLocation(logs, inner, random, resamples, units);
  return { log: location, variance: { variance: Math.max(variance, least), degrees: units - 1 } };
}

/**
 * The levels of several processes are put together as the points of a lattice (Korobov, 1959): each level of one beside
 * another of the next. As they come, all would be low at once. Odd, so that their multiples go through all levels.
 */
const STRIDES = [1, 5, 9, 13];

function byBlock(replicates: readonly Replicate[]): Map<number, Replicate[]> {
  const blocks = new Map<number, Replicate[]>();
  for (const replicate of replicates) {
    const { block } = replicate;
    blocks.set(block, [...(blocks.get(block) ?? []), replicate]);
  }
  return blocks;
}

/**
 * Paired ratios, in the order given, whose variances are {@link moderated}: as those of one process of each, since
 * they may be of different numbers of blocks. They must be of alike comparisons, as all codecs to one baseline are.
 */
export function moderatedRatios(estimates: readonly RatioEstimate[]): RatioEstimate[] {
  const variances = moderated(
    estimates.map(({ standardError, degrees }) =>
      standardError === null || degrees === null
        ? { variance: Number.NaN, degrees: 0 }
        : { variance: standardError ** 2 * (degrees + 1), degrees },
    ),
  );
  return estimates.map((one, i) => {
    if (one.degrees === null) return one;
    const { variance, degrees } = variances[i]!;
    return estimateOf({
      log: Math.log(one.ratio),
      variance: { variance: variance / (one.degrees + 1), degrees },
    });
  });
}

/** The logarithm of a time, or of a ratio of times, and how sure it is; the variance is null where it cannot be known. */
export interface LogEstimate {
  readonly log: number;
  readonly variance: Variance | null;
}

/**
 * Huber's location of the logarithms of the processes' times, bootstrapped by itself as in {@link pairedRatio}, for
 * times that were not measured together. Without two processes, or where one took no time, it is the median alone.
 */
export function logTime(replicates: readonly Replicate[], options: RatioOptions = {}): LogEstimate {
  const logs = replicates.map(timeLog);
  if (replicates.length < 2 || !replicates.every(isPositive)) return { log: median(logs), variance: null };
  const inner = new Float64Array(replicates.length * LEVELS);
  for (const [i, replicate] of replicates.entries()) inner.set(logLevels(replicate), i * LEVELS);
  return bootstrapped(logs, inner, replicates.length, options);
}

/** The ratio of two times that were not measured together, by {@link logTime}. */
export function unpairedRatio(
  subject: readonly Replicate[],
  baseline: readonly Replicate[],
  options: RatioOptions = {},
): RatioEstimate {
  const [of, to] = [logTime(subject, options), logTime(baseline, options)];
  const known = of.variance !== null && to.variance !== null;
  const variance = known ? summedVariance([of.variance, to.variance]) : null;
  return estimateOf({ log: of.log - to.log, variance });
}

/**
 * The variance of a sum of independent parts, with the degrees of freedom of Satterthwaite ("An approximate distribution
 * of estimates of variance components", 1946), which for two of them are Welch's.
 */
export function summedVariance(parts: readonly Variance[]): Variance {
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  const weights = parts.reduce((sum, part) => sum + part.variance ** 2 / part.degrees, 0);
  const all = parts.reduce((sum, { degrees }) => sum + degrees, 0);
  return { variance, degrees: weights > 0 ? variance ** 2 / weights : all };
}

/**
 * The least true difference, as a share, that is found four times in five: by a test at this two-sided level, which
 * also asks that what is measured differs by more than `gate`. As usual, the distribution of t where there is a
 * difference is taken to be moved and otherwise the same.
 */
export function detectableShare(standardError: number, degrees: number, level = LEVEL, gate = 0): number {
  const above = Math.max(studentPoint(level, degrees) * standardError, Math.log1p(gate));
  return Math.expm1(above + studentPoint(2 * (1 - POWER), degrees) * standardError);
}

/** What a logarithm of a ratio says, by Student's t: of this comparison alone. */
export function estimateOf({ log, variance: known }: LogEstimate): RatioEstimate {
  if (known === null) return { ...UNKNOWN, ratio: Math.exp(log) };
  const { variance, degrees } = known;
  const standardError = Math.sqrt(variance);
  const half = studentPoint(LEVEL, degrees) * standardError;
  return {
    ratio: Math.exp(log),
    ci95: [Math.exp(log - half), Math.exp(log + half)],
    standardError,
    p: log === 0 ? 1 : studentTails(log / standardError, degrees),
    detectable: detectableShare(standardError, degrees),
    degrees,
  };
}

/** Nothing but a ratio is known. */
const UNKNOWN = { ci95: null, standardError: null, p: null, detectable: null, degrees: null } as const;

function timeLog(replicate: Replicate): number {
  return Math.log(median(replicate.stretches));
}

function isPositive({ stretches }: Replicate): boolean {
  return stretches.length > 0 && stretches.every((time) => time > 0 && Number.isFinite(time));
}

function logLevels(replicate: Replicate): Float64Array {
  return stretchLevels(replicate.stretches.map(Math.log));
}
