import type { AmfInput } from "./input.ts";

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
