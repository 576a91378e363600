import { compile } from "../../model/generated-code.ts";
import { allocateShared } from "../bytes/copy.ts";
import type { Format, Item } from "./format.ts";
import { byteAt, inChunks, isListed, shifts, type TextRule } from "./source.ts";
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

/** Generates the functions that write a struct. Of the format, only numbers enter their source. */
export function compilePacker(format: Format, isText: TextRule, checks: PackerChecks): Packer {
  const scope = { ...checks, ...values, ...values.RANGES, allocateShared, scratch };
  return compile(isListed(format) ? listed(format, isText) : named(format, isText), scope);
}

/** Functions with a parameter for each value. */
function named(format: Format, isText: TextRule): string {
  const { size, count } = format;
  const names = Array.from({ length: count }, (_, i) => `a${i}`);
  const list = (...first: string[]): string => [...first, ...names].join(", ");
  const { functions, body } = inChunks(statements(format, isText), list("b", "o"));
  return `${functions}
function write(${list("b", "o")}) {
${body}
}
return {
  pack: function pack(${list()}) {
    if (arguments.length !== ${count}) wrongCount(arguments.length);
    const b = allocateShared(${size});
    write(${list("b", "0")});
    return b;
  },
  packArray: function packArray(a) {
    if (a.length !== ${count}) wrongCount(a.length);
    const b = allocateShared(${size});
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
function listed(format: Format, isText: TextRule): string {
  const { functions, body } = inChunks(statements(format, isText), "b, o, a");
  return `${functions}
function write(b, o, a) {
${body}
}
function packArray(a) {
  if (a.length !== ${format.count}) wrongCount(a.length);
  const b = allocateShared(${format.size});
  write(b, 0, a);
  return b;
}
return {
  packArray,
  pack: (...a) => packArray(a),
  packInto: (b, o, ...a) => {
    if (a.length !== ${format.count}) wrongCount(a.length);
    write(b, room(b, o), a);
  },
};`;
}

const scratch = new DataView(new ArrayBuffer(8));

/** Statements that write every byte from `o` on: values, and zeros between them. */
function statements(format: Format, isText: TextRule): string[] {
  const lines: string[] = [];
  let end = 0;
  for (const item of format.items) {
    lines.push(...zeros(end, item.offset));
    const { offset, size, repeat, index } = item;
    const text = isText(index);
    if (!isListed(format)) {
      for (let i = 0; i < repeat; i++) {
        lines.push(
          store(item, { x: `a${index + i}`, at: `o + ${offset + i * size}`, i: index + i, text }, format),
        );
      }
    } else if (repeat === 1) {
      const one = store(item, { x: "x", at: `o + ${offset}`, i: index, text }, format);
      lines.push(`{ let x = a[${index}]; ${one} }`);
    } else {
      const one = store(item, { x: "x", at: "p", i: "i", text }, format);
      lines.push(
        `for (let i = ${index}, p = o + ${offset}; i < ${index + repeat}; i++, p += ${size}) { let x = a[i]; ${one} }`,
      );
    }
    end = offset + size * repeat;
  }
  return [...lines, ...zeros(end, format.size)];
}

function zeros(start: number, end: number): string[] {
  if (end - start > 8) return [`zero(b, o + ${start}, o + ${end});`];
  return Array.from({ length: end - start }, (_, i) => `b[o + ${start + i}] = 0;`);
}

/** Where one value is, by names in the generated code, and where its bytes go. */
interface Place {
  readonly x: string;
  readonly at: string;
  /** Its index. */
  readonly i: number | "i";
  readonly text: boolean;
}

/** A statement that checks the value `x` and writes it. */
function store({ type, size }: Item, { x, at, i, text }: Place, { bigEndian }: Format): string {
  const write = text ? "writeText" : "writeSome";
  switch (type.kind) {
    case "bool":
      return `b[${at}] = ${x} === true ? 1 : ${x} === false ? 0 : truth(${x}, ${i});`;
    case "char":
      return `b[${at}] = oneByte(${x}, ${i});`;
    case "bytes":
      return `${write}(b, ${at}, ${size}, ${x}, ${i});`;
    case "pascal": {
      if (size === 0) return `${write}(b, ${at}, 0, ${x}, ${i});`;
      // CPython fills all the room, but its length ends at 255: longer text would not come back.
      const room = text ? Math.min(255, size - 1) : size - 1;
      const rest = room === size - 1 ? "" : `zero(b, ${at} + ${1 + room}, ${at} + ${size});`;
      return `b[${at}] = Math.min(255, ${write}(b, ${at} + 1, ${room}, ${x}, ${i})); ${rest}`;
    }
    case "pointer":
      return `writeLong(b, ${at}, ${x}, ${i}, pointer, ${bigEndian});`;
    case "float":
      return storeFloat(type, { x, at, i, text }, bigEndian);
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
  { x, at, i }: Place,
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
