/** Python's types that JavaScript has none of its own for. Each is used like the JavaScript type that it extends. */

/** A `tuple`. Made by `Tuple.of(1, 2)`; `new Tuple(3)` is three holes, as `new Array(3)` is. */
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
