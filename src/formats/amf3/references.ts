import { show } from "../../model/value.ts";
import type { AmfInput } from "./input.ts";
import { type AmfOutput, Refusal } from "./output.ts";
import { Traits } from "./types.ts";

/** Stands for an object that the reader of its class has not returned yet. */
const UNFINISHED = Symbol("unfinished");

/** Objects that were read, in the order in which they begin (section 2.2). All but simple values are objects here. */
export class ObjectTable {
  readonly #input: AmfInput;
  readonly #objects: unknown[] = [];
  readonly #markers: number[] = [];

  constructor(input: AmfInput) {
    this.#input = input;
  }

  /** Adds an object, which may still be empty, and returns it. */
  add<T>(marker: number, object: T): T {
    this.#objects.push(object);
    this.#markers.push(marker);
    return object;
  }

  /** Adds an object that is not there yet, and returns the function that puts it in its place. */
  reserve(marker: number): <T>(object: T) => T {
    const index = this.#objects.length;
    this.add(marker, UNFINISHED);
    return (object) => {
      this.#objects[index] = object;
      return object;
    };
  }

  /** The object that a reference after this marker, at this offset, points to. */
  get(index: number, marker: number, at: number): unknown {
    const objects = this.#objects;
    const input = this.#input;
    if (index >= objects.length) {
      input.fail(`reference to object ${index}, and there are ${objects.length} so far`, { at });
    }
    if (this.#markers[index] !== marker) {
      input.fail(`reference to object ${index}, which is of another type`, { at });
    }
    const object = objects[index];
    if (object === UNFINISHED) input.fail(`reference to object ${index}, which is not finished`, { at });
    return object;
  }
}

/** Traits as the bytes have them. An object without a class has traits too, and the empty name. */
export interface ReadTraits {
  readonly traits: Traits;
  /** Whether objects write themselves; there are no members then. */
  readonly isExternal: boolean;
}

/** Descriptions of objects that were read (sections 2.2 and 3.12). */
export class TraitsTable {
  readonly #input: AmfInput;
  readonly #known: ReadTraits[] = [];

  constructor(input: AmfInput) {
    this.#input = input;
  }

  /**
   * The traits of an object, known or read now.
   * @param head what follows the object's marker: above the bit for objects, whether the traits are a reference
   * @param at offset of the marker
   */
  of(head: number, at: number): ReadTraits {
    if ((head & 2) !== 0) return this.#read(head >> 2);
    const index = head >> 2;
    const known = this.#known;
    if (index < known.length) return known[index]!;
    return this.#input.fail(`reference to traits ${index}, and there are ${known.length} so far`, { at });
  }

  /** @param flags whether objects write themselves, whether they are dynamic, and the count of sealed members */
  #read(flags: number): ReadTraits {
    const input = this.#input;
    const className = input.name();
    const isExternal = (flags & 1) !== 0;
    const sealed = isExternal ? [] : this.#sealed(flags >> 2);
    const read = { traits: new Traits(className, sealed, { dynamic: (flags & 2) !== 0 }), isExternal };
    this.#known.push(read);
    return read;
  }

  #sealed(count: number): string[] {
    const input = this.#input;
    input.expectCount(count, 1);
    const names = new Set<string>();
    for (let i = 0; i < count; i++) {
      const at = input.at;
      const name = input.name();
      if (name === "") input.fail("a sealed member without a name", { at });
      if (names.has(name)) input.fail(`the sealed member ${show(name)} stands twice`, { at });
      names.add(name);
    }
    return [...names];
  }
}

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

/** Traits of an object without a class whose members are all dynamic: no sealed ones, and the empty name. */
const ANONYMOUS = 0b1011;

/** Most sealed members: four bits of 29 are flags. */
const MAX_SEALED = 2 ** 25 - 1;

/** Writes descriptions of objects, each once (sections 2.2 and 3.12). */
export class TraitsWriter {
  readonly #output: AmfOutput;
  readonly #places = new Map<Traits, number>();
  #external: Map<string, number> | undefined;
  #count = 0;
  #anonymous = -1;

  constructor(output: AmfOutput) {
    this.#output = output;
  }

  /** Writes those of plain objects. */
  anonymous(): void {
    if (this.#anonymous >= 0) {
      this.#output.u29((this.#anonymous << 2) | 1);
      return;
    }
    this.#anonymous = this.#count++;
    this.#output.byte(ANONYMOUS);
    this.#output.text("");
  }

  /** Writes those of a class. */
  typed(traits: Traits): void {
    const output = this.#output;
    const place = this.#places.get(traits);
    if (place !== undefined) {
      output.u29((place << 2) | 1);
      return;
    }
    const { className, sealed, dynamic } = traits;
    if (className === "")
      throw new Refusal("traits without the name of a class, which a plain object is written with");
    if (sealed.includes("") || new Set(sealed).size < sealed.length || sealed.length > MAX_SEALED) {
      throw new Refusal(`sealed members of ${className}: expected names that differ`);
    }
    this.#places.set(traits, this.#count++);
    output.u29((sealed.length << 4) | (dynamic ? 0b1011 : 0b0011));
    output.text(className);
    for (const name of sealed) output.text(name);
  }

  /** Writes those of a class whose objects write themselves. */
  external(className: string): void {
    this.#external ??= new Map();
    const place = this.#external.get(className);
    if (place !== undefined) {
      this.#output.u29((place << 2) | 1);
      return;
    }
    this.#external.set(className, this.#count++);
    this.#output.byte(0b0111);
    this.#output.text(className);
  }
}
