/** What a C header declares, as plain data. Names are as the header has them. */
import { UsageError } from "../../model/errors.ts";

/** Scalar types by what they hold on x86-64 Linux. `char` is apart from `int8`: an array of it is text. */
export type CScalar =
  | "bool"
  | "char"
  | "int8"
  | "uint8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "float"
  | "double";

/** What one element of a member is. gcc keeps an enum in 4 bytes; `bits` 8 is one that a `int8_t` holds. */
export type CType =
  | { readonly kind: "scalar"; readonly scalar: CScalar }
  | { readonly kind: "enum"; readonly enum: CEnum; readonly bits: 8 | 32 }
  | { readonly kind: "struct"; readonly struct: CStruct };

/** An enum. Its numbers are those of a C `int`. */
export interface CEnum {
  /** Its typedef name or tag; one without either is named after the member that has it. */
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly number: number }[];
}

/** A member of a struct. */
export interface CMember {
  readonly name: string;
  readonly type: CType;
  /** Bounds of an array, the outermost first; empty for a single element. A flexible bound is not among them. */
  readonly dimensions: readonly number[];
  /** Whether it is `x[]` or `x[0]` at the end of a struct: as many elements as its count says. */
  readonly flexible: boolean;
  /** The property of a value that it stands for, where that is not its name. */
  readonly key?: string;
  /** Whether a value holds these structs of a `key` and a `value` as the properties of one object. */
  readonly map?: boolean;
}

/** A struct with all its members. */
export interface CStruct {
  /** Its typedef name or tag; one without either is `outer.member`, after the member that has it. */
  readonly name: string;
  readonly members: readonly CMember[];
}

/** The structs and enums of a header, in the order of their declaration. */
export interface CHeader {
  readonly structs: readonly CStruct[];
  readonly enums: readonly CEnum[];
  /** Structs by each of their names: tag, typedef names, and the name above. */
  readonly names: ReadonlyMap<string, CStruct>;
}

/** The struct of that tag or typedef name. Throws UsageError with the names that there are. */
export function structNamed({ names }: CHeader, name: string): CStruct {
  const struct = names.get(name);
  if (struct !== undefined) return struct;
  throw new UsageError(`no struct "${name}", expected one of ${[...names.keys()].join(", ") || "none"}`);
}

/** Bytes of a scalar, which are also its alignment (System V ABI, AMD64 supplement, figure 3.1). */
export const SCALAR_BYTES: Readonly<Record<CScalar, 1 | 2 | 4 | 8>> = {
  bool: 1,
  char: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float: 4,
  double: 8,
};
