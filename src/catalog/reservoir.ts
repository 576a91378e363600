import { seededRandom } from "../model/random.ts";

/**
 * Keeps a sample of many items as they come, spread over all of them: each is kept with the same probability (Vitter,
 * "Random Sampling with a Reservoir", 1985, algorithm R). Equal seeds keep the same items of equal lists.
 */
export class Reservoir<Item> {
  readonly #random: () => number;
  #most: number;
  #kept: { readonly index: number; readonly item: Item }[] = [];
  #met = 0;

  /** @param most how many are kept; all for Infinity, until {@link limit} is called */
  constructor(most: number, seed: number) {
    this.#most = most;
    this.#random = seededRandom(seed);
  }

  /** How many items came. */
  get met(): number {
    return this.#met;
  }

  /** @param make called where the item is kept, for now */
  add(make: () => Item): void {
    const index = this.#met++;
    const place = index < this.#most ? index : Math.floor(this.#random() * (index + 1));
    if (place < this.#most) this.#kept[place] = { index, item: make() };
  }

  /** From here on keeps no more than so many, of those that came before too. @param copy called for each of these */
  limit(most: number, copy: (item: Item) => Item): void {
    if (most >= this.#most) return;
    const all = this.#kept;
    this.#most = most;
    this.#kept = [];
    this.#met = 0;
    for (const { item } of all) this.add(() => copy(item));
  }

  /** What was kept, in the order in which it came. */
  items(): Item[] {
    return this.#kept.sort((a, b) => a.index - b.index).map(({ item }) => item);
  }
}
