import type { Int64Mode } from "../../model/schema.ts";
import type { CapnpElement } from "../../schema/layout/capnp.ts";

/** A field or list element in the data section. */
export type DataType = Extract<CapnpElement, { readonly bits: number }>;

/** Ending of the library's names for a type: `getUint16`, `Uint16List`. An enum is a Uint16 to it. */
function suffix(type: DataType): string {
  return type.kind === "enum" ? "Uint16" : type.name.replace("UInt", "Uint");
}

/** The call that reads a field of the data section from the struct `s`. */
export function getData(type: DataType, bit: number, struct: string): string {
  return type.bits === 1
    ? `Struct.getBit(${bit}, ${struct})`
    : `Struct.get${suffix(type)}(${bit / 8}, ${struct})`;
}

/** The call that writes it. */
export function setData(type: DataType, bit: number, value: string, struct: string): string {
  return type.bits === 1
    ? `Struct.setBit(${bit}, ${value}, ${struct})`
    : `Struct.set${suffix(type)}(${bit / 8}, ${value}, ${struct})`;
}

/** The library's class for a list of these, for structs the one made by `structClasses`. */
export function listClass(element: CapnpElement, structs: "R" | "W"): string {
  switch (element.kind) {
    case "struct":
      return `${structs}${element.struct}List`;
    case "text":
      return "TextList";
    case "data":
      return "DataList";
    default:
      return `${suffix(element)}List`;
  }
}

/** A value as the library gives it, for a plain value. */
export function fromLibrary(type: DataType, value: string, int64: Int64Mode): string {
  return isLong(type) && int64 === "number" ? `Number(${value})` : value;
}

/** A plain value, for the library. */
export function toLibrary(type: DataType, value: string, int64: Int64Mode): string {
  if (type.kind === "enum") return type.enum.source.closed ? value : `enumerant(${value})`;
  return isLong(type) && int64 === "number" ? `BigInt(${value})` : value;
}

/** A map's key, which is a string in a plain value. The other way is the function String. */
export function keyToLibrary(type: DataType, key: string): string {
  if (type.bits === 1) return `(${key} === "true")`;
  return isLong(type) ? `BigInt(${key})` : `Number(${key})`;
}

/** What a field of the data section holds where a shorter struct ends before it. */
export function zeroOf(type: DataType): string {
  if (type.bits === 1) return "false";
  return isLong(type) ? "0n" : "0";
}

/** Whether the library holds it as a bigint. */
export function isLong(type: DataType): boolean {
  return type.kind === "primitive" && (type.name === "Int64" || type.name === "UInt64");
}
