import { isUtf8 } from "node:buffer";
import { inBytes } from "../../model/in-bytes.ts";
import { ByteInput } from "../bytes/input.ts";

/** Most bytes of a bigint: 64 bits are all that is needed. */
export const MAX_BIGINT_BYTES = 8;

/**
 * Tags of V8's serialisation format, version 15, which Node.js 20, 22 and 24 write (V8 11.3 to 13.6,
 * `src/objects/value-serializer.cc`). Each is one byte before what it says.
 */
export const TAG = {
  padding: 0x00,
  oneByteString: 0x22, // "
  endDenseArray: 0x24, // $
  null: 0x30, // 0
  endSparseArray: 0x40, // @
  denseArray: 0x41, // A
  false: 0x46, // F
  int32: 0x49, // I
  double: 0x4e, // N
  utf8String: 0x53, // S
  true: 0x54, // T
  bigint: 0x5a, // Z
  hostObject: 0x5c, // \
  reference: 0x5e, // ^
  sparseArray: 0x61, // a
  twoByteString: 0x63, // c
  object: 0x6f, // o
  endObject: 0x7b, // {
  version: 0xff,
} as const;

/** The only version whose tags are known here. */
export const VERSION = 15;

/** What plain values never hold, by its tag. */
const REFUSED: Readonly<Record<string, string>> = {
  "-": "a hole in a list",
  _: "undefined",
  U: "an unsigned integer of 32 bits",
  D: "a Date",
  R: "a RegExp",
  y: "a Boolean object",
  x: "a Boolean object",
  n: "a Number object",
  z: "a BigInt object",
  s: "a String object",
  ";": "a Map",
  "'": "a Set",
  B: "an ArrayBuffer",
  "~": "a resizable ArrayBuffer",
  t: "a transferred ArrayBuffer",
  V: "a view of an ArrayBuffer",
  u: "a SharedArrayBuffer",
  p: "a shared object",
  w: "a WebAssembly module",
  m: "a WebAssembly memory",
  r: "an Error",
  "?": "a count of objects",
};

/** What a tag that is not allowed stands for. */
export function refusedTag(tag: number): string {
  return REFUSED[String.fromCharCode(tag)] ?? `the unknown tag 0x${tag.toString(16).padStart(2, "0")}`;
}

/** Types of bytes that Node.js writes as its host objects, by index (`lib/v8.js`): Uint8Array and Buffer. */
export const BYTES_TYPES: ReadonlySet<number> = new Set([1, 10]);

/** Reads the primitives of V8's serialisation format, each checked against the end of the bytes. */
export class V8Input extends ByteInput {
  /** A Buffer, whose own methods make text of it: V8 takes a longer way to native ones that are borrowed. */
  declare readonly bytes: Buffer;

  constructor(bytes: Uint8Array) {
    super("v8", Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), Number.POSITIVE_INFINITY);
  }

  byte(): number {
    this.skip(1);
    return this.bytes[this.at - 1]!;
  }

  /** An unsigned integer of up to 32 bits, seven in a byte, the lowest first. */
  varint(): number {
    const start = this.at;
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 2 ** 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    if (value > 0xffffffff || this.bytes[this.at - 1]! >= 0x80)
      this.fail("integer has more than 32 bits", { at: start });
    return value;
  }

  /** A signed integer of 32 bits: its sign is the lowest bit. */
  int32(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  double(): number {
    this.skip(8);
    return this.view.getFloat64(this.at - 8, true);
  }

  /** Steps over `count` bytes. */
  skip(count: number): void {
    this.need(count);
    this.at += count;
  }

  /** Steps over text after its tag, checks that it is well-formed, and returns where its first unit is. */
  skipText(tag: number): number {
    const start = this.at;
    const length = this.varint();
    const from = this.at;
    this.skip(length);
    if (tag === TAG.utf8String && !isUtf8(this.bytes.subarray(from, this.at))) {
      this.fail("text is not valid UTF-8", { at: start });
    }
    if (tag === TAG.twoByteString && (length % 2 !== 0 || from % 2 !== 0)) {
      this.fail(`${inBytes(length)} at offset ${from} are no text of two-byte units`, { at: start });
    }
    return from;
  }

  /** Text after its tag. */
  text(tag: number): string {
    const from = this.skipText(tag);
    if (tag === TAG.oneByteString) return this.bytes.toString("latin1", from, this.at);
    return this.bytes.toString(tag === TAG.utf8String ? "utf8" : "utf16le", from, this.at);
  }
}
