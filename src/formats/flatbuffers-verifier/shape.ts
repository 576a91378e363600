/** Bytes of each scalar type, which are its alignment too. */
export const SCALAR_SIZES = {
  bool: 1,
  byte: 1,
  ubyte: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  long: 8,
  ulong: 8,
  float: 4,
  double: 8,
} as const;

/** FlatBuffers' scalar types. */
export type ScalarName = keyof typeof SCALAR_SIZES;

/** Reads an integer or a bool. The place must be within the view. */
export function readInteger(view: DataView, place: number, scalar: ScalarName): number | bigint {
  switch (scalar) {
    case "byte":
      return view.getInt8(place);
    case "bool":
    case "ubyte":
      return view.getUint8(place);
    case "short":
      return view.getInt16(place, true);
    case "ushort":
      return view.getUint16(place, true);
    case "int":
      return view.getInt32(place, true);
    case "uint":
      return view.getUint32(place, true);
    case "long":
      return view.getBigInt64(place, true);
    case "ulong":
      return view.getBigUint64(place, true);
    default:
      throw new Error(`a ${scalar} is no integer`);
  }
}

/**
 * What a message is checked against: a table and its fields in the order of their ids. A table may contain
 * itself, so shapes are objects that refer to each other.
 */
export interface TableShape {
  readonly fields: readonly FieldShape[];
  /**
   * Bytes of memory that a table without any field takes once it is decoded, such as those of empty lists that
   * stand for absent vectors; by default what an object takes that has a place for each field.
   */
  readonly memory?: number;
}

/** One field of a table. */
export interface FieldShape {
  /** For the path in an error. */
  readonly name: string;
  readonly type: TypeShape;
  /** Whether a table without it is refused. */
  readonly required?: boolean;
}

/** A scalar, and which of its values are allowed. A `bool` is 0 or 1. */
export interface ScalarShape {
  readonly kind: "scalar";
  readonly scalar: ScalarName;
  /** Values of an enum that has no others. */
  readonly values?: ReadonlySet<number>;
  /** Whether a 64-bit integer beyond 2^53 is refused, because the reader makes it a number. */
  readonly safe?: boolean;
}

/** A struct: bytes that lie in the table or vector itself, all of which belong to it. */
export interface StructShape {
  readonly kind: "struct";
  readonly size: number;
  /** The power of two that its place is a multiple of. */
  readonly align: number;
  /** Scalars in it by their place, those of structs and arrays in it too, where some of their values are refused. */
  readonly scalars: readonly {
    readonly name: string;
    readonly offset: number;
    readonly shape: ScalarShape;
  }[];
}

/** What an offset leads to as a member of a union. */
export type MemberShape =
  | { readonly kind: "string" }
  | { readonly kind: "table"; readonly table: TableShape };

/** What an element of a vector is. */
export type ElementShape = ScalarShape | StructShape | MemberShape;

/** A vector. */
export interface VectorShape {
  readonly kind: "vector";
  readonly element: ElementShape;
  /** The one number of elements that is allowed. */
  readonly length?: number;
  /** Whether the elements are tables, and no two may have the same integer or string in field 0. */
  readonly distinctKeys?: boolean;
}

/** A union: the field before it holds the number of the member that is there, 0 for none. */
export interface UnionShape {
  readonly kind: "union";
  readonly members: ReadonlyMap<number, { readonly name: string; readonly type: MemberShape }>;
}

/** What a field is. Vectors of unions, structs in unions and nested messages are not covered. */
export type TypeShape = ElementShape | VectorShape | UnionShape;

/** What a verifier insists on, and where it stops. */
export interface VerifyOptions {
  /** Tables nested in each other, the root counted; 64 by default, as in flatbuffers/verifier.h. */
  readonly maxDepth?: number;
  /**
   * Tables that are met, one that is shared as often as it is referred to. By default 1,000,000, as in
   * flatbuffers/verifier.h, or as many as a message of its length has room for side by side if that is more.
   */
  readonly maxTables?: number;
  /**
   * Bytes of memory that the message may take once it is decoded to plain objects, by estimate; 16 MiB and 64
   * times its length by default. One table or string may be referred to many times, so that a message can be
   * far larger than it looks.
   */
  readonly maxMemory?: number;
  /** The four characters after the root's offset that tell what the message is. */
  readonly identifier?: string;
  /** Whether a message without the identifier is accepted too, or with any where the option names none. */
  readonly identifierOptional?: boolean;
  /**
   * Accepts what a newer or a careless program may have written: fields that the shape does not know, and
   * bytes that belong to nothing. Refused by default, because damage can look the same.
   */
  readonly lenient?: boolean;
}
