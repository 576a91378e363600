import { defined } from "./defined.ts";
import type { DecodeError } from "./errors.ts";
import {
  type DefaultValue,
  type Place,
  REGION_ROLES,
  type Region,
  type RegionBit,
  type RegionRole,
} from "./region.ts";
import type { Value } from "./value.ts";

/** A value that is made of a region's bytes when it is asked for: their UTF-8, or the bytes themselves. */
export const TEXT = Symbol("text");
/** See {@link TEXT}. */
export const BYTES = Symbol("bytes");
/** See {@link TEXT}: their UTF-8 without the quotes around it. */
export const QUOTED = Symbol("quoted");
/** A value, or how its region's bytes are one. */
export type Held = Value | typeof TEXT | typeof BYTES | typeof QUOTED;

/** Regions in columns, in any order: a message of a megabyte has hundreds of thousands. */
export class RegionColumns {
  offsets = new Uint32Array(64);
  lengths = new Uint32Array(64);
  readonly places: Place[] = [];
  readonly types: string[] = [];
  readonly values: (Held | undefined)[] = [];
  readonly bits = new Map<number, readonly RegionBit[]>();
  /** Index of the role, and whether it is a leaf. */
  #roles = new Uint8Array(64);
  /** The byte that each leads to, NaN for none; absent while none leads anywhere. */
  #targets: Float64Array | undefined;

  get length(): number {
    return this.places.length;
  }

  /** Adds a region and returns its row. */
  push(offset: number, length: number, place: Place, type: string, value: Held | undefined): number {
    const row = this.places.push(place) - 1;
    if (row === this.offsets.length) {
      this.offsets = grown(this.offsets, new Uint32Array(2 * row));
      this.lengths = grown(this.lengths, new Uint32Array(2 * row));
      this.#roles = grown(this.#roles, new Uint8Array(2 * row));
      if (this.#targets !== undefined)
        this.#targets = grown(this.#targets, new Float64Array(2 * row).fill(Number.NaN));
    }
    this.offsets[row] = offset;
    this.lengths[row] = length;
    this.types.push(type);
    this.values.push(value);
    return row;
  }

  role(row: number): RegionRole {
    return REGION_ROLES[this.#roles[row]! & ~LEAF]!;
  }

  isLeaf(row: number): boolean {
    return (this.#roles[row]! & LEAF) !== 0;
  }

  setRole(row: number, role: RegionRole, isLeaf: boolean): void {
    this.#roles[row] = ROLE_INDEXES[role] | (isLeaf ? LEAF : 0);
  }

  target(row: number): number | undefined {
    const target = this.#targets?.[row];
    return Number.isNaN(target) ? undefined : target;
  }

  setTarget(row: number, target: number): void {
    this.#targets ??= new Float64Array(this.offsets.length).fill(Number.NaN);
    this.#targets[row] = target;
  }
}

const LEAF = 0x80;

const ROLE_INDEXES = Object.fromEntries(REGION_ROLES.map((role, index) => [role, index])) as Record<
  RegionRole,
  number
>;

function grown<Column extends Uint32Array | Uint8Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

/** The regions of a message, in the order of its bytes and without a gap. */
export class RegionTable implements Iterable<Region> {
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #columns: RegionColumns;
  readonly #order: Uint32Array;
  readonly #problems = new Map<number, string>();

  /** @param order which row of the columns is which region */
  constructor(bytes: Uint8Array, columns: RegionColumns, order: Uint32Array) {
    this.length = order.length;
    this.#bytes = bytes;
    this.#columns = columns;
    this.#order = order;
  }

  /** What {@link at} has, one by one. */
  placeAt(index: number): Place {
    return this.#columns.places[this.#order[index]!]!;
  }

  roleAt(index: number): RegionRole {
    return this.#columns.role(this.#order[index]!);
  }

  offsetAt(index: number): number {
    return this.#columns.offsets[this.#order[index]!]!;
  }

  lengthAt(index: number): number {
    return this.#columns.lengths[this.#order[index]!]!;
  }

  /** Its value, or how it is made of its bytes. */
  heldAt(index: number): Held | undefined {
    return this.#columns.values[this.#order[index]!];
  }

  /** The region of an index, which must be inside. */
  at(index: number): Region {
    const row = this.#order[index]!;
    const columns = this.#columns;
    const { offsets, lengths, places, types, values, bits } = columns;
    const [offset, length] = [offsets[row]!, lengths[row]!];
    const value = heldValue(values[row], this.#bytes, offset, length);
    return {
      ...{ offset, length, role: columns.role(row), place: places[row]!, type: types[row]! },
      ...(columns.isLeaf(row) ? { leaf: true } : {}),
      ...defined({
        value,
        bits: bits.get(row),
        target: columns.target(row),
        problem: this.#problems.get(index),
      }),
    };
  }

  /** Indexes of regions in which something is wrong. */
  get problems(): Iterable<number> {
    return this.#problems.keys();
  }

  /** Says what is wrong in a region. */
  blame(index: number, problem: string): void {
    this.#problems.set(index, problem);
  }

  /** The index of the region that has a byte, or of the last one. */
  indexAt(offset: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.offsetAt(middle) + this.lengthAt(middle) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *[Symbol.iterator](): Generator<Region, void> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}

/** A message taken apart. */
export interface Anatomy {
  readonly regions: RegionTable;
  readonly defaults: readonly DefaultValue[];
  /** What kept a part of the message from being read. */
  readonly problem?: DecodeError;
}

/** Why a message is not read in whole. */
export interface Damage {
  readonly reason: string;
  readonly offset?: number;
  /** Whether the bytes are sound, and the codec refuses what its schema lacks: a message of another version. */
  readonly isSound: boolean;
}

/** A message of a codec, and what is in its bytes. */
export interface Inspected extends Pick<Anatomy, "regions" | "defaults"> {
  readonly codec: string;
  /** The package that wrote or read it, and its version; absent for what is built in. */
  readonly library?: string;
  readonly version?: string;
  readonly dataset: string;
  readonly bytes: Uint8Array;
  /** Why it is no well-formed message of the schema, and the first byte at which that shows, if it is known. */
  readonly damage?: Damage;
}

/** A codec, and its message or why there is none. */
export type InspectedCodec = Inspected | { readonly codec: string; readonly reason: string };

/** The value of a region of so many bytes. */
export function heldValue(
  held: Held | undefined,
  bytes: Uint8Array,
  offset: number,
  length: number,
): Value | undefined {
  if (typeof held !== "symbol") return held;
  const part =
    held === QUOTED
      ? bytes.subarray(offset + 1, offset + length - 1)
      : bytes.subarray(offset, offset + length);
  return held === BYTES ? part : Buffer.from(part.buffer, part.byteOffset, part.length).toString("utf8");
}
