/** What a pickle has put into its memo. Indexes that leave gaps are kept in a Map: none makes anything large. */
export class UnpickleMemo {
  #values: unknown[] = [];
  /** For each text, its slot of the cache, or -1. */
  #slots: number[] = [];
  #size = 0;
  #hasGaps = false;
  readonly #sparse = new Map<number, unknown>();

  /** Puts a value at the next index, as MEMOIZE does. */
  add(value: unknown, slot: number): void {
    if (this.#hasGaps) {
      this.set(this.#size + this.#sparse.size, value, slot);
      return;
    }
    this.#values[this.#size] = value;
    this.#slots[this.#size++] = slot;
  }

  set(index: number, value: unknown, slot: number): void {
    if (index <= this.#size) {
      this.#values[index] = value;
      this.#slots[index] = slot;
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

  /** The slot that was noted with the value at an index. */
  slotOf(index: number): number {
    return index < this.#size ? this.#slots[index]! : -1;
  }

  /** Forgets every value. */
  clear(): void {
    this.#values = [];
    this.#slots = [];
    this.#size = 0;
    if (!this.#hasGaps) return;
    this.#sparse.clear();
    this.#hasGaps = false;
  }
}
