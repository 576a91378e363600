import { describe, expect, it } from "vitest";
import { library } from "../../src/codecs/capnp-ts.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError, ValueError } from "../../src/model/errors.ts";
import type { EnumType, FieldType, MessageType, Repetition } from "../../src/model/schema.ts";
import { firstDifference, type RecordValue, type Value } from "../../src/model/value.ts";
import { messageMaker, openMessage } from "../../src/schema/capnp/message.ts";
import { decodeTrusted, decodeUntrusted } from "../../src/schema/values/transcode.ts";
import { framed, listPointer, SIZE, structPointer } from "../formats/capnp-verifier/words.ts";
import {
  bindings,
  dataset,
  EMPTY,
  ENUMS,
  encode,
  field,
  implicit,
  list,
  message,
  optional,
  scalar,
  vector,
} from "./capnp-ts-fixture.ts";

describe("the address book", () => {
  const values = [0, 1].map((index) => tellist.make(37, index));
  const book: Dataset = { name: "tellist", schema: tellist.schema, values, int64: "number" };

  it.each([
    ["plain", "tellist.bin", 1216],
    ["packed", "tellist.packed", 787],
  ] as const)("has the bytes that capnp gives it: %s", (variant, file, size) => {
    const bytes = encode(bindings[variant](book), values[0]!);
    expect(bytes.length).toBe(size);
    expect(Buffer.from(bytes).equals(vector(file))).toBe(true);
  });

  it.each([
    ["plain", "tellist-segments.bin"],
    ["packed", "tellist-segments.packed"],
  ] as const)("is read from the many segments of another writer: %s", (variant, file) => {
    const bytes = vector(file);
    expect(bytes.readUInt8(variant === "plain" ? 0 : 1)).toBeGreaterThan(1);
    expect(decodeUntrusted("capnp-ts", bindings[variant](book), book, bytes)).toEqual(values[0]);
  });

  it("is read from bytes at an odd place in a larger buffer", () => {
    const bytes = vector("tellist.bin");
    const larger = Buffer.concat([Buffer.alloc(13, 0xff), bytes, Buffer.alloc(5, 0xff)]);
    const inside = larger.subarray(13, 13 + bytes.length);
    expect(decodeUntrusted("capnp-ts", bindings.plain(book), book, inside)).toEqual(values[0]);
  });

  it("refuses a string", () => {
    expect(() => bindings.plain(book).verify("text")).toThrow(
      new DecodeError("capnp", "expected bytes, got a string"),
    );
  });
});

describe("values", () => {
  const everything: MessageType = {
    name: "Everything",
    fields: [
      field("text", scalar("string"), optional),
      field("data", scalar("bytes"), optional),
      field("number", scalar("int32"), optional),
      field("bool", scalar("bool"), optional),
      field("float", scalar("double"), optional),
      field("texts", scalar("string"), list),
      field("datas", scalar("bytes"), list),
      field("bools", scalar("bool"), list),
      field("empties", message("Empty"), list),
      field("map", message("Empty"), { kind: "map", key: "string" }),
      field("empty", message("Empty"), optional),
    ],
  };
  const nothing = { texts: [], datas: [], bools: [], empties: [], map: {} };

  it.each<[string, Value]>([
    ["nothing", nothing],
    ["empty text", { ...nothing, text: "" }],
    ["empty data", { ...nothing, data: new Uint8Array(0) }],
    ["zero", { ...nothing, number: 0 }],
    ["false", { ...nothing, bool: false }],
    ["minus zero", { ...nothing, float: -0 }],
    ["NaN", { ...nothing, float: Number.NaN }],
    ["a message without fields", { ...nothing, empty: {} }],
    [
      "empty text and data in lists",
      { ...nothing, texts: ["", "a", ""], datas: [new Uint8Array(0), new Uint8Array(9)] },
    ],
    [
      "more bools than a word holds",
      { ...nothing, bools: Array.from({ length: 100 }, (_, i) => i % 3 === 0) },
    ],
    [
      "messages without fields in a list and a map",
      { ...nothing, empties: [{}, {}], map: { "": {}, a: {} } },
    ],
    ["text with NUL and beyond the first plane", { ...nothing, text: "a\0\u{1f600}" }],
  ])("keeps %s apart from everything else", (_, value) => {
    const carried = { ...dataset([everything, EMPTY]), values: [value] };
    for (const bind of Object.values(bindings)) {
      const binding = bind(carried);
      expect(
        firstDifference(value, decodeUntrusted("capnp-ts", binding, carried, encode(binding, value))),
      ).toBeUndefined();
    }
  });

  it("tells a root without fields from no root, as capnp does", () => {
    const bytes = encode(bindings.plain(dataset([EMPTY])), {});
    expect(Buffer.from(bytes).toString("hex")).toBe("0000000001000000fcffffff00000000");
  });

  it("keeps the keys of maps, whatever they are", () => {
    const maps = ["string", "bool", "int64", "uint64"] as const;
    const carried = dataset([
      { name: "M", fields: maps.map((key) => field(key, scalar("uint8"), { kind: "map", key })) },
    ]);
    const value = {
      string: JSON.parse('{"__proto__":1,"constructor":2,"":3}'),
      bool: { true: 1, false: 2 },
      int64: { "-9223372036854775808": 1, "9007199254740993": 2 },
      uint64: { "18446744073709551615": 1 },
    };
    const binding = bindings.plain(carried);
    const decoded = decodeUntrusted("capnp-ts", binding, carried, encode(binding, value)) as RecordValue;
    expect(firstDifference(value, decoded)).toBeUndefined();
    expect(Object.getPrototypeOf(decoded["string"])).toBe(Object.prototype);
  });

  it("keeps fields that are named like what every object has", () => {
    const names = ["__proto__", "constructor", "toString", "length", "hasOwnProperty"];
    const types: [FieldType, Repetition, Value][] = [
      [scalar("string"), optional, "x"],
      [scalar("int32"), optional, 7],
      [scalar("int32"), implicit, 7],
      [scalar("bool"), list, [true]],
    ];
    for (const [type, repetition, item] of types) {
      const carried = dataset([{ name: "M", fields: names.map((name) => field(name, type, repetition)) }]);
      const binding = bindings.plain(carried);
      const all = Object.fromEntries(names.map((name) => [name, item]));
      const decoded = decodeTrusted(binding, encode(binding, all));
      expect(firstDifference(all, decoded)).toBeUndefined();
      expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
      if (repetition === optional) expect(decodeTrusted(binding, encode(binding, {}))).toEqual({});
    }
  });

  it("refuses a key that stands twice", () => {
    const carried = dataset([
      { name: "M", fields: [field("map", scalar("uint8"), { kind: "map", key: "string" })] },
    ]);
    const binding = bindings.plain(carried);
    const bytes = Buffer.from(encode(binding, { map: { first: 1, other: 2 } }));
    bytes.write("first", bytes.indexOf("other"));
    const says = 'capnp at map: the key "first" stands twice';
    expect(() => binding.verify(bytes)).toThrow(
      new DecodeError("capnp", 'the key "first" stands twice', { path: "map" }),
    );
    expect(() => decodeUntrusted("capnp-ts", binding, carried, bytes)).toThrow(says);
  });

  it("carries what an open enum may hold, as far as 16 bits go", () => {
    const type: EnumType = { name: "E", values: [{ name: "A", number: 0 }], bits: 32, closed: false };
    const carried = dataset(
      [{ name: "M", fields: [field("e", { kind: "enum", name: "E" }, implicit)] }],
      [type],
    );
    const binding = bindings.plain(carried);
    expect(decodeUntrusted("capnp-ts", binding, carried, encode(binding, { e: 65_535 }))).toEqual({
      e: 65_535,
    });
    for (const number of [65_536, -1]) {
      expect(() => encode(binding, { e: number })).toThrow(
        new UnsupportedError(`enum number ${number}, expected 0 to 65535 in Cap'n Proto`),
      );
    }
  });

  it("carries enums of every kind", () => {
    for (const bind of Object.values(bindings)) {
      const binding = bind(ENUMS);
      for (const value of ENUMS.values) {
        const decoded = decodeUntrusted("capnp-ts", binding, ENUMS, encode(binding, value));
        expect(firstDifference(value, decoded)).toBeUndefined();
      }
    }
  });

  it("knows an absent enum from one whose numbers have no zero", () => {
    const values = [1, 2].map((number) => ({ name: `E${number}`, number }));
    const type: EnumType = { name: "E", values, bits: 32, closed: true };
    const carried = dataset(
      [{ name: "M", fields: [field("e", { kind: "enum", name: "E" }, optional)] }],
      [type],
    );
    const binding = bindings.plain(carried);
    for (const value of [{}, { e: 2 }]) {
      expect(decodeUntrusted("capnp-ts", binding, carried, encode(binding, value))).toEqual(value);
    }
  });

  it("reads null in a list of data as no bytes", () => {
    const carried = dataset([{ name: "M", fields: [field("l", scalar("bytes"), list)] }]);
    const bytes = framed([structPointer(0, 0, 1), listPointer(0, SIZE.pointers, 1), 0n]);
    const expected = { l: [new Uint8Array(0)] };
    expect(decodeUntrusted("capnp-ts", bindings.plain(carried), carried, bytes)).toEqual(expected);
  });

  it("refuses a 64-bit integer that a number would round", () => {
    const messages = [{ name: "M", fields: [field("n", scalar("uint64"), implicit)] }];
    const bytes = encode(bindings.plain(dataset(messages, [], "bigint")), { n: 2n ** 53n + 1n });
    expect(() => bindings.plain(dataset(messages)).verify(bytes)).toThrow(
      "capnp at n at byte 16: 9007199254740993 is beyond 2^53",
    );
  });

  it("gives bytes that stay as they are when the same binding decodes again", () => {
    const carried = dataset([{ name: "M", fields: [field("data", scalar("bytes"), implicit)] }]);
    const binding = bindings.plain(carried);
    const [first, second] = [1, 2].map((byte) => encode(binding, { data: new Uint8Array(9).fill(byte) }));
    const decoded = decodeTrusted(binding, first!);
    decodeTrusted(binding, second!);
    expect(decoded).toEqual({ data: new Uint8Array(9).fill(1) });
  });
});

describe("nesting", () => {
  const tree: MessageType = {
    name: "Tree",
    fields: [
      field("one", message("Tree"), optional),
      field("many", message("Tree"), list),
      field("n", scalar("int8"), list),
      field("end", message("Empty"), optional),
    ],
  };
  const carried = dataset([tree, EMPTY]);
  const leaf = { many: [], n: [] };
  const nested = (depth: number, wrap: (inner: Value) => Value, inner: Value = leaf): Value =>
    depth === 0 ? inner : wrap(nested(depth - 1, wrap, inner));
  const one = (inner: Value): Value => ({ one: inner, many: [], n: [] });
  const many = (inner: Value): Value => ({ many: [inner], n: [] });

  // The deepest that a program of the C++ library (0.9.2) reads with its default options, each measured.
  it.each<[string, number, (depth: number) => Value]>([
    ["messages", 63, (depth) => nested(depth, one)],
    ["messages in lists", 31, (depth) => nested(depth, many)],
    ["messages, and a list", 62, (depth) => nested(depth, one, { many: [], n: [1] })],
    ["messages, and one without fields", 62, (depth) => nested(depth, one, { ...leaf, end: {} })],
  ])("goes as deep as readers do and is refused beyond: %s", (_, deepest, make) => {
    const binding = bindings.plain(carried);
    expect(decodeUntrusted("capnp-ts", binding, carried, encode(binding, make(deepest)))).toEqual(
      make(deepest),
    );
    expect(() => encode(binding, make(deepest + 1))).toThrow(
      new UnsupportedError("nested deeper than 64 pointers, the limit of Cap'n Proto's readers"),
    );
  });

  it("is refused beyond also where no message contains itself", () => {
    const chain = Array.from({ length: 65 }, (_, i) => ({
      name: `M${i}`,
      fields:
        i === 64 ? [field("n", scalar("int8"), implicit)] : [field("one", message(`M${i + 1}`), optional)],
    }));
    const value = nested(64, (inner) => ({ one: inner }), { n: 1 });
    expect(() => encode(bindings.plain(dataset(chain)), value)).toThrow(UnsupportedError);
  });
});

describe("large messages", () => {
  const carried = dataset([
    { name: "M", fields: [field("texts", scalar("string"), list), field("data", scalar("bytes"), implicit)] },
  ]);

  it("double their buffer and stay in one segment", () => {
    const binding = bindings.plain(carried);
    const value = {
      texts: Array.from({ length: 50_000 }, (_, i) => `text ${i}`),
      data: new Uint8Array(3_000_000).fill(7),
    };
    const bytes = encode(binding, value);
    expect(new DataView(bytes.buffer).getUint32(0, true)).toBe(0);
    expect(Buffer.from(encode(binding, value)).equals(bytes)).toBe(true);
    expect(firstDifference(value, decodeUntrusted("capnp-ts", binding, carried, bytes))).toBeUndefined();
  });

  it("start with a buffer of the size of the message before", () => {
    const maker = messageMaker(library);
    const capacities = [0, 100_000, 8, 8].map((bytes) => {
      const made = maker.make();
      const segment = made.getSegment(0);
      const capacity = segment.getCapacity();
      segment.allocate(bytes);
      maker.note(made);
      return capacity;
    });
    expect(capacities).toEqual([4096, 16, 112_512, 24]);
  });

  it("are refused where the library would cut them", () => {
    const data = new Uint8Array(2 ** 29);
    expect(() => encode(bindings.plain(carried), { texts: [], data })).toThrow(
      new ValueError("", "message of over 536870912 bytes, the most that capnp-ts writes without loss"),
    );
  });

  it("are not stopped by the library's count of pointers", () => {
    expect(openMessage(library, vector("tellist.bin"), false)._capnp.traversalLimit).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(messageMaker(library).make()._capnp.traversalLimit).toBe(Number.POSITIVE_INFINITY);
  });
});
