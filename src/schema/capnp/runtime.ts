import type { Data, Pointer, Struct, StructCtor } from "capnp-ts";
import { DecodeError, UnsupportedError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
import { show } from "../../model/value.ts";
import type { CapnpLayout, CapnpType } from "../layout/capnp.ts";
import type { CapnpClasses, CapnpLibrary } from "./library.ts";

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
    const depthIn = (type: CapnpType): number => {
      if (type.kind === "list") return 1 + depthIn(type.element);
      if (type.kind === "group") return depthOf(type.struct) - 1;
      return type.kind === "struct" ? depthOf(type.struct) : 0;
    };
    const below = (structs[index]?.members ?? []).map(({ slot }) => depthIn(slot.type));
    const depth = 1 + Math.max(0, ...below);
    known.set(index, depth);
    return depth;
  };
  return depthOf(0);
}

/** Exports that are names in code: a module of CommonJS has `default` too, and `module.exports` from Node 23 on. */
function named(classes: CapnpClasses): CapnpClasses {
  const names = Object.entries(classes).filter(([name]) => name !== "default" && !name.includes("."));
  return Object.fromEntries(names) as unknown as CapnpClasses;
}

/** What generated code calls, by name: the library's classes, and the few things that they leave to do. */
export function runtimeOf({ classes, Struct, lengthOf, initList, getSize, isNull }: CapnpLibrary) {
  // By the default. A map does not tell the two zeros apart, and the one that is 0 needs none.
  const masks = { 32: new Map<number, DataView>(), 64: new Map<number, DataView>() };
  return {
    ...named(classes),
    StructClass: classes.Struct,
    Struct,
    lengthOf,
    initList,
    getSize,
    isNull,
    LIMIT: MAX_NESTING,
    setOwn,

    /** A root of no size, as which a null pointer to a struct is read. */
    nothing<T extends Struct>(Class: StructCtor<T>): T {
      return new classes.Message().getRoot(Class);
    },

    /** The library's mask for the default of a float. */
    maskOf(bits: 32 | 64, zero: number): DataView {
      const make = bits === 32 ? classes.getFloat32Mask : classes.getFloat64Mask;
      const known = masks[bits].get(zero) ?? make(zero);
      masks[bits].set(zero, known);
      return known;
    },

    /** Makes a null pointer one to a struct without content, as the C++ library writes it. */
    emptyStruct({ segment, byteOffset }: Pointer): void {
      segment.setInt32(byteOffset, -4);
    },

    /** Fills an element of a list of Data. */
    setDataElement(data: Data, bytes: Uint8Array): void {
      initList(classes.ListElementSize.BYTE, bytes.length, data);
      data.copyBuffer(bytes);
    },

    /** What text adds to the sum of `access`, by its bytes without the NUL at their end. A null pointer has length 0. */
    textSum(bytes: Data): number {
      const length = lengthOf(bytes) - 1;
      return length > 0 ? length + bytes.get(0) : 0;
    },

    /** What data adds to it. */
    dataSum(bytes: Data): number {
      const length = lengthOf(bytes);
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
}
