import * as capnp from "capnp-ts";
import { getSize } from "capnp-ts/src/serialization/pointers/struct.js";
import { DecodeError, UnsupportedError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
import { show } from "../../model/value.ts";
import type { CapnpLayout } from "../../schema/layout/capnp.ts";

/**
 * Deepest nesting that the C++ library reads by default (capnp/message.h, `ReaderOptions.nestingLimit`). The
 * root counts, every struct and list that a pointer leads to, and every struct in a list.
 */
export const MAX_NESTING = 64;

/** The deepest nesting that a value of a layout can have: Infinity where structs contain themselves. */
export function deepestNesting({ structs }: CapnpLayout): number {
  const known = new Map<number, number>();
  const depthOf = (index: number): number => {
    const found = known.get(index);
    if (found !== undefined) return found;
    // Stands while the struct's own fields are looked at, so that a circle is endless.
    known.set(index, Number.POSITIVE_INFINITY);
    const below = (structs[index]?.members ?? []).map(({ slot: { type } }) => {
      const list = type.kind === "list" ? 1 : 0;
      const inner = type.kind === "list" ? type.element : type;
      return inner.kind === "struct" ? list + depthOf(inner.struct) : list;
    });
    const depth = 1 + Math.max(0, ...below);
    known.set(index, depth);
    return depth;
  };
  return depthOf(0);
}

/** What generated code calls, by name: the library's classes, and the few things that they leave to do. */
export const runtime = {
  ObjectSize: capnp.ObjectSize,
  Struct: capnp.Struct,
  Data: capnp.Data,
  CompositeList: capnp.CompositeList,
  BoolList: capnp.BoolList,
  Int8List: capnp.Int8List,
  Uint8List: capnp.Uint8List,
  Int16List: capnp.Int16List,
  Uint16List: capnp.Uint16List,
  Int32List: capnp.Int32List,
  Uint32List: capnp.Uint32List,
  Int64List: capnp.Int64List,
  Uint64List: capnp.Uint64List,
  Float32List: capnp.Float32List,
  Float64List: capnp.Float64List,
  TextList: capnp.TextList,
  DataList: capnp.DataList,
  getSize,
  LIMIT: MAX_NESTING,
  setOwn,

  /** Makes a null pointer one to a struct without content, as the C++ library writes it. */
  emptyStruct({ segment, byteOffset }: capnp.Pointer): void {
    segment.setInt32(byteOffset, -4);
  },

  /** Fills an element of a list of Data. */
  setDataElement(data: capnp.Data, bytes: Uint8Array): void {
    capnp.List.initList(capnp.ListElementSize.BYTE, bytes.length, data);
    data.copyBuffer(bytes);
  },

  /** What text adds to the sum of `access`, by its bytes without the NUL at their end. A null pointer has length 0. */
  textSum(bytes: capnp.Data): number {
    const length = bytes.getLength() - 1;
    return length > 0 ? length + bytes.get(0) : 0;
  },

  /** What data adds to it. */
  dataSum(bytes: capnp.Data): number {
    const length = bytes.getLength();
    return length > 0 ? length + bytes.get(0) : 0;
  },

  /** An enum's number, where the schema allows also such as it has no name for. */
  enumerant(number: number): number {
    if (number >= 0 && number <= 0xffff) return number;
    throw new UnsupportedError(`enum number ${number}, expected 0 to 65535 in Cap'n Proto`);
  },

  tooDeep(): never {
    throw new UnsupportedError(
      `nested deeper than ${MAX_NESTING} pointers, the limit of Cap'n Proto's readers`,
    );
  },

  twice(map: string, key: string): never {
    throw new DecodeError("capnp", `the key ${show(key)} stands twice`, { path: map });
  },
};
