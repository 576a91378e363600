import type { Int64Mode } from "../../model/schema.ts";
import type {
  CapnpElement,
  CapnpLayout,
  CapnpList,
  CapnpMember,
  CapnpSlot,
  CapnpStruct,
  CapnpType,
} from "../layout/capnp.ts";

/** A field or list element in the data section. */
export type DataType = Extract<CapnpElement, { readonly bits: number }>;

/** Ending of the library's names for a type: `getUint16`, `Uint16List`. An enum is a Uint16 to it. */
function suffix(type: DataType): string {
  return type.kind === "enum" ? "Uint16" : type.name.replace("UInt", "Uint");
}

/** A field of the data section: its place, and what it holds where its bits are 0. */
type DataSlot = Pick<CapnpSlot, "offset" | "zero">;

/** The call that reads a field of the data section from the struct `s`. */
export function getData(type: DataType, slot: DataSlot, struct: string): string {
  const { offset } = slot;
  if (type.bits === 1) return `${slot.zero === true ? "!" : ""}Struct.getBit(${offset}, ${struct})`;
  const read = `Struct.get${suffix(type)}(${offset / 8}, ${struct}${floatMask(type, slot)})`;
  return withDefault(type, slot, read);
}

/** The call that writes it. */
export function setData(type: DataType, slot: DataSlot, value: string, struct: string): string {
  const { offset } = slot;
  if (type.bits === 1) return `Struct.setBit(${offset}, ${slot.zero === true ? "!" : ""}${value}, ${struct})`;
  const bits = withDefault(type, slot, value);
  return `Struct.set${suffix(type)}(${offset / 8}, ${bits}, ${struct}${floatMask(type, slot)})`;
}

/**
 * An integer is stored as its difference from the default. The library's own masks do so for floats; that which it
 * reads 32-bit integers with takes 16 bits of the default (0.9.3).
 */
function withDefault(type: DataType, { zero }: DataSlot, value: string): string {
  if (zero === undefined || isFloat(type)) return value;
  if (isLong(type)) return `(${value} ^ BigInt("${zero}"))`;
  return type.kind === "primitive" && type.name === "UInt32"
    ? `((${value} ^ ${zero}) >>> 0)`
    : `(${value} ^ ${zero})`;
}

/** The argument that makes the library store a float as its difference from the default. */
function floatMask(type: DataType, { zero }: DataSlot): string {
  if (zero === undefined || !isFloat(type)) return "";
  return `, maskOf(${type.bits}, ${Object.is(zero, -0) ? "-0" : zero})`;
}

/** The library's class for a list of these, for structs the one made by `structClasses`. */
export function listClass(element: CapnpElement | CapnpList, structs: "R" | "W"): string {
  switch (element.kind) {
    case "list":
      return `PointerList(${listClass(element.element, structs)})`;
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
function zeroOf(type: DataType, { zero = 0 }: DataSlot): string {
  if (type.bits === 1) return String(Boolean(zero));
  if (Object.is(zero, -0)) return "-0";
  return isLong(type) ? `${zero}n` : String(zero);
}

/** Whether it is a floating-point number. */
export function isFloat(type: DataType): boolean {
  return type.kind === "primitive" && type.name.startsWith("Float");
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
  data(slot: DataSlot, type: DataType): string {
    const read = getData(type, slot, "s");
    if (!this.older) return read;
    return `(${Math.ceil((slot.offset + type.bits) / 8)} <= z.dataByteLength ? ${read} : ${zeroOf(type, slot)})`;
  }

  /** Whether a union's member is there: that with the tag 0 also where nothing was written, but for what null can tell. */
  isMember({ slot, tag }: CapnpMember, { discriminant = 0 }: CapnpStruct): string {
    const is = `${this.data({ offset: discriminant }, TAG)} === ${tag}`;
    const { kind } = slot.type;
    const isAbsent = tag === 0 && (kind === "text" || kind === "data" || kind === "struct");
    return isAbsent ? `${is} && ${this.isPresent(slot)}` : is;
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

/** The type of a discriminant. */
export const TAG = { kind: "primitive", name: "UInt16", bits: 16 } as const;

/** Whether fields of this type lie in the data section. */
export function isData(type: CapnpType): type is DataType {
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
