import { compile } from "../../model/generated-code.ts";
import { allocateUnfilled } from "../bytes/copy.ts";
import type { Format, Item } from "./format.ts";
import { byteAt, isListed, type Runs, runsOf, shifts, type TextRule, throughRuns } from "./source.ts";
import * as values from "./values.ts";

/** The generated functions. Each throws unless it is given as many values as the format has. */
export interface Packer {
  pack(...values: readonly unknown[]): Uint8Array;
  packArray(values: readonly unknown[]): Uint8Array;
  packInto(bytes: Uint8Array, offset: number, ...values: readonly unknown[]): void;
}

/** What the generated code calls to check its arguments. */
export interface PackerChecks {
  /** The place from which there is room for the struct. */
  room(bytes: Uint8Array, offset: number): number;
  wrongCount(got: number): never;
}

/** Makes the functions that write a struct. Of the format, only numbers enter generated source. */
export function compilePacker(format: Format, isText: TextRule, checks: PackerChecks): Packer {
  if (isListed(format)) return listed(format, runsOf(format, isText), checks);
  return compile(named(format, isText), { ...SCOPE, ...checks });
}

const SCOPE = { ...values, ...values.RANGES, allocateUnfilled, scratch: new DataView(new ArrayBuffer(8)) };

/** Functions with a parameter for each value. */
function named(format: Format, isText: TextRule): string {
  const { size, count } = format;
  const names = Array.from({ length: count }, (_, i) => `a${i}`);
  const list = (...first: string[]): string => [...first, ...names].join(", ");
  return `function write(${list("b", "o")}) {
${statements(format, isText).join("\n")}
}
return {
  pack: function pack(${list()}) {
    if (arguments.length !== ${count}) wrongCount(arguments.length);
    const b = allocateUnfilled(${size});
    write(${list("b", "0")});
    return b;
  },
  packArray: function packArray(a) {
    if (a.length !== ${count}) wrongCount(a.length);
    const b = allocateUnfilled(${size});
    write(${["b", "0", ...names.map((_, i) => `a[${i}]`)].join(", ")});
    return b;
  },
  packInto: function packInto(${list("b", "o")}) {
    if (arguments.length !== ${count + 2}) wrongCount(arguments.length - 2);
    write(${list("b", "room(b, o)")});
  },
};`;
}

/** Functions with one parameter for all values. */
function listed({ bigEndian, size, count }: Format, runs: Runs, { room, wrongCount }: PackerChecks): Packer {
  const write = runsWriter(bigEndian);
  const packArray = (a: readonly unknown[]): Uint8Array => {
    if (a.length !== count) wrongCount(a.length);
    const bytes = allocateUnfilled(size);
    write(bytes, 0, a, runs);
    return bytes;
  };
  return {
    packArray,
    pack: (...a) => packArray(a),
    packInto: (bytes, offset, ...a) => {
      if (a.length !== count) wrongCount(a.length);
      write(bytes, room(bytes, offset), a, runs);
    },
  };
}

/** Writes the values `a` from `o` on, by a table. */
type RunsWriter = (b: Uint8Array, o: number, a: readonly unknown[], runs: Runs) => void;

const writers = new Map<boolean, RunsWriter>();

function runsWriter(bigEndian: boolean): RunsWriter {
  const known = writers.get(bigEndian);
  if (known !== undefined) return known;
  const place = { x: "x", at: "p", size: "n", i: "i" } as const;
  const each = (type: Item["type"], text: boolean): string =>
    `let x = a[i]; ${store(type, { ...place, text }, bigEndian)}`;
  const body = throughRuns(each, "zero(b, p, p + n);");
  const writer = compile<RunsWriter>(`return function writeRuns(b, o, a, runs) {\n  ${body}\n};`, SCOPE);
  writers.set(bigEndian, writer);
  return writer;
}

/** Statements that write every byte from `o` on: values, and zeros between them. */
function statements({ items, size: whole, bigEndian }: Format, isText: TextRule): string[] {
  const lines: string[] = [];
  let end = 0;
  for (const { type, offset, size, repeat, index } of items) {
    lines.push(...zeros(end, offset));
    for (let i = index; i < index + repeat; i++) {
      const at = `o + ${offset + (i - index) * size}`;
      lines.push(store(type, { x: `a${i}`, at, size, i, text: isText(i) }, bigEndian));
    }
    end = offset + size * repeat;
  }
  return [...lines, ...zeros(end, whole)];
}

function zeros(start: number, end: number): string[] {
  if (end - start > 8) return [`zero(b, o + ${start}, o + ${end});`];
  return Array.from({ length: end - start }, (_, i) => `b[o + ${start + i}] = 0;`);
}

/** Where one value is, by names in the generated code, and where its bytes go. */
interface Place {
  readonly x: string;
  readonly at: string;
  readonly size: number | "n";
  /** Its index. */
  readonly i: number | "i";
  readonly text: boolean;
}

/** A statement that checks the value `x` and writes it. */
function store(type: Item["type"], { x, at, size, i, text }: Place, bigEndian: boolean): string {
  switch (type.kind) {
    case "bool":
      return `b[${at}] = ${x} === true ? 1 : ${x} === false ? 0 : truth(${x}, ${i});`;
    case "char":
      return `b[${at}] = oneByte(${x}, ${i});`;
    case "bytes":
      return `${text ? "writeText" : "writeSome"}(b, ${at}, ${size}, ${x}, ${i});`;
    case "pascal":
      return `writePascal(b, ${at}, ${size}, ${x}, ${i}, ${text});`;
    case "pointer":
      return `writeLong(b, ${at}, ${x}, ${i}, pointer, ${bigEndian});`;
    case "float":
      return storeFloat(type, { x, at, i }, bigEndian);
    case "integer": {
      const { bits, signed } = type;
      if (bits === 64)
        return `writeLong(b, ${at}, ${x}, ${i}, ${signed ? "signed" : "unsigned"}, ${bigEndian});`;
      const [least, most] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
      const check = `if (typeof ${x} !== "number" || ${x} !== ${narrowed(x, bits, signed)}) ${x} = integer(${x}, ${i}, ${least}, ${most});`;
      return `${check} ${storeBits(x, at, bits, bigEndian)}`;
    }
  }
}

/** The value that an integer of some width would become. */
function narrowed(x: string, bits: 8 | 16 | 32, signed: boolean): string {
  if (bits === 32) return signed ? `(${x} | 0)` : `(${x} >>> 0)`;
  return signed ? `(${x} << ${32 - bits} >> ${32 - bits})` : `(${x} & ${2 ** bits - 1})`;
}

function storeFloat(
  { bits, checked }: Extract<Item["type"], { kind: "float" }>,
  { x, at, i }: Pick<Place, "x" | "at" | "i">,
  bigEndian: boolean,
): string {
  if (bits === 16) return `{ const t = half(${x}, ${i}); ${storeBits("t", at, 16, bigEndian)} }`;
  const start = `if (typeof ${x} !== "number") refuse(${x}, ${i}, "a number");`;
  const order = bigEndian ? [0, 4] : [4, 0];
  if (bits === 64) {
    const words = order.map((word, half) => {
      const place = half === 0 ? at : `${at} + 4`;
      return `{ const t = scratch.getInt32(${word}); ${storeBits("t", place, 32, bigEndian)} }`;
    });
    return `${start} scratch.setFloat64(0, ${x}); ${words.join(" ")}`;
  }
  const overflow = checked
    ? `if ((t & 0x7f800000) === 0x7f800000 && Number.isFinite(${x})) refuse(${x}, ${i}, "a number that 32 bits hold");`
    : "";
  return `${start} { scratch.setFloat32(0, ${x}); const t = scratch.getInt32(0); ${overflow} ${storeBits("t", at, 32, bigEndian)} }`;
}

function storeBits(x: string, at: string, bits: number, bigEndian: boolean): string {
  return shifts(bits, bigEndian)
    .map((shift, i) => `${byteAt(at, i)} = ${shift === 0 ? x : `${x} >> ${shift}`};`)
    .join(" ");
}
