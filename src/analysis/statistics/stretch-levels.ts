/** Into how many equally likely values the bootstrap distribution of a median is cut. */
export const LEVELS = 16;

/** By the number of stretches, for each level, which two of the sorted stretches it lies between. */
const known = new Map<number, readonly (readonly [number, number])[]>();

/**
 * What the median of the stretches becomes when as many of them are drawn with replacement: {@link LEVELS} equally
 * likely values, in order, on which a bootstrap draws instead of sorting. Of n stretches, the median of n drawn ones
 * is at most the k-th with the probability that more than half of n draws fall among the first k (Efron,
 * "Bootstrap methods: another look at the jackknife", 1979, section 3). Of an even number, the two middle ones are
 * taken to move together. NaN for no stretches.
 */
export function stretchLevels(stretches: readonly number[]): Float64Array {
  const sorted = new Float64Array(stretches).sort();
  const levels = new Float64Array(LEVELS);
  const ranks = ranksOf(sorted.length);
  for (let level = 0; level < LEVELS; level++) {
    const [low, high] = ranks[level] ?? [0, 0];
    levels[level] = ((sorted[low] ?? Number.NaN) + (sorted[high] ?? Number.NaN)) / 2;
  }
  return levels;
}

function ranksOf(count: number): readonly (readonly [number, number])[] {
  const ready = known.get(count);
  if (ready !== undefined) return ready;
  const low = Math.floor((count + 1) / 2);
  const high = Math.floor(count / 2) + 1;
  const ranks = Array.from({ length: LEVELS }, (_, level): [number, number] => {
    const share = (level + 0.5) / LEVELS;
    return [rankAt(count, low, share), rankAt(count, high, share)];
  });
  known.set(count, ranks);
  return ranks;
}

/** The least index that the `nth` smallest of `count` draws does not exceed with the probability `share`. */
function rankAt(count: number, nth: number, share: number): number {
  for (let index = 0; index < count - 1; index++)
    if (atLeast(count, nth, (index + 1) / count) >= share) return index;
  return Math.max(count - 1, 0);
}

/** Probability of at least `least` successes in `count` trials. */
function atLeast(count: number, least: number, probability: number): number {
  let term = (1 - probability) ** count;
  let below = 0;
  for (let successes = 0; successes < least; successes++) {
    below += term;
    term *= ((count - successes) / (successes + 1)) * (probability / (1 - probability));
  }
  return 1 - below;
}
