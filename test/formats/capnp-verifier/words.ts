/** Cap'n Proto messages put together word by word, and a shape for them. */
import {
  type CapnpLimits,
  type StructShape,
  verifyCapnp,
} from "../../../src/formats/capnp-verifier/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";

/** Element sizes of list pointers. */
export const SIZE = {
  none: 0,
  bits: 1,
  bytes: 2,
  twoBytes: 3,
  fourBytes: 4,
  eightBytes: 5,
  pointers: 6,
  structs: 7,
} as const;

/** A struct pointer; as the tag of a list of structs, `offset` is their number. */
export function structPointer(offset: number, dataWords: number, pointers: number): bigint {
  return word((offset << 2) >>> 0, dataWords + pointers * 2 ** 16);
}

/** A list pointer. `count` is the number of elements, or of words where they are structs. */
export function listPointer(offset: number, size: number, count: number): bigint {
  return word(((offset << 2) | 1) >>> 0, size + count * 8);
}

/** A far pointer, or a double-far one. */
export function farPointer(segment: number, offset: number, double = false): bigint {
  return word(((offset << 3) | (double ? 6 : 2)) >>> 0, segment);
}

/** A word from its two halves. */
export function word(low: number, high: number): bigint {
  return BigInt(low) | (BigInt(high) << 32n);
}

/** Up to eight bytes of text. */
export function textWord(text: string): bigint {
  const bytes = Buffer.alloc(8);
  bytes.write(text, "utf8");
  return bytes.readBigUInt64LE();
}

/** Segments in the standard stream framing. */
export function framed(...segments: readonly (readonly bigint[])[]): Uint8Array {
  const table = [segments.length - 1, ...segments.map((words) => words.length)];
  if (table.length % 2 === 1) table.push(0);
  const halves = Buffer.alloc(4 * table.length);
  table.forEach((half, i) => {
    halves.writeUInt32LE(half, 4 * i);
  });
  const words = segments.flat();
  const body = Buffer.alloc(8 * words.length);
  words.forEach((one, i) => {
    body.writeBigUInt64LE(BigInt.asUintN(64, one), 8 * i);
  });
  return new Uint8Array(Buffer.concat([halves, body]));
}

type Writable = { -readonly [K in keyof StructShape]: StructShape[K] };

/** One field of every kind. */
export const NODE: StructShape = ((): StructShape => {
  const node: Writable = { dataWords: 1, data: [], pointers: [] };
  node.data = [
    { name: "id", offset: 0, bits: 32 },
    { name: "age", offset: 32, bits: 8, flag: 40 },
    { name: "sex", offset: 48, bits: 16, values: new Set([0, 1, 2]) },
  ];
  const values = new Set([0, 1, 2]);
  node.pointers = [
    { name: "name", required: false, target: { kind: "text" } },
    { name: "photo", required: false, target: { kind: "data" } },
    { name: "next", required: false, target: { kind: "struct", shape: node } },
    { name: "bools", required: false, target: { kind: "list", element: { kind: "value", bits: 1 } } },
    {
      name: "kinds",
      required: false,
      target: { kind: "list", element: { kind: "value", bits: 16, values } },
    },
    { name: "children", required: false, target: { kind: "list", element: { kind: "struct", shape: node } } },
    { name: "words", required: false, target: { kind: "list", element: { kind: "text" } } },
  ];
  return node;
})();

/** Bits of the data section of {@link NODE}. */
export function nodeData(id: number, age: number | undefined, sex: number): bigint {
  return word(id, (age ?? 0) + (age === undefined ? 0 : 0x100) + sex * 2 ** 16);
}

/** A valid message of {@link NODE} in one segment, with something in every field. */
export function nodeWords(): bigint[] {
  return [
    structPointer(0, 1, 7), // 0
    nodeData(5, 30, 2), // 1
    listPointer(6, SIZE.bytes, 3), // 2: name
    listPointer(6, SIZE.bytes, 2), // 3: photo
    structPointer(6, 1, 0), // 4: next
    listPointer(6, SIZE.bits, 3), // 5: bools
    listPointer(6, SIZE.twoBytes, 2), // 6: kinds
    listPointer(6, SIZE.structs, 2), // 7: children
    listPointer(8, SIZE.pointers, 1), // 8: words
    textWord("hi"), // 9
    0xff_01n, // 10
    nodeData(6, undefined, 0), // 11
    0b101n, // 12
    0x0002_0001n, // 13
    structPointer(1, 1, 1), // 14: tag of children
    nodeData(7, 0, 1), // 15
    0n, // 16: name of the child
    listPointer(0, SIZE.bytes, 2), // 17
    textWord("x"), // 18
  ];
}

/** Code and text of the DecodeError that a message is refused with. */
export function problem(
  bytes: Uint8Array,
  shape: StructShape = NODE,
  limits: CapnpLimits = {},
): string | undefined {
  try {
    verifyCapnp(bytes, shape, limits);
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return `${error.code} ${error.message}`;
  }
}
