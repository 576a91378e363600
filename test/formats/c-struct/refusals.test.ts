import { describe, expect, it } from "vitest";
import { parseHeader } from "../../../src/formats/c-struct/index.ts";
import { parseTokens } from "../../../src/formats/c-struct/parse.ts";
import { preprocess, type Token, tokenize } from "../../../src/formats/c-struct/tokens.ts";
import { SchemaError } from "../../../src/model/errors.ts";

function refusal(text: string, parse = (): unknown => parseHeader(text, "x.h")): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    throw error;
  }
  return "accepted";
}

/** What is wrong with a header, and how many tokens are made and looked at until that is known. */
function refusalAndSteps(text: string): { readonly problem: string; readonly steps: number } {
  let steps = 0;
  const counted = (tokens: readonly Token[]): Token[] => {
    steps += tokens.length;
    return tokens.map(({ kind, ...token }) => ({
      ...token,
      get kind() {
        steps += 1;
        return kind;
      },
    }));
  };
  const problem = refusal(text, () =>
    parseTokens("x.h", counted(preprocess("x.h", counted(tokenize("x.h", text))))),
  );
  return { problem, steps };
}

/** Most steps for each character of a header. */
const EACH = 6;

/** Most steps where macros stand for ever more macros: two for each token that they may make. */
const MACROS = 40_000;

describe("what is refused", () => {
  it.each([
    [
      "struct s {\n  int *a;\n};",
      "x.h:2:7: pointers are not supported: they mean nothing outside the program",
    ],
    ["struct s { int a : 3; };", "x.h:1:16: bit-fields are not supported"],
    ["struct s { int : 3; };", "x.h:1:16: bit-fields are not supported"],
    [
      "struct s { union { int a; } b; };",
      "x.h:1:12: unions are not supported: nothing says which member holds the value",
    ],
    ["struct s { long double a; };", 'x.h:1:12: "long double" is not supported as a type'],
    ["struct s { short double a; };", 'x.h:1:12: "short double" is not supported as a type'],
    ["struct s { unsigned bool a; };", 'x.h:1:12: "unsigned bool" is not supported as a type'],
    ["struct s { int (*f)(void); };", "x.h:1:16: pointers to functions or arrays are not supported"],
    ["int f(void);", "x.h:1:5: functions are not supported"],
    ["static int x;", 'x.h:1:1: "static": variables and functions are not supported'],
    ["struct s { int a; } x;", "x.h:1:21: variables are not supported, expected a typedef or a type"],
    ["struct s { size_t int; };", 'x.h:1:19: syntax error, expected a name, got "int"'],
    ["struct s { int a; signed const; };", "x.h:1:31: a member without a name, expected one"],
    ["typedef int bool;", 'x.h:1:9: "int bool" is not supported as a type'],
    ["struct int { char a; };", 'x.h:1:8: syntax error, expected a tag or "{", got "int"'],
    ["struct s { time_t a; };", 'x.h:1:12: unknown type "time_t" (included files are not read)'],
    ["struct a { int x; }; struct s { a b; };", 'x.h:1:33: unknown type "a", did you mean "struct a"?'],
    ["struct s { struct a b; };", "x.h:1:21: struct a is not complete here"],
    ["struct s { struct s b; };", "x.h:1:21: struct s is not complete here"],
    ["struct s { enum e b; };", "x.h:1:17: enum e is not declared"],
    ["struct s {};", "x.h:1:8: a struct without members, expected at least one"],
    ["struct s { struct { int a; }; };", "x.h:1:29: a member without a name, expected one"],
    ["struct s { int a; int a; };", 'x.h:1:23: "a" is declared twice'],
    ["struct s { int a; }; struct s { int b; };", 'x.h:1:29: "s" is declared twice'],
    ["typedef int t; typedef long t;", 'x.h:1:29: "t" is declared twice'],
    ["enum a { X }; enum b { X };", 'x.h:1:24: "X" is declared twice'],
    ["struct s { int a; }; typedef struct { int b; } s;", 'x.h:1:48: "s" names two structs'],
    ["#define A 1\n#define A 2", "x.h:2:9: macro A is defined twice, with different values"],
    [
      "struct s { int a[n]; };",
      'x.h:1:18: "n" is not a constant here, expected a number, an enumerator or a macro of one',
    ],
    [
      "struct s { int a[sizeof(int)]; };",
      "x.h:1:18: sizeof is not a constant here, expected a number, an enumerator or a macro of one",
    ],
    ["struct s { int a[2.5]; };", 'x.h:1:18: "2.5" is not an integer constant'],
    ["struct s { int a[09]; };", 'x.h:1:18: "09" is not an integer constant'],
    ["struct s { int a[-1]; };", "x.h:1:18: array bound -1, expected 0 to 67108864"],
    ["struct s { int a[1 / 0]; };", "x.h:1:20: division by zero"],
    ["struct s { int a[1 << 40]; };", "x.h:1:20: shift without a meaning in C"],
    ["struct s { int a[2147483647 + 1]; };", "x.h:1:29: integer overflow: 2147483648 does not fit 32 bits"],
    [
      "struct s { int a[99999999999999999999]; };",
      "x.h:1:18: 99999999999999999999 is too large for an integer",
    ],
    [`struct s { int a${"[1]".repeat(33)}; };`, "x.h:1:16: array of more than 32 dimensions"],
    [
      `typedef int t${"[1]".repeat(20)}; struct s { t a${"[1]".repeat(13)}; };`,
      "x.h:1:89: array of more than 32 dimensions",
    ],
    ["struct s { int a[2][0]; };", "x.h:1:16: array of no elements, expected a bound above 0"],
    [
      "struct s { int n; int a[]; int b; };",
      "x.h:1:23: flexible array before the end of the struct, expected a bound",
    ],
    [
      "struct s { int n; int a[0]; int b; };",
      "x.h:1:23: flexible array before the end of the struct, expected a bound",
    ],
    [
      "struct s { float n; int a[]; };",
      'x.h:1:25: flexible array without a count, expected an integer "a_count", or any integer right before it',
    ],
    [
      "struct s { int b_count; int b[2]; int a[]; };",
      'x.h:1:39: flexible array without a count, expected an integer "a_count", or any integer right before it',
    ],
    [
      "struct s { int n; char a[]; };",
      "x.h:1:24: flexible array of char: nothing says whether its count includes a NUL, expected uint8_t",
    ],
    [
      "struct s { int n; int a[][2]; };",
      "x.h:1:23: array of arrays with a count: nothing says whether it counts rows or elements",
    ],
    [
      "struct s { int a_count; int a[3][2]; };",
      "x.h:1:29: array of arrays with a count: nothing says whether it counts rows or elements",
    ],
    [
      "struct a { int n; int x[]; }; struct s { struct a b; };",
      "x.h:1:51: a struct with a flexible array cannot be in another",
    ],
    ["struct s { char a[70000000]; };", "x.h:1:19: array bound 70000000, expected 0 to 67108864"],
    ["struct s { int a[67108864]; };", "x.h:1:8: a struct of 268435456 bytes, expected at most 67108864"],
    ["enum e { A = 2147483648 };", "x.h:1:10: 2147483648 is outside int"],
    ["enum e { A = 2147483647, B };", "x.h:1:26: 2147483648 is outside int"],
    ["enum e : char { A };", "x.h:1:8: an enum with a type of its own is not supported"],
    ["enum e { };", 'x.h:1:10: syntax error, expected an enumerator, got "}"'],
    [
      "#pragma pack(1)\nstruct s { int a; };",
      "x.h:1:2: #pragma pack is not supported: it may change the layout",
    ],
    [
      "struct __attribute__((packed)) s { int a; };",
      "x.h:1:8: attributes are not supported: they may change the layout",
    ],
    [
      "struct s { int a; } __attribute__((aligned(8)));",
      "x.h:1:21: attributes are not supported: they may change the layout",
    ],
    [
      "#define PACKED __attribute__((packed))\ntypedef struct { int a; } PACKED s;",
      "x.h:2:27: attributes are not supported: they may change the layout",
    ],
    ["struct s { _Alignas(8) int a; };", "x.h:1:12: explicit alignment is not supported"],
    ["struct s { alignas(8) int a; };", "x.h:1:12: explicit alignment is not supported"],
    ['_Pragma("pack(1)")', "x.h:1:1: pragmas are not supported: they may change the layout"],
    [
      "#ifdef WIDE\nstruct s { int a; };\n#endif",
      "x.h:1:2: the outcome of this condition is not known, expected an include guard or __cplusplus",
    ],
    [
      "#if VERSION > 3\n#endif",
      "x.h:1:2: the outcome of this condition is not known, expected an include guard or __cplusplus",
    ],
    ["#if 0", "x.h:1:2: condition without an #endif"],
    ["#endif", "x.h:1:2: #endif without an #if"],
    ["#else", "x.h:1:2: #else without an #if"],
    ["#error no", "x.h:1:2: #error is not supported"],
    [
      "#define F(x) x\nstruct s { int a[F(2)]; };",
      "x.h:2:18: macro F takes arguments, which is not supported",
    ],
    ["struct s { int a; }", "x.h:1:20: syntax error, expected a name, got the end of the file"],
    ["struct s { int a;", "x.h:1:18: syntax error, expected a type, got the end of the file"],
    ["struct s { int a = 3; };", 'x.h:1:18: syntax error, expected ";", got "="'],
    ["struct s { int; };", "x.h:1:15: a member without a name, expected one"],
    ["struct s { 3; };", 'x.h:1:12: syntax error, expected a type, got "3"'],
    ["struct s { int a[(1]; };", 'x.h:1:20: syntax error, expected ")", got "]"'],
    ["struct s { int a[1; };", 'x.h:1:19: syntax error, expected "]", got ";"'],
    ["struct s { int é; };", 'x.h:1:16: syntax error, expected a name, got "é"'],
    ["struct ; ", 'x.h:1:8: syntax error, expected a tag or "{", got ";"'],
    ["struct s { int a; }; /* ", "x.h:1:22: comment without an end"],
    ["enum s { A }; struct s { int a; };", 'x.h:1:22: "s" is an enum'],
    ["struct s { int a; }; enum s { A };", 'x.h:1:27: "s" is a struct'],
  ])("%s", (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  it.each<[string, string, number?]>([
    ["deep nesting in place", `${"struct {".repeat(5000)} int a; ${"} x;".repeat(5000)}`],
    [
      "deep nesting by name",
      Array.from(
        { length: 200 },
        (_, i) => `struct s${i + 1} { ${i === 0 ? "int a" : `struct s${i} a`}; };`,
      ).join("\n"),
    ],
    ["many parentheses", `struct s { int a[${"(".repeat(20_000)}1]; };`],
    ["many signs", `struct s { int a[${"-".repeat(20_000)}1]; };`],
    ["many conditions", `struct s { int a[${"1 ? ".repeat(20_000)}1]; };`],
    [
      "macros that double",
      `#define A0 1\n${Array.from({ length: 60 }, (_, i) => `#define A${i + 1} A${i} + A${i}`).join("\n")}\nstruct s { int a[A60]; };`,
      MACROS,
    ],
    [
      "macros that double nothing",
      `#define A0\n${Array.from({ length: 60 }, (_, i) => `#define A${i + 1} A${i} A${i}`).join("\n")}\nA60`,
      MACROS,
    ],
    [
      "a long chain of macros",
      `${Array.from({ length: 20_000 }, (_, i) => `#define A${i + 1} A${i}`).join("\n")}\nA20000`,
    ],
    [
      "structs that double",
      Array.from(
        { length: 60 },
        (_, i) => `struct s${i + 1} { ${i === 0 ? "int a, b" : `struct s${i} a, b`}; };`,
      ).join("\n"),
    ],
    ["quotes without an end", `#if 0\n${"'\\".repeat(100_000)}\n#endif\nstruct s { int a["; };`, 30],
  ])("%s, in few steps", (_, text, most = EACH * text.length) => {
    const { problem, steps } = refusalAndSteps(text);
    expect(problem).toMatch(/^x\.h:\d+:\d+: /);
    expect(steps).toBeLessThan(most);
  });
});
