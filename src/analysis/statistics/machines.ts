/** One ratio on several machines: what they have in common, and whether they contradict each other. */
import { seededRandom } from "../../model/random.ts";
import { mean, quantile } from "./location.ts";
import { detectableShare, type RatioEstimate } from "./ratio.ts";
import { fisherTail, studentPoint, studentTails } from "./student.ts";

/** A ratio of two times on several machines. */
export interface MachinesRatio extends RatioEstimate {
  /** The ratio on each machine. */
  readonly ratios: readonly number[];
  /** Probability of ratios so far apart by chance, where all machines have one; null where it cannot be known. */
  readonly differ: number | null;
}

/** Values at which the distribution of a machine's estimate is taken, equally likely. */
const LEVELS = 32;

const RESAMPLES = 1000;
const LEVEL = 0.05;

/** Half of the usual: at 5 %, 6 % of simulated records of five machines had a cell in which equal ones disagreed. */
const DISAGREE = 0.025;

/**
 * A ratio from its estimates on several machines, each of which counts as much as any other, however many blocks it has:
 * the geometric mean of theirs. The machines are the strata, and not a sample of all there are: p is of their mean being 1,
 * by Student's t with the degrees of freedom of Welch and Satterthwaite. With two machines drawn at random nothing could be
 * said of any ratio. The interval is from a bootstrap whose top level is the machine: machines are drawn, and of each what
 * the bootstrap of its own blocks leaves open. So it spans the machines where they differ.
 *
 * `differ` is Welch's test of several means ("On the comparison of several mean values: an alternative approach", 1951):
 * Cochran's Q for variances that are estimated from few blocks. Where it is below 5 % and the ratios lie on both sides of 1,
 * the mean says nothing of any machine: p is 1 then. One block alone has no variance; it borrows that of the others.
 */
export function machinesRatio(estimates: readonly RatioEstimate[]): MachinesRatio {
  const ratios = estimates.map(({ ratio }) => ratio);
  const logs = ratios.map(Math.log);
  const location = mean(logs);
  const own = certainties(estimates);
  if (own === undefined || !logs.every(Number.isFinite)) {
    const unknown = { ci95: null, standardError: null, p: null, detectable: null, degrees: null };
    return { ratio: Math.exp(location), ...unknown, ratios, differ: null };
  }
  const sum = own.reduce((total, { variance }) => total + variance, 0);
  const standardError = Math.sqrt(sum) / own.length;
  const degrees =
    sum === 0
      ? own.length
      : sum ** 2 / own.reduce((total, one) => total + one.variance ** 2 / one.degrees, 0);
  const differ = welchTest(logs, own);
  const contradict = differ < LEVEL && Math.min(...logs) < 0 && Math.max(...logs) > 0;
  return {
    ratio: Math.exp(location),
    ci95: drawnInterval(logs, own),
    standardError,
    p: contradict || location === 0 ? 1 : studentTails(location / standardError, degrees),
    detectable: detectableShare(standardError, degrees),
    degrees,
    ratios,
    differ,
  };
}

/**
 * Whether machines contradict each other: their ratios differ beyond chance and by more than the gate, and do not all lie
 * beyond the gate on one side. Where they do, one has more of an advantage than another, and all have it.
 * @param differ the probability, adjusted for how many are looked at
 */
export function machinesContradict(
  estimate: RatioEstimate | MachinesRatio,
  differ: number | null,
  gate: number,
): boolean {
  if (!isOfMachines(estimate)) return false;
  const { ratios } = estimate;
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const alike = least > 1 + gate || most < 1 / (1 + gate);
  return differ !== null && differ < DISAGREE && most / least > 1 + gate && !alike;
}

/** Whether a ratio is one of several machines. */
export function isOfMachines(estimate: RatioEstimate | MachinesRatio): estimate is MachinesRatio {
  return "ratios" in estimate;
}

/** The variance of a machine's logarithm, and its degrees of freedom. */
interface Certainty {
  readonly variance: number;
  readonly degrees: number;
}

/** Undefined where none has a variance. */
function certainties(estimates: readonly RatioEstimate[]): Certainty[] | undefined {
  const known = estimates.flatMap(({ standardError, degrees }) =>
    standardError === null || degrees === null ? [] : [{ variance: standardError ** 2, degrees }],
  );
  const all = known.reduce((total, { degrees }) => total + degrees, 0);
  if (all === 0) return undefined;
  // Of one block: there are as many as degrees, and one more.
  const ofOne = known.reduce((total, one) => total + one.variance * (one.degrees + 1) * one.degrees, 0) / all;
  return estimates.map(({ standardError, degrees }) =>
    standardError === null || degrees === null
      ? { variance: ofOne, degrees: all }
      : { variance: standardError ** 2, degrees },
  );
}

/** Probability, where all machines have one mean, of means so far apart. */
function welchTest(logs: readonly number[], own: readonly Certainty[]): number {
  const count = logs.length;
  const weights = own.map(({ variance }) => 1 / variance);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (!Number.isFinite(sum)) return logs.every((log) => log === logs[0]) ? 1 : 0;
  const location = logs.reduce((total, log, i) => total + weights[i]! * log, 0) / sum;
  const between =
    logs.reduce((total, log, i) => total + weights[i]! * (log - location) ** 2, 0) / (count - 1);
  const unsure = own.reduce((total, { degrees }, i) => total + (1 - weights[i]! / sum) ** 2 / degrees, 0);
  const f = between / (1 + (2 * (count - 2) * unsure) / (count ** 2 - 1));
  return fisherTail(f, count - 1, (count ** 2 - 1) / (3 * unsure));
}

/** The 95 % interval of the mean of as many machines, drawn with replacement. */
function drawnInterval(logs: readonly number[], own: readonly Certainty[]): [number, number] {
  const values = own.flatMap(({ variance, degrees }, machine) =>
    Array.from({ length: LEVELS / 2 }, (_, i) => studentPoint((2 * i + 1) / LEVELS, degrees)).flatMap(
      (point) => [-point, point].map((t) => logs[machine]! + t * Math.sqrt(variance)),
    ),
  );
  const random = seededRandom(1);
  const means = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < logs.length; i++) sum += values[Math.floor(random() * values.length)]!;
    return sum / logs.length;
  }).sort();
  return [Math.exp(quantile(means, LEVEL / 2)), Math.exp(quantile(means, 1 - LEVEL / 2))];
}
