/** The gamma function's logarithm and its derivatives, for positive arguments. */

/** From where the asymptotic series with these terms are good to about 10^-13. */
const ASYMPTOTIC_FROM = 10;

/** Of ln Γ: Stirling's, DLMF 5.11.1. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];

/** Of ψ: DLMF 5.11.2. */
const DIGAMMA = [-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132];

/** Of ψ′: DLMF 5.15.8. */
const TRIGAMMA = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66];

/** Halvings after which an interval within a factor of two is as narrow as a double can say. */
const HALVINGS = 60;

/** ln Γ. */
export function logGamma(value: number): number {
  let x = value;
  let product = 1;
  for (; x < ASYMPTOTIC_FROM; x += 1) product *= x;
  return (
    (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series(STIRLING, x) / x - Math.log(product)
  );
}

/** ψ, the first derivative of ln Γ. */
export function digamma(value: number): number {
  let x = value;
  let sum = 0;
  for (; x < ASYMPTOTIC_FROM; x += 1) sum += 1 / x;
  return Math.log(x) - 1 / (2 * x) + series(DIGAMMA, x) / (x * x) - sum;
}

/** ψ′, the second derivative of ln Γ: the variance of the logarithm of a gamma variable of this shape. */
export function trigamma(value: number): number {
  let x = value;
  let sum = 0;
  for (; x < ASYMPTOTIC_FROM; x += 1) sum += 1 / (x * x);
  return 1 / x + 1 / (2 * x * x) + series(TRIGAMMA, x) / x ** 3 + sum;
}

/** The positive number whose {@link trigamma} is `value`, by halving: 1/x + 1/(2x²) < ψ′(x) < 1/x + 1/x². */
export function trigammaInverse(value: number): number {
  let low = (1 + Math.sqrt(1 + 2 * value)) / (2 * value);
  let high = (1 + Math.sqrt(1 + 4 * value)) / (2 * value);
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = low + (high - low) / 2;
    if (trigamma(middle) > value) low = middle;
    else high = middle;
  }
  return high;
}

/** A polynomial in 1/x², lowest power first. */
function series(terms: readonly number[], x: number): number {
  let sum = 0;
  for (let k = terms.length - 1; k >= 0; k--) sum = sum / (x * x) + terms[k]!;
  return sum;
}
