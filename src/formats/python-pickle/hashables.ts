import { ByteArray, FrozenSet, PyFloat, Tuple } from "./types.ts";

/**
 * Tells which keys Python takes for the same: 1, 1.0 and True are, and tuples of equal elements. Every value gets a
 * number, equal values the same one, so that a key of keys costs no more than its own elements. Values themselves are
 * what they are found by: to make a text of one would cost its length each time that a reference leads to it.
 */
export class Hashables {
  /** Numbers of texts, and of integers and floats: as a number where that is exact, else as a bigint. */
  readonly #values = new Map<string | number | bigint | null, number>();
  readonly #objects = new Map<object, number>();
  /** Numbers of bytes, tuples and frozensets by what they hold, as text. */
  readonly #contents = new Map<string, number>();
  #count = 0;

  /**
   * The number of a value, or undefined for one that no `dict` or `set` takes: a list, a dict, a set, a bytearray.
   * @param levels how many levels of tuples may follow; undefined also where there are more
   */
  idOf(value: unknown, levels: number): number | undefined {
    switch (typeof value) {
      case "string":
      case "number":
        return this.#id(this.#values, value);
      case "bigint":
        return this.#id(this.#values, numberOf(value) ?? value);
      case "boolean":
        return this.#id(this.#values, Number(value));
      case "object":
        return value === null ? this.#id(this.#values, value) : this.#object(value, levels);
      default:
        return undefined;
    }
  }

  #object(value: object, levels: number): number | undefined {
    if (value instanceof PyFloat) return this.#id(this.#values, value.value);
    const known = this.#objects.get(value);
    if (known !== undefined) return known;
    const contents = this.#contentsOf(value, levels);
    if (contents === undefined) return undefined;
    const id = this.#id(this.#contents, contents);
    this.#objects.set(value, id);
    return id;
  }

  #contentsOf(value: object, levels: number): string | undefined {
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

  #id<Key>(numbers: Map<Key, number>, key: Key): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, this.#count);
    return this.#count++;
  }
}

/** The number that is the same as an integer, or undefined where there is none. */
function numberOf(value: bigint): number | undefined {
  const number = Number(value);
  return Number.isFinite(number) && BigInt(number) === value ? number : undefined;
}
