import { DecodeError } from "../../model/errors.ts";
import { show } from "../../model/value.ts";

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
    const name = `${this.module}.${this.name}`;
    // What is no name may be long, or change the terminal that shows it.
    const shown = /^[\p{L}\p{N}_.]{1,80}$/u.test(name) ? name : show(name);
    const problem = `${this.opcode} ${shown} is not data, expected only values of built-in types`;
    return new DecodeError("python-pickle", problem, { code: "unsupported", offset: this.offset });
  }
}
