/** Reports the work of verifiers on messages that are made to cost more than linear work: see `linear-work/steps.ts`. */

import { avroShape, verifyAvro } from "../../src/formats/avro-verifier/index.ts";
import { verifyBson } from "../../src/formats/bson-verifier/index.ts";
import { type StructShape, verifyCapnp } from "../../src/formats/capnp-verifier/index.ts";
import { verifyCbor } from "../../src/formats/cbor-verifier/index.ts";
import { flatbufferVerifier, type TableShape } from "../../src/formats/flatbuffers-verifier/index.ts";
import { verifyFlexBuffer } from "../../src/formats/flexbuffers-verifier/index.ts";
import { verifyMessagePack } from "../../src/formats/msgpack-verifier/index.ts";
import {
  type FieldShape,
  type MessageShape,
  mapShape,
  verifyProtobuf,
} from "../../src/formats/protobuf-verifier/index.ts";
import { verifyV8 } from "../../src/formats/v8-verifier/index.ts";
import { framed, listPointer, SIZE, structPointer } from "./capnp-verifier/words.ts";
import { type Family, report } from "./linear-work/steps.ts";

/** A family of messages that a verifier checks. */
function family(
  name: string,
  verify: (bytes: Uint8Array) => void,
  messageOf: (n: number) => Uint8Array,
): Family {
  return {
    name,
    make: (n) => {
      const bytes = messageOf(n);
      return () => verify(bytes);
    },
  };
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

/** Bytes n times, with what is before and after them. */
function filled(head: Uint8Array, body: string, n: number, end: Uint8Array = Buffer.alloc(0)): Buffer {
  const unit = hex(body);
  return Buffer.concat([head, Buffer.alloc(unit.length * n, unit), end]);
}

function uint32(n: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
}

/** An unsigned integer, seven bits in a byte. */
function varint(n: number): Buffer {
  const bytes: number[] = [];
  let rest = n;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Different texts of eight letters. */
function keys(n: number): Buffer[] {
  return Array.from({ length: n }, (_, i) => Buffer.from(i.toString(26).padStart(8, "q")));
}

const msgpack = (name: string, messageOf: (n: number) => Uint8Array): Family =>
  family(`msgpack: ${name}`, (bytes) => verifyMessagePack(bytes, { records: true }), messageOf);
const array = (n: number): Buffer => Buffer.concat([hex("dd"), uint32(n)]);

const cbor = (name: string, messageOf: (n: number) => Uint8Array): Family =>
  family(`cbor: ${name}`, (bytes) => verifyCbor(bytes, { records: true }), messageOf);
const items = (n: number): Buffer => Buffer.concat([hex("9a"), uint32(n)]);

const avro = (name: string, schema: unknown, messageOf: (n: number) => Uint8Array): Family => {
  const shape = avroShape(schema);
  return family(`avro: ${name}`, (bytes) => verifyAvro(bytes, shape), messageOf);
};
/** An Avro block of n elements. */
const block = (n: number): Buffer => varint(2 * n);

const bson = (name: string, messageOf: (n: number) => Uint8Array): Family =>
  family(`bson: ${name}`, verifyBson, messageOf);

function uint32le(n: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(n);
  return bytes;
}

/** A BSON document around elements. */
function document(...elements: readonly Buffer[]): Buffer {
  const body = Buffer.concat(elements);
  const size = Buffer.alloc(4);
  size.writeInt32LE(body.length + 5);
  return Buffer.concat([size, body, hex("00")]);
}

const flexbuffers = (name: string, messageOf: (n: number) => Uint8Array): Family =>
  family(`flexbuffers: ${name}`, (bytes) => verifyFlexBuffer(bytes), messageOf);

/**
 * A FlexBuffer whose root is a vector of n elements of a type, with a number or an offset each, and the bytes before it.
 * @param element what is at a place
 */
function flexVector(before: Buffer, n: number, type: number, element: (place: number) => number): Buffer {
  const start = before.length + 4;
  const elements = Buffer.alloc(4 * n);
  for (let i = 0; i < n; i++) elements.writeUInt32LE(element(start + 4 * i), 4 * i);
  const root = [uint32le(5 * n), Buffer.from([(10 << 2) | 2, 4])];
  return Buffer.concat([before, uint32le(n), elements, Buffer.alloc(n, type), ...root]);
}

/** A FlexBuffer whose root is a map of n keys, each with null. */
function flexMap(n: number): Buffer {
  const names = Buffer.concat(keys(n).map((key) => Buffer.concat([key, hex("00")])));
  const first = names.length + 4;
  const offsets = Buffer.alloc(4 * n);
  for (let i = 0; i < n; i++) offsets.writeUInt32LE(first + 4 * i - 9 * i, 4 * i);
  const head = [uint32le(4 * n), uint32le(4), uint32le(n)];
  const root = [uint32le(5 * n), Buffer.from([(9 << 2) | 2, 4])];
  return Buffer.concat([names, uint32le(n), offsets, ...head, Buffer.alloc(5 * n), ...root]);
}

const v8 = (name: string, messageOf: (n: number) => Uint8Array): Family =>
  family(`v8: ${name}`, verifyV8, messageOf);
const list = (n: number, body: string): Buffer =>
  filled(Buffer.concat([hex("ff0f41"), varint(n)]), body, n, Buffer.concat([hex("2400"), varint(n)]));

const fields = new Map<number, FieldShape>();
const message: MessageShape = { name: "M", fields };
const self = { kind: "message", shape: message, group: false } as const;
fields.set(1, { name: "list", type: self, repeated: true, required: false });
fields.set(2, { name: "one", type: self, repeated: false, required: false });
fields.set(3, { name: "text", type: { kind: "scalar", scalar: "string" }, repeated: true, required: false });
fields.set(4, {
  name: "packed",
  type: { kind: "scalar", scalar: "sint64" },
  repeated: true,
  required: false,
});
fields.set(5, mapShape("map", "string", self));
const protobuf = (name: string, messageOf: (n: number) => Uint8Array): Family =>
  family(
    `protobuf: ${name}`,
    (bytes) => void verifyProtobuf(bytes, message, { unknownFields: "skip" }),
    messageOf,
  );

const struct: { dataWords: number; data: StructShape["data"]; pointers: StructShape["pointers"][number][] } =
  {
    dataWords: 1,
    data: [{ name: "n", offset: 0, bits: 64, safe: "unsigned" }],
    pointers: [],
  };
struct.pointers.push(
  { name: "list", target: { kind: "list", element: { kind: "struct", shape: struct } }, required: false },
  { name: "texts", target: { kind: "list", element: { kind: "text" } }, required: false },
);
const capnp = (name: string, words: (n: number) => readonly bigint[]): Family =>
  family(
    `capnp: ${name}`,
    (bytes) => verifyCapnp(bytes, struct),
    (n) => framed(words(n)),
  );
const zeros = (n: number): bigint[] => Array<bigint>(n).fill(0n);

const table: { fields: TableShape["fields"][number][] } = { fields: [] };
table.fields.push(
  { name: "n", type: { kind: "scalar", scalar: "long", safe: true } },
  { name: "tables", type: { kind: "vector", element: { kind: "table", table } } },
  { name: "text", type: { kind: "string" } },
);
const verifyFlatbuffers = flatbufferVerifier(table);
const verifyLenient = flatbufferVerifier(table, { lenient: true });
const flatbuffers = (name: string, messageOf: (n: number) => Uint8Array): Family =>
  family(`flatbuffers: ${name}`, verifyFlatbuffers, messageOf);

/**
 * A root with a vector of n tables that have nothing, and two vtables of `slots` slots in all, to which the tables
 * refer in turns.
 */
function tables(n: number, slots: number): Uint8Array {
  const half = 4 + 2 * Math.floor(slots / 2);
  const size = Math.ceil(half / 4) * 4;
  const vector = 24;
  const first = vector + 4 + 4 * n;
  const vtables = first + 4 * n;
  const bytes = Buffer.alloc(vtables + 2 * size);
  bytes.writeUInt32LE(12, 0);
  // Vtable of the root: its second field is at 4 of a table of 8 bytes.
  bytes.writeUInt16LE(8, 4);
  bytes.writeUInt16LE(8, 6);
  bytes.writeUInt16LE(4, 10);
  bytes.writeInt32LE(12 - 4, 12);
  bytes.writeUInt32LE(vector - 16, 16);
  bytes.writeUInt32LE(n, vector);
  for (let i = 0; i < n; i++) {
    const place = vector + 4 + 4 * i;
    bytes.writeUInt32LE(first + 4 * i - place, place);
    bytes.writeInt32LE(first + 4 * i - (vtables + (i % 2) * size), first + 4 * i);
  }
  for (const at of [vtables, vtables + size]) {
    bytes.writeUInt16LE(half, at);
    bytes.writeUInt16LE(4, at + 2);
  }
  return bytes;
}

/** A root with a vector of n tables, each with a vtable of its own that reaches over those behind it. */
function tablesOfOverlappingVtables(n: number): Uint8Array {
  const [vector, step, size] = [24, 10, 8 * n];
  const first = vector + 4 + 4 * n;
  const vtables = first + 4 * n;
  const bytes = Buffer.alloc(Math.ceil((vtables + step * n + size) / 4) * 4);
  bytes.set(tables(n, 0).subarray(0, first));
  for (let i = 0; i < n; i++) {
    const vtable = vtables + step * i;
    bytes.writeInt32LE(first + 4 * i - vtable, first + 4 * i);
    bytes.writeUInt16LE(size, vtable);
    bytes.writeUInt16LE(4, vtable + 2);
  }
  return bytes;
}

report([
  msgpack("empty maps", (n) => filled(array(n), "80", n)),
  msgpack("one map", (n) =>
    Buffer.concat([hex("df"), uint32(n), ...keys(n).flatMap((key) => [hex("a8"), key, hex("c0")])]),
  ),
  msgpack("one text", (n) => filled(Buffer.concat([hex("db"), uint32(8 * n)]), "6161616161616161", n)),
  msgpack("the same long key again and again", (n) => filled(array(n), `81d960${"61".repeat(96)}c0`, n)),
  msgpack("a record that is defined again and again", (n) => filled(array(n), "d4724092a161a16201 02", n)),
  msgpack("a record that is used again and again", (n) =>
    filled(Buffer.concat([array(n + 1), hex("d4724092a161a1620102")]), "400102", n),
  ),
  msgpack("nested too deep", (n) => filled(Buffer.alloc(0), "91", n)),
  cbor("empty maps", (n) => filled(items(n), "a0", n)),
  cbor("maps without a length", (n) => filled(items(n), "bfff", n)),
  cbor("one map", (n) =>
    Buffer.concat([hex("ba"), uint32(n), ...keys(n).flatMap((key) => [hex("68"), key, hex("f6")])]),
  ),
  cbor("one text", (n) => filled(Buffer.concat([hex("7a"), uint32(8 * n)]), "6161616161616161", n)),
  cbor("the same long key again and again", (n) => filled(items(n), `a17860${"61".repeat(96)}f6`, n)),
  cbor("a record that is defined again and again", (n) =>
    filled(items(n), "d9dfff8419e00082616161620102", n),
  ),
  cbor("a record that is used again and again", (n) =>
    filled(Buffer.concat([items(n + 1), hex("d9dfff8419e00082616161620102")]), "d9e000820102", n),
  ),
  cbor("nested too deep", (n) => filled(Buffer.alloc(0), "81", n)),
  avro("longs", { type: "array", items: "long" }, (n) =>
    filled(block(n), "ffffffffffffffffff01", n, hex("00")),
  ),
  avro("blocks of one", { type: "array", items: "long" }, (n) =>
    filled(Buffer.alloc(0), "0202", n, hex("00")),
  ),
  avro("one map", { type: "map", values: "null" }, (n) =>
    Buffer.concat([block(n), ...keys(n).flatMap((key) => [hex("10"), key]), hex("00")]),
  ),
  avro("empty records", { type: "array", items: { type: "record", name: "E", fields: [] } }, (n) =>
    Buffer.concat([block(n), hex("00")]),
  ),
  bson("one document", (n) => document(...keys(n).flatMap((key) => [hex("0a"), key, hex("00")]))),
  bson("empty documents", (n) =>
    document(...keys(n).flatMap((key) => [hex("03"), key, hex("000500000000")])),
  ),
  bson("one array", (n) =>
    document(
      hex("046100"),
      document(...Array.from({ length: n }, (_, i) => Buffer.from(`\x0a${i}\0`, "latin1"))),
    ),
  ),
  bson("one text", (n) => document(hex("026100"), uint32le(8 * n + 1), Buffer.alloc(8 * n, "a"), hex("00"))),
  flexbuffers("numbers", (n) => flexVector(Buffer.alloc(0), n, 1 << 2, (place) => place)),
  flexbuffers("one empty vector again and again", (n) =>
    flexVector(Buffer.alloc(8), n, (10 << 2) | 2, (place) => place - 4),
  ),
  flexbuffers("one map", flexMap),
  flexbuffers("one long text", (n) =>
    flexVector(
      Buffer.concat([uint32le(8 * n), Buffer.alloc(8 * n, "a"), Buffer.alloc(4)]),
      1,
      (5 << 2) | 2,
      (place) => place - 4,
    ),
  ),
  flexbuffers("texts that are a byte shorter each", (n) =>
    flexVector(Buffer.concat([Buffer.alloc(64, "a"), hex("00")]), n, 4 << 2, (place) => place - (place % 64)),
  ),
  flexbuffers("a vector in itself", (n) =>
    flexVector(Buffer.alloc(8), n, (10 << 2) | 2, (place) => place - 12),
  ),
  v8("empty objects", (n) => list(n, "6f7b00")),
  v8("bytes", (n) => list(n, "5c0101 61")),
  v8("references to one list", (n) =>
    Buffer.concat([
      hex("ff0f41"),
      varint(n + 1),
      hex("4100240000"),
      Buffer.alloc(2 * n, hex("5e01")),
      hex("2400"),
      varint(n + 1),
    ]),
  ),
  v8("references to references", (n) => {
    const levels = Buffer.concat(
      Array.from({ length: n }, (_, i) => Buffer.concat([hex("41015e"), varint(i + 1), hex("240001")])),
    );
    return Buffer.concat([
      hex("ff0f41"),
      varint(n + 1),
      hex("4100240000"),
      levels,
      hex("2400"),
      varint(n + 1),
    ]);
  }),
  v8("one object", (n) =>
    Buffer.concat([
      hex("ff0f6f"),
      ...keys(n).flatMap((key) => [hex("2208"), key, hex("30")]),
      hex("7b"),
      varint(n),
    ]),
  ),
  v8("one text", (n) => filled(Buffer.concat([hex("ff0f53"), varint(8 * n)]), "6161616161616161", n)),
  v8("an object that is closed nowhere", (n) => filled(hex("ff0f"), "6f220161", n)),
  protobuf("empty messages", (n) => filled(Buffer.alloc(0), "0a00", n)),
  protobuf("one message in many parts", (n) => filled(Buffer.alloc(0), "12021a00", n)),
  protobuf("one text", (n) => filled(Buffer.concat([hex("1a"), varint(8 * n)]), "6161616161616161", n)),
  protobuf("packed numbers", (n) => filled(Buffer.concat([hex("22"), varint(n)]), "01", n)),
  protobuf("packed numbers one by one", (n) => filled(Buffer.alloc(0), "220101", n)),
  protobuf("one key of a map again and again", (n) => filled(Buffer.alloc(0), "2a050a01611200", n)),
  protobuf("unknown fields", (n) => filled(Buffer.alloc(0), "c03e00", n)),
  protobuf("nested too deep", (n) => filled(Buffer.alloc(0), "c33e", n)),
  capnp("structs without content", (n) => [
    ...[structPointer(0, 0, 2), listPointer(1, SIZE.structs, 2 * n), 0n, structPointer(n, 1, 1)],
    ...zeros(2 * n),
  ]),
  capnp("empty texts", (n) => [
    ...[structPointer(0, 0, 2), 0n, listPointer(0, SIZE.pointers, n)],
    ...zeros(n),
  ]),
  capnp("one text", (n) => [
    ...[structPointer(0, 0, 2), 0n, listPointer(0, SIZE.pointers, 1), listPointer(0, SIZE.bytes, 8 * n)],
    ...zeros(n),
  ]),
  capnp("a struct that is longer than its schema", (n) => [structPointer(0, n, 0), ...zeros(n)]),
  flatbuffers("tables", (n) => tables(n, 3)),
  flatbuffers("tables that take turns with two long vtables", (n) => tables(n, n)),
  family(
    "flatbuffers: tables of vtables that overlap, unknown fields skipped",
    verifyLenient,
    tablesOfOverlappingVtables,
  ),
]);
