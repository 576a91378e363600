import { describe, expect, it } from "vitest";
import {
  type FieldShape,
  type MessageShape,
  mapShape,
  type ProtobufOptions,
  type TypeShape,
  verifyProtobuf,
} from "../../../src/formats/protobuf-verifier/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import type { Scalar } from "../../../src/model/schema.ts";
import { delimited, group, number, tag, text, varint } from "./wire.ts";

function field(name: string, type: TypeShape | Scalar, more: Partial<FieldShape> = {}): FieldShape {
  const shape: TypeShape = typeof type === "string" ? { kind: "scalar", scalar: type } : type;
  return { name, type: shape, repeated: false, required: false, ...more };
}

function message(name: string, fields: Readonly<Record<number, FieldShape>>): MessageShape {
  return { name, fields: new Map(Object.entries(fields).map(([id, one]) => [Number(id), one])) };
}

const list = { repeated: true };
const needed = { required: true };

const inner = message("Inner", { 1: field("id", "int32", needed), 2: field("tag", "string") });
const fields = new Map<number, FieldShape>();
const outer: MessageShape = { name: "Outer", fields };
for (const [id, one] of [
  [1, field("flag", "bool")],
  [2, field("small", "uint8")],
  [3, field("int", "int32")],
  [4, field("uint", "uint32")],
  [5, field("zigzag", "sint32")],
  [6, field("long", "int64")],
  [7, field("fixed", "fixed64")],
  [8, field("float", "float")],
  [9, field("text", "string")],
  [10, field("blob", "bytes")],
  [11, field("kind", { kind: "enum", numbers: new Set([1, 5, -3]) })],
  [12, field("open", { kind: "enum" })],
  [13, field("one", { kind: "message", shape: inner, group: false })],
  [14, field("many", { kind: "message", shape: inner, group: false }, list)],
  [15, field("grouped", { kind: "message", shape: inner, group: true }, list)],
  [16, field("numbers", "int32", list)],
  [17, field("words", "string", list)],
  [18, field("self", { kind: "message", shape: outer, group: false })],
  [19, mapShape("scores", "string", { kind: "scalar", scalar: "int64" })],
  [20, mapShape("kinds", "int64", { kind: "enum", numbers: new Set([1]) })],
  [21, mapShape("inners", "int32", { kind: "message", shape: inner, group: false })],
  [22, field("zigzag64", "sint64")],
  [23, field("unsigned", "uint64")],
  [24, field("tiny", "int8")],
  [25, field("doubles", "double", list)],
] as const) {
  fields.set(id, one);
}

function verify(bytes: readonly number[], options?: ProtobufOptions) {
  return verifyProtobuf(Uint8Array.from(bytes), outer, options);
}

function failure(bytes: readonly number[], options?: ProtobufOptions): string {
  try {
    verify(bytes, options);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    const { code, message: said } = error as DecodeError;
    return `${code}: ${said}`;
  }
  return "accepted";
}

const good: readonly (readonly [string, readonly number[]])[] = [
  ["an empty message", []],
  ["fields in any order", [...text(9, "a"), ...number(1, 1)]],
  ["a negative int32 in ten bytes", number(3, -1)],
  ["the least int8", number(24, -128)],
  ["the greatest uint32", number(4, 0xffffffff)],
  ["the greatest varint", number(23, 2n ** 64n - 1n)],
  ["a varint that is padded to ten bytes", [...tag(3, 0), ...varint(1, 10)]],
  ["a tag and a length that are padded to five bytes", [...varint(9 * 8 + 2, 5), ...varint(1, 5), 0x61]],
  ["a number that is given twice", [...number(3, 1), ...number(3, 2)]],
  ["a message that is given twice", [...delimited(13, number(1, 1)), ...delimited(13, number(1, 2))]],
  ["numbers one by one", [...number(16, 1), ...number(16, 2)]],
  ["packed numbers", delimited(16, varint(1), varint(-2))],
  ["packed and unpacked numbers of one list", [...delimited(16, varint(1)), ...number(16, 2)]],
  ["no packed numbers", delimited(16)],
  ["packed doubles", delimited(25, new Array(16).fill(1))],
  ["an empty text", text(9, "")],
  ["text with a zero byte and every length of UTF-8", text(9, "\0é日\u{1f600}")],
  ["bytes that are not text", delimited(10, [0xff, 0xc0])],
  ["an open enum's unknown number", number(12, 77)],
  ["a closed enum's negative number", number(11, -3)],
  ["a group", group(15, number(1, 1))],
  ["a map", delimited(19, text(1, "a"), number(2, 5))],
  ["a key that is in a map twice", [...delimited(19, text(1, "a")), ...delimited(19, text(1, "a"))]],
  ["a map's entry without its key", delimited(19, number(2, 5))],
  ["a map's entry without its value", delimited(19, text(1, "a"))],
  ["a map's key beyond 2^53", delimited(20, number(1, 2n ** 63n - 1n), number(2, 1))],
];

const bad: readonly (readonly [string, readonly number[], string])[] = [
  ["a tag alone", tag(9, 2), "truncated: protobuf at text at byte 1: value goes beyond the end of the bytes"],
  ["a tag that is cut", [0x80], "truncated: protobuf at byte 0: value goes beyond the end of the bytes"],
  [
    "a varint that is cut",
    [...tag(3, 0), 0x80],
    "truncated: protobuf at int at byte 1: value goes beyond the end of the bytes",
  ],
  [
    "a fixed value that is cut",
    [...tag(7, 1), 1, 2, 3],
    "truncated: protobuf at fixed at byte 1: value goes beyond the end of the bytes",
  ],
  [
    "a length beyond the end",
    [...tag(9, 2), 5, 0x61],
    "truncated: protobuf at text at byte 1: length 5 goes beyond the 1 byte that follow",
  ],
  [
    "a length beyond the message around it",
    [...delimited(13, [...tag(2, 2), 9]), ...number(3, 1)],
    "corrupt: protobuf at one.tag at byte 3: length 9 goes beyond the 0 bytes that follow",
  ],
  [
    "a varint of eleven bytes",
    [...tag(3, 0), ...varint(1, 11)],
    "corrupt: protobuf at int at byte 1: varint is longer than 10 bytes",
  ],
  [
    "a varint that never ends",
    [...tag(3, 0), ...new Array(10).fill(0x80), 0],
    "corrupt: protobuf at int at byte 1: varint is longer than 10 bytes",
  ],
  ["a tag of six bytes", [...varint(8, 6), 1], "corrupt: protobuf at byte 0: tag has more than 32 bits"],
  [
    "a tag of 33 bits",
    [...varint(2n ** 32n + 8n), 1],
    "corrupt: protobuf at byte 0: tag has more than 32 bits",
  ],
  [
    "a length of six bytes",
    [...tag(9, 2), ...varint(0, 6)],
    "corrupt: protobuf at text at byte 1: length has more than 32 bits",
  ],
  [
    "the end of a group of field number 0",
    [4, ...number(3, 1)],
    "corrupt: protobuf at byte 0: field number 0 is not allowed",
  ],
  ["field number 0", [...tag(0, 0), 1], "corrupt: protobuf at byte 0: field number 0 is not allowed"],
  ["wire type 6", [...tag(77, 6)], "corrupt: protobuf at byte 0: there is no wire type 6"],
  [
    "a known field of another wire type",
    [...tag(3, 5), 0, 0, 0, 0],
    "corrupt: protobuf at int at byte 0: wire type is wrong, expected 0, got 5",
  ],
  [
    "a packed value where there is no list",
    delimited(3, varint(1)),
    "corrupt: protobuf at int at byte 0: wire type is wrong, expected 0, got 2",
  ],
  [
    "a group where a message has a length",
    group(13, number(1, 1)),
    "corrupt: protobuf at one at byte 0: wire type is wrong, expected 2, got 3",
  ],
  [
    "a message with a length where a group is",
    delimited(15, number(1, 1)),
    "corrupt: protobuf at grouped[0] at byte 0: wire type is wrong, expected 3, got 2",
  ],
  [
    "an unknown field",
    number(77, 1),
    "unsupported: protobuf at byte 0: Outer has no field 77, its data would be lost",
  ],
  [
    "an unknown field of a map's entry",
    delimited(19, number(3, 1)),
    "unsupported: protobuf at scores[0] at byte 3: scores entry has no field 3, its data would be lost",
  ],
  [
    "a uint8 of 256",
    number(2, 256),
    "corrupt: protobuf at small at byte 1: 256 is outside uint8, expected 0 to 255",
  ],
  [
    "an int8 of 128",
    number(24, 128),
    "corrupt: protobuf at tiny at byte 2: 128 is outside int8, expected -128 to 127",
  ],
  [
    "a closed enum's unknown number",
    number(11, 2),
    "corrupt: protobuf at kind at byte 1: the enum has no value 2",
  ],
  [
    "text that is no UTF-8",
    delimited(9, [0xff]),
    "corrupt: protobuf at text at byte 1: text is not valid UTF-8",
  ],
  [
    "overlong UTF-8",
    delimited(9, [0xc0, 0xaf]),
    "corrupt: protobuf at text at byte 1: text is not valid UTF-8",
  ],
  [
    "a surrogate in UTF-8",
    delimited(17, [0xed, 0xa0, 0x80]),
    "corrupt: protobuf at words[0] at byte 2: text is not valid UTF-8",
  ],
  [
    "a required field that is missing",
    delimited(13, text(2, "a")),
    "corrupt: protobuf at one at byte 2: Inner lacks its required field id",
  ],
  [
    "one that is missing from the second of two parts",
    [...delimited(13, number(1, 1)), ...delimited(13)],
    "corrupt: protobuf at one at byte 6: Inner lacks its required field id",
  ],
  [
    "the same in a list",
    [...delimited(14, number(1, 1)), ...delimited(14)],
    "corrupt: protobuf at many[1] at byte 6: Inner lacks its required field id",
  ],
  [
    "a map's missing value that cannot be 0",
    delimited(20, number(1, 1)),
    "corrupt: protobuf at kinds[0] at byte 3: kinds entry lacks its required field value",
  ],
  [
    "a map's missing value that cannot be empty",
    delimited(21, number(1, 1)),
    "corrupt: protobuf at inners[0] at byte 3: inners entry lacks its required field value",
  ],
  [
    "a group without its end",
    [...tag(15, 3), ...number(1, 1)],
    "truncated: protobuf at grouped[0] at byte 3: value goes beyond the end of the bytes",
  ],
  [
    "a group with the end of another",
    [...tag(15, 3), ...number(1, 1), ...tag(14, 4)],
    "corrupt: protobuf at grouped[0] at byte 3: end of group 14 without its start",
  ],
  [
    "an end of a group without its start",
    tag(99, 4),
    "corrupt: protobuf at byte 0: end of group 99 without its start",
  ],
  [
    "an end tag of a known field",
    tag(15, 4),
    "corrupt: protobuf at grouped[0] at byte 0: wire type is wrong, expected 3, got 4",
  ],
  [
    "packed numbers that run over",
    [...tag(16, 2), 1, 0x80, 0x01],
    "corrupt: protobuf at numbers[0] at byte 3: value goes beyond the end of the message or list around it",
  ],
  [
    "packed doubles that are cut",
    delimited(25, new Array(9).fill(1)),
    "truncated: protobuf at doubles[1] at byte 11: value goes beyond the end of the bytes",
  ],
];

/** Varints that are wider than their type, and what is said of them in strict mode. */
const wide: readonly (readonly [string, readonly number[], string])[] = [
  [
    "a varint of 65 bits",
    [...tag(23, 0), ...new Array(9).fill(0xff), 0x02],
    "corrupt: protobuf at unsigned at byte 2: varint has more than 64 bits",
  ],
  ["a bool of 2", number(1, 2), "corrupt: protobuf at flag at byte 1: 2 is outside bool, expected 0 to 1"],
  [
    "an int32 of 2^31",
    number(3, 2 ** 31),
    "corrupt: protobuf at int at byte 1: 2147483648 is outside int32, expected -2147483648 to 2147483647",
  ],
  [
    "a negative int32 in five bytes",
    number(3, 0xffffffff),
    "corrupt: protobuf at int at byte 1: 4294967295 is outside int32, expected -2147483648 to 2147483647",
  ],
  [
    "a uint32 of 2^32",
    number(4, 2 ** 32),
    "corrupt: protobuf at uint at byte 1: 4294967296 is outside uint32, expected 0 to 4294967295",
  ],
  [
    "a sint32 of 33 bits",
    number(5, 2 ** 32),
    "corrupt: protobuf at zigzag at byte 1: varint of a sint32 has more than 32 bits",
  ],
  [
    "an open enum beyond 32 bits",
    number(12, 2 ** 40),
    "corrupt: protobuf at open at byte 1: 1099511627776 is outside int32, expected -2147483648 to 2147483647",
  ],
  [
    "packed numbers",
    delimited(16, varint(2 ** 33 + 1), varint(1)),
    "corrupt: protobuf at numbers[0] at byte 3: 8589934593 is outside int32, expected -2147483648 to 2147483647",
  ],
  [
    "the key of a map",
    delimited(21, number(1, 2 ** 32), delimited(2, number(1, 1))),
    "corrupt: protobuf at inners[0].key at byte 4: 4294967296 is outside int32, expected -2147483648 to 2147483647",
  ],
  [
    "a closed enum's number",
    number(11, 2 ** 40 + 5),
    "corrupt: protobuf at kind at byte 1: 1099511627781 is outside int32, expected -2147483648 to 2147483647",
  ],
];

describe("verifyProtobuf", () => {
  it.each(wide)("takes %s, and refuses it in strict mode", (_, bytes, expected) => {
    expect(failure(bytes)).toBe("accepted");
    expect(failure(bytes, { strict: true })).toBe(expected);
  });

  it("takes everything else in strict mode that it takes without", () => {
    for (const [, bytes] of good) expect(failure(bytes, { strict: true })).toBe("accepted");
  });

  it("cuts the narrow integers of C to 32 bits, and not to fewer", () => {
    expect(failure(number(24, 2 ** 32 - 2))).toBe("accepted");
    expect(failure(number(2, 2 ** 32 + 255))).toBe("accepted");
    expect(failure(number(2, -1))).toBe(
      "corrupt: protobuf at small at byte 1: 4294967295 is outside uint8, expected 0 to 255",
    );
  });

  it("tells whether JavaScript numbers hold the 64-bit integers", () => {
    expect(verify([...number(6, 2n ** 53n - 1n), ...number(3, -1)]).safe).toBe(true);
    expect(verify([...number(6, 1), ...number(22, 2n ** 54n)]).safe).toBe(false);
  });

  it.each(good)("accepts %s", (_, bytes) => {
    expect(failure(bytes)).toBe("accepted");
  });

  it.each(bad)("refuses %s", (_, bytes, expected) => {
    const said = failure(bytes);
    expect(said.startsWith(expected), said).toBe(true);
  });

  it("names the path through messages, lists and maps", () => {
    const entry = delimited(21, number(1, 7), delimited(2, number(1, 1), delimited(2, [0xff])));
    const said = failure(delimited(18, delimited(14, number(1, 1)), entry));
    expect(said).toContain("at self.inners[0].value.tag at byte");
  });

  it("takes 100 levels of messages and not 101", () => {
    const nested = (levels: number): number[] => (levels === 1 ? [] : delimited(18, nested(levels - 1)));
    expect(failure(nested(100))).toBe("accepted");
    expect(failure(nested(101))).toMatch(
      /^limit: protobuf at self\.self.*: nested deeper than 100 messages$/,
    );
    expect(failure(nested(3), { depth: 2 })).toMatch(/^limit: /);
  });

  it("does not count the entries of maps as levels", () => {
    const bytes = delimited(21, number(1, 7), delimited(2, number(1, 1)));
    expect(failure(bytes, { depth: 2 })).toBe("accepted");
    expect(failure(bytes, { depth: 1 })).toMatch(/^limit: /);
  });

  it.each<[string, number[], boolean]>([
    ["int64 of 2^53 - 1", number(6, 2n ** 53n - 1n), true],
    ["int64 of 2^53", number(6, 2n ** 53n), false],
    ["int64 of -(2^53 - 1)", number(6, -(2n ** 53n - 1n)), true],
    ["int64 of -(2^53)", number(6, -(2n ** 53n)), false],
    ["uint64 of 2^53 - 1", number(23, 2n ** 53n - 1n), true],
    ["uint64 of 2^53 + 1", number(23, 2n ** 53n + 1n), false],
    ["uint64 of 2^64 - 1", number(23, 2n ** 64n - 1n), false],
    ["sint64 of 2^53 - 1", number(22, 2n ** 54n - 2n), true],
    ["sint64 of -(2^53 - 1)", number(22, 2n ** 54n - 3n), true],
    ["sint64 of -(2^53)", number(22, 2n ** 54n - 1n), false],
    ["sint64 of 2^53", number(22, 2n ** 54n), false],
    ["fixed64 of 2^53 - 1", [...tag(7, 1), 255, 255, 255, 255, 255, 255, 31, 0], true],
    ["fixed64 of 2^53", [...tag(7, 1), 0, 0, 0, 0, 0, 0, 32, 0], false],
    ["a map's value of 2^53", delimited(19, number(2, 2n ** 53n)), false],
    ["a map's key of 2^62", delimited(20, number(1, 2n ** 62n), number(2, 1)), true],
  ])("with safe integers: %s", (_, bytes, accepted) => {
    expect(failure(bytes)).toBe("accepted");
    const said = failure(bytes, { integers: "safe" });
    expect(said).toMatch(
      accepted ? /^accepted$/ : /^unsupported: .* is beyond 2\^53, expected a safe integer$/,
    );
  });

  it("lists the unknown fields that it is told to skip, with number and offset", () => {
    const unknown = group(200, number(1, 1), group(3, [...tag(2, 5), 0, 0, 0, 0]), [
      ...tag(4, 1),
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
    ]);
    const bytes = [
      ...number(3, 1),
      ...unknown,
      ...delimited(13, number(1, 1), text(9, "x")),
      ...number(99, 1),
    ];
    const field = { what: "field", count: 1 };
    expect(verify(bytes, { unknownFields: "skip" }).unknown).toEqual([
      { ...field, message: "Outer", number: 200, wire: 3, offset: 2 },
      { ...field, message: "Inner", number: 9, wire: 2, offset: 2 + unknown.length + 4 },
      { ...field, message: "Outer", number: 99, wire: 0, offset: bytes.length - 3 },
    ]);
    expect(verify(number(3, 1), { unknownFields: "skip" }).unknown).toEqual([]);
  });

  it.each<[string, number[], object]>([
    [
      "a field of a map's entry",
      delimited(19, number(3, 1)),
      { message: "scores entry", number: 3, what: "field" },
    ],
    [
      "a closed enum's number",
      number(11, 2),
      { message: "Outer", field: "kind", value: 2, what: "enum number", offset: 1 },
    ],
    [
      "a map's value that a closed enum lacks",
      delimited(20, number(1, 1), number(2, 7)),
      { message: "kinds entry", field: "value", value: 7, what: "enum number" },
    ],
    ["a number with a length", delimited(3, varint(1)), { field: "int", wire: 2, what: "wire type" }],
    ["a group with a length", delimited(15, number(1, 1)), { field: "grouped", wire: 2, what: "wire type" }],
    ["a message between tags", group(13, text(9, "")), { field: "one", wire: 3, what: "wire type" }],
    ["a list's number of 8 bytes", [...tag(16, 1), ...new Array(8).fill(0)], { wire: 1, what: "wire type" }],
  ])("skips %s where it is told to", (_, bytes, expected) => {
    expect(failure(bytes)).not.toBe("accepted");
    expect(verify(bytes, { unknownFields: "skip" }).unknown).toEqual([expect.objectContaining(expected)]);
    const twice = verify([...bytes, ...bytes], { unknownFields: "skip" }).unknown;
    expect(twice).toEqual([expect.objectContaining({ ...expected, count: 2 })]);
  });

  it("refuses a required field of another wire type, or of a number that its closed enum lacks", () => {
    const kind = { kind: "enum", numbers: new Set([1]) } as const;
    const shape = message("Needy", { 1: field("kind", kind, needed) });
    for (const bytes of [number(1, 2), delimited(1, varint(1))]) {
      const verified = (): unknown =>
        verifyProtobuf(Uint8Array.from(bytes), shape, { unknownFields: "skip" });
      expect(verified).toThrow("protobuf at byte 0: Needy lacks its required field kind");
    }
  });

  it("refuses more kinds of unknown fields than another program's schema can have", () => {
    const unknown = Array.from({ length: 1001 }, (_, i) => number(1000 + i, 1)).flat();
    expect(failure(unknown, { unknownFields: "skip" })).toMatch(
      /^limit: protobuf at byte 3000: more than 1000 kinds of unknown fields$/,
    );
  });

  it("counts elements of lists, fields and messages against the limit of values", () => {
    const size = fields.size + 1;
    expect(failure([...number(16, 1), ...delimited(16, [1, 1])], { values: size + 3 })).toBe("accepted");
    const many: readonly (readonly number[])[] = [number(16, 1), delimited(16, [1]), text(17, "")];
    for (const bytes of many) {
      expect(failure(bytes, { values: size + 1 })).toBe("accepted");
      expect(failure([...bytes, ...bytes], { values: size + 1 })).toMatch(
        /^limit: .*: more than 27 values, which --max-values raises$/,
      );
    }
  });

  it.each<[string, number[], string]>([
    ["cut", tag(99, 0), "truncated"],
    ["of field number 0 in a group", group(99, tag(0, 0)), "corrupt: protobuf at byte 2: field number 0"],
    ["of no wire type", tag(99, 7), "corrupt: protobuf at byte 0: there is no wire type 7"],
    [
      "a group that ends another",
      [...tag(99, 3), ...tag(98, 4)],
      "corrupt: protobuf at byte 2: end of group 98",
    ],
    ["a group without an end", tag(99, 3), "truncated"],
  ])("refuses an unknown field to skip that is %s", (_, bytes, expected) => {
    expect(failure(bytes, { unknownFields: "skip" }).startsWith(expected)).toBe(true);
  });

  it("counts the levels of unknown groups", () => {
    const nested = (levels: number): number[] => (levels === 0 ? [] : group(99, nested(levels - 1)));
    expect(failure(nested(99), { unknownFields: "skip" })).toBe("accepted");
    expect(failure(nested(100), { unknownFields: "skip" })).toMatch(/^limit: /);
  });

  it("reads from the middle of a larger buffer", () => {
    const bytes = Buffer.from([0xff, ...text(9, "a"), 0xff]);
    expect(() => verifyProtobuf(bytes.subarray(1, -1), outer)).not.toThrow();
  });
});
