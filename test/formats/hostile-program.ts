/**
 * Runs the verifiers on inputs of 64 KB that are made to cost time or memory, in a small heap of its own, and
 * prints a line of JSON for each: what came of it, the steps that took, and how far the process has grown since
 * before the first. A step is a number or a text that was read, or a field of a shape that was looked at.
 */

import { avroShape } from "../../src/formats/avro-verifier/index.ts";
import { AvroWalk } from "../../src/formats/avro-verifier/verify.ts";
import { BsonWalk } from "../../src/formats/bson-verifier/verify.ts";
import { ByteInput } from "../../src/formats/bytes/input.ts";
import { CborInput } from "../../src/formats/cbor-verifier/input.ts";
import { CborWalk } from "../../src/formats/cbor-verifier/verify.ts";
import { verifyFlexBuffer } from "../../src/formats/flexbuffers-verifier/index.ts";
import { MessagePackInput } from "../../src/formats/msgpack-verifier/input.ts";
import { MessagePackWalk } from "../../src/formats/msgpack-verifier/verify.ts";
import { type FieldShape, type MessageShape, mapShape } from "../../src/formats/protobuf-verifier/index.ts";
import { ProtobufInput } from "../../src/formats/protobuf-verifier/input.ts";
import { type ProtobufOptions, ProtobufWalk } from "../../src/formats/protobuf-verifier/verify.ts";
import { V8Input } from "../../src/formats/v8-verifier/input.ts";
import { V8Walk } from "../../src/formats/v8-verifier/verify.ts";
import { DecodeError } from "../../src/model/errors.ts";

let steps = 0;

class CountedMessagePack extends MessagePackInput {
  override skip(count: number): void {
    steps += 1;
    super.skip(count);
  }
}

class CountedV8 extends V8Input {
  override skip(count: number): void {
    steps += 1;
    super.skip(count);
  }
}

class CountedCbor extends CborInput {
  override need(count: number): void {
    steps += 1;
    super.need(count);
  }
}

class CountedBson extends ByteInput {
  override need(count: number): void {
    steps += 1;
    super.need(count);
  }
}

/** Avro's walk asks for what is left before it takes anything. */
class CountedAvro extends ByteInput {
  override get remaining(): number {
    steps += 1;
    return super.remaining;
  }
}

/** Counts what is read of a view; the walk over a FlexBuffer makes its own. */
function withCountedViews(run: () => void): void {
  const { prototype } = DataView;
  const natives = (["getUint8", "getUint16", "getUint32", "getBigUint64"] as const).map((name) => {
    const native = prototype[name] as (this: DataView, at: number, little?: boolean) => number;
    Reflect.set(prototype, name, function counted(this: DataView, at: number, little?: boolean): number {
      steps += 1;
      return native.call(this, at, little);
    });
    return [name, native] as const;
  });
  try {
    run();
  } finally {
    for (const [name, native] of natives) Reflect.set(prototype, name, native);
  }
}

class CountedProtobuf extends ProtobufInput {
  override varint(end: number): void {
    steps += 1;
    super.varint(end);
  }

  override fixed32(end: number): void {
    steps += 1;
    super.fixed32(end);
  }

  override fixed64(end: number): void {
    steps += 1;
    super.fixed64(end);
  }
}

class CountedFields extends Map<number, FieldShape> {
  override get(number: number): FieldShape | undefined {
    steps += 1;
    return super.get(number);
  }

  override values(): MapIterator<FieldShape> {
    steps += this.size;
    return super.values();
  }
}

const SIZE = 65_536;

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

/** A head, and a body as often as fits. */
function filled(head: string, body: string): Buffer {
  const [start, unit] = [hex(head), hex(body)];
  const times = Math.floor((SIZE - start.length) / unit.length);
  return Buffer.concat([start, ...Array<Buffer>(times).fill(unit)]);
}

/** A MessagePack array of a first element, and others as often as they fit. */
function array(element: string, first = ""): Buffer {
  const [unit, start] = [hex(element), hex(first)];
  const times = Math.floor((SIZE - 3 - start.length) / unit.length);
  const head = Buffer.from([0xdc, 0, 0]);
  head.writeUInt16BE(times + (start.length > 0 ? 1 : 0), 1);
  return Buffer.concat([head, start, ...Array<Buffer>(times).fill(unit)]);
}

/** The same for a list that V8 serialises. */
function list(element: string, first = ""): Buffer {
  const [unit, start] = [hex(element), hex(first)];
  const times = Math.floor((SIZE - 12 - start.length) / unit.length);
  const length = times + (start.length > 0 ? 1 : 0);
  const count = Buffer.from([(length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14]);
  return Buffer.concat([hex("ff0f41"), count, start, ...Array<Buffer>(times).fill(unit), hex("2400"), count]);
}

const fields = new CountedFields();
const message: MessageShape = { name: "M", fields };
const self = { kind: "message", shape: message, group: false } as const;
fields.set(1, { name: "self", type: self, repeated: false, required: false });
fields.set(2, { name: "list", type: self, repeated: true, required: false });
fields.set(3, { name: "group", type: { ...self, group: true }, repeated: true, required: false });
fields.set(4, {
  name: "packed",
  type: { kind: "scalar", scalar: "sint64" },
  repeated: true,
  required: false,
});
fields.set(5, { name: "text", type: { kind: "scalar", scalar: "string" }, repeated: true, required: false });
fields.set(6, mapShape("map", "uint64", self));
for (let number = 100; number < 600; number++) {
  fields.set(number, {
    name: `f${number}`,
    type: { kind: "scalar", scalar: "bool" },
    repeated: false,
    required: false,
  });
}

const protobuf = (bytes: Buffer, options?: ProtobufOptions): void => {
  new ProtobufWalk(new CountedProtobuf(bytes), options).message(message, bytes.length, 1);
};
const lenient = (bytes: Buffer): void => protobuf(bytes, { unknownFields: "skip" });
const msgpack = (bytes: Buffer): void => new MessagePackWalk(new CountedMessagePack(bytes)).whole();
const records = (bytes: Buffer): void => {
  new MessagePackWalk(new CountedMessagePack(bytes), { records: true }).whole();
};
const v8 = (bytes: Buffer): void => new V8Walk(new CountedV8(bytes)).whole();

const cbor = (bytes: Buffer): void => new CborWalk(new CountedCbor(bytes)).whole();
const cborRecords = (bytes: Buffer): void => {
  new CborWalk(new CountedCbor(bytes), { records: true }).whole();
};
const bson = (bytes: Buffer): void => new BsonWalk(new CountedBson("bson", bytes, SIZE)).whole();
const avro =
  (schema: unknown) =>
  (bytes: Buffer): void =>
    new AvroWalk(new CountedAvro("avro", bytes, SIZE)).whole(avroShape(schema));
const flexbuffers = (bytes: Buffer): void => withCountedViews(() => verifyFlexBuffer(bytes));

/** A CBOR array of a first item, and others as often as they fit. */
function items(item: string, first = ""): Buffer {
  const [unit, start] = [hex(item), hex(first)];
  const times = Math.floor((SIZE - 3 - start.length) / unit.length);
  const head = Buffer.from([0x99, 0, 0]);
  head.writeUInt16BE(times + (start.length > 0 ? 1 : 0), 1);
  return Buffer.concat([head, start, ...Array<Buffer>(times).fill(unit)]);
}

/** A BSON document whose elements have names of four letters, and this type and value. */
function named(type: string, value: string): Buffer {
  const [kind, content] = [hex(type), hex(value)];
  const times = Math.floor((SIZE - 5) / (6 + content.length));
  const name = (i: number): Buffer =>
    Buffer.from([12, 8, 4, 0].map((shift) => 0x61 + ((i >> shift) & 15)).concat(0));
  const body = Array.from({ length: times }, (_, i) => Buffer.concat([kind, name(i), content]));
  const bytes = Buffer.concat([Buffer.alloc(4), ...body, Buffer.alloc(1)]);
  bytes.writeInt32LE(bytes.length);
  return bytes;
}

/** Documents in documents: each says that it has all that is left. */
function nestedDocuments(): Buffer {
  const bytes = filled("", "00000000 03 61 00");
  for (let at = 0; at + 7 <= bytes.length; at += 7) bytes.writeInt32LE(bytes.length - at, at);
  return bytes;
}

/** A FlexBuffer whose root is a vector of as many elements of a type as fit, each with the same offset or number. */
function vector(type: number, element: (place: number) => number): Buffer {
  const count = Math.floor((SIZE - 18) / 5);
  const bytes = Buffer.alloc(12 + 5 * count + 6, type);
  // At 4 is what is empty: its length, and the end of a text.
  bytes.fill(0, 0, 8);
  bytes.writeUInt32LE(count, 8);
  for (let i = 0; i < count; i++) bytes.writeUInt32LE(element(12 + 4 * i), 12 + 4 * i);
  bytes.writeUInt32LE(5 * count, 12 + 5 * count);
  bytes[bytes.length - 2] = (10 << 2) | 2;
  bytes[bytes.length - 1] = 4;
  return bytes;
}

const cases: readonly (readonly [
  name: string,
  verify: (bytes: Buffer) => void,
  bytes: Buffer,
  expected?: "refused",
])[] = [
  ["cbor: empty maps", cbor, items("a0")],
  ["cbor: maps without a length", cbor, items("bfff")],
  ["cbor: maps of one key", cbor, items("a1616100")],
  ["cbor: arrays of 65,535 in arrays of 65,535", cbor, filled("", "99ffff"), "refused"],
  ["cbor: maps of 2^64 - 1", cbor, filled("", "bbffffffffffffffff"), "refused"],
  ["cbor: arrays without a length, in each other", cbor, filled("", "9f"), "refused"],
  ["cbor: one element in one element in one element", cbor, filled("", "81"), "refused"],
  ["cbor: text of 4 GiB", cbor, items("7affffffff"), "refused"],
  ["cbor: integers of 64 bits", cbor, items("1b0000000000000001")],
  ["cbor: tags of tags", cbor, filled("", "c1"), "refused"],
  ["cbor: definitions of records", cborRecords, items("d9dfff8319e000816161 00")],
  ["cbor: empty records by their id", cborRecords, items("d9e00080", "d9dfff8219e00080")],
  [
    "cbor: a record of 4,294,967,295 keys",
    cborRecords,
    filled("d9dfff9b000000010000000119e0009affffffff", "60"),
    "refused",
  ],
  ["bson: nulls", bson, named("0a", "")],
  ["bson: empty documents", bson, named("03", "0500000000")],
  ["bson: empty texts", bson, named("02", "0100000000")],
  ["bson: documents in each other", bson, nestedDocuments(), "refused"],
  ["bson: one name without an end", bson, filled("00000100 0a", "61"), "refused"],
  ["bson: texts beyond the end", bson, named("02", "ffffff7f"), "refused"],
  ["avro: nulls without end", avro({ type: "array", items: "null" }), filled("feffffff0f", "00"), "refused"],
  ["avro: blocks of one null", avro({ type: "array", items: "null" }), filled("", "02"), "refused"],
  ["avro: longs of one byte", avro({ type: "array", items: "long" }), filled("f4ff07", "02"), "refused"],
  [
    "avro: longest varints",
    avro({ type: "array", items: "long" }),
    filled("e000", "ffffffffffffffffff01"),
    "refused",
  ],
  [
    "avro: lists in lists",
    avro({ type: "record", name: "L", fields: [{ name: "l", type: { type: "array", items: "L" } }] }),
    filled("", "02"),
    "refused",
  ],
  [
    "avro: texts beyond the end",
    avro({ type: "array", items: "string" }),
    filled("80800f", "feffffff0f"),
    "refused",
  ],
  ["flexbuffers: nulls", flexbuffers, vector(0, () => 0)],
  ["flexbuffers: empty vectors", flexbuffers, vector((10 << 2) | 2, (place) => place - 4)],
  [
    "flexbuffers: vectors of all of them, in each other",
    flexbuffers,
    vector((10 << 2) | 2, (place) => place - 12),
    "refused",
  ],
  ["flexbuffers: offsets before the start", flexbuffers, vector((10 << 2) | 2, () => 2 ** 31), "refused"],
  ["flexbuffers: one text again and again", flexbuffers, vector((5 << 2) | 2, (place) => place - 4)],
  ["protobuf: empty messages", protobuf, filled("", "1200")],
  ["protobuf: empty groups", protobuf, filled("", "1b1c")],
  ["protobuf: groups that only open", protobuf, filled("", "1b"), "refused"],
  ["protobuf: unknown groups that only open", lenient, filled("", "c33e"), "refused"],
  ["protobuf: unknown fields", lenient, filled("", "c03e00")],
  ["protobuf: packed numbers", protobuf, filled("22fcff03", "01")],
  ["protobuf: one number at a time", protobuf, filled("", "2001")],
  ["protobuf: longest varints", protobuf, filled("", "20ffffffffffffffffff01")],
  ["protobuf: empty text", protobuf, filled("", "2a00")],
  ["protobuf: map entries", protobuf, filled("", "32040801 1200")],
  ["protobuf: a message given again and again", protobuf, filled("", "0a00")],
  ["protobuf: lengths beyond the end", protobuf, filled("", "12ffffffff07"), "refused"],
  ["msgpack: empty maps", msgpack, array("80")],
  ["msgpack: empty arrays", msgpack, array("90")],
  ["msgpack: small integers", msgpack, array("01")],
  ["msgpack: maps of one key", msgpack, array("81a16100")],
  ["msgpack: arrays of 65,535 in arrays of 65,535", msgpack, filled("", "dcffff"), "refused"],
  ["msgpack: arrays of 4,294,967,295", msgpack, filled("", "ddffffffff"), "refused"],
  ["msgpack: maps of 4,294,967,295", msgpack, filled("", "dfffffffff"), "refused"],
  ["msgpack: one map with very many keys", msgpack, manyKeys()],
  ["msgpack: one element in one element in one element", msgpack, filled("", "91"), "refused"],
  ["msgpack: text of 4 GiB", msgpack, array("dbffffffff"), "refused"],
  ["msgpack: integers of 64 bits", msgpack, array("cf0000000000000001")],
  ["records: definitions", records, array("d4724091a16100")],
  ["records: empty records by their id", records, array("40", "d4724090")],
  ["v8: empty objects", v8, list("6f7b00")],
  ["v8: empty lists", v8, list("4100240000")],
  ["v8: a list of 4,294,967,295", v8, filled("ff0f61ffffffff0f", "40"), "refused"],
  ["v8: lists in lists", v8, filled("ff0f", "4101"), "refused"],
  ["v8: references to a long list", v8, references(), "refused"],
  ["v8: padding", v8, filled("ff0f", "00"), "refused"],
  ["v8: small integers", v8, list("4902")],
];

function manyKeys(): Buffer {
  const entries: Buffer[] = [Buffer.from("de2aaa", "hex")];
  for (let i = 0; i < 0x2aaa; i++) {
    entries.push(Buffer.from([0xa4, ...[12, 8, 4, 0].map((shift) => 0x61 + ((i >> shift) & 15)), 0]));
  }
  return Buffer.concat(entries);
}

/** A list of 10,000 numbers, and as many references to it as fit: some hundred million values. */
function references(): Buffer {
  return list("5e01", `41904e ${"4902".repeat(10_000)} 2400904e`);
}

function outcomeOf(verify: (bytes: Buffer) => void, bytes: Buffer): string {
  try {
    verify(bytes);
    return "accepted";
  } catch (error) {
    return error instanceof DecodeError ? "refused" : String(error);
  }
}

const before = process.resourceUsage().maxRSS;
for (const [name, verify, bytes, expected = "accepted"] of cases) {
  steps = 0;
  const outcome = outcomeOf(verify, bytes);
  const grown = process.resourceUsage().maxRSS - before;
  process.stdout.write(`${JSON.stringify({ name, expected, outcome, steps, grownKb: grown })}\n`);
}
