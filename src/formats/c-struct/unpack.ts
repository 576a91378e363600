import { isUtf8 } from "node:buffer";
import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { assignField, compile, literalKey, setOwn } from "../../model/generated-code.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { pathText } from "../../model/value.ts";
import { copyBytes } from "../bytes/copy.ts";
import { indexOf, LONG, latin1Slice, utf8Slice } from "../bytes/native.ts";
import {
  type Counted,
  entryOf,
  type FieldShape,
  functionsOf,
  type Integer,
  type Shape,
  type Slot,
  type StructShape,
} from "./shape.ts";

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

/**
 * Bytes of the text in a `char` array, up to its NUL or its capacity: the length if all are known to be ASCII,
 * else its complement `~length`.
 */
export function scanText(view: DataView, bytes: Uint8Array, at: number, capacity: number): number {
  let high = 0;
  let i = 0;
  for (; i + 4 <= capacity && i < LONG; i += 4) {
    const word = view.getUint32(at + i, true);
    // The lowest set bit marks the first byte that is zero (Mycroft's test for a zero byte in a word).
    const zeros = (word - 0x01010101) & ~word & 0x80808080;
    if (zeros !== 0) {
      const first = zeros & -zeros;
      const length = i + ((31 - Math.clz32(first)) >>> 3);
      return (high | (word & 0x80808080 & (first - 1))) === 0 ? length : ~length;
    }
    high |= word & 0x80808080;
  }
  if (i + 4 <= capacity) {
    // The rest of the array and no more of the bytes: in many arrays without a NUL, each search would go to their end.
    const end = indexOf.call(bytes.subarray(at + i, at + capacity), 0, 0);
    return ~(end >= 0 ? i + end : capacity);
  }
  for (; i < capacity; i++) {
    const byte = view.getUint8(at + i);
    if (byte === 0) break;
    high |= byte & 0x80;
  }
  return high === 0 ? i : ~i;
}

/** Text by what {@link scanText} said of it. */
function sliceText(bytes: Uint8Array, at: number, scanned: number): string {
  return scanned < 0 ? utf8Slice.call(bytes, at, at + ~scanned) : latin1Slice.call(bytes, at, at + scanned);
}

/** Name of the format in errors. */
const FORMAT = "c-struct";

/**
 * Throws DecodeError, with offset and path, unless bytes are exactly what packing some value gives: the length
 * that the count asks for, counts within their bounds, flags and bools 0 or 1, text with a NUL and in UTF-8, no
 * map key twice, and zero in padding, after the ends of text, bytes and lists, and in absent members. With
 * `int64` "number", 64-bit integers must be safe.
 */
export function verifyStruct(root: StructShape, bytes: Uint8Array, int64: Int64Mode): void {
  new Verifier(bytes, int64).message(root);
}

class Verifier {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #int64: Int64Mode;
  readonly #path: (string | number)[] = [];

  constructor(bytes: Uint8Array, int64: Int64Mode) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#int64 = int64;
  }

  message(root: StructShape): void {
    const { length } = this.#bytes;
    const { size, flexible } = root;
    let end = size;
    if (length >= size && flexible !== undefined) {
      const { offset, stride, repeat } = flexible;
      this.#path.push(flexible.key);
      end = Math.max(size, offset + stride * this.#count(repeat, 0));
      this.#path.pop();
    }
    if (length < end) throw this.#error(length, `${inBytes(length)}, expected ${end}`, "truncated");
    if (length > end) throw this.#error(end, `${inBytes(length)}, expected ${end}`);
    this.#struct(root, 0);
  }

  #struct(struct: StructShape, at: number): void {
    this.#fields(struct, struct.fields, at);
  }

  #fields(struct: StructShape, fields: readonly FieldShape[], at: number): void {
    for (const [start, end] of struct.gaps) this.#zeros(at + start, at + end, "padding");
    for (const field of fields) {
      this.#path.push(field.key);
      if (field.repeat.kind === "one") this.#single(field, field.repeat.flag, at);
      else this.#array(struct, field, at);
      this.#path.pop();
    }
  }

  #single({ offset, stride, element }: FieldShape, flag: number | undefined, at: number): void {
    const start = at + offset;
    if (flag === undefined || this.#bool(at + flag)) this.#one(element, start, stride);
    else this.#zeros(start, start + stride, "absent member");
  }

  #array(struct: StructShape, field: FieldShape, at: number): void {
    const { offset, stride, element, repeat } = field;
    if (repeat.kind === "one") return;
    const start = at + offset;
    const count = repeat.kind === "fixed" ? repeat.length : this.#count(repeat, at);
    const end = start + count * stride;
    if (repeat.kind === "counted") {
      const isFlexible = field === struct.flexible;
      this.#zeros(end, isFlexible ? at + struct.size : start + repeat.bound * stride, "rest of the array");
      if (repeat.as === "bytes") return;
      if (repeat.as === "map") {
        this.#entries(element, start, stride, count);
        return;
      }
    }
    for (let i = 0; i < count; i++) {
      this.#path.push(i);
      this.#one(element, start + i * stride, stride);
      this.#path.pop();
    }
  }

  /** The entries of a map. Their integer keys are text in a value, which holds them all. */
  #entries(entry: Shape, start: number, stride: number, count: number): void {
    const { struct, key, value } = entryOf(entry);
    const checked = key.element.kind === "integer" ? [value] : [key, value];
    const seen = new Set<string>();
    for (let i = 0; i < count; i++) {
      const at = start + i * stride;
      this.#path.push(i);
      this.#fields(struct, checked, at);
      // Equal keys have equal bytes, now that what follows text is known to be zero.
      const bytes = latin1Slice.call(this.#bytes, at + key.offset, at + key.offset + key.stride);
      if (seen.has(bytes)) throw this.#error(at + key.offset, "a key that stands twice");
      seen.add(bytes);
      this.#path.pop();
    }
  }

  #one(shape: Shape, at: number, size: number): void {
    switch (shape.kind) {
      case "struct":
        this.#struct(shape.struct, at);
        break;
      case "bool":
        this.#bool(at);
        break;
      case "text":
        this.#text(at, shape.capacity);
        break;
      case "bytes":
        if (shape.size !== undefined) {
          const length = this.#length(shape.size, at, shape.capacity, "bytes");
          this.#zeros(at + shape.data + length, at + size, "rest of the bytes");
        }
        break;
      case "integer":
        if (shape.bits === 64 && this.#int64 === "number") this.#safe(at, shape.signed);
        break;
      case "float":
        break;
    }
  }

  #count({ count, max }: Counted, at: number): number {
    return this.#length(count, at + count.offset, max, "elements");
  }

  #length({ bits, signed }: Integer, at: number, max: number, what: string): number {
    const view = this.#view;
    const sign = signed ? "Int" : "Uint";
    const length =
      bits === 64 ? Number(view[`getBig${sign}64`](at, true)) : view[`get${sign}${bits}`](at, true);
    if (length >= 0 && length <= max) return length;
    throw this.#error(at, `${length} ${what}, expected 0 to ${max}`);
  }

  #bool(at: number): boolean {
    const byte = this.#bytes[at]!;
    if (byte > 1) throw this.#error(at, `a bool of ${byte}, expected 0 or 1`);
    return byte === 1;
  }

  #text(at: number, capacity: number): void {
    const scanned = scanText(this.#view, this.#bytes, at, capacity);
    const length = scanned < 0 ? ~scanned : scanned;
    if (length === capacity) throw this.#error(at, `no NUL in a char[${capacity}]`);
    this.#zeros(at + length, at + capacity, "rest of the text");
    const isText = scanned >= 0 || isUtf8(this.#bytes.subarray(at, at + length));
    if (!isText) throw this.#error(at, "not valid UTF-8");
  }

  #safe(at: number, signed: boolean): void {
    const low = this.#view.getUint32(at, true);
    const high = signed ? this.#view.getInt32(at + 4, true) : this.#view.getUint32(at + 4, true);
    if (Number.isSafeInteger(low + high * 2 ** 32)) return;
    throw this.#error(at, "a 64-bit integer beyond 2^53, expected a safe one");
  }

  #zeros(start: number, end: number, what: string): void {
    for (let at = start; at < end; at++) {
      if (this.#bytes[at] !== 0) throw this.#error(at, `${what} is not zero`);
    }
  }

  #error(offset: number, problem: string, code: DecodeProblem = "corrupt"): DecodeError {
    return new DecodeError(FORMAT, problem, { path: pathText(this.#path), offset, code });
  }
}
