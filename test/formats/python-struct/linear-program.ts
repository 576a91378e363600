/** Reports the work of formats, values and bytes of growing size: see `../linear-work/steps.ts`. */
import {
  calcsize,
  compileFormat,
  type StructOptions,
  type StructValue,
} from "../../../src/formats/python-struct/index.ts";
import { type Family, report } from "../linear-work/steps.ts";

function family(name: string, make: Family["make"], from = 512): Family {
  return { name, make, from };
}

function size(name: string, format: (n: number) => string): Family {
  return family(`calcsize: ${name}`, (n) => {
    const text = format(n);
    return () => calcsize(text);
  });
}

function compiling(name: string, format: (n: number) => string, from?: number): Family {
  return family(
    `format: ${name}`,
    (n) => {
      const text = format(n);
      return () => compileFormat(text);
    },
    from,
  );
}

/** Both directions of values. */
function both(
  name: string,
  format: (n: number) => string,
  values: (n: number) => StructValue[],
  options: StructOptions = {},
): Family[] {
  return [
    family(`pack: ${name}`, (n) => {
      const [struct, given] = [compileFormat(format(n), options), values(n)];
      return () => struct.packArray(given);
    }),
    family(`unpack: ${name}`, (n) => {
      const struct = compileFormat(format(n), options);
      const bytes = struct.packArray(values(n));
      return () => struct.unpack(bytes);
    }),
  ];
}

const times = (n: number, ...values: StructValue[]): StructValue[] =>
  Array.from({ length: n }, () => values).flat();
const text = Buffer.from("text");

report([
  size("characters", (n) => "ih".repeat(n)),
  size("counts", (n) => "2i3h".repeat(n)),
  size("one long count", (n) => `${"0".repeat(8 * n)}1i`),
  size("spaces", (n) => `${" ".repeat(8 * n)}i`),
  size("alignment", (n) => "b0q".repeat(n)),
  size("padding", (n) => "x".repeat(8 * n)),
  compiling("runs of one value each", (n) => `>${"ih".repeat(n)}`),
  compiling("one run", (n) => `>${"i".repeat(8 * n)}`),
  compiling("text", (n) => `>${"2s".repeat(n)}`),
  compiling("gaps", (n) => `@${"bq".repeat(n)}`),
  compiling("more runs than are taken", (n) => `>${"ih".repeat(n)}`, 8192),
  compiling("a character that is none, at the end", (n) => `>${"ih".repeat(n)}z`),
  ...both(
    "runs of one value each",
    (n) => `>${"ih".repeat(n)}`,
    (n) => times(n, 1, 2),
  ),
  ...both(
    "one run",
    (n) => `<${n}q`,
    (n) => times(n, 1n),
  ),
  ...both(
    "floats",
    (n) => `>${"efd".repeat(n)}`,
    (n) => times(n, 0.5, 0.5, 0.5),
  ),
  ...both(
    "bytes",
    (n) => `>${"8s8p".repeat(n)}`,
    (n) => times(n, text, text),
  ),
  ...both(
    "text",
    (n) => `>${"8s8p".repeat(n)}`,
    (n) => times(n, "text", "é"),
    { text: true },
  ),
  ...both(
    "one long text",
    (n) => `>${16 * n}s`,
    (n) => ["é".repeat(8 * n)],
    { text: true },
  ),
  ...both(
    "one long piece of bytes",
    (n) => `>${16 * n}s`,
    (n) => [Buffer.alloc(16 * n)],
  ),
  ...both(
    "short bytes with much room",
    (n) => `>${16 * n}s${16 * n}p`,
    () => [text, text],
  ),
  ...both(
    "gaps",
    (n) => `@${"bq".repeat(n)}`,
    (n) => times(n, 1, 2n),
  ),
  family("iterUnpack", (n) => {
    const struct = compileFormat(">ih8s");
    const bytes = Buffer.alloc(struct.size * n);
    return () => [...struct.iterUnpack(bytes)];
  }),
]);
