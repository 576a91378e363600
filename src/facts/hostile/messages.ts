/** Messages that no encoder writes, by format: deeply nested, with counts of what is not there, and of many values in few bytes. */
import { deflateSync } from "node:zlib";
import { messageOf, type Schema } from "../../model/schema.ts";

/** Makes the messages of a format; what is absent has no sense in it, or needs a schema of its own. */
export interface HostileFormat {
  /** So many values, each within the one before. */
  nested?(depth: number): Uint8Array;
  /** Messages of some bytes that claim 2^31 of something. */
  readonly claims?: readonly Uint8Array[];
  /** A message of about so many bytes that stands for as many values as that allows. */
  many?(bytes: number, schema: Schema): Uint8Array | undefined;
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

const repeat = (unit: string, times: number): Buffer => Buffer.alloc((unit.length / 2) * times, hex(unit));

const join = (...parts: readonly (Uint8Array | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? hex(part) : part)));

const u32 = (value: number, isLittle = false): Buffer => {
  const bytes = Buffer.alloc(4);
  if (isLittle) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.from([...bytes, left]);
}

const JSON_TEXT: HostileFormat = {
  nested: (depth) => Buffer.from("[".repeat(depth) + "]".repeat(depth)),
  many: (bytes) => Buffer.from(`[${"{},".repeat(bytes / 3)}{}]`),
};

const text = (json: string): Buffer => Buffer.from(json);

/** Values stand in one list, and those in others by their index in it; a list without elements has its length (`-7`). */
const DEVALUE: HostileFormat = {
  nested: (depth) =>
    text(`[${Array.from({ length: depth }, (_, i) => (i + 1 < depth ? `[${i + 1}]` : "[]")).join()}]`),
  claims: ["[[-7,2147483647]]", "[[-7,4294967295]]", "[[-7,2147483647,0,0]]"].map(text),
  many: (bytes) => text(`[[${"1,".repeat(bytes / 2)}1],{}]`),
};

const SUPERJSON: HostileFormat = {
  nested: (depth) => text(`{"json":${"[".repeat(depth)}${"]".repeat(depth)}}`),
  many: (bytes) => text(`{"json":[${"{},".repeat(bytes / 3)}{}]}`),
};

/** A node says what it is with `t`: 2 a constant, 9 a list, 15 a view of bytes, 19 the bytes. */
const SEROVAL: HostileFormat = {
  nested: (depth) =>
    serovalText(
      Array.from({ length: depth }, (_, i) => `{"t":9,"i":${i},"a":[`).join("") + '],"o":0}'.repeat(depth),
    ),
  claims: [
    serovalText(
      '{"t":15,"i":0,"c":"Uint8Array","f":{"t":19,"i":1,"s":"AQI=","f":{"t":26,"i":2,"s":5}},"b":0,"l":2147483647}',
    ),
  ],
  many: (bytes) => {
    const node = '{"t":2,"s":2}';
    return serovalText(`{"t":9,"i":0,"a":[${`${node},`.repeat(bytes / (node.length + 1))}${node}],"o":0}`);
  },
};

function serovalText(node: string): Buffer {
  return text(`{"t":${node},"f":127,"m":[]}`);
}

const ION = "e00100ea";

/** Before each list stands its length, in the tag where it is less than 14. */
function ionList(length: number): Buffer {
  if (length < 14) return Buffer.from([0xb0 + length]);
  const groups: number[] = [];
  for (let left = length; left > 0; left >>= 7) groups.unshift(left & 127);
  return Buffer.from([0xbe, ...groups.slice(0, -1), groups.at(-1)! | 128]);
}

function nestedIon(depth: number): Buffer {
  const heads: Buffer[] = [];
  for (let level = 0, length = 0; level < depth; level++) {
    const head = ionList(length);
    heads.push(head);
    length += head.length;
  }
  return join(ION, ...heads.toReversed());
}

/** Documents of BSON hold their own size: each level is 8 bytes longer than what it holds. */
function nestedBson(depth: number): Buffer {
  const bytes = Buffer.alloc(8 * depth + 5);
  for (let level = 0; level < depth; level++) {
    bytes.writeInt32LE(8 * (depth - level) + 5, 7 * level);
    bytes.writeUInt16LE(0x6103, 7 * level + 4);
  }
  bytes.writeInt32LE(5, 7 * depth);
  return bytes;
}

/** Vectors of one element, innermost first: each points three bytes back. */
function nestedFlex(depth: number): Buffer {
  return join("01 00 00", repeat("010328", depth - 1), "02 28 01");
}

/** A list of messages that are empty, where the schema has one: two bytes each. */
function manyProtobuf(bytes: number, schema: Schema): Buffer | undefined {
  const { fields } = messageOf(schema, schema.root);
  const list = fields.find(({ type, repetition }) => type.kind === "message" && repetition.kind === "list");
  if (list === undefined) return undefined;
  const unit = join(varint(list.number * 8 + 2), "00");
  return Buffer.alloc(bytes - (bytes % unit.length), unit);
}

/** By the format of a codec. */
export const HOSTILE_FORMATS: Readonly<Record<string, HostileFormat>> = {
  json: JSON_TEXT,
  devalue: DEVALUE,
  superjson: SUPERJSON,
  seroval: SEROVAL,
  msgpack: {
    nested: (depth) => join(repeat("91", depth), "c0"),
    claims: ["dd7fffffff", "df7fffffff", "db7fffffff", "c67fffffff", "dd7fffffff c0c0c0", "c97fffffff01"].map(
      hex,
    ),
    many: (bytes) => join("dd", u32(bytes - 5), repeat("80", bytes - 5)),
  },
  cbor: {
    nested: (depth) => join(repeat("81", depth), "f6"),
    claims: [
      "9a7fffffff",
      "ba7fffffff",
      "7a7fffffff",
      "5a7fffffff",
      "9b000000007fffffff f6f6",
      "9bffffffffffffffff",
    ].map(hex),
    many: (bytes) => join("9a", u32(bytes - 5), repeat("a0", bytes - 5)),
  },
  "erlang-etf": {
    nested: (depth) => join("83", repeat("6c00000001", depth), repeat("6a", depth + 1)),
    claims: [
      "836c7fffffff6a",
      "83697fffffff",
      "836d7fffffff",
      "83747fffffff",
      "836f7fffffff00",
      "83507fffffff789c0300000000 01",
    ].map(hex),
    // Compressed at a ratio of a thousand, with the size that it has.
    many: (bytes) => {
      const list = Buffer.concat([hex("6c"), u32(bytes * 500), repeat("6a", bytes * 500 + 1)]);
      return join("8350", u32(list.length), deflateSync(list, { level: 9 }));
    },
  },
  "python-pickle": {
    nested: (depth) => join("8004", repeat("5d", depth), repeat("61", depth - 1), "2e"),
    claims: [
      "8004 58ffffff7f 2e",
      "8004 42ffffff7f 2e",
      "8004 8dffffff7f00000000 2e",
      "8004 8effffff7f00000000 2e",
      "8004 8bffffff7f 2e",
      "8004 95ffffff7f00000000 2e",
      "8002 4b01 72ffffff7f 2e",
    ].map(hex),
    many: (bytes) => join("8004 5d 28", repeat("7d", bytes - 6), "65 2e"),
  },
  amf3: {
    nested: (depth) => join(repeat("090301", depth), "01"),
    claims: ["09ffffffff01", "06ffffffff", "0cffffffff", "0dffffffff00", "0bffffffff"].map(hex),
    many: (bytes) => join("09", amfCount(bytes), "01", repeat("01", bytes)),
  },
  v8: {
    nested: (depth) => join("ff0f", repeat("4101", depth), "5f", repeat("240001", depth)),
    claims: [
      "ff0f 41ffffffff07",
      "ff0f 61ffffffff07",
      "ff0f 22ffffffff07",
      "ff0f 42ffffffff07",
      "ff0f 5affffffff07",
      "ff0f 61ffffffff0f 4000ffffffff0f",
    ].map(hex),
    many: (bytes) => join("ff0f 41", varint(bytes), repeat("5f", bytes), "24 00", varint(bytes)),
  },
  bson: {
    nested: nestedBson,
    claims: [
      "ffffff7f 0261 00 ffffff7f 00",
      "0c000000 0261 00 ffffff7f",
      "0e000000 0561 00 ffffff7f 00 00",
    ].map(hex),
    many: (bytes) => {
      const fields = Math.floor((bytes - 5) / 3);
      return join(u32(3 * fields + 5, true), repeat("0a6100", fields), "00");
    },
  },
  flexbuffers: {
    nested: nestedFlex,
    claims: ["ffffff7f 00 00 00 00 04 2a 01", "ffffff7f 61 01 00 00 00 16 01"].map(hex),
    many: (bytes) => join(u32(bytes, true), repeat("00", 5 * bytes), u32(5 * bytes, true), "2a 04"),
  },
  ion: {
    nested: nestedIon,
    claims: ["be 077f7f7fff", "8e 077f7f7fff", "ae 077f7f7fff", "de 077f7f7fff 84", "be 0f7f7f7fff 10"].map(
      (value) => join(ION, value),
    ),
    many: (bytes) => join(ION, ionList(bytes), repeat("11", bytes)),
  },
  protobuf: {
    nested: (depth) => join(repeat("fb7f", depth), repeat("fc7f", depth)),
    claims: ["0affffffff07", "12ffffffff07", "1affffffff07 00", "22ffffffffffffffffff01", "faffffff07"].map(
      hex,
    ),
    many: manyProtobuf,
  },
  arrow: {
    claims: ["ffffffff ffffff7f", "ffffffff 08000000 ffffff7f 00000000", "ffffffff 00000080"].map(hex),
  },
  avro: {
    claims: ["feffffff0f", "ffffffff0f", "ffffffffffffffffff01", "feffffff0f 00 00 00"].map(hex),
  },
  capnp: {
    claims: [
      "ffffff7f 00000000",
      "ffffffff 00000000",
      "00000000 ffffff7f",
      "00000000 01000000 01000000 f8ffffff",
      "00000000 01000000 01000000 ffffffff",
    ].map(hex),
    many: (bytes) =>
      join("00000000", u32(2, true), "0000000000000100", "01000000", u32(bytes * 4096 * 8, true)),
  },
  flatbuffers: {
    claims: ["ffffff7f", "04000000 ffffff7f", "08000000 0400 0400 04000000 ffffff7f"].map(hex),
  },
};

/** The length of an array of AMF3, with the bit that says it is no reference, in 29 bits. */
function amfCount(count: number): Buffer {
  const value = count * 2 + 1;
  return Buffer.from(
    [(value >> 21) | 128, ((value >> 14) & 127) | 128, ((value >> 7) & 127) | 128, value & 127].map(
      (byte, at) => (at === 0 ? byte & 255 : byte),
    ),
  );
}
