/**
 * The formats of Python's struct module, as CPython 3 reads them on x86-64 Linux: the same sizes, the same bytes, and
 * the same values taken and refused.
 *
 *     import { compileFormat } from "wirebench/python-struct";
 *
 *     const point = compileFormat(">ih");
 *     const bytes = point.pack(55, 66); // 00 00 00 37 00 42
 *     point.unpack(bytes); // [55, 66]
 *     for (const [x, y] of point.iterUnpack(bytes)) console.log(x, y);
 *
 * `pack`, `unpack` and the others, and `calcsize`, take the format as their first argument. They differ from CPython's in
 * this: characters of integers and of floats take no booleans; those of floats take numbers and no bigints; `?` takes
 * nothing but booleans and numbers; a number that is no safe integer is no integer, a bigint is; sizes end at 2^53; `0p`
 * writes nothing, where CPython up to 3.12 writes over its neighbour; JavaScript's engines may make a signalling NaN a
 * quiet one, and may lose the sign of a NaN in a list; and a format that is compiled has limits, {@link StructOptions}.
 */
export { DecodeError, SchemaError, UsageError, ValueError } from "../../model/errors.ts";
export {
  calcsize,
  compileFormat,
  iterUnpack,
  pack,
  packInto,
  type Struct,
  type StructOptions,
  unpack,
  unpackFrom,
} from "./struct.ts";
export type { StructValue } from "./values.ts";
