/** What a C header declares, as plain data, and where x86-64 Linux puts it. Names are as the header has them. */
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

/** Largest struct that is laid out, in bytes: 64 MiB. */
export const MAX_STRUCT_BYTES = 64 * 2 ** 20;

/** Where the members of a struct are. All figures are bytes. */
export interface StructLayout {
  /** `sizeof`: a multiple of the alignment. A flexible array adds nothing but its alignment. */
  readonly size: number;
  readonly align: number;
  /** `offsetof` each member, in their order. */
  readonly offsets: readonly number[];
}

const layouts = new WeakMap<CStruct, StructLayout>();

/**
 * The layout that C compilers for x86-64 Linux give a struct (System V ABI, AMD64 supplement, 3.1.2): every
 * member at the next multiple of its alignment, and the size rounded up to the largest of them. The size may
 * be above {@link MAX_STRUCT_BYTES}, and even infinite.
 */
export function layoutOf(struct: CStruct): StructLayout {
  const known = layouts.get(struct);
  if (known !== undefined) return known;
  const layout = placeMembers(struct.members);
  layouts.set(struct, layout);
  return layout;
}

/** {@link layoutOf} for members that are not a struct yet. */
export function placeMembers(members: readonly CMember[]): StructLayout {
  const offsets: number[] = [];
  let end = 0;
  let align = 1;
  for (const member of members) {
    const own = alignOf(member.type);
    const offset = roundUp(end, own);
    offsets.push(offset);
    end = offset + (member.flexible ? 0 : sizeOf(member.type) * elementsOf(member));
    align = Math.max(align, own);
  }
  return { size: roundUp(end, align), align, offsets };
}

/** `sizeof` one element. */
export function sizeOf(type: CType): number {
  if (type.kind === "struct") return layoutOf(type.struct).size;
  return type.kind === "enum" ? type.bits / 8 : SCALAR_BYTES[type.scalar];
}

function alignOf(type: CType): number {
  return type.kind === "struct" ? layoutOf(type.struct).align : sizeOf(type);
}

/** Elements of a member in all its dimensions: 1 when it is no array; of each row when it is flexible. */
export function elementsOf(member: CMember): number {
  return member.dimensions.reduce((product, bound) => product * bound, 1);
}

/** The least multiple of `step` that is not below `value`. */
export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

/** Words that make up C's arithmetic types, in any order. */
const WORDS: ReadonlySet<string> = new Set(
  "signed __signed__ unsigned char short int long float double _Bool bool _Complex".split(" "),
);

/** C's own types by their words in alphabetical order, with `int` left out where it may be (C11, 6.7.2). */
const BY_WORDS: ReadonlyMap<string, CScalar> = new Map([
  ["_Bool", "bool"],
  ["bool", "bool"],
  ["char", "char"],
  ["char signed", "int8"],
  ["char unsigned", "uint8"],
  ["short", "int16"],
  ["short signed", "int16"],
  ["short unsigned", "uint16"],
  ["", "int32"],
  ["signed", "int32"],
  ["unsigned", "uint32"],
  ["long", "int64"],
  ["long signed", "int64"],
  ["long unsigned", "uint64"],
  ["long long", "int64"],
  ["long long signed", "int64"],
  ["long long unsigned", "uint64"],
  ["float", "float"],
  ["double", "double"],
]);

/** Typedef names of <stdint.h>, <stddef.h> and <uchar.h> as glibc has them on x86-64. */
const STANDARD_NAMES: ReadonlyMap<string, CScalar> = new Map([
  ...([8, 16, 32, 64] as const).flatMap((bits) => integerNames(`${bits}`, bits)),
  ...([8, 16, 32, 64] as const).flatMap((bits) => integerNames(`_least${bits}`, bits)),
  ...integerNames("_fast8", 8),
  ...([16, 32, 64] as const).flatMap((bits) => integerNames(`_fast${bits}`, 64)),
  ...integerNames("max", 64),
  ...integerNames("ptr", 64),
  ["size_t", "uint64"],
  ["ssize_t", "int64"],
  ["ptrdiff_t", "int64"],
  ["wchar_t", "int32"],
  ["char16_t", "uint16"],
  ["char32_t", "uint32"],
]);

function integerNames(name: string, bits: 8 | 16 | 32 | 64): [string, CScalar][] {
  return [
    [`int${name}_t`, `int${bits}`],
    [`uint${name}_t`, `uint${bits}`],
  ];
}

/** Whether a word is part of an arithmetic type. */
export function isTypeWord(word: string): boolean {
  return WORDS.has(word);
}

/** The scalar that some of those words name together; undefined when they name none that is supported. */
export function scalarOfWords(words: readonly string[]): CScalar | undefined {
  const plain = words.map((word) => (word === "__signed__" ? "signed" : word));
  const ints = plain.filter((word) => word === "int").length;
  const others = plain.filter((word) => word !== "int").sort();
  const mayHaveInt = others.every((word) => ["signed", "unsigned", "short", "long"].includes(word));
  return ints === 0 || (ints === 1 && mayHaveInt) ? BY_WORDS.get(others.join(" ")) : undefined;
}

/** The scalar of a name from a standard header. */
export function scalarOfName(name: string): CScalar | undefined {
  return STANDARD_NAMES.get(name);
}
