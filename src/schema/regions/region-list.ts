import { defined } from "../../model/defined.ts";
import { DecodeError } from "../../model/errors.ts";
import type { DefaultValue, Place, RegionBit, RegionRole } from "../../model/region.ts";
import { type Anatomy, type Held, heldValue, RegionColumns, RegionTable } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";

/** A region while a message is read; negative for one without bytes, of which nothing is kept. */
export type RegionId = number;

const NONE: RegionId = -1;

/** Zero bytes up to which a gap is padding: most formats align to 16 at the most. */
const MOST_PADDING = 15;

/** Bytes from `start` up to `end`. */
interface Section {
  readonly start: number;
  end: number;
}

/** Most defaults that are named: two bytes can be a message of a hundred fields. */
const MOST_DEFAULTS = 2 ** 20;

/** Collects the regions of a message in any order, and makes them tile it. */
export class RegionList {
  readonly bytes: Uint8Array;
  readonly #columns = new RegionColumns();
  #defaults: DefaultValue[] = [];
  /** Places whose leaves were replaced by what came later in the message. */
  readonly #replaced = new Set<Place>();
  readonly #mostPadding: number;
  /** Parts in which all that is zero and not named is padding. */
  readonly #sections: Section[] = [];
  #problem: DecodeError | undefined;

  constructor(bytes: Uint8Array, mostPadding = MOST_PADDING) {
    this.bytes = bytes;
    this.#mostPadding = mostPadding;
  }

  /** The region that is added next. */
  get next(): RegionId {
    return this.#columns.length;
  }

  /** Adds the bytes from `offset` to `end`, if there are any. */
  add(
    role: RegionRole,
    offset: number,
    end: number,
    place: Place,
    type: string,
    value?: Held,
    isLeaf = false,
  ): RegionId {
    if (end <= offset) return NONE;
    const row = this.#columns.push(offset, end - offset, place, type, value);
    this.#columns.setRole(row, role, isLeaf);
    return row;
  }

  /** {@link add} for bytes that hold the value of their place. */
  leaf(role: RegionRole, offset: number, end: number, place: Place, type: string, value: Held): RegionId {
    return this.add(role, offset, end, place, type, value, true);
  }

  /** Adds a byte of which each bit is something. */
  bits(role: RegionRole, offset: number, place: Place, bits: readonly RegionBit[]): void {
    this.#columns.bits.set(this.add(role, offset, offset + 1, place, "bits"), bits);
  }

  /** Says that a region holds the value of its place. */
  mark(id: RegionId, value: Held): void {
    if (id === NONE) return;
    this.#columns.values[id] = value;
    this.#columns.setRole(id, this.#columns.role(id), true);
  }

  /** Says that a region's value counts no more, or is a key. */
  unmark(id: RegionId, role?: RegionRole): void {
    if (id === NONE) return;
    this.#columns.setRole(id, role ?? this.#columns.role(id), false);
  }

  /** What a region holds; undefined for one without bytes. */
  value(id: RegionId): Value | undefined {
    const { values, offsets, lengths } = this.#columns;
    return id === NONE ? undefined : heldValue(values[id], this.bytes, offsets[id]!, lengths[id]!);
  }

  /** Says to which place a region belongs, where that was not known. */
  move(id: RegionId, place: Place): void {
    if (id !== NONE) this.#columns.places[id] = place;
  }

  /** Says where an offset leads, and what for people it says. */
  point(id: RegionId, target: number, value?: Value, type?: string): void {
    this.#columns.setTarget(id, target);
    if (value !== undefined) this.#columns.values[id] = value;
    if (type !== undefined) this.#columns.types[id] = type;
  }

  /** Names a value that no bytes hold. */
  default(place: Place, value: Value): void {
    if (this.#defaults.length >= MOST_DEFAULTS)
      throw new DecodeError("regions", `more than ${MOST_DEFAULTS} values that are not written`, {
        code: "limit",
      });
    this.#defaults.push({ place, value });
  }

  /** Says that the zero bytes of a part are padding, however many, where nothing else is said of them. */
  section(start: number, end: number): void {
    if (end - start > this.#mostPadding) this.#sections.push({ start, end });
  }

  /** Says that what was read so far of a place counts no more. */
  replace(place: Place): void {
    this.#replaced.add(place);
  }

  /** Reads a part. Where that fails, what was read of it stays; the first problem is kept. Whether it was read whole. */
  attempt(read: () => void): boolean {
    try {
      read();
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#problem ??= error;
      return false;
    }
  }

  /**
   * All bytes: those that nothing was said of are padding where they are few and zero, else unknown. What follows the last that
   * could be read, where something could not, is unknown whatever it is.
   */
  finish(root: Place): Anatomy {
    if (this.#replaced.size > 0) this.#unmarkReplaced();
    const columns = this.#columns;
    const sections = joined(this.#sections);
    // At most a gap before each row, and one at the end.
    const order = new Uint32Array(2 * columns.length + 1);
    let count = 0;
    let end = 0;
    let place = root;
    for (const row of this.#sorted()) {
      const offset = columns.offsets[row]!;
      const late = offset + columns.lengths[row]! - end;
      if (offset > end) order[count++] = this.#gap(end, offset, place, sections);
      if (offset < end) this.#problem ??= overlap(offset);
      if (late <= 0) continue;
      if (offset < end) {
        columns.offsets[row] = end;
        columns.lengths[row] = late;
      }
      order[count++] = row;
      end += late;
      place = columns.places[row]!;
    }
    const { length } = this.bytes;
    if (end < length) {
      const isUnread = this.#problem !== undefined;
      order[count++] = isUnread ? this.#unknown(end, length, root) : this.#gap(end, length, root, sections);
    }
    const regions = new RegionTable(this.bytes, columns, order.subarray(0, count));
    return { regions, defaults: this.#defaults, ...defined({ problem: this.#problem }) };
  }

  /** Rows by their offset, the longest first of those at one. */
  #sorted(): Uint32Array {
    const { offsets, lengths, length } = this.#columns;
    const rows = new Uint32Array(length);
    for (let row = 0; row < length; row++) rows[row] = row;
    const compare = (a: number, b: number): number =>
      offsets[a]! - offsets[b]! || lengths[b]! - lengths[a]! || a - b;
    if (isSorted(offsets, length)) return rows;
    // By counting, as regions of one offset are few.
    const starts = new Uint32Array(this.bytes.length + 2);
    for (let row = 0; row < length; row++) starts[offsets[row]! + 1]!++;
    for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
    for (let row = 0; row < length; row++) rows[starts[offsets[row]!]!++] = row;
    for (let from = 0; from < rows.length; ) {
      let to = from + 1;
      while (to < rows.length && offsets[rows[to]!] === offsets[rows[from]!]) to++;
      if (to - from > 1) rows.subarray(from, to).sort(compare);
      from = to;
    }
    return rows;
  }

  #gap(offset: number, end: number, place: Place, sections: readonly Section[]): RegionId {
    const isPadding =
      (end - offset <= this.#mostPadding || isWithin(sections, offset, end)) &&
      this.bytes.subarray(offset, end).every((byte) => byte === 0);
    return isPadding ? this.add("padding", offset, end, place, "padding") : this.#unknown(offset, end, place);
  }

  #unknown(offset: number, end: number, place: Place): RegionId {
    return this.add("unknown", offset, end, place, "bytes");
  }

  #unmarkReplaced(): void {
    const known = new Map<Place, boolean>();
    const isReplaced = (place: Place): boolean => {
      const found = known.get(place);
      if (found !== undefined) return found;
      const is = this.#replaced.has(place) || (place.parent !== undefined && isReplaced(place.parent));
      known.set(place, is);
      return is;
    };
    const { length, places } = this.#columns;
    for (let row = 0; row < length; row++) if (isReplaced(places[row]!)) this.unmark(row);
    this.#defaults = this.#defaults.filter(({ place }) => !isReplaced(place));
  }
}

function overlap(offset: number): DecodeError {
  return new DecodeError("regions", "bytes that two parts of the message have", { offset });
}

/** Sections from front to back, those that touch as one. */
function joined(sections: Section[]): readonly Section[] {
  const found: Section[] = [];
  for (const { start, end } of sections.sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** Whether one section has all bytes from `offset` to `end`. */
function isWithin(sections: readonly Section[], offset: number, end: number): boolean {
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sections[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  const section = sections[low];
  return section !== undefined && section.start <= offset && end <= section.end;
}

/** Whether each row begins behind the one before. */
function isSorted(offsets: Uint32Array, length: number): boolean {
  for (let row = 1; row < length; row++) if (offsets[row - 1]! >= offsets[row]!) return false;
  return true;
}
