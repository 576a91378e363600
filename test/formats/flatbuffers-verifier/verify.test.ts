/** Each rule of the verifier, broken alone in a message that is right otherwise. */
import { Builder } from "flatbuffers";
import { describe, expect, it } from "vitest";
import {
  type FieldShape,
  flatbufferVerifier,
  type TableShape,
  type TypeShape,
  type VerifyOptions,
} from "../../../src/formats/flatbuffers-verifier/index.ts";
import { DecodeError, type DecodeProblem } from "../../../src/model/errors.ts";

const int: TypeShape = { kind: "scalar", scalar: "int" };
const string = { kind: "string" } as const;

function shapeOf(...fields: FieldShape[]): TableShape {
  return { fields };
}

function field(name: string, type: TypeShape, required = false): FieldShape {
  return { name, type, required };
}

const part = shapeOf(field("key", string, true), field("value", { kind: "scalar", scalar: "double" }));
const root = shapeOf(
  field("id", int),
  field("name", string, true),
  field("part", { kind: "table", table: part }),
  field("longs", { kind: "vector", element: { kind: "scalar", scalar: "long", safe: true } }),
  field("parts", { kind: "vector", element: { kind: "table", table: part }, distinctKeys: true }),
  field("ok", { kind: "scalar", scalar: "bool" }),
  field("level", { kind: "scalar", scalar: "byte", values: new Set([1, 2]) }),
  field("texts", { kind: "vector", element: string, length: 2 }),
);

function offsets(builder: Builder, list: readonly number[]): number {
  builder.startVector(4, list.length, 4);
  for (const offset of list.toReversed()) builder.addOffset(offset);
  return builder.endVector();
}

function addPart(builder: Builder, key: string): number {
  const offset = builder.createString(key);
  builder.startObject(2);
  builder.addFieldFloat64(1, 0.5, 0);
  builder.addFieldOffset(0, offset, 0);
  return builder.endObject();
}

/** A message of `root` with every field set, made by the runtime library. */
function message(identifier?: string): Buffer {
  const builder = new Builder(16);
  const texts = offsets(builder, [builder.createString("é"), builder.createString("")]);
  const parts = offsets(builder, [addPart(builder, "aa"), addPart(builder, "ab")]);
  builder.startVector(8, 2, 8);
  builder.addInt64(-5n);
  builder.addInt64(2n ** 53n - 1n);
  const longs = builder.endVector();
  const onePart = addPart(builder, "k");
  const name = builder.createString("name");
  builder.startObject(8);
  for (const [id, offset] of [
    [1, name],
    [2, onePart],
    [3, longs],
    [4, parts],
    [7, texts],
  ] as const) {
    builder.addFieldOffset(id, offset, 0);
  }
  builder.addFieldInt32(0, 77, 0);
  builder.addFieldInt8(5, 1, 0);
  builder.addFieldInt8(6, 2, 0);
  builder.finish(builder.endObject(), identifier);
  return Buffer.from(builder.asUint8Array());
}

/** Places in a message, found as the format says. */
class Places {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get root(): number {
    return this.bytes.readUInt32LE(0);
  }

  vtable(table = this.root): number {
    return table - this.bytes.readInt32LE(table);
  }

  slot(id: number, table = this.root): number {
    return this.vtable(table) + 4 + 2 * id;
  }

  /** Where the field itself is. */
  field(id: number, table = this.root): number {
    return table + this.bytes.readUInt16LE(this.slot(id, table));
  }

  /** What the offset in a field leads to. */
  target(id: number, table = this.root): number {
    return this.field(id, table) + this.bytes.readUInt32LE(this.field(id, table));
  }
}

function failureOf(bytes: Uint8Array, shape: TableShape, options?: VerifyOptions): DecodeError | undefined {
  try {
    flatbufferVerifier(shape, options)(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

type Break = (places: Places, bytes: Buffer) => void;

describe("flatbufferVerifier", () => {
  it("accepts what the runtime library makes", () => {
    expect(failureOf(message(), root)).toBeUndefined();
    expect(failureOf(message("TEST"), root, { identifier: "TEST" })).toBeUndefined();
  });

  it.each<[string, Break, RegExp, DecodeProblem]>([
    [
      "the root's offset leads to itself",
      (_, b) => b.writeUInt32LE(0, 0),
      /byte 0: an offset leads to itself/,
      "corrupt",
    ],
    [
      "the root is behind the end",
      (_, b) => b.writeUInt32LE(b.length, 0),
      /byte 0: .* leads to byte/,
      "truncated",
    ],
    [
      "the root's offset is negative",
      (_, b) => b.writeInt32LE(-4, 0),
      /byte 0: .* leads to byte 4294967292/,
      "truncated",
    ],
    [
      "the root is not aligned",
      (p, b) => b.writeUInt32LE(p.root + 2, 0),
      /expected a multiple of 4/,
      "corrupt",
    ],
    [
      "a vtable is before the message",
      (p, b) => b.writeInt32LE(p.root + 4, p.root),
      /its vtable is at byte -4/,
      "corrupt",
    ],
    [
      "a vtable is one byte before the message",
      (p, b) => b.writeInt32LE(p.root + 1, p.root),
      /its vtable is at byte -1/,
      "corrupt",
    ],
    [
      "a vtable is behind the end",
      (p, b) => b.writeInt32LE(-b.length, p.root),
      /its vtable is at byte/,
      "corrupt",
    ],
    [
      "a vtable is not aligned",
      (p, b) => b.writeInt32LE(p.root - p.vtable() + 1, p.root),
      /its vtable is at byte/,
      "corrupt",
    ],
    ["a vtable is too small", (p, b) => b.writeUInt16LE(2, p.vtable()), /a vtable of 2 bytes/, "corrupt"],
    [
      "a vtable has half an entry",
      (p, b) => b.writeUInt16LE(19, p.vtable()),
      /a vtable of 19 bytes/,
      "corrupt",
    ],
    [
      "a vtable goes behind the end",
      (p, b) => b.writeUInt16LE(0x7000, p.vtable()),
      /a vtable of 28672 bytes/,
      "truncated",
    ],
    [
      "a vtable is too large for the runtime",
      (p, b) => b.writeUInt16LE(0x8000, p.vtable()),
      /32768 in a vtable/,
      "unsupported",
    ],
    [
      "a table is smaller than its own offset",
      (p, b) => b.writeUInt16LE(3, p.vtable() + 2),
      /a table of 3 bytes/,
      "corrupt",
    ],
    [
      "a table goes behind the end",
      (p, b) => b.writeUInt16LE(0x7000, p.vtable() + 2),
      /a table of 28672 bytes/,
      "truncated",
    ],
    [
      "a field lies on the vtable's offset",
      (p, b) => b.writeUInt16LE(2, p.slot(5)),
      /at ok .* bytes 2 to 3 of a table/,
      "corrupt",
    ],
    [
      "a field goes behind its table",
      (p, b) => b.writeUInt16LE(b.readUInt16LE(p.vtable() + 2), p.slot(0)),
      /at id .* of a table of/,
      "corrupt",
    ],
    [
      "a field is not aligned",
      (p, b) => b.writeUInt16LE(b.readUInt16LE(p.slot(0)) - 2, p.slot(0)),
      /at id .*multiple of 4 as its place/,
      "corrupt",
    ],
    ["a required field is missing", (p, b) => b.writeUInt16LE(0, p.slot(1)), /at name .*missing/, "corrupt"],
    ["a bool is 2", (p, b) => b.writeUInt8(2, p.field(5)), /at ok .*got 2/, "corrupt"],
    ["an enum has no such value", (p, b) => b.writeUInt8(3, p.field(6)), /at level .*no value 3/, "corrupt"],
    [
      "an offset leads behind the end",
      (p, b) => b.writeUInt32LE(b.length, p.field(1)),
      /at name .* leads to byte/,
      "truncated",
    ],
    [
      "an offset leads to itself",
      (p, b) => b.writeUInt32LE(0, p.field(2)),
      /at part .* leads to itself/,
      "corrupt",
    ],
    [
      "an offset leads to an odd place",
      (p, b) => b.writeUInt32LE(b.readUInt32LE(p.field(1)) + 1, p.field(1)),
      /at name .*multiple of 4/,
      "corrupt",
    ],
    [
      "a string goes behind the end",
      (p, b) => b.writeUInt32LE(b.length, p.target(1)),
      /at name .*a string of/,
      "truncated",
    ],
    [
      "a string has no NUL",
      (p, b) => b.writeUInt32LE(3, p.target(1)),
      /at name .*expected a NUL .* got 101/,
      "corrupt",
    ],
    [
      "a string is overlong UTF-8",
      (p, b) => b.writeUInt16BE(0xc0af, p.target(1) + 4),
      /at name .*not valid UTF-8/,
      "corrupt",
    ],
    [
      "a string has half of a surrogate pair",
      (p, b) => b.set([0xed, 0xa0, 0x80], p.target(1) + 4),
      /at name .*not valid UTF-8/,
      "corrupt",
    ],
    [
      "a string ends within a character",
      (p, b) => b.writeUInt8(0xc3, p.target(1) + 7),
      /at name .*not valid UTF-8/,
      "corrupt",
    ],
    [
      "a vector goes behind the end",
      (p, b) => b.writeUInt32LE(1000, p.target(3)),
      /at longs .*a vector of 1000 elements of 8/,
      "truncated",
    ],
    [
      "a vector has 2^32 - 1 elements",
      (p, b) => b.writeUInt32LE(0xffffffff, p.target(3)),
      /at longs .*4294967295 elements/,
      "truncated",
    ],
    [
      "a vector's elements are not aligned",
      (p, b) => {
        b.writeUInt32LE(1, p.target(3) - 4);
        b.writeUInt32LE(b.readUInt32LE(p.field(3)) - 4, p.field(3));
      },
      /at longs .*multiple of 8 as its place/,
      "corrupt",
    ],
    [
      "an integer is not safe",
      (p, b) => b.writeBigInt64LE(2n ** 53n, p.target(3) + 4),
      /at longs\[0\] .*9007199254740992 is beyond/,
      "corrupt",
    ],
    [
      "an integer is not safe below 0",
      (p, b) => b.writeBigInt64LE(-(2n ** 53n), p.target(3) + 12),
      /at longs\[1\] .*-9007199254740992 is beyond/,
      "corrupt",
    ],
    [
      "a list has another length than is allowed",
      (p, b) => b.writeUInt32LE(1, p.target(7)),
      /at texts .*exactly 2 elements, got 1/,
      "corrupt",
    ],
    [
      "an element is wrong",
      (p, b) => b.writeUInt32LE(0, p.target(4) + 8),
      /at parts\[1\] .*leads to itself/,
      "corrupt",
    ],
    [
      "a key stands twice",
      (p, b) => b.writeUInt32LE(b.readUInt32LE(p.target(4) + 4) - 4, p.target(4) + 8),
      /at parts\[1\] .*"aa" stands twice/,
      "corrupt",
    ],
    [
      "padding is not zero",
      (p, b) => b.writeUInt8(1, p.target(1) + 9),
      /bytes that belong to no part/,
      "corrupt",
    ],
    [
      "a field is dropped",
      (p, b) => b.writeUInt16LE(0, p.slot(0)),
      /bytes that belong to no part/,
      "corrupt",
    ],
    ["a vector is cut", (p, b) => b.writeUInt32LE(1, p.target(3)), /bytes that belong to no part/, "corrupt"],
  ])("refuses a message where %s", (_, damage, problem, code) => {
    const bytes = message();
    damage(new Places(bytes), bytes);
    const failure = failureOf(bytes, root);
    expect(failure?.message).toMatch(problem);
    expect(failure).toMatchObject({ code, format: "flatbuffers" });
  });
  it("refuses every truncation, and more at the end", () => {
    const whole = message();
    for (let length = 0; length < whole.length; length++) {
      expect(failureOf(whole.subarray(0, length), root)).toBeInstanceOf(DecodeError);
    }
    expect(failureOf(Buffer.concat([whole, Buffer.alloc(3)]), root)?.message).toMatch(
      /expected a multiple of 4/,
    );
    expect(failureOf(Buffer.concat([whole, Buffer.alloc(4)]), root)?.message).toMatch(/belong to no part/);
    expect(failureOf(Buffer.concat([whole, whole]), root)?.message).toMatch(/belong to no part/);
  });

  it("refuses a message with its size in front", () => {
    const whole = message();
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32LE(whole.length);
    expect(failureOf(Buffer.concat([prefix, whole]), root)).toBeInstanceOf(DecodeError);
  });

  it("reads at any offset of a larger buffer, and writes nowhere", () => {
    const whole = message();
    const larger = Buffer.concat([Buffer.alloc(3, 0xff), whole, Buffer.alloc(5, 0xff)]);
    const before = Buffer.from(larger);
    expect(failureOf(larger.subarray(3, 3 + whole.length), root)).toBeUndefined();
    expect(larger.equals(before)).toBe(true);
  });

  it("expects an identifier only where it is asked for", () => {
    expect(failureOf(message("TEST"), root)?.message).toMatch(/belong to no part/);
    expect(failureOf(message(), root, { identifier: "TEST" })?.message).toMatch(
      /expected the identifier "TEST"/,
    );
    expect(failureOf(message("TEST"), root, { identifier: "REST" })?.message).toMatch(/"REST", got "TEST"/);
  });

  it("takes any identifier where it is optional and none is named, and nothing else that is of no part", () => {
    const found = message("TEST");
    expect(failureOf(found, root, { identifierOptional: true })).toBeUndefined();
    expect(failureOf(found, root, { identifier: "REST", identifierOptional: true })?.message).toMatch(
      /belong to no part/,
    );
    const larger = Buffer.concat([found, Buffer.from("MORE")]);
    expect(failureOf(larger, root, { identifierOptional: true })?.message).toMatch(/belong to no part/);
  });

  it("refuses a field that the shape does not know, unless it is lenient", () => {
    const older = shapeOf(...root.fields.slice(0, 6));
    expect(failureOf(message(), older)?.message).toMatch(/field 6 is not in the schema, which has 6/);
    expect(failureOf(message(), older, { lenient: true })).toBeUndefined();
  });

  it("follows the offset of a union's member that the shape does not know, when it is lenient", () => {
    const any: TypeShape = { kind: "union", members: new Map([[1, { name: "text", type: string }]]) };
    const union = shapeOf(field("any_type", { kind: "scalar", scalar: "ubyte" }), field("any", any));
    const withOffset = (offset: number): Buffer => {
      const bytes = Buffer.alloc(28);
      bytes.writeUInt32LE(12, 0);
      bytes.set([8, 0, 12, 0, 4, 0, 8, 0], 4);
      bytes.set([8, 0, 0, 0, 2], 12);
      bytes.writeUInt32LE(offset, 20);
      return bytes;
    };
    // A struct of one byte may be anywhere.
    for (const offset of [1, 4, 7]) {
      expect(failureOf(withOffset(offset), union, { lenient: true })).toBeUndefined();
      expect(failureOf(withOffset(offset), union)?.message).toMatch(/at any .*the union has no member 2/);
    }
    for (const offset of [0, 8, 2 ** 31, 2 ** 32 - 1]) {
      expect(failureOf(withOffset(offset), union, { lenient: true })?.message).toMatch(
        offset === 0 ? /at any .*leads to itself/ : /at any .*an offset leads to byte \d+ of 28/,
      );
    }
  });

  it("accepts bytes that belong to nothing, when it is lenient", () => {
    const more = Buffer.concat([message(), Buffer.from("junk!")]);
    expect(failureOf(more, root, { lenient: true })).toBeUndefined();
    expect(failureOf(more.subarray(0, 100), root, { lenient: true })).toBeInstanceOf(DecodeError);
  });

  it("refuses a field that the runtime library would take for absent", () => {
    // A table of 32772 bytes whose only field is at its end, where the library reads the place as negative.
    const bytes = Buffer.alloc(12 + 32772);
    bytes.writeUInt32LE(12, 0);
    bytes.set([6, 0, 4, 0x80, 0, 0x80], 4);
    bytes.writeInt32LE(8, 12);
    const failure = failureOf(bytes, shapeOf(field("far", int)), { lenient: true });
    expect(failure?.message).toMatch(/at far .*32768 in a vtable, expected at most 32767/);
    expect(failure?.code).toBe("unsupported");
  });

  it("names a field by its path, however it is called", () => {
    const odd = shapeOf(field("", { kind: "table", table: shapeOf(field("a b", string, true)) }));
    const bytes = Buffer.alloc(28);
    bytes.writeUInt32LE(12, 0);
    bytes.set([6, 0, 8, 0, 4, 0], 4);
    bytes.set([8, 0, 0, 0, 4, 0, 0, 0], 12);
    bytes.set([0xfc, 0xff, 0xff, 0xff, 4, 0, 4, 0], 20);
    expect(failureOf(bytes, odd)?.path).toBe('[""]["a b"]');
  });
});
