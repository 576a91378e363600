/** The 97.5 % point of the normal distribution. */
const Z = 1.959963985;

/**
 * 95 % confidence interval of a rate, as shares: the score interval (E. B. Wilson, "Probable Inference, the Law of
 * Succession, and Statistical Inference", 1927), which holds for few observations and for rates of 0 and 1 too.
 * @param count of `of` observations, of which there is at least one
 */
export function wilsonInterval(count: number, of: number): [number, number] {
  const share = count / of;
  const scale = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  // At the ends the two terms are equal, and their difference is not always 0.
  return [count === 0 ? 0 : middle - half, count === of ? 1 : middle + half];
}
