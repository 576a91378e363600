import { expect, it } from "vitest";
import { beginningOf, framesOf, LOOKED_AT, looksLike } from "../../src/catalog/looks-like.ts";

it("goes through blank lines once", () => {
  expect(looksLike({ bytes: Buffer.alloc(LOOKED_AT, "\n"), isAll: true })).toBeUndefined();
  expect(looksLike({ bytes: Buffer.from("\r\n\n \tmessage M {\r\n}\n"), isAll: true })).toBe(
    "a .proto schema",
  );
});

/** Messages of some sizes, each with what is put around it. */
function framed(sizes: readonly number[], around: (message: Buffer) => Buffer[]): Buffer {
  return Buffer.concat(sizes.flatMap((size) => around(messageOf(size))));
}

/** A protobuf message with one field of many bytes. */
function messageOf(size: number): Buffer {
  return Buffer.concat([Buffer.from([0x0a, ...varint(size)]), Buffer.alloc(size, "a\x80")]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

function big(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function little(value: number): Buffer {
  return big(value).reverse();
}

const SMALL = Array.from({ length: 200 }, (_, i) => 900 + i);

it.each<[string, Buffer]>([
  [
    "messages of gRPC, each behind 5 bytes",
    framed(SMALL, (message) => [Buffer.alloc(1), big(message.length), message]),
  ],
  [
    "TFRecord",
    framed(SMALL, (message) => [
      little(message.length),
      Buffer.alloc(4),
      Buffer.alloc(4),
      message,
      Buffer.alloc(4),
    ]),
  ],
  [
    "TFRecord",
    Buffer.concat([Buffer.from("000001000000000009b1a955", "hex"), messageOf(65532), Buffer.alloc(4)]),
  ],
  ["messages after lengths of 4 bytes", framed(SMALL, (message) => [big(message.length), message])],
  ["messages after lengths of 4 bytes", framed(SMALL, (message) => [little(message.length), message])],
  [
    "protobuf messages after their lengths: --delimited",
    framed(SMALL, (message) => [Buffer.from(varint(message.length)), message]),
  ],
])("tells %s by the beginning of a longer file", (name, bytes) => {
  expect(looksLike(beginningOf(bytes))).toBe(name);
});

it("tells one long message in a frame by the size of its file", () => {
  const bytes = framed([100_000], (message) => [Buffer.alloc(1), big(message.length), message]);
  const start = beginningOf(bytes);
  expect(framesOf({ ...start, size: bytes.length })).toBe("messages of gRPC, each behind 5 bytes");
  expect(framesOf({ ...start, size: bytes.length + 1 })).toBeUndefined();
  expect(framesOf(start)).toBeUndefined();
});

it("does not take the beginning of any binary data for messages in frames", () => {
  const counted = Buffer.concat(Array.from({ length: 40_000 }, (_, i) => little(i * i)));
  for (const bytes of [
    messageOf(200_000),
    counted,
    framed([100_000], (message) => [big(message.length), message]),
  ])
    expect(looksLike(beginningOf(bytes)) ?? "nothing").not.toMatch(/messages|TFRecord/);
});
