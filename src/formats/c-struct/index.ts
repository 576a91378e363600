/**
 * C structs on x86-64 Linux: reads a header, and turns plain values into the bytes that a C program keeps, and
 * back.
 *
 *     import { compileStruct, parseHeader, structNamed } from "wirebench/c-struct";
 *
 *     const header = parseHeader("struct point { int32_t x, y; char label[8]; };");
 *     const point = compileStruct(structNamed(header, "point"));
 *     const bytes = point.pack({ x: 1, y: -1, label: "a" }); // 16 bytes
 *     point.verify(bytes);
 *     point.unpack(bytes); // { x: 1, y: -1, label: "a" }
 *
 * What C has no words for, such as optional members and counts, is said by the names of members: see
 * {@link Roles}.
 */
import type { Int64Mode } from "../../model/schema.ts";
import type { CStruct } from "./declarations.ts";
import { compilePack } from "./pack.ts";
import { describeStruct, type StructShape } from "./shape.ts";
import { compileUnpack, verifyStruct } from "./unpack.ts";

export { DecodeError, SchemaError, ValueError } from "../../model/errors.ts";
export {
  type CEnum,
  type CHeader,
  type CMember,
  type CScalar,
  type CStruct,
  type CType,
  layoutOf,
  MAX_STRUCT_BYTES,
  type StructLayout,
  structNamed,
} from "./declarations.ts";
export { MAX_MESSAGE_BYTES } from "./pack.ts";
export { parseHeader } from "./parse.ts";
export {
  type Counted,
  type FieldShape,
  type FlexibleShape,
  type Integer,
  type Repeat,
  type Roles,
  rolesOf,
  type Shape,
  type Slot,
  type StructShape,
} from "./shape.ts";

/** A struct ready for use. Its values are plain objects, described at {@link compileStruct}. */
export interface CompiledStruct {
  readonly name: string;
  /** `sizeof`, in bytes; the elements of a flexible array come on top. */
  readonly size: number;
  /** `alignof`, in bytes. */
  readonly align: number;
  /** Where everything is. */
  readonly shape: StructShape;
  /**
   * A value as bytes. Throws ValueError, with the path of the property, for what the struct cannot hold. Small
   * results share a buffer, as those of `Buffer.from` do; none is written to again.
   */
  pack(value: unknown): Uint8Array;
  /**
   * The same at the start of memory that is there: gives the part of it that was written, or undefined, and nothing written,
   * where it is too small. After an error some of it may be written.
   */
  packInto(value: unknown, memory: Uint8Array): Uint8Array | undefined;
  /**
   * The value in bytes that a program of this layout wrote; padding may hold anything. Bytes from anywhere else
   * go through {@link verify} first: this throws DecodeError only for an impossible length or count.
   */
  unpack(bytes: Uint8Array): Record<string, unknown>;
  /**
   * Throws DecodeError, with offset and path, unless the bytes are just what {@link pack} gives for some value,
   * the payload of a NaN aside.
   */
  verify(bytes: Uint8Array): void;
}

/**
 * Generates the functions that pack and unpack a struct.
 *
 * A member is a property of its name. `bool` is a boolean, any other number a number, `char x[N]` a string,
 * `uint8_t x[N]` and nanopb's `struct { size; bytes[N]; }` a Uint8Array, any other array a list; an array of
 * arrays is one list, row by row. A property whose `has_` flag is 0 is not there, and the count of an array is
 * the length of its list. A message is as long as the struct, or longer by what a flexible array needs.
 * @param options `int64`: whether 64-bit integers are bigints, which is the default, or numbers, which must
 *   then be safe integers
 */
export function compileStruct(struct: CStruct, options: { readonly int64?: Int64Mode } = {}): CompiledStruct {
  const { int64 = "bigint" } = options;
  const shape = describeStruct(struct);
  return {
    name: shape.name,
    size: shape.size,
    align: shape.align,
    shape,
    ...compilePack(shape, int64),
    unpack: compileUnpack(shape, int64),
    verify: (bytes) => verifyStruct(shape, bytes, int64),
  };
}
