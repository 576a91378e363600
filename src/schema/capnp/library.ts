import type { List, ListElementSize, ObjectSize, Pointer, Struct } from "capnp-ts";

type Module = typeof import("capnp-ts");

/** What capnp-ts and its fork capnp-es both export by these names. */
export type CapnpClasses = Pick<
  Module,
  | "Message"
  | "ObjectSize"
  | "Struct"
  | "Data"
  | "ListElementSize"
  | "CompositeList"
  | "BoolList"
  | "Int8List"
  | "Uint8List"
  | "Int16List"
  | "Uint16List"
  | "Int32List"
  | "Uint32List"
  | "Int64List"
  | "Uint64List"
  | "Float32List"
  | "Float64List"
  | "TextList"
  | "DataList"
  | "PointerList"
  | "getFloat32Mask"
  | "getFloat64Mask"
>;

/** A library of Cap'n Proto for JavaScript, as generated code and the messages around it use it. */
export interface CapnpLibrary {
  /** Of its package, for errors. */
  readonly name: string;
  readonly classes: CapnpClasses;
  /** What holds its functions on structs: `getUint32`, `initList` and so on. */
  readonly Struct: object;
  /** An arena of one segment in a buffer, which {@link CapnpClasses.Message} takes. */
  arena(buffer: ArrayBuffer): ConstructorParameters<Module["Message"]>[0];
  lengthOf(list: List<unknown>): number;
  /** Makes a pointer one to a list, which an element of a list is. */
  initList(
    elementSize: ListElementSize,
    length: number,
    list: List<unknown>,
    compositeSize?: ObjectSize,
  ): void;
  /** The sizes of the sections that a struct has in its message. */
  getSize(struct: Struct): ObjectSize;
  isNull(pointer: Pointer): boolean;
}
