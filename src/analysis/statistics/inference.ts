/** What chance alone can do: intervals of rates, ranks, and many tests at once. */

/** The 97.5 % point of the normal distribution: what is beyond it, to both sides, has a probability of 5 %. */
export const NORMAL_975 = 1.959963985;

/**
 * 95 % confidence interval of a rate, as shares: the score interval (E. B. Wilson, "Probable Inference, the Law of
 * Succession, and Statistical Inference", 1927), which holds for few observations and for rates of 0 and 1 too.
 * @param count of `of` observations, which are more than none; neither need be whole where they are not independent
 */
export function wilsonInterval(count: number, of: number): [number, number] {
  const share = count / of;
  const scale = 1 + NORMAL_975 ** 2 / of;
  const middle = (share + NORMAL_975 ** 2 / (2 * of)) / scale;
  const half = (NORMAL_975 / scale) * Math.sqrt((share * (1 - share)) / of + NORMAL_975 ** 2 / (4 * of ** 2));
  // At the ends the two terms are equal, and their difference is not always 0.
  return [count === 0 ? 0 : middle - half, count === of ? 1 : middle + half];
}

/**
 * Whether the first figures are lower (-1) or higher (1) than the others, or neither (0) for certain: Wilcoxon's
 * rank test as Mann and Whitney have it, at 5 % and with a correction for continuity; of four and four, all have to be.
 */
export function rankOrder(ones: readonly number[], others: readonly number[]): -1 | 0 | 1 {
  const pairs = ones.length * others.length;
  const above = ones.flatMap((one) => others.map((other) => (Math.sign(one - other) + 1) / 2));
  const beyond = above.reduce((sum, count) => sum + count, 0) - pairs / 2;
  const deviation = Math.sqrt((pairs * (ones.length + others.length + 1)) / 12);
  return Math.abs(beyond) - 0.5 > NORMAL_975 * deviation ? (beyond > 0 ? 1 : -1) : 0;
}

/**
 * Probabilities adjusted for how many there are, in the order given: rejecting those below 5 % rejects any true
 * hypothesis in at most 5 % of families, whatever the tests have in common (Holm, "A simple sequentially rejective
 * multiple test procedure", 1979). None is adjusted beyond 1.
 */
export function holm(probabilities: readonly number[]): number[] {
  const order = probabilities.map((_, i) => i).sort((a, b) => probabilities[a]! - probabilities[b]!);
  const adjusted = new Array<number>(probabilities.length).fill(0);
  let greatest = 0;
  order.forEach((at, rank) => {
    greatest = Math.max(greatest, Math.min((probabilities.length - rank) * probabilities[at]!, 1));
    adjusted[at] = greatest;
  });
  return adjusted;
}

/** The tests of a family, adjusted for how many there are. */
export interface Family<Test> {
  /** Holm's probabilities of the tests that have one. */
  readonly adjusted: ReadonlyMap<Test, number>;
  /** The level that Holm asks of the next one, after those that are rejected. */
  readonly level: number;
}

/** Adjusts the tests of a family by {@link holm}; one whose probability is not known is none of it. */
export function familyOf<Test>(
  tests: readonly Test[],
  probabilityOf: (test: Test) => number | null,
  level: number,
): Family<Test> {
  const known = tests.flatMap((test) => {
    const p = probabilityOf(test);
    return p === null ? [] : [{ test, p }];
  });
  const probabilities = holm(known.map(({ p }) => p));
  const rejected = probabilities.filter((p) => p < level).length;
  return {
    adjusted: new Map(known.map(({ test }, i) => [test, probabilities[i]!])),
    level: level / Math.max(known.length - rejected, 1),
  };
}
