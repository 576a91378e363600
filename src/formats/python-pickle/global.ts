import { DecodeError } from "../../model/errors.ts";

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

/** What stands for a built-in type in protocols that have no opcode for it. */
const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ["_codecs", ["encode"]],
  ["__builtin__", ["bytes", "bytearray", "set", "frozenset"]],
  ["builtins", ["bytes", "bytearray", "set", "frozenset"]],
]);

/**
 * Throws DecodeError, with its name, for a callable that never stands for data: see {@link reduce}.
 * @param protocol from 3 on, Python 2's name of the module is not known
 */
export function expectData(global: PyGlobal, protocol: number): void {
  const isOld = global.module === "__builtin__";
  if (KNOWN.get(global.module)?.includes(global.name) !== true || (isOld && protocol >= 3)) {
    throw global.refusal();
  }
}
