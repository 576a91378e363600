/**
 * The values that never fall and lie nearest to the given ones by least squares: neighbours in the wrong order are pooled
 * (Ayer, Brunk, Ewing, Reid and Silverman, "An empirical distribution function for sampling with incomplete
 * information", 1955).
 */
export function risingFit(values: readonly number[]): Float64Array {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (
      let last = pools.at(-1);
      last && last.sum / last.count > pool.sum / pool.count;
      last = pools.at(-1)
    ) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const fit = new Float64Array(values.length);
  let at = 0;
  for (const { sum, count } of pools) {
    fit.fill(sum / count, at, at + count);
    at += count;
  }
  return fit;
}
