/** Student's t distribution and Fisher's F, with any positive numbers of degrees of freedom. */
import { logGamma } from "./gamma.ts";

/** Where approximations end: a good deal finer than anything that is shown. */
const PRECISION = 1e-12;
const TINY = 1e-300;
const ROUNDS = 200;

/** Probability of a value at least so far from 0, to both sides: 1 at 0. */
export function studentTails(t: number, degrees: number): number {
  if (t === 0) return 1;
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0;
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The value beyond which, to both sides together, lies the share `tails` of the distribution; `tails` in (0, 1]. */
export function studentPoint(tails: number, degrees: number): number {
  const scale = logGamma((degrees + 1) / 2) - logGamma(degrees / 2) - 0.5 * Math.log(degrees * Math.PI);
  let point = 0;
  // The tails are convex from 0 on: Newton's steps go up to the point and never beyond it.
  for (let round = 0; round < ROUNDS; round++) {
    const density = Math.exp(scale - ((degrees + 1) / 2) * Math.log1p((point * point) / degrees));
    const step = (studentTails(point, degrees) - tails) / (2 * density);
    point += step;
    if (!(Math.abs(step) > PRECISION * point)) break;
  }
  return point;
}

/** Probability of an F at least so large, with these degrees of freedom above and below. */
export function fisherTail(f: number, above: number, below: number): number {
  if (Number.isNaN(f)) return Number.NaN;
  return incompleteBeta(below / (below + above * f), below / 2, above / 2);
}

/** I_x(a, b), by the fraction that converges fast for this x. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), by the modified method of Lentz. */
function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= ROUNDS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return fraction;
}
