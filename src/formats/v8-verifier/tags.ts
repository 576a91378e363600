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
