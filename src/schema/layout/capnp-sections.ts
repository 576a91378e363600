/** Bits that one field takes in a data section. */
export type DataBits = 1 | 8 | 16 | 32 | 64;

/**
 * The two sections of a struct while its fields are placed, in the order of their ordinals, where the Cap'n
 * Proto compiler places them (what `capnp compile -ocapnp` prints, 0.9.2): a field goes to the low end of the
 * smallest hole that holds it, and to a new word where there is none.
 */
export class Sections {
  dataWords = 0;
  pointers = 0;
  /** First bit of the hole of each size. Only a size without a hole is ever split off, so there is one at most. */
  readonly #holes = new Map<number, number>();

  /** Places a field in the data section and returns its first bit. */
  placeData(bits: DataBits): number {
    let size: number = bits;
    while (size < 64 && !this.#holes.has(size)) size *= 2;
    const start = this.#holes.get(size) ?? 64 * this.dataWords++;
    this.#holes.delete(size);
    for (let half = size / 2; half >= bits; half /= 2) this.#holes.set(half, start + half);
    return start;
  }

  /** Places a field in the pointer section and returns its index. */
  placePointer(): number {
    return this.pointers++;
  }
}
