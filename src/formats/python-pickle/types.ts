import { DecodeError } from "../../model/errors.ts";

/** Python's types that JavaScript has none of its own for. Each is used like the JavaScript type that it extends. */

/** A `tuple`. Made by `Tuple.of(1, 2)`; `new Tuple(3)` is three absent items, as `new Array(3)` is. */
export class Tuple<Item = unknown> extends Array<Item> {}

/** A `frozenset`. */
export class FrozenSet<Item = unknown> extends Set<Item> {}

/** A `bytearray`; other Uint8Arrays are `bytes`. */
export class ByteArray extends Uint8Array {}

/** A `float` whose value is whole, which as a plain number would be written as an `int`. */
export class PyFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  valueOf(): number {
    return this.value;
  }
}

/** A callable of Python, by its name. Nothing is ever imported or called. */
export class PyGlobal {
  readonly module: string;
  readonly name: string;
  readonly opcode: string;
  readonly offset: number;

  constructor(module: string, name: string, opcode: string, offset: number) {
    this.module = module;
    this.name = name;
    this.opcode = opcode;
    this.offset = offset;
  }

  /** The error for one that is no data. */
  refusal(): DecodeError {
    const problem = `${this.opcode} ${this.module}.${this.name} is not data, expected only values of built-in types`;
    return new DecodeError("python-pickle", problem, { code: "unsupported", offset: this.offset });
  }
}

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
