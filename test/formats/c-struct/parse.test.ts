import { describe, expect, it } from "vitest";
import { type CMember, type CStruct, parseHeader } from "../../../src/formats/c-struct/index.ts";

function structOf(text: string, name = "s"): CStruct {
  const struct = parseHeader(text, "x.h").names.get(name);
  if (struct === undefined) throw new Error(`no struct ${name}`);
  return struct;
}

function onlyMember(declarations: string): CMember {
  const [member, ...others] = structOf(`#include <stdint.h>\nstruct s { ${declarations} };`).members;
  if (member === undefined || others.length > 0) throw new Error(`not one member: ${declarations}`);
  return member;
}

/** A member's type in one word: `uint8[4][2]`, `struct point`. */
function spelled({ type, dimensions, flexible }: CMember): string {
  const names = { scalar: () => "", enum: () => "", struct: () => "" };
  const base =
    type.kind === "scalar"
      ? type.scalar
      : `${type.kind}${names[type.kind]()} ${type.kind === "enum" ? type.enum.name : type.struct.name}`;
  return `${base}${flexible ? "[]" : ""}${dimensions.map((bound) => `[${bound}]`).join("")}`;
}

describe("a header's types", () => {
  it.each([
    ["char x;", "char"],
    ["signed char x;", "int8"],
    ["unsigned char x;", "uint8"],
    ["char unsigned x;", "uint8"],
    ["short x;", "int16"],
    ["short int x;", "int16"],
    ["unsigned short int x;", "uint16"],
    ["int x;", "int32"],
    ["signed x;", "int32"],
    ["unsigned x;", "uint32"],
    ["int unsigned x;", "uint32"],
    ["long x;", "int64"],
    ["long int x;", "int64"],
    ["unsigned long x;", "uint64"],
    ["long long x;", "int64"],
    ["long long int x;", "int64"],
    ["long unsigned int long x;", "uint64"],
    ["unsigned long long x;", "uint64"],
    ["float x;", "float"],
    ["double x;", "double"],
    ["bool x;", "bool"],
    ["_Bool x;", "bool"],
    ["int8_t x;", "int8"],
    ["uint64_t x;", "uint64"],
    ["uint_least16_t x;", "uint16"],
    ["int_fast16_t x;", "int64"],
    ["size_t x;", "uint64"],
    ["ptrdiff_t x;", "int64"],
    ["intptr_t x;", "int64"],
    ["wchar_t x;", "int32"],
    ["const volatile int x;", "int32"],
    ["int const x;", "int32"],
    ["char x[32];", "char[32]"],
    ["int x[2][3];", "int32[2][3]"],
    ["struct { int a; } x;", "struct s.x"],
    ["struct inner { int a; } x[2];", "struct inner[2]"],
    ["enum { A, B } x;", "enum s.x"],
    ["enum color { RED } x;", "enum color"],
  ])("%s is %s", (declaration, expected) => {
    expect(spelled(onlyMember(declaration))).toBe(expected);
  });

  it("are named by typedefs, also of arrays and of arrays of arrays", () => {
    const text = `typedef unsigned long word, pair[2]; typedef pair square[3];
      typedef char name_t[8];
      struct s { word a; pair b; square c[4]; name_t d, e[2]; };`;
    expect(structOf(text).members.map(spelled)).toEqual([
      "uint64",
      "uint64[2]",
      "uint64[4][3][2]",
      "char[8]",
      "char[2][8]",
    ]);
  });

  it("may be used before they are complete only where nothing depends on them", () => {
    const text = "typedef struct node node; struct node { int a; }; struct s { node x; };";
    expect(structOf(text).members.map(spelled)).toEqual(["struct node"]);
  });

  it("may be redefined in a header that does without <stdint.h>", () => {
    expect(spelled(structOf("typedef unsigned char uint8_t; struct s { uint8_t x; };").members[0]!)).toBe(
      "uint8",
    );
  });

  it("stand in one declaration for several members", () => {
    expect(structOf("struct s { int a, b[2], c; };").members.map(({ name }) => name)).toEqual([
      "a",
      "b",
      "c",
    ]);
  });
});

describe("a struct's name", () => {
  it.each([
    ["its tag", "struct s { int a; };", "s", "s"],
    ["its typedef name", "typedef struct { int a; } s;", "s", "s"],
    ["its typedef name before its tag", "typedef struct s_tag { int a; } s;", "s_tag", "s"],
    ["its first typedef name", "typedef struct { int a; } s, t;", "t", "s"],
    ["a typedef name that comes first", "typedef struct tag s; struct tag { int a; };", "tag", "s"],
    ["a typedef name that comes later", "struct tag { int a; }; typedef struct tag s;", "tag", "s"],
    [
      "that of the outer struct and the member",
      "typedef struct { struct { int a; } in; } s;",
      "s.in",
      "s.in",
    ],
  ])("is %s", (_, text, known, expected) => {
    expect(structOf(text, known).name).toBe(expected);
  });
});

describe("constants", () => {
  it.each([
    ["7", 7],
    ["0x1F", 31],
    ["010", 8],
    ["0b101", 5],
    ["16u", 16],
    ["16ULL", 16],
    ["'A'", 65],
    ["'\\n'", 10],
    ["'\\''", 39],
    ["2 + 3 * 4", 14],
    ["(2 + 3) * 4", 20],
    ["10 - 3 - 2", 5],
    ["100 / 7 % 4", 2],
    ["1 << 3 | 1", 9],
    ["6 & 3 ^ 1", 3],
    ["-(-5)", 5],
    ["+5", 5],
    ["~-6", 5],
    ["!0 + !7", 1],
    ["1 < 2 == 1 ? 10 : 20", 10],
    ["0 ? 1 : 0 ? 2 : 3", 3],
    ["1 && 0 || 1", 1],
    ["-1 < 0u ? 1 : 2", 2],
    ["(0u - 1u) / 0x10000000", 15],
    ["1 ? 3 : 0u", 3],
    ["0xFFFFFFFF == 4294967295 ? 1 : 2", 1],
    ["N", 4],
    ["N_SQUARED", 16],
    ["TWICE_UNGUARDED * 2", 6],
    ["THIRD", 12],
  ])("%s is %d", (expression, expected) => {
    const text = `#define N 4
      #define N_SQUARED (N * N) /* once more */
      #define TWICE_UNGUARDED 2 + 2
      enum { FIRST = 10, SECOND, THIRD };
      struct s { int8_t x[${expression}]; };`;
    expect(structOf(text).members[0]?.dimensions).toEqual([expected]);
  });

  it("number the values of an enum, from 0 and on from those that are given", () => {
    const header = parseHeader("enum e { A, B = -2, C, D = B + 10, E = 'x', F = D << 1 };");
    expect(header.enums[0]?.values.map(({ number }) => number)).toEqual([0, -2, -1, 8, 120, 16]);
  });
});

describe("directives", () => {
  it.each([
    ["an include guard", "#ifndef X_H\n#define X_H\nstruct s { int a; };\n#endif"],
    ["an include guard with defined", "#if !defined(X_H)\n#define X_H\nstruct s { int a; };\n#endif"],
    ["#pragma once", "#pragma once\nstruct s { int a; };"],
    ["includes", '#include <stdint.h>\n#include "other.h"\nstruct s { int a; };'],
    [
      'extern "C" for C++',
      '#ifdef __cplusplus\nextern "C" {\n#endif\nstruct s { int a; };\n#ifdef __cplusplus\n}\n#endif',
    ],
    ["an #else", "#ifdef __cplusplus\nfoo\n#else\nstruct s { int a; };\n#endif"],
    [
      "an #elif",
      "#if 0\nfoo\n#elif defined(__cplusplus)\nbar\n#elif 1\nstruct s { int a; };\n#else\nbaz\n#endif",
    ],
    [
      "nested conditions in a part that is left out",
      "#if 0\n#ifdef FOO\n#endif\n#error don't\n#endif\nstruct s { int a; };",
    ],
    ["a default", "#ifndef N\n#define N 3\n#endif\nstruct s { int a[N]; };"],
    ["a name defined before", "#define YES\n#ifdef YES\nstruct s { int a; };\n#endif"],
    ["a macro for a type", "#define U32 unsigned int\nstruct s { U32 a; };"],
    ["a macro for nothing", "#define PACKED\nstruct s { int a; } PACKED;"],
    ["a macro that is taken back", "#define int foo\n#undef int\nstruct s { int a; };"],
    ["a macro that mentions itself", "#define a a\nstruct s { int a; };"],
    [
      "a macro with arguments that is not used",
      "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstruct s { int a; };",
    ],
    ["a line that goes on", "#define N 1 + \\\n  2\nstruct s { int a[N]; };"],
    ["comments", "/* # */ struct /* a\n#b */ s { // int b;\n int a; };"],
    ["static assertions", 'struct s { int a; }; _Static_assert(sizeof(struct s) == 4, "size");'],
    ["Windows line ends", "#define N 1\r\nstruct s {\r\n  int a[N];\r\n};\r\n"],
    ["a byte order mark", "\uFEFFstruct s { int a; };"],
  ])("%s does no harm", (_, text) => {
    expect(structOf(text).members.map(({ name }) => name)).toEqual(["a"]);
  });
});
