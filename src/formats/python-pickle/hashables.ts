import { ByteArray, FrozenSet, PyFloat, Tuple } from "./types.ts";

/**
 * Tells which keys Python takes for the same: 1, 1.0 and True are, and tuples of equal elements. Every value gets a
 * number, equal values the same one, so that a key of keys costs no more than its own elements.
 */
export class Hashables {
  readonly #ids = new Map<string, number>();
  readonly #known = new Map<object, number>();

  /**
   * The number of a value, or undefined for one that no `dict` or `set` takes: a list, a dict, a set, a bytearray.
   * @param levels how many levels of tuples may follow; undefined also where there are more
   */
  idOf(value: unknown, levels: number): number | undefined {
    switch (typeof value) {
      case "string":
        return this.#id(`s${value}`);
      case "number":
        return this.#number(value);
      case "bigint":
        return this.#id(`n${value}`);
      case "boolean":
        return this.#number(value ? 1 : 0);
      case "object":
        return value === null ? this.#id("None") : this.#object(value, levels);
      default:
        return undefined;
    }
  }

  #number(value: number): number {
    return this.#id(Number.isInteger(value) ? `n${BigInt(value)}` : `f${value}`);
  }

  #object(value: object, levels: number): number | undefined {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    if (value instanceof PyFloat) return this.#number(value.value);
    const text = this.#text(value, levels);
    if (text === undefined) return undefined;
    const id = this.#id(text);
    this.#known.set(value, id);
    return id;
  }

  #text(value: object, levels: number): string | undefined {
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

  #id(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#ids.size);
    return this.#ids.size - 1;
  }
}
