/**
 * Counts the pairs of values, a step apart each, between which the slope is below another: such a pair stands in the
 * wrong order once that slope is taken off, and merging counts these in O(n log n).
 */
export class InversionCounter {
  readonly #values: Float64Array;
  #from: Float64Array;
  #to: Float64Array;

  constructor(values: Float64Array) {
    this.#values = values;
    this.#from = new Float64Array(values.length);
    this.#to = new Float64Array(values.length);
  }

  /** Pairs with a slope below `slope`. */
  below(slope: number): number {
    return this.#count(slope, true);
  }

  /** Pairs with a slope of `slope` or below. */
  atMost(slope: number): number {
    return this.#count(slope, false);
  }

  #count(slope: number, strictly: boolean): number {
    const n = this.#values.length;
    for (let i = 0; i < n; i++) this.#from[i] = this.#values[i]! - slope * i;
    let inversions = 0;
    for (let run = 1; run < n; run *= 2) {
      for (let start = 0; start < n; start += 2 * run)
        inversions += this.#merge(start, Math.min(start + run, n), Math.min(start + 2 * run, n), strictly);
      [this.#from, this.#to] = [this.#to, this.#from];
    }
    return inversions;
  }

  /** Merges two sorted runs, and counts the pairs between them in which the later value is less, or no more. */
  #merge(start: number, middle: number, end: number, strictly: boolean): number {
    const from = this.#from;
    const to = this.#to;
    let left = start;
    let right = middle;
    let inversions = 0;
    for (let at = start; at < end; at++) {
      const inverted =
        left === middle ||
        (right < end && (strictly ? from[right]! < from[left]! : from[right]! <= from[left]!));
      if (inverted) inversions += middle - left;
      to[at] = inverted ? from[right++]! : from[left++]!;
    }
    return inversions;
  }
}
