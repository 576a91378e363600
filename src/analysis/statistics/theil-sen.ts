import { seededRandom } from "../../model/random.ts";

/** Up to so many values all slopes are made and sorted: half a million of them. */
const FEW = 1000;

/** Pairs that are drawn to find about where a slope lies, and how far around it is looked, in standard errors. */
const DRAWN = 50_000;
const ERRORS = 5;

/** How far bisection goes, as a share of the spread of the slopes: of the interval of a median, a 10^-7th or so. */
const PRECISION = 2 ** -30;

/**
 * The slopes between all pairs of values that stand a step apart, in order. Up to 1,000 values they are exact. Above,
 * where there can be 2 × 10^8, each is bisected with {@link InversionCounter} (Cole, Salowe, Steiger and Szemerédi,
 * "An optimal-time algorithm for slope selection", 1989) to a billionth of their spread. A draw with a fixed seed
 * says where to begin; it is checked, so that it decides the time and not the result.
 */
export class PairwiseSlopes {
  /** How many there are. */
  readonly count: number;
  readonly #at: (rank: number) => number;

  /** There must be two values at least. */
  constructor(values: Float64Array) {
    this.count = (values.length * (values.length - 1)) / 2;
    this.#at = values.length <= FEW ? sorted(values) : bisected(values);
  }

  /** The slope at a rank, counted from 0. */
  at(rank: number): number {
    // A slope of -0 is 0.
    return this.#at(rank) + 0;
  }

  /** The middle one, or the mean of the two middle ones. */
  median(): number {
    const low = this.at(Math.floor((this.count - 1) / 2));
    return this.count % 2 === 1 ? low : (low + this.at(this.count / 2)) / 2;
  }
}

function sorted(values: Float64Array): (rank: number) => number {
  const slopes = new Float64Array((values.length * (values.length - 1)) / 2);
  let next = 0;
  for (let j = 1; j < values.length; j++)
    for (let i = 0; i < j; i++) slopes[next++] = (values[j]! - values[i]!) / (j - i);
  slopes.sort();
  return (rank) => slopes[rank]!;
}

function bisected(values: Float64Array): (rank: number) => number {
  const n = values.length;
  const drawn = draw(values);
  const near = (position: number): number => drawn[Math.round(Math.min(Math.max(position, 0), DRAWN - 1))]!;
  // No slope is steeper than from the least value to the greatest in one step.
  const steepest = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  const spread = near(DRAWN * 0.75) - near(DRAWN * 0.25);
  const search: Search = {
    counter: new InversionCounter(values),
    steepest,
    width: Math.max(spread * PRECISION, steepest * Number.EPSILON),
  };
  return (rank) => {
    const share = rank / ((n * (n - 1)) / 2);
    const margin = ERRORS * Math.sqrt(share * (1 - share) * DRAWN) + 1;
    return select(search, rank, near(share * DRAWN - margin), near(share * DRAWN + margin));
  };
}

function draw(values: Float64Array): Float64Array {
  const random = seededRandom(1);
  const below = (count: number): number => Math.floor(random() * count);
  const slopes = new Float64Array(DRAWN);
  for (let k = 0; k < DRAWN; k++) {
    const i = below(values.length);
    const j = (i + 1 + below(values.length - 1)) % values.length;
    slopes[k] = (values[j]! - values[i]!) / (j - i);
  }
  return slopes.sort();
}

/** What does not change between ranks; `width` is how narrow an interval is the answer. */
interface Search {
  readonly counter: InversionCounter;
  readonly steepest: number;
  readonly width: number;
}

/** The least slope that has more than `rank` at or below it, which is likely to lie between `low` and `high`. */
function select(search: Search, rank: number, low: number, high: number): number {
  const { counter, steepest } = search;
  if (counter.atMost(low) > rank)
    return counter.below(low) <= rank ? low : bisect(search, rank, -steepest - 1, low);
  if (counter.atMost(high) <= rank) return bisect(search, rank, high, steepest);
  return counter.below(high) <= rank ? high : bisect(search, rank, low, high);
}

function bisect({ counter, width }: Search, rank: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (high - low > width) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (counter.atMost(middle) > rank) high = middle;
    else low = middle;
  }
  return high;
}

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
