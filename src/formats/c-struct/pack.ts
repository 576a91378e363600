import { ValueError } from "../../model/errors.ts";
import { compile, fieldOf } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { writeBytes } from "../bytes/copy.ts";
import { problemOf } from "./check.ts";
import { functionsOf } from "./functions.ts";
import {
  type Counted,
  entryOf,
  type FieldShape,
  type Integer,
  type Shape,
  type StructShape,
} from "./shape.ts";
import { writeText } from "./text.ts";

/** Small messages share a buffer of this size: to allocate one for each would cost more than to fill it. */
const SHARED_BYTES = 16_384;
/** A message of at least this size gets a buffer of its own. */
const LARGE_BYTES = 4096;
/** Largest message: DataView is fastest with offsets of 31 bits. */
export const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

/**
 * Generates the function that writes a value as the bytes of a struct, zero wherever the value does not reach.
 * It throws ValueError, with the path, for a value that the struct cannot hold.
 */
export function compilePack(root: StructShape, int64: Int64Mode): (value: unknown) => Uint8Array {
  const functions = functionsOf(root, "pack");
  const source = `
let buffer = new ArrayBuffer(0), bytes, view, next = 0;
${sizeFunction(root)}
function fail() { throw refused; }
${[...functions.keys()].map((struct) => packStruct(struct, { functions, int64 })).join("\n")}
return function pack(value) {
  const size = sizeOf(value);
  if (size > ${MAX_MESSAGE_BYTES}) throw tooLarge(size);
  if (size >= ${LARGE_BYTES}) {
    const own = new ArrayBuffer(size);
    return fill(value, own, new Uint8Array(own), new DataView(own), 0, size);
  }
  if (next + size > buffer.byteLength) {
    buffer = new ArrayBuffer(${SHARED_BYTES});
    bytes = new Uint8Array(buffer);
    view = new DataView(buffer);
    next = 0;
  }
  const start = next;
  next = (start + size + 7) & ~7;
  return fill(value, buffer, bytes, view, start, size);
};
function fill(value, target, b, v, start, size) {
  try {
    ${functions.get(root)}(value, v, b, start);
  } catch (error) {
    // What was written so far must not show in a later message.
    next = ${SHARED_BYTES};
    throw error === refused ? problem(value) : error;
  }
  return new Uint8Array(target, start, size);
}`;
  return compile(source, {
    refused: new Error("refused"),
    problem: (value: unknown) => problemOf(root, value, int64),
    tooLarge: (size: number) => new ValueError("", `${size} bytes, expected at most ${MAX_MESSAGE_BYTES}`),
    writeText,
    writeBytes,
  });
}

/** Bytes of the whole message: the elements of a flexible array may go on past the struct. */
function sizeFunction({ size, flexible }: StructShape): string {
  if (flexible === undefined) return `function sizeOf() { return ${size}; }`;
  const { key, offset, stride, repeat } = flexible;
  const count = {
    list: "Array.isArray(x) ? x.length : 0",
    bytes: "x instanceof Uint8Array ? x.length : 0",
    map: 'typeof x === "object" && x !== null ? Object.keys(x).length : 0',
  }[repeat.as];
  return `function sizeOf(value) {
  if (typeof value !== "object" || value === null) return ${size};
  const x = ${fieldOf("value", key)};
  return Math.max(${size}, ${offset} + ${stride} * (${count}));
}`;
}

interface Context {
  readonly functions: ReadonlyMap<StructShape, string>;
  readonly int64: Int64Mode;
}

function packStruct(struct: StructShape, context: Context): string {
  const fields = struct.fields.map((field) => `  { ${packField(field, context)} }`);
  return `function ${context.functions.get(struct)}(m, v, b, o) {
  if (typeof m !== "object" || m === null) fail();
${fields.join("\n")}
}`;
}

function packField(field: FieldShape, context: Context): string {
  const { key, offset, stride, element, repeat } = field;
  const read = `const x = ${fieldOf("m", key)};`;
  if (repeat.kind === "one") {
    const write = packOne(element, "x", `o + ${offset}`, context);
    return repeat.flag === undefined
      ? `${read} ${write}`
      : `${read} if (x !== undefined) { v.setUint8(o + ${repeat.flag}, 1); ${write} }`;
  }
  if (repeat.kind === "counted" && repeat.as === "map") return packMap(field, repeat, read, context);
  if (repeat.kind === "counted" && repeat.as === "bytes") {
    return `${read} if (!(x instanceof Uint8Array) || x.length > ${repeat.max}) fail();
    ${setCount(repeat, "x.length")} writeBytes(b, o + ${offset}, x);`;
  }
  const wrongLength = repeat.kind === "fixed" ? `x.length !== ${repeat.length}` : `x.length > ${repeat.max}`;
  return `${read} if (!Array.isArray(x) || ${wrongLength}) fail();
    ${repeat.kind === "counted" ? setCount(repeat, "x.length") : ""}
    for (let i = 0, p = o + ${offset}; i < x.length; i++, p += ${stride}) { const e = x[i]; ${packOne(element, "e", "p", context)} }`;
}

function packMap(
  { offset, stride, element }: FieldShape,
  counted: Counted,
  read: string,
  context: Context,
): string {
  const { key, value } = entryOf(element);
  // Keys are exact whatever the mode is: a string holds them all.
  const writeKey = packOne(key.element, "k", `p + ${key.offset}`, { ...context, int64: "bigint" });
  return `${read} if (typeof x !== "object" || x === null) fail();
    const keys = Object.keys(x); if (keys.length > ${counted.max}) fail();
    ${setCount(counted, "keys.length")}
    for (let i = 0, p = o + ${offset}; i < keys.length; i++, p += ${stride}) {
      const k = ${keyFromText(key.element, "keys[i]")}, e = x[keys[i]];
      ${writeKey} ${packOne(value.element, "e", `p + ${value.offset}`, context)}
    }`;
}

/** A map's keys are strings in a value; this is what each stands for. */
function keyFromText(key: Shape, text: string): string {
  if (key.kind === "bool") return `(${text} === "true")`;
  if (key.kind === "text") return text;
  return key.kind === "integer" && key.bits === 64 ? `BigInt(${text})` : `Number(${text})`;
}

function setCount({ count }: Counted, value: string): string {
  return setLength(count, `o + ${count.offset}`, value);
}

/** A length is below 2^31; of a 64-bit one, the upper half is zero already. */
function setLength({ bits }: Integer, at: string, value: string): string {
  return `v.setUint${Math.min(bits, 32)}(${at}, ${value}, true);`;
}

/** Statements that check one value and write it. */
function packOne(shape: Shape, x: string, at: string, { functions, int64 }: Context): string {
  switch (shape.kind) {
    case "struct":
      return `${functions.get(shape.struct)}(${x}, v, b, ${at});`;
    case "text":
      return `if (!writeText(b, ${at}, ${shape.capacity}, ${x})) fail();`;
    case "bool":
      return `if (typeof ${x} !== "boolean") fail(); v.setUint8(${at}, ${x} ? 1 : 0);`;
    case "float": {
      const outside =
        shape.bits === 32 ? ` || (Number.isFinite(${x}) && !Number.isFinite(Math.fround(${x})))` : "";
      return `if (typeof ${x} !== "number"${outside}) fail(); v.setFloat${shape.bits}(${at}, ${x}, true);`;
    }
    case "bytes": {
      const { capacity, data, size } = shape;
      const wrong = `!(${x} instanceof Uint8Array) || ${x}.length ${size === undefined ? "!==" : ">"} ${capacity}`;
      const write = `writeBytes(b, ${at} + ${data}, ${x});`;
      const length = size === undefined ? "" : setLength(size, at, `${x}.length`);
      return `if (${wrong}) fail(); ${length} ${write}`;
    }
    case "integer":
      return shape.bits === 64 ? packLong(shape, x, at, int64) : packInteger(shape, x, at);
  }
}

function packInteger({ bits, signed }: Integer, x: string, at: string): string {
  const shift = 32 - bits;
  const cut = signed ? `(${x} << ${shift} >> ${shift})` : `(${x} << ${shift} >>> ${shift})`;
  const wrapped = bits === 32 ? (signed ? `(${x} | 0)` : `(${x} >>> 0)`) : cut;
  return `if (${x} !== ${wrapped}) fail(); v.set${signed ? "Int" : "Uint"}${bits}(${at}, ${x}, true);`;
}

function packLong({ signed }: Integer, x: string, at: string, int64: Int64Mode): string {
  if (int64 === "bigint") {
    const wrapped = `BigInt.as${signed ? "Int" : "Uint"}N(64, ${x})`;
    return `if (typeof ${x} !== "bigint" || ${wrapped} !== ${x}) fail(); v.setBig${signed ? "Int" : "Uint"}64(${at}, ${x}, true);`;
  }
  // The number minus its low half is a multiple of 2^32, also where it is negative.
  return `if (!Number.isSafeInteger(${x})${signed ? "" : ` || ${x} < 0`}) fail();
    v.setUint32(${at}, ${x} >>> 0, true); v.setInt32(${at} + 4, (${x} - (${x} >>> 0)) / 4294967296, true);`;
}
