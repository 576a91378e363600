/** What one character of a format stands for, beside its size. */
export type Kind =
  | { readonly kind: "pad" }
  | { readonly kind: "char" }
  | { readonly kind: "bool" }
  | { readonly kind: "integer"; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  /** An address: of 64 bits, written from negative numbers too. */
  | { readonly kind: "pointer" }
  /** `checked`: whether a number that rounds to infinity is refused rather than written as that. */
  | { readonly kind: "float"; readonly bits: 16 | 32 | 64; readonly checked: boolean }
  | { readonly kind: "bytes" }
  /** A byte with the length, and bytes. */
  | { readonly kind: "pascal" };

/** One format character in one of the two modes. */
export interface Character {
  readonly type: Kind;
  /** Bytes of one; in native mode also its alignment. */
  readonly size: number;
}

function integer(bits: 8 | 16 | 32 | 64, signed: boolean): Character {
  return { type: { kind: "integer", bits, signed }, size: bits / 8 };
}

function float(bits: 16 | 32 | 64, checked = true): Character {
  return { type: { kind: "float", bits, checked }, size: bits / 8 };
}

/** Sizes of the prefixes `<`, `>`, `=` and `!` (docs.python.org/3/library/struct.html, "Format Characters"). */
export const STANDARD: ReadonlyMap<string, Character> = new Map([
  ["x", { type: { kind: "pad" }, size: 1 }],
  ["c", { type: { kind: "char" }, size: 1 }],
  ["?", { type: { kind: "bool" }, size: 1 }],
  ["b", integer(8, true)],
  ["B", integer(8, false)],
  ["h", integer(16, true)],
  ["H", integer(16, false)],
  ["i", integer(32, true)],
  ["I", integer(32, false)],
  ["l", integer(32, true)],
  ["L", integer(32, false)],
  ["q", integer(64, true)],
  ["Q", integer(64, false)],
  ["e", float(16)],
  ["f", float(32)],
  ["d", float(64)],
  ["s", { type: { kind: "bytes" }, size: 1 }],
  ["p", { type: { kind: "pascal" }, size: 1 }],
]);

/** Sizes of the prefix `@` and of none: those of gcc on x86-64 Linux, where every alignment is the size. */
export const NATIVE: ReadonlyMap<string, Character> = new Map([
  ...STANDARD,
  ["l", integer(64, true)],
  ["L", integer(64, false)],
  ["n", integer(64, true)],
  ["N", integer(64, false)],
  ["P", { type: { kind: "pointer" }, size: 8 }],
  // A C cast from double: Modules/_struct.c, np_float.
  ["f", float(32, false)],
]);
