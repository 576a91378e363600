import { huberLocation, huberWeight } from "./huber.ts";

/** Where a sample lies, and how sure that is. */
export interface BootstrapLocation {
  readonly location: number;
  /** Of the location, made whole for the small sample. */
  readonly variance: number;
}

/**
 * The location of `values` by {@link huberLocation}, and its variance by the fast and robust bootstrap (Salibián-Barrera
 * and Zamar, "Bootstrapping robust estimates of regression", 2002): each resample takes one weighted step from the
 * location, corrected to the length of a full one, so that a value that lies far out cannot decide a resample by being
 * drawn often. `inner` holds what each value might have been as well, equally many for each, all equally likely and in
 * the order of the values: to draw one of them all is to draw a value and then one within it, which makes the bootstrap
 * hierarchical. A bootstrap's variance is too small by (n - 1) / n (Hesterberg, "What teachers should know about the
 * bootstrap", 2015), which is made up for. There must be two values at least.
 */
export function bootstrapLocation(
  values: readonly number[],
  inner: Float64Array,
  random: () => number,
  resamples: number,
): BootstrapLocation {
  const { location, scale, correction } = huberLocation(values);
  const n = values.length;
  const total = inner.length;
  const weights = new Float64Array(total);
  const pulls = new Float64Array(total);
  for (let i = 0; i < total; i++) {
    const distance = inner[i]! - location;
    const weight = huberWeight(distance, scale);
    weights[i] = weight;
    pulls[i] = weight * distance;
  }
  let sum = 0;
  let squares = 0;
  for (let resample = 0; resample < resamples; resample++) {
    let weight = 0;
    let pull = 0;
    for (let i = 0; i < n; i += 2) {
      const place = random() * total;
      const drawn = place | 0;
      weight += weights[drawn]!;
      pull += pulls[drawn]!;
      if (i + 1 === n) break;
      // What is left of a random number below the point is as good as another one.
      const next = ((place - drawn) * total) | 0;
      weight += weights[next]!;
      pull += pulls[next]!;
    }
    const step = (correction * pull) / weight;
    sum += step;
    squares += step * step;
  }
  const spread = Math.max(squares / resamples - (sum / resamples) ** 2, 0);
  return { location, variance: (spread * n) / (n - 1) };
}
