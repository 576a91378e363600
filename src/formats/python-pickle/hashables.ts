import { ByteArray, FrozenSet, PyFloat, Tuple } from "./types.ts";

/**
 * Tells which keys Python takes for the same: 1, 1.0 and True are, and tuples of equal elements. Every value gets a
 * number, equal values the same one, so that a key of keys costs no more than its own elements. Texts are found by
 * themselves: to make another text of one would cost its length each time that a reference leads to it. Numbers are
 * found by a text, which V8 hashes with a secret: see `../bytes/key-chains.ts`.
 */
export class Hashables {
  readonly #texts = new Map<string, number>();
  readonly #objects = new Map<object, number>();
  /** Numbers of all other values, by a text of what they are or hold. */
  readonly #others = new Map<string, number>();
  #count = 0;
  /** The latest large integer, which a reference may lead to again and again, and its number. */
  #large = 0n;
  #largeId = -1;

  /**
   * The number of a value, or undefined for one that no `dict` or `set` takes: a list, a dict, a set, a bytearray.
   * @param levels how many levels of tuples may follow; undefined also where there are more
   */
  idOf(value: unknown, levels: number): number | undefined {
    switch (typeof value) {
      case "string":
        return this.#id(this.#texts, value);
      case "number":
        return this.#number(value);
      case "bigint":
        return this.#bigint(value);
      case "boolean":
        return this.#number(Number(value));
      case "object":
        return value === null ? this.#id(this.#others, "None") : this.#object(value, levels);
      default:
        return undefined;
    }
  }

  /** -0 is 0. */
  #number(value: number): number {
    return this.#id(this.#others, `n${value}`);
  }

  /** An integer that a `float` can be equal to has the number of that. */
  #bigint(value: bigint): number {
    if (value === this.#large && this.#largeId >= 0) return this.#largeId;
    const number = Number(value);
    if (Number.isFinite(number) && BigInt(number) === value) return this.#number(number);
    this.#large = value;
    this.#largeId = this.#id(this.#others, `x${value.toString(16)}`);
    return this.#largeId;
  }

  #object(value: object, levels: number): number | undefined {
    if (value instanceof PyFloat) return this.#number(value.value);
    const known = this.#objects.get(value);
    if (known !== undefined) return known;
    const contents = this.#contents(value, levels);
    if (contents === undefined) return undefined;
    const id = this.#id(this.#others, contents);
    this.#objects.set(value, id);
    return id;
  }

  #contents(value: object, levels: number): string | undefined {
    const isBytes = value instanceof Uint8Array && !(value instanceof ByteArray);
    if (isBytes) return `b${Buffer.from(value.buffer, value.byteOffset, value.length).toString("latin1")}`;
    if (!(value instanceof Tuple || value instanceof FrozenSet) || levels === 0) return undefined;
    const ids: number[] = [];
    for (const item of value) {
      const id = this.idOf(item, levels - 1);
      if (id === undefined) return undefined;
      ids.push(id);
    }
    return value instanceof Tuple ? `t${ids}` : `z${ids.sort((a, b) => a - b)}`;
  }

  #id(numbers: Map<string, number>, key: string): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, this.#count);
    return this.#count++;
  }
}
