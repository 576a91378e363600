import type { CScalar } from "./declarations.ts";

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
