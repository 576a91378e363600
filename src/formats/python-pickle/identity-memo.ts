/** Up to this many objects, to look through them is faster than a Map (measured on Node 20). */
const FEW = 48;

const NOTHING = {};

/** Which objects a pickle has already, and their memo indexes. */
export class IdentityMemo {
  /** Filled from the end, so that `indexOf` compares with those that are there only. */
  readonly #objects: object[] = Array.from({ length: FEW }, () => NOTHING);
  readonly #indexes = new Int32Array(FEW);
  readonly #rest = new Map<object, number>();
  /** Place of the latest object. */
  #first = FEW;

  /** Memo index of an object, or -1. */
  indexOf(object: object): number {
    if (this.#first === FEW) return -1;
    // A loop with === is slower: it asks what each of them is first.
    const place = this.#objects.indexOf(object, this.#first);
    if (place >= 0) return this.#indexes[place]!;
    return this.#rest.size === 0 ? -1 : (this.#rest.get(object) ?? -1);
  }

  set(object: object, index: number): void {
    if (this.#first === 0) {
      this.#rest.set(object, index);
      return;
    }
    const place = this.#first - 1;
    this.#objects[place] = object;
    this.#indexes[place] = index;
    this.#first = place;
  }

  /** Forgets every object. */
  clear(): void {
    for (let i = this.#first; i < FEW; i++) this.#objects[i] = NOTHING;
    this.#first = FEW;
    if (this.#rest.size > 0) this.#rest.clear();
  }
}
