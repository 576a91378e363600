import type { Place } from "../../model/region.ts";
import type { Value } from "../../model/value.ts";
import type { RegionId, RegionList } from "./region-list.ts";

/** A value that stands in the message. */
interface Met {
  readonly place: Place;
  readonly at: number;
  /** The region that has it, of one without others in it. */
  held?: RegionId;
  value: Value | undefined;
  /** What a reference says where it has no value to show. */
  where?: string;
}

/** Values that stand once in a message and are named elsewhere, by their numbers. */
export class SharedValues {
  readonly #list: RegionList;
  readonly #met = new Map<number, Met>();

  constructor(list: RegionList) {
    this.#list = list;
  }

  /** How many there are. */
  get size(): number {
    return this.#met.size;
  }

  has(number: number): boolean {
    return this.#met.has(number);
  }

  /**
   * @param at the byte that it begins with
   * @param value where references are to show it, and no region has it
   */
  meet(number: number, place: Place, at: number, value?: Value): void {
    this.#met.set(number, { place, at, value });
  }

  /** {@link meet} where values are counted, from 0 on. */
  meetNext(place: Place, at: number, value?: Value): void {
    this.meet(this.size, place, at, value);
  }

  /** Says which region has the value, of one without others in it. */
  hold(number: number, id: RegionId): void {
    const met = this.#met.get(number);
    if (met !== undefined) met.held = id;
  }

  /** Says of a region that it names a value that was met. Returns false where there is none of this number. */
  refer(id: RegionId, number: number): boolean {
    const met = this.#met.get(number);
    if (met === undefined) return false;
    const { held, place, at } = met;
    if (held !== undefined) met.value ??= this.#list.value(held);
    if (met.value === undefined) met.where ??= `shared with ${place.path || "the root"}`;
    this.#list.point(id, at, met.value ?? met.where);
    if (met.value !== undefined) this.#list.mark(id, met.value);
    return true;
  }
}
