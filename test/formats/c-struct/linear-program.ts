/** Reports the work of headers, values and bytes of growing size: see `../linear-work/steps.ts`. */
import { compileStruct, parseHeader, structNamed } from "../../../src/formats/c-struct/index.ts";
import { type Family, report } from "../linear-work/steps.ts";

const many = (n: number, each: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => each(i)).join("");

function header(name: string, text: (n: number) => string, from = 512): Family {
  return {
    name: `header: ${name}`,
    make: (n) => {
      const source = text(n);
      return () => parseHeader(source);
    },
    from,
  };
}

/** Of a struct `s`. */
function struct(name: string, text: (n: number) => string, value: (n: number) => unknown): Family[] {
  const compiled = (n: number) => compileStruct(structNamed(parseHeader(text(n)), "s"));
  const family = (step: string, make: Family["make"]): Family => ({
    name: `${step}: ${name}`,
    make,
    from: 512,
  });
  return [
    family("compile", (n) => {
      const read = parseHeader(text(n));
      return () => compileStruct(structNamed(read, "s"));
    }),
    family("pack", (n) => {
      const [one, given] = [compiled(n), value(n)];
      return () => one.pack(given);
    }),
    family("unpack", (n) => {
      const one = compiled(n);
      const bytes = one.pack(value(n));
      return () => one.unpack(bytes);
    }),
    family("verify", (n) => {
      const one = compiled(n);
      const bytes = one.pack(value(n));
      return () => one.verify(bytes);
    }),
  ];
}

report([
  header("members", (n) => `struct s { ${many(n, (i) => `int a${i};`)} };`),
  header("members of one declaration", (n) => `struct s { int a${many(n, (i) => `, b${i}`)}; };`),
  header("structs", (n) => many(n, (i) => `struct s${i} { char a; };`)),
  header("structs of their own", (n) => `struct s { ${many(n, (i) => `struct { char a; } b${i};`)} };`),
  header("counted arrays", (n) => `struct s { ${many(n, (i) => `int a${i}_count; int a${i}[2];`)} };`),
  header("optional members", (n) => `struct s { ${many(n, (i) => `bool has_a${i}; int a${i};`)} };`),
  header(
    "flags of flags",
    (n) => `struct s { ${many(Math.sqrt(n) | 0, (i) => `bool ${"has_".repeat(i)}a;`)} };`,
  ),
  header("typedefs of typedefs", (n) => `typedef int t0; ${many(n, (i) => `typedef t${i} t${i + 1};`)}`),
  header(
    "members of many dimensions",
    (n) => `typedef int t${"[1]".repeat(32)}; struct s { t a${many(n, (i) => `, b${i}`)}; };`,
  ),
  header("enumerators", (n) => `enum e { A${many(n, (i) => `, B${i}`)} };`),
  header("enumerators of others", (n) => `enum e { A0 = 1${many(n, (i) => `, A${i + 1} = A${i} ^ 1`)} };`),
  header("a long sum", (n) => `struct s { int a[1${many(n, () => " + 0")}]; };`),
  header("a long name", (n) => `struct ${"s".repeat(8 * n)} { int a; };`),
  header("one long name in many places", (n) => `struct s { ${`struct ${"t".repeat(n)} { int a; } a; `} };`),
  header("digits of zero", (n) => `struct s { int a[0${"0".repeat(8 * n)}1]; };`),
  header("comments", (n) => `${many(n, () => "/* a */ // b\n")} struct s { int a; };`),
  header("slashes in a part that is left out", (n) => `#if 0\n${"/ ' \" ".repeat(n)}\n#endif\n`),
  header("backslashes in quotes", (n) => `#if 0\n'${"\\'".repeat(4 * n)}\n#endif\n`),
  header("blank lines", (n) => `${" \\\n".repeat(4 * n)}${"\n".repeat(4 * n)}`),
  header("macros", (n) => many(n, (i) => `#define A${i} ${i}\n`)),
  header(
    "macros of macros",
    (n) => `#define A0 1\n${many(n, (i) => `#define A${i + 1} A${i} + 0\n`)}enum { X = A90 };`,
  ),
  header("one macro again and again", (n) => many(n, () => "#define A 1\n")),
  header("conditions", (n) => `${"#if 1\n".repeat(n)}${"#endif\n".repeat(n)}`),
  header("assertions", (n) => many(n, () => '_Static_assert(1, "a");')),
  header("parentheses", (n) => many(n, (i) => `enum { A${i} = ${"(".repeat(50)}1${")".repeat(50)} };`), 64),
  // Refused when that is known: as many tokens as macros that double may make, for each of a header's own.
  header(
    "macros that double",
    (n) => `#define A0 0\n${many(n, (i) => `#define A${i + 1} A${i}, A${i}\n`)}A${n}`,
  ),
  header("digits of a number that is too large", (n) => `struct s { int a[${"9".repeat(8 * n)}]; };`),
  header("a comment without an end", (n) => `${many(n, () => "/* a */")}/* ${"*".repeat(n)}`),

  ...struct(
    "members",
    (n) => `struct s { ${many(n, (i) => `int a${i};`)} };`,
    (n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`a${i}`, i])),
  ),
  ...struct(
    "a list",
    () => "struct s { int n; int a[]; };",
    (n) => ({ a: Array.from({ length: n }, (_, i) => i) }),
  ),
  ...struct(
    "text",
    (n) => `struct s { char a[${n}][64]; };`,
    (n) => ({ a: Array<string>(n).fill("é".repeat(31)) }),
  ),
  ...struct(
    "bytes",
    (n) => `struct s { struct { int size; unsigned char bytes[64]; } a[${n}]; };`,
    (n) => ({ a: Array<Uint8Array>(n).fill(new Uint8Array(60)) }),
  ),
  ...struct(
    "structs in structs",
    (n) => `struct t { struct { int a[4]; } b[4]; }; struct s { struct t c[${n}]; };`,
    (n) => ({ c: Array(n).fill({ b: Array(4).fill({ a: [1, 2, 3, 4] }) }) }),
  ),
  {
    name: "unpack: text without a NUL",
    make: (n) => {
      const one = compileStruct(structNamed(parseHeader(`struct s { char a[${n}][64]; };`), "s"));
      const bytes = Buffer.alloc(one.size, "a");
      return () => one.unpack(bytes);
    },
    from: 512,
  },
]);
