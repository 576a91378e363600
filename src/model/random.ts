/**
 * A seeded generator of numbers in [0, 1): the same sequence on every machine. Marsaglia's xorshift32
 * ("Xorshift RNGs", 2003, the triple 13, 17, 5): enough to shuffle and to make test data.
 */
export function seededRandom(seed: number): () => number {
  // Neighbouring seeds are spread apart first (Knuth's multiplicative hash); zero is the one fixed point.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
  for (let i = 0; i < 8; i++) next();
  return next;
}

/** A new array in random order (Fisher and Yates, in Durstenfeld's form). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}
