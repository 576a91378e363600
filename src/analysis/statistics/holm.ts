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
