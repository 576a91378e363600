import type { Int64Mode } from "../../model/schema.ts";
import type { CStruct } from "./declarations.ts";
import { compilePack } from "./pack.ts";
import { describeStruct, type StructShape } from "./shape.ts";
import { compileUnpack } from "./unpack.ts";
import { verifyStruct } from "./verify.ts";

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
    pack: compilePack(shape, int64),
    unpack: compileUnpack(shape, int64),
    verify: (bytes) => verifyStruct(shape, bytes, int64),
  };
}
