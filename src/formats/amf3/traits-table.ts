import { show } from "../../model/value.ts";
import type { AmfInput } from "./input.ts";
import { Traits } from "./typed-object.ts";

/** Traits as the bytes have them. An object without a class has traits too, and the empty name. */
export interface Shape {
  readonly traits: Traits;
  /** Whether objects write themselves; there are no members then. */
  readonly isExternal: boolean;
}

/** Descriptions of objects that were read (sections 2.2 and 3.12). */
export class TraitsTable {
  readonly #input: AmfInput;
  readonly #shapes: Shape[] = [];

  constructor(input: AmfInput) {
    this.#input = input;
  }

  /**
   * The traits of an object, known or read now.
   * @param head what follows the object's marker: above the bit for objects, whether the traits are a reference
   * @param at offset of the marker
   */
  of(head: number, at: number): Shape {
    if ((head & 2) !== 0) return this.#read(head >> 2);
    const index = head >> 2;
    const shapes = this.#shapes;
    if (index < shapes.length) return shapes[index]!;
    return this.#input.fail(`reference to traits ${index}, and there are ${shapes.length} so far`, { at });
  }

  /** @param flags whether objects write themselves, whether they are dynamic, and the count of sealed members */
  #read(flags: number): Shape {
    const input = this.#input;
    const className = input.name();
    const isExternal = (flags & 1) !== 0;
    const sealed = isExternal ? [] : this.#sealed(flags >> 2);
    const shape = { traits: new Traits(className, sealed, { dynamic: (flags & 2) !== 0 }), isExternal };
    this.#shapes.push(shape);
    return shape;
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
