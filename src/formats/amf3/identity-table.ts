/** Up to this many objects, a search through all is faster than a Map (measured on Node 20 with 29 objects). */
const FEW = 32;

/** Objects in the order in which they were met, and their places. */
export class IdentityTable {
  readonly #few: object[] = [];
  #places: Map<object, number> | undefined;

  /** The place of an object, or -1 for a new one, which has the next place then. */
  placeOf(object: object): number {
    if (this.#places !== undefined) return this.#placeOfMany(this.#places, object);
    const few = this.#few;
    for (let i = 0; i < few.length; i++) if (few[i] === object) return i;
    few.push(object);
    if (few.length === FEW) this.#places = new Map(few.map((one, i) => [one, i]));
    return -1;
  }

  #placeOfMany(places: Map<object, number>, object: object): number {
    const place = places.get(object);
    if (place !== undefined) return place;
    places.set(object, places.size);
    return -1;
  }
}
