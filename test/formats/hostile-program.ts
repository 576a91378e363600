/**
 * Runs the verifiers on inputs of 64 KB that are made to cost time or memory, in a small heap of its own, and
 * prints a line of JSON for each: what came of it, the steps that took, and how far the process has grown since
 * before the first. A step is a number or a text that was read, or a field of a shape that was looked at.
 */

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

const cases: readonly (readonly [
  name: string,
  verify: (bytes: Buffer) => void,
  bytes: Buffer,
  expected?: "refused",
])[] = [
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
