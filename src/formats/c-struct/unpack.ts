import { assignField, compile, literalKey, setOwn } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { copyBytes } from "../bytes/copy.ts";
import { functionsOf } from "./functions.ts";
import { entryOf, type FieldShape, type Integer, type Shape, type Slot, type StructShape } from "./shape.ts";
import { scanText, sliceText } from "./text.ts";
import { verifyStruct } from "./verify.ts";

/** ASCII text up to this length is made from its character codes, which is faster than a call of the decoder. */
const SHORT_TEXT = 16;

/**
 * Generates the function that reads a value from the bytes of a struct. It takes every byte for what a program
 * of that layout wrote; it throws DecodeError where a count or the length is impossible.
 */
export function compileUnpack(
  root: StructShape,
  int64: Int64Mode,
): (bytes: Uint8Array) => Record<string, unknown> {
  const functions = functionsOf(root, "unpack");
  const source = `
const code = String.fromCharCode;
function text(v, b, p, capacity) {
  const n = scanText(v, b, p, capacity);
  switch (n) {
${Array.from({ length: SHORT_TEXT + 1 }, (_, n) => `    case ${n}: return ${shortText(n)};`).join("\n")}
    default: return sliceText(b, p, n);
  }
}
function sized(b, p, n, capacity) {
  if (n < 0 || n > capacity) fail(b);
  return copyBytes(b, p, p + n);
}
${[...functions.keys()].map((struct) => unpackStruct(struct, { functions, int64 })).join("\n")}
return function unpack(b) {
  const v = new DataView(b.buffer, b.byteOffset, b.byteLength);
  ${expectLength(root)}
  return ${functions.get(root)}(v, b, 0);
};`;
  const fail = (bytes: Uint8Array): never => {
    verifyStruct(root, bytes, int64);
    throw new Error(`${root.name}: refused, but well-formed`);
  };
  return compile(source, { fail, scanText, sliceText, copyBytes, setOwn });
}

function shortText(length: number): string {
  if (length === 0) return '""';
  return `code(${Array.from({ length }, (_, i) => `b[p + ${i}]`).join(", ")})`;
}

/** After this, no read is outside the bytes: every other count is checked against a bound within the struct. */
function expectLength({ size, flexible }: StructShape): string {
  if (flexible === undefined) return `if (b.length !== ${size}) fail(b);`;
  const { offset, stride, repeat } = flexible;
  return `if (b.length < ${size}) fail(b);
  const n = ${readCount(repeat.count, "0")};
  if (n < 0 || b.length !== Math.max(${size}, ${offset} + ${stride} * n)) fail(b);`;
}

interface Context {
  readonly functions: ReadonlyMap<StructShape, string>;
  readonly int64: Int64Mode;
}

/** Fields that are always there make one object literal; the others, and lists, are added to it. */
function unpackStruct(struct: StructShape, context: Context): string {
  const isSimple = ({ repeat }: FieldShape): boolean => repeat.kind === "one" && repeat.flag === undefined;
  const literals: string[] = [];
  const before: string[] = [];
  const after: string[] = [];
  struct.fields.forEach((field, i) => {
    const { key, offset, element, repeat } = field;
    const one = (): string => unpackOne(element, `o + ${offset}`, context);
    if (isSimple(field)) {
      literals.push(`${literalKey(key)}: ${one()}`);
    } else if (repeat.kind === "one") {
      after.push(`if (v.getUint8(o + ${repeat.flag}) !== 0) { ${assignField("m", key, one())} }`);
    } else {
      before.push(unpackMany(field, `x${i}`, context));
      literals.push(`${literalKey(key)}: x${i}`);
    }
  });
  return `function ${context.functions.get(struct)}(v, b, o) {
${before.map((line) => `  ${line}\n`).join("")}  const m = { ${literals.join(", ")} };
${after.map((line) => `  ${line}\n`).join("")}  return m;
}`;
}

function unpackMany(field: FieldShape, x: string, context: Context): string {
  const { offset, stride, element, repeat } = field;
  const loop = (count: string, body: string): string =>
    `for (let i = 0, p = o + ${offset}; i < ${count}; i++, p += ${stride}) { ${body} }`;
  const one = unpackOne(element, "p", context);
  if (repeat.kind === "one") throw new Error(`${field.key} holds one value`);
  if (repeat.kind === "fixed") return `const ${x} = []; ${loop(String(repeat.length), `${x}.push(${one});`)}`;
  const count = `const n${x} = ${readCount(repeat.count, "o")}; if (n${x} < 0 || n${x} > ${repeat.max}) fail(b);`;
  switch (repeat.as) {
    case "list":
      return `${count} const ${x} = []; ${loop(`n${x}`, `${x}.push(${one});`)}`;
    case "bytes":
      return `${count} const ${x} = copyBytes(b, o + ${offset}, o + ${offset} + n${x});`;
    case "map":
      return `${count} const ${x} = {}; ${loop(`n${x}`, unpackEntry(element, x, context))}`;
  }
}

function unpackEntry(element: Shape, object: string, context: Context): string {
  const { key, value } = entryOf(element);
  const name = unpackOne(key.element, `p + ${key.offset}`, { ...context, int64: "bigint" });
  const text = key.element.kind === "text" ? name : `String(${name})`;
  return `setOwn(${object}, ${text}, ${unpackOne(value.element, `p + ${value.offset}`, context)});`;
}

/** The expression of a count; a 64-bit one is exact up to 2^53, far above any bound. */
function readCount(count: Slot, o: string): string {
  return readInteger(count, `${o} + ${count.offset}`, "number");
}

function readInteger({ bits, signed }: Integer, at: string, int64: Int64Mode): string {
  const sign = signed ? "Int" : "Uint";
  if (bits < 64) return `v.get${sign}${bits}(${at}, true)`;
  if (int64 === "bigint") return `v.getBig${sign}64(${at}, true)`;
  return `(v.getUint32(${at}, true) + v.get${sign}32(${at} + 4, true) * 4294967296)`;
}

/** The expression of one value. */
function unpackOne(shape: Shape, at: string, { functions, int64 }: Context): string {
  switch (shape.kind) {
    case "struct":
      return `${functions.get(shape.struct)}(v, b, ${at})`;
    case "text":
      return `text(v, b, ${at}, ${shape.capacity})`;
    case "bool":
      return `(v.getUint8(${at}) !== 0)`;
    case "float":
      return `v.getFloat${shape.bits}(${at}, true)`;
    case "integer":
      return readInteger(shape, at, int64);
    case "bytes": {
      const { capacity, data, size } = shape;
      const start = `${at} + ${data}`;
      if (size === undefined) return `copyBytes(b, ${start}, ${start} + ${capacity})`;
      return `sized(b, ${start}, ${readInteger(size, at, "number")}, ${capacity})`;
    }
  }
}
