import type { Int64Mode } from "../../model/schema.ts";
import type { CapnpElement, CapnpLayout, CapnpSlot, CapnpType } from "../../schema/layout/capnp.ts";

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

/**
 * The expressions that read fields of the struct `s`. Where sections may end early, because the writer's schema
 * is older, its size is in `z` and what lies beyond them is zero or null.
 */
export class SectionReads {
  /** Whether sections may be shorter than the layout says. */
  readonly older: boolean;

  constructor(older: boolean) {
    this.older = older;
  }

  /** Parameters and arguments of a function that reads fields. */
  get struct(): string {
    return this.older ? "s, z" : "s";
  }

  /** The statement that a function with `s` alone begins with. */
  get size(): string {
    return this.older ? "const z = getSize(s); " : "";
  }

  /** A field of the data section. */
  data({ offset }: CapnpSlot, type: DataType): string {
    const read = getData(type, offset, "s");
    if (!this.older) return read;
    return `(${Math.ceil((offset + type.bits) / 8)} <= z.dataByteLength ? ${read} : ${zeroOf(type)})`;
  }

  /** Whether a pointer is not null. */
  isPresent({ offset }: CapnpSlot): string {
    const read = `!Struct.isNull(Struct.getPointer(${offset}, s))`;
    return this.older ? `(${offset} < z.pointerLength && ${read})` : read;
  }

  /** An expression that is only reached when the pointer section has the field. */
  pointer({ offset }: CapnpSlot, read: string, absent: string): string {
    return this.older ? `(${offset} < z.pointerLength ? ${read} : ${absent})` : read;
  }
}

/** Whether fields of this type lie in the data section. */
export function isData(type: CapnpSlot["type"] | CapnpElement): type is DataType {
  return "bits" in type;
}

/** The struct that a map's entries are, and its two fields. */
export interface MapEntry {
  readonly entry: number;
  readonly key: CapnpSlot & { readonly type: Exclude<CapnpElement, { readonly kind: "data" | "struct" }> };
  readonly value: CapnpSlot;
}

/** The entries of a field that carries a map. */
export function entryOf(type: CapnpType, { structs }: CapnpLayout): MapEntry {
  const entry = type.kind === "list" && type.element.kind === "struct" ? type.element.struct : -1;
  const [key, value] = structs[entry]?.members ?? [];
  if (key === undefined || value === undefined) throw new Error("a map is a list of entries");
  return { entry, key: key.slot as MapEntry["key"], value: value.slot };
}
