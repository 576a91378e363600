import type { Int64Mode } from "../../model/schema.ts";
import type { FlatField, FlatScalar, FlatType } from "../../schema/layout/flatbuffers.ts";

/** What the runtime library calls a scalar: the ends of its methods' names. */
interface ScalarCalls {
  /** Of `ByteBuffer.readX` and `ByteBuffer.writeX`. */
  readonly read: string;
  /** Of `Builder.addX` and `Builder.addFieldX`, which know no unsigned integers. */
  readonly add: string;
}

const CALLS: Readonly<Record<FlatScalar, ScalarCalls>> = {
  bool: { read: "Int8", add: "Int8" },
  byte: { read: "Int8", add: "Int8" },
  ubyte: { read: "Uint8", add: "Int8" },
  short: { read: "Int16", add: "Int16" },
  ushort: { read: "Uint16", add: "Int16" },
  int: { read: "Int32", add: "Int32" },
  uint: { read: "Uint32", add: "Int32" },
  long: { read: "Int64", add: "Int64" },
  ulong: { read: "Uint64", add: "Int64" },
  float: { read: "Float32", add: "Float32" },
  double: { read: "Float64", add: "Float64" },
};

/** Where the vtable holds the place of the field with that id: after its own size and the table's. */
export function vtableOffset(id: number): number {
  return 4 + 2 * id;
}

/** Whether a scalar is a bigint in the runtime library. */
export function isLong(scalar: FlatScalar): boolean {
  return scalar === "long" || scalar === "ulong";
}

/** Reads a scalar at a place in the buffer. */
export function readScalar(scalar: FlatScalar, place: string): string {
  const read = `this.bb.read${CALLS[scalar].read}(${place})`;
  return scalar === "bool" ? `!!${read}` : read;
}

/** Overwrites a scalar at a place in the buffer `bb`. */
export function writeScalar(scalar: FlatScalar, place: string, value: string): string {
  return `bb.write${CALLS[scalar].read}(${place}, ${value})`;
}

/** What the library's methods give for a field that is not in the buffer. */
export function absentValue({ type, presence, zero }: FlatField): string {
  if (presence === "optional" || type.kind !== "scalar") return "null";
  if (type.scalar === "bool") return String(Boolean(zero));
  if (Object.is(zero, -0)) return "-0";
  // Not `0n`: flatc writes it so, and the text is parsed at every call.
  return isLong(type.scalar) ? `BigInt("${zero}")` : String(zero);
}

/** Adds an element to a vector that is being built. */
export function addElement(scalar: FlatScalar, value: string): string {
  return `b.add${CALLS[scalar].add}(${scalar === "bool" ? "+" : ""}${value})`;
}

/** Writes a scalar of a struct, for which room was made. */
export function writeMember(scalar: FlatScalar, value: string): string {
  return `b.write${CALLS[scalar].add}(${scalar === "bool" ? "+" : ""}${value})`;
}

/**
 * Adds a scalar field to a table that is being built. The library leaves a value out that equals the default
 * by `==`, and so would take -0 for 0; the zero that is not the default is added without the comparison.
 */
export function addField(field: FlatField, scalar: FlatScalar, value: string): string {
  const { id } = field;
  const { add } = CALLS[scalar];
  const absent = absentValue(field);
  const sign = scalar === "bool" ? "+" : "";
  const plainly = `b.addField${add}(${id}, ${sign}${value}, ${scalar === "bool" && absent !== "null" ? `+${absent}` : absent});`;
  const isFloat = scalar === "float" || scalar === "double";
  if (!isFloat || absent === "null" || field.zero !== 0) return plainly;
  const other = absent === "0" ? "-0" : "0";
  return `if (Object.is(${value}, ${other})) { b.add${add}(${value}); b.slot(${id}); } else ${plainly}`;
}

/** A scalar of a plain value as the library takes it. */
export function toLibrary(scalar: FlatScalar, value: string, int64: Int64Mode): string {
  return isLong(scalar) && int64 === "number" ? `BigInt(${value})` : value;
}

/** A scalar that the library gave as a plain value holds it. */
export function fromLibrary(scalar: FlatScalar, value: string, int64: Int64Mode): string {
  return isLong(scalar) && int64 === "number" ? `Number(${value})` : value;
}

/** The key of a plain map, a string, as the library takes it. It may be beyond 2^53 in either mode. */
export function keyToLibrary(type: FlatType): string {
  if (type.kind !== "scalar") return "k";
  if (type.scalar === "bool") return 'k === "true"';
  return isLong(type.scalar) ? "BigInt(k)" : "Number(k)";
}
