/**
 * Python's pickle without Python: values as the bytes that `pickle.dumps` makes, and the values in bytes that
 * `pickle.loads` takes. Nothing is ever imported or called: a pickle of anything but built-in types is refused.
 *
 *     import { decodePickle, encodePickle, Tuple } from "wirebench/python-pickle";
 *
 *     const bytes = encodePickle({ name: "小明", at: Tuple.of(120, 250) }); // protocol 4
 *     decodePickle(bytes); // { name: "小明", at: Tuple(2) [ 120, 250 ] }
 *
 * | Python | JavaScript |
 * | --- | --- |
 * | `None`, `bool`, `str` | null, boolean, string |
 * | `int` | number where it is a safe integer, else bigint; both become one |
 * | `float` | number; one that is whole comes from {@link PyFloat}, or from a number beyond the safe integers or -0 |
 * | `list`, `tuple` | Array, {@link Tuple}, which is an Array too |
 * | `dict` | object where all keys are `str`, else Map; both become one |
 * | `set`, `frozenset` | Set, {@link FrozenSet}, which is a Set too |
 * | `bytes`, `bytearray` | Uint8Array, {@link ByteArray}, which is a Uint8Array too |
 *
 * Shared and cyclic references are carried both ways. An object lists keys that are indexes, such as "7", before all
 * others, so that their order in the dict is lost; with `dicts: "Map"` it is kept. undefined, functions, symbols and
 * instances of other classes are refused, as are lone surrogates.
 */
import { ByteInput } from "../bytes/input.ts";
import { checkUnpickleOptions, type PickleOptions, type UnpickleOptions } from "./options.ts";
import { Pickler } from "./pickler.ts";
import { Unpickler } from "./unpickler.ts";

export { DecodeError, UsageError, ValueError } from "../../model/errors.ts";
export { checkExtent, type ExtentLimits } from "./extent.ts";
export type { PickleOptions, Protocol, UnpickleOptions } from "./options.ts";
export { ByteArray, FrozenSet, PyFloat, Tuple } from "./types.ts";

/** Most bytes of a pickle by default. */
const MAX_BYTES = 2 ** 26;

/**
 * A value as a pickle, byte for byte that of CPython for the same value and the same references, with two exceptions:
 * a set of Python has an order of its own, and CPython has only one object for equal `bytes` of up to one byte. Small
 * results share a buffer, as those of `Buffer.from` do; none is written to again. Throws ValueError, with the path, for
 * what Python has no value for.
 */
export function encodePickle(value: unknown, options: PickleOptions = {}): Uint8Array {
  return Pickler.pickle(value, options);
}

/**
 * The value in a pickle of any protocol, 0 to 5. Bytes in it are copies. Throws DecodeError, with the offset and, for
 * what is not data, the name of the opcode and of what it would have called.
 */
export function decodePickle(bytes: Uint8Array, options: UnpickleOptions = {}): unknown {
  checkUnpickleOptions(options);
  const input = new ByteInput("python-pickle", bytes, options.bytes ?? MAX_BYTES);
  const value = Unpickler.unpickle(input, options);
  input.expectEnd();
  return value;
}

/** The values of pickles that stand one after another, as several calls of `pickle.dump` leave them in a file. */
export function decodePickles(bytes: Uint8Array, options: UnpickleOptions = {}): unknown[] {
  checkUnpickleOptions(options);
  const input = new ByteInput("python-pickle", bytes, options.bytes ?? MAX_BYTES);
  const values: unknown[] = [];
  while (input.remaining > 0) values.push(Unpickler.unpickle(input, options));
  return values;
}
