/** Labels of more values than this are not kept for the next pickle. */
const KEPT = 4096;

/** What a pickle has put into its memo. Indexes that leave gaps are kept in a Map: none makes anything large. */
export class UnpickleMemo {
  #values: unknown[] = [];
  /** For each text, its label of the cache; for each dict that was put here before it was filled, UNFILLED. */
  #labels: number[] = [];
  #size = 0;
  #hasGaps = false;
  readonly #sparse = new Map<number, unknown>();

  /** The next index, as MEMOIZE takes it. */
  get next(): number {
    return this.#size + this.#sparse.size;
  }

  /** Puts a value at the next index, and returns that; or -1 where labels are not kept. */
  add(value: unknown, label: number): number {
    if (this.#hasGaps) {
      this.set(this.next, value, label);
      return -1;
    }
    const index = this.#size++;
    this.#values[index] = value;
    this.#labels[index] = label;
    return index;
  }

  /** Puts a value in the place of another. Returns false where that is not at the index. */
  replace(index: number, old: unknown, value: unknown): boolean {
    if (this.get(index) !== old) return false;
    this.set(index, value, -1);
    return true;
  }

  set(index: number, value: unknown, label: number): void {
    if (index <= this.#size) {
      this.#values[index] = value;
      this.#labels[index] = label;
      if (index === this.#size) this.#size += 1;
    } else {
      this.#sparse.set(index, value);
      this.#hasGaps = true;
    }
  }

  /** The value at an index, or undefined where there is none. */
  get(index: number): unknown {
    return index < this.#size ? this.#values[index] : this.#sparse.get(index);
  }

  /** The label that was noted with the value at an index; -1 after a gap. */
  labelOf(index: number): number {
    return index < this.#size ? this.#labels[index]! : -1;
  }

  /** Forgets every value. */
  clear(): void {
    this.#values = [];
    if (this.#size > KEPT) this.#labels = [];
    this.#size = 0;
    if (!this.#hasGaps) return;
    this.#sparse.clear();
    this.#hasGaps = false;
  }
}
