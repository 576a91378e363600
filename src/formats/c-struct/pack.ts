import { ValueError } from "../../model/errors.ts";
import { compile, fieldOf } from "../../model/generated-code.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { childPath, show } from "../../model/value.ts";
import { writeBytes } from "../bytes/copy.ts";
import { LONG, utf8Write } from "../bytes/native.ts";
import { utf8Size } from "../bytes/portable.ts";
import {
  type Counted,
  entryOf,
  type FieldShape,
  functionsOf,
  type Integer,
  type Shape,
  type StructShape,
} from "./shape.ts";

/** Messages share buffers of these sizes, from so many bytes on the larger: one for each would cost more than to fill it. */
const SHARED_BYTES = 16_384;
const MEDIUM_BYTES = 256;
const SHARED_BY_MEDIUM_BYTES = 65_536;
/** A message of at least this size gets a buffer of its own. */
const LARGE_BYTES = 4096;
/** Largest message: DataView is fastest with offsets of 31 bits. */
export const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

/** Two ways to write a value: in memory of its own, and at the start of memory that is there, which may be too small. */
export interface Pack {
  pack(value: unknown): Uint8Array;
  packInto(value: unknown, memory: Uint8Array): Uint8Array | undefined;
}

/**
 * Generates the functions that write a value as the bytes of a struct, zero wherever the value does not reach.
 * They throw ValueError, with the path, for a value that the struct cannot hold.
 */
export function compilePack(root: StructShape, int64: Int64Mode): Pack {
  const functions = functionsOf(root, "pack");
  const source = `
let buffer = new ArrayBuffer(0), bytes, view, next = 0;
${sizeFunction(root)}
function fail() { throw refused; }
${[...functions.keys()].map((struct) => packStruct(struct, { functions, int64 })).join("\n")}
let given, givenView;
return { pack, packInto };
function packInto(value, memory) {
  const size = sizeOf(value);
  if (size > memory.length) return undefined;
  if (given !== memory) {
    given = memory;
    givenView = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  }
  try {
    ${functions.get(root)}(value, givenView, memory.fill(0, 0, size), 0, size);
  } catch (error) {
    throw error === refused ? problem(value) : error;
  }
  return memory.subarray(0, size);
}
function pack(value) {
  const size = sizeOf(value);
  if (size > ${MAX_MESSAGE_BYTES}) throw tooLarge(size);
  if (size >= ${LARGE_BYTES}) {
    const own = new ArrayBuffer(size);
    return fill(value, own, new Uint8Array(own), new DataView(own), 0, size);
  }
  if (next + size > buffer.byteLength) {
    buffer = new ArrayBuffer(size < ${MEDIUM_BYTES} ? ${SHARED_BYTES} : ${SHARED_BY_MEDIUM_BYTES});
    bytes = new Uint8Array(buffer);
    view = new DataView(buffer);
    next = 0;
  }
  const start = next;
  next = (start + size + 7) & ~7;
  return fill(value, buffer, bytes, view, start, size);
}
function fill(value, target, b, v, start, size) {
  try {
    ${functions.get(root)}(value, v, b, start, size);
  } catch (error) {
    // What was written so far must not show in a later message.
    next = ${SHARED_BY_MEDIUM_BYTES};
    throw error === refused ? problem(value) : error;
  }
  return new Uint8Array(target, start, size);
}`;
  return compile(source, {
    refused: new Error("refused"),
    problem: (value: unknown) => problemOf(root, value, int64),
    tooLarge: (size: number) => new ValueError("", `${inBytes(size)}, expected at most ${MAX_MESSAGE_BYTES}`),
    boolKey,
    isBytes,
    longKey,
    numberKey,
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
    bytes: "isBytes(x) ? x.length : 0",
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
  const fields = struct.fields.map((field) => {
    // The room was made for as many elements as there were then.
    const { offset, stride } = field;
    const same = `if (Math.max(${struct.size}, ${offset} + ${stride} * n) !== size) fail();`;
    return `  { ${packField(field, field === struct.flexible ? same : "", context)} }`;
  });
  return `function ${context.functions.get(struct)}(m, v, b, o, size) {
  if (typeof m !== "object" || m === null) fail();
${fields.join("\n")}
}`;
}

/** @param checked statement that checks the count `n` of elements */
function packField(field: FieldShape, checked: string, context: Context): string {
  const { key, offset, stride, element, repeat } = field;
  const read = `const x = ${fieldOf("m", key)};`;
  if (repeat.kind === "one") {
    const write = packOne(element, "x", `o + ${offset}`, context);
    return repeat.flag === undefined
      ? `${read} ${write}`
      : `${read} if (x !== undefined) { v.setUint8(o + ${repeat.flag}, 1); ${write} }`;
  }
  if (repeat.kind === "counted" && repeat.as === "map")
    return packMap(field, repeat, `${read} ${IS_MAP}`, checked, context);
  if (repeat.kind === "counted" && repeat.as === "bytes") {
    return `${read} if (!isBytes(x)) fail(); const n = x.length; if (n > ${repeat.max}) fail(); ${checked}
    ${setCount(repeat, "n")} writeBytes(b, o + ${offset}, x);`;
  }
  const wrongLength = repeat.kind === "fixed" ? `n !== ${repeat.length}` : `n > ${repeat.max}`;
  return `${read} if (!Array.isArray(x)) fail(); const n = x.length; if (${wrongLength}) fail(); ${checked}
    ${repeat.kind === "counted" ? setCount(repeat, "n") : ""}
    for (let i = 0, p = o + ${offset}; i < n; i++, p += ${stride}) { const e = x[i]; ${packOne(element, "e", "p", context)} }`;
}

const IS_MAP = 'if (typeof x !== "object" || x === null) fail();';

function packMap(
  { offset, stride, element }: FieldShape,
  counted: Counted,
  read: string,
  checked: string,
  context: Context,
): string {
  const { key, value } = entryOf(element);
  // Keys are exact whatever the mode is: a string holds them all.
  const writeKey = packOne(key.element, "k", `p + ${key.offset}`, { ...context, int64: "bigint" });
  return `${read} const keys = Object.keys(x), n = keys.length; if (n > ${counted.max}) fail(); ${checked}
    ${setCount(counted, "n")}
    for (let i = 0, p = o + ${offset}; i < n; i++, p += ${stride}) {
      const k = ${keyFromText(key.element, "keys[i]")}, e = x[keys[i]];
      ${writeKey} ${packOne(value.element, "e", `p + ${value.offset}`, context)}
    }`;
}

/** A map's keys are strings in a value; this is what each stands for, undefined where it is not how that is written. */
function keyFromText(key: Shape, text: string): string {
  if (key.kind === "bool") return `boolKey(${text})`;
  if (key.kind === "text") return text;
  return key.kind === "integer" && key.bits === 64 ? `longKey(${text})` : `numberKey(${text})`;
}

function boolKey(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

function numberKey(text: string): number | undefined {
  const number = Number(text);
  return String(number) === text ? number : undefined;
}

/** Digits of a 64-bit integer, and no more: a long number would take long to convert. */
function longKey(text: string): bigint | undefined {
  return /^(?:0|-?[1-9]\d{0,19})$/.test(text) ? BigInt(text) : undefined;
}

/** Whether something is bytes, and not an object that only inherits from them. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && value instanceof Uint8Array;
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
      const wrong = `!isBytes(${x}) || ${x}.length ${size === undefined ? "!==" : ">"} ${capacity}`;
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

/**
 * Writes text as UTF-8 into a `char` array of zeros. Returns whether it fits with its NUL; where it does not,
 * or is no text, part of it may have been written.
 */
function writeText(bytes: Uint8Array, at: number, capacity: number, text: unknown): boolean {
  if (typeof text !== "string" || text.length >= capacity) return false;
  if (text.length >= LONG) return writeUnicode(bytes, at, capacity, text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return writeUnicode(bytes, at, capacity, text);
    if (code === 0) return false;
    bytes[at + i] = code;
  }
  return true;
}

function writeUnicode(bytes: Uint8Array, at: number, capacity: number, text: string): boolean {
  if (text.includes("\0") || !text.isWellFormed()) return false;
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 >= capacity && utf8Size(text) >= capacity) return false;
  utf8Write.call(bytes, text, at, capacity - 1);
  return true;
}

/**
 * What keeps a struct from holding a value, as a ValueError with the path. The generated writers only find
 * that something does; this walks the value once more to say what, and so is as slow as it likes.
 */
function problemOf(root: StructShape, value: unknown, int64: Int64Mode): Error {
  try {
    checkStruct(root, value, "", int64);
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
  return new ValueError("", "changed while it was packed");
}

function checkStruct(struct: StructShape, value: unknown, path: string, int64: Int64Mode): void {
  if (typeof value !== "object" || value === null) {
    throw new ValueError(path, `expected an object (${struct.name}), got ${show(value)}`);
  }
  for (const field of struct.fields) {
    const { key } = field;
    // As the writers read it: what every object inherits does not count.
    const isThere = !(key in Object.prototype) || Object.hasOwn(value, key);
    const given = isThere ? (value as Record<string, unknown>)[key] : undefined;
    checkField(field, given, childPath(path, key), int64);
  }
}

function checkField({ element, repeat }: FieldShape, value: unknown, path: string, int64: Int64Mode): void {
  if (repeat.kind === "one") {
    if (value !== undefined || repeat.flag === undefined) checkOne(element, value, path, int64);
  } else if (repeat.kind === "counted" && repeat.as === "map") {
    checkMap(element, repeat, value, path, int64);
  } else if (repeat.kind === "counted" && repeat.as === "bytes") {
    if (!isBytes(value)) throw new ValueError(path, `expected a Uint8Array, got ${show(value)}`);
    checkCount(value.length, "bytes", repeat.max, path);
  } else {
    if (!Array.isArray(value)) throw new ValueError(path, `expected a list, got ${show(value)}`);
    if (repeat.kind === "counted") checkCount(value.length, "elements", repeat.max, path);
    else if (value.length !== repeat.length) {
      throw new ValueError(path, `${value.length} elements, expected exactly ${repeat.length}`);
    }
    for (let i = 0; i < value.length; i++) checkOne(element, value[i], childPath(path, i), int64);
  }
}

function checkMap(entry: Shape, { max }: Counted, value: unknown, path: string, int64: Int64Mode): void {
  if (typeof value !== "object" || value === null) {
    throw new ValueError(path, `expected an object as a map, got ${show(value)}`);
  }
  const fields = entryOf(entry);
  checkCount(Object.keys(value).length, "entries", max, path);
  for (const [key, item] of Object.entries(value)) {
    const at = childPath(path, key);
    checkKey(fields.key.element, key, at);
    checkOne(fields.value.element, item, at, int64);
  }
}

function checkKey(shape: Shape, key: string, path: string): void {
  if (shape.kind === "text") {
    checkText(key, shape.capacity, path);
    return;
  }
  const isLong = shape.kind === "integer" && shape.bits === 64;
  const value = shape.kind === "bool" ? boolKey(key) : isLong ? longKey(key) : numberKey(key);
  if (value === undefined)
    throw new ValueError(path, `expected a key as its value is written, got ${show(key)}`);
  checkOne(shape, value, path, "bigint");
}

function checkCount(count: number, what: string, max: number, path: string): void {
  if (count > max) throw new ValueError(path, `${count} ${what}, expected at most ${max}`);
}

function checkOne(shape: Shape, value: unknown, path: string, int64: Int64Mode): void {
  const refuse = (wanted: string): never => {
    throw new ValueError(path, `expected ${wanted}, got ${show(value)}`);
  };
  switch (shape.kind) {
    case "struct":
      checkStruct(shape.struct, value, path, int64);
      break;
    case "bool":
      if (typeof value !== "boolean") refuse("true or false");
      break;
    case "float":
      if (typeof value !== "number") refuse("a number");
      else if (shape.bits === 32 && Number.isFinite(value) && !Number.isFinite(Math.fround(value))) {
        throw new ValueError(path, `${value} is outside the range of a float`);
      }
      break;
    case "text":
      checkText(value, shape.capacity, path);
      break;
    case "bytes":
      if (!isBytes(value)) refuse("a Uint8Array");
      else if (shape.size !== undefined) checkCount(value.length, "bytes", shape.capacity, path);
      else if (value.length !== shape.capacity) {
        throw new ValueError(path, `${inBytes(value.length)}, expected exactly ${shape.capacity}`);
      }
      break;
    case "integer":
      checkInteger(shape, value, path, int64);
      break;
  }
}

function checkText(value: unknown, capacity: number, path: string): void {
  if (typeof value !== "string") throw new ValueError(path, `expected a string, got ${show(value)}`);
  if (value.includes("\0")) throw new ValueError(path, "a NUL inside a string, which would end it");
  if (!value.isWellFormed()) throw new ValueError(path, "half of a surrogate pair has no UTF-8 form");
  const bytes = utf8Size(value) + 1;
  if (bytes > capacity)
    throw new ValueError(path, `${inBytes(bytes)} with the NUL, expected at most ${capacity}`);
}

function checkInteger({ bits, signed }: Integer, value: unknown, path: string, int64: Int64Mode): void {
  const type = `${signed ? "" : "u"}int${bits}`;
  const isBigint = bits === 64 && int64 === "bigint";
  if (isBigint ? typeof value !== "bigint" : !Number.isInteger(value)) {
    const wanted = isBigint ? "a bigint" : "an integer";
    throw new ValueError(path, `expected ${wanted} (${type}), got ${show(value)}`);
  }
  const low = signed ? -(2n ** BigInt(bits - 1)) : 0n;
  const high = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
  const exact = BigInt(value as number | bigint);
  if (exact < low || exact > high) {
    throw new ValueError(path, `${exact} is outside ${type}, expected ${low} to ${high}`);
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new ValueError(path, `${value} is beyond 2^53 and may have been rounded, expected a safe integer`);
  }
}
