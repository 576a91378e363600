/**
 * Where the Cap'n Proto compiler puts the fields of a struct, its groups and unions included, as far as what is
 * printed by `capnp compile -ocapnp` tells (0.9.2). Fields are placed in the order of their ordinals.
 */

/** Bits that one field takes in a data section. */
export type DataBits = 1 | 8 | 16 | 32 | 64;

/** What fields are placed in: a struct, or one member of a union. Groups share the scope that they lie in. */
export interface FieldScope {
  /** Places a field in the data section and returns its first bit. */
  placeData(bits: DataBits): number;
  /** Places a field in the pointer section and returns its index. */
  placePointer(): number;
  /** Places a field without content. */
  placeNothing(): void;
  /** Makes a place that was given out larger, if what follows it is free. */
  grow(start: number, bits: number, wanted: number): boolean;
}

/** The gaps between fields, one of each size at most: a power of 2 less than a word. */
class Gaps {
  readonly #starts = new Map<number, number>();

  /** The size of the smallest gap with room for so many bits. */
  least(bits: number): number | undefined {
    for (let size = bits; size < 64; size *= 2) if (this.#starts.has(size)) return size;
    return undefined;
  }

  /** Takes the low end of that gap. */
  take(bits: number): number | undefined {
    const size = this.least(bits);
    if (size === undefined) return undefined;
    const start = this.#starts.get(size)!;
    this.#starts.delete(size);
    this.add(start + bits, start + size);
    return start;
  }

  /** Adds what is free from behind a field to a power of 2. */
  add(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const size = at & -at;
      this.#starts.set(size, at);
      at += size;
    }
  }

  /** Takes the gaps that follow a place, until it has the size that is wanted. */
  merge(start: number, bits: number, wanted: number): boolean {
    if (bits === wanted) return true;
    if (this.#starts.get(bits) !== start + bits || !this.merge(start, 2 * bits, wanted)) return false;
    this.#starts.delete(bits);
    return true;
  }
}

/** The two sections of a struct. */
export class Sections implements FieldScope {
  dataWords = 0;
  pointers = 0;
  readonly #gaps = new Gaps();

  /** To the low end of the smallest gap that holds it, or to a new word where there is none. */
  placeData(bits: DataBits): number {
    const gap = this.#gaps.take(bits);
    if (gap !== undefined) return gap;
    const start = 64 * this.dataWords++;
    this.#gaps.add(start + bits, start + 64);
    return start;
  }

  placePointer(): number {
    return this.pointers++;
  }

  placeNothing(): void {}

  grow(start: number, bits: number, wanted: number): boolean {
    return this.#gaps.merge(start, bits, wanted);
  }
}

/** A place in the data section that the members of a union share. */
interface Location {
  readonly start: number;
  bits: number;
}

/** A union, whose members use the same places. */
export class UnionPlaces {
  readonly locations: Location[] = [];
  readonly pointers: number[] = [];
  readonly parent: FieldScope;
  #discriminant: number | undefined;
  #members = 0;

  constructor(parent: FieldScope) {
    this.parent = parent;
  }

  /** First bit of the number that tells which member is there. It is placed with the second member at the latest. */
  get discriminant(): number {
    this.#discriminant ??= this.parent.placeData(16);
    return this.#discriminant;
  }

  /** A member has its first field. */
  begin(): void {
    this.#members += 1;
    if (this.#members === 2) void this.discriminant;
  }

  /** Makes a location larger. */
  grow(location: Location, wanted: number): boolean {
    if (wanted <= location.bits) return true;
    if (!this.parent.grow(location.start, location.bits, wanted)) return false;
    location.bits = wanted;
    return true;
  }
}

/** What one member has of a location: so many bits from its start, with gaps, whose places are within the location. */
class Usage {
  used = 0;
  readonly #gaps = new Gaps();
  readonly #union: UnionPlaces;
  readonly #location: Location;

  constructor(union: UnionPlaces, location: Location) {
    this.#union = union;
    this.#location = location;
  }

  get start(): number {
    return this.#location.start;
  }

  get end(): number {
    return this.#location.start + this.#location.bits;
  }

  /** The size of the gap that a field would go to, without making the location larger. */
  least(bits: number): number | undefined {
    const { bits: room } = this.#location;
    if (this.used === 0) return bits <= room ? room : undefined;
    if (bits >= this.used) return bits < room ? bits : undefined;
    return this.#gaps.least(bits) ?? (this.used < room ? this.used : undefined);
  }

  /** Places a field for which {@link least} found room. */
  place(bits: number): number {
    if (this.used === 0) {
      this.used = bits;
      return this.start;
    }
    if (bits >= this.used) {
      this.#gaps.add(this.used, bits);
      this.used = 2 * bits;
      return this.start + bits;
    }
    const gap = this.#gaps.take(bits);
    if (gap !== undefined) return this.start + gap;
    const at = this.used;
    this.used *= 2;
    this.#gaps.add(at + bits, this.used);
    return this.start + at;
  }

  /** Places a field by making the location larger. */
  placeByGrowing(bits: number): number | undefined {
    if (this.used === 0) {
      if (!this.#union.grow(this.#location, bits)) return undefined;
      this.used = bits;
      return this.start;
    }
    const from = this.used;
    if (!this.#use(2 * Math.max(from, bits))) return undefined;
    this.#gaps.add(from, this.used);
    return this.start + this.#gaps.take(bits)!;
  }

  /** Makes a place of the member larger. */
  grow(start: number, bits: number, wanted: number): boolean {
    if (start === this.start && bits === this.used) return this.#use(wanted);
    return this.#gaps.merge(start - this.start, bits, wanted);
  }

  #use(bits: number): boolean {
    if (bits > this.#location.bits && !this.#union.grow(this.#location, bits)) return false;
    this.used = bits;
    return true;
  }
}

/** One member of a union, a field or a group. */
export class MemberPlaces implements FieldScope {
  readonly #union: UnionPlaces;
  readonly #usages: Usage[] = [];
  #pointers = 0;
  #begun = false;

  constructor(union: UnionPlaces) {
    this.#union = union;
  }

  /** A union around this one has a member then, too. */
  placeNothing(): void {
    this.#begin();
    this.#union.parent.placeNothing();
  }

  #begin(): void {
    if (!this.#begun) this.#union.begin();
    this.#begun = true;
  }

  placeData(bits: DataBits): number {
    this.#begin();
    const { locations } = this.#union;
    for (const location of locations.slice(this.#usages.length))
      this.#usages.push(new Usage(this.#union, location));
    let best: Usage | undefined;
    for (const usage of this.#usages) {
      const least = usage.least(bits);
      if (least !== undefined && least < (best?.least(bits) ?? Number.POSITIVE_INFINITY)) best = usage;
    }
    if (best !== undefined) return best.place(bits);
    for (const usage of this.#usages) {
      const place = usage.placeByGrowing(bits);
      if (place !== undefined) return place;
    }
    const location = { start: this.#union.parent.placeData(bits), bits };
    locations.push(location);
    const usage = new Usage(this.#union, location);
    this.#usages.push(usage);
    return usage.place(bits);
  }

  placePointer(): number {
    this.#begin();
    const { pointers, parent } = this.#union;
    const index = this.#pointers++;
    pointers[index] ??= parent.placePointer();
    return pointers[index];
  }

  grow(start: number, bits: number, wanted: number): boolean {
    const usage = this.#usages.find((one) => start >= one.start && start < one.end);
    return usage?.grow(start, bits, wanted) ?? false;
  }
}
