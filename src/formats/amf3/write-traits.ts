import type { AmfOutput } from "./output.ts";
import { Refusal } from "./refusal.ts";
import type { Traits } from "./typed-object.ts";

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
