import type { Place } from "../../model/region.ts";
import type { Value } from "../../model/value.ts";
import type { RegionId, RegionList } from "./region-list.ts";

/** Values that stand once in a text and are named elsewhere, by their numbers. */
export class SharedValues {
  readonly #list: RegionList;
  readonly #met = new Map<
    number,
    { readonly place: Place; readonly at: number; held?: RegionId; value: Value | undefined }
  >();

  constructor(list: RegionList) {
    this.#list = list;
  }

  has(number: number): boolean {
    return this.#met.has(number);
  }

  /** @param at the byte that it begins with */
  meet(number: number, place: Place, at: number): void {
    this.#met.set(number, { place, at, value: undefined });
  }

  /** Says which region has the value, of one without others in it. */
  hold(number: number, id: RegionId): void {
    const met = this.#met.get(number);
    if (met !== undefined) met.held = id;
  }

  /** Says of a region that it names a value that was met. */
  refer(id: RegionId, number: number): void {
    const met = this.#met.get(number);
    if (met === undefined) return;
    const { held, place, at } = met;
    met.value ??= held === undefined ? `shared with ${place.path || "the root"}` : this.#list.value(held);
    this.#list.point(id, at, met.value);
    if (held !== undefined && met.value !== undefined) this.#list.mark(id, met.value);
  }
}
