import { describe, expect, it } from "vitest";
import pythonStruct from "../../src/codecs/python-struct/index.ts";
import packet from "../../src/datasets/packet.ts";
import packetSmall from "../../src/datasets/packet-small.ts";
import tellist from "../../src/datasets/tellist.ts";
import { compileFormat } from "../../src/formats/python-struct/index.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import type { Field, Int64Mode, Scalar, Schema } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { decodeUntrusted } from "../../src/schema/values/transcode.ts";

const ALWAYS = { kind: "one", presence: "always" } as const;
const OPTIONAL = { kind: "one", presence: "optional" } as const;
const LIST = { kind: "list", packed: false } as const;

function field(name: string, scalar: Scalar, repetition: Field["repetition"] = ALWAYS): Field {
  return { name, number: 1, type: { kind: "scalar", scalar }, repetition };
}

function child(name: string, message: string, repetition: Field["repetition"]): Field {
  return { name, number: 1, type: { kind: "message", name: message }, repetition };
}

function schemaOf(messages: Readonly<Record<string, readonly Field[]>>): Schema {
  const types = Object.entries(messages).map(([name, fields]) => [name, { name, fields }] as const);
  return { package: "", root: types[0]![0], messages: new Map(types), enums: new Map() };
}

function datasetOf(schema: Schema, values: readonly Value[], int64: Int64Mode = "number"): Dataset {
  return { name: "test", schema, values, int64 };
}

function bound(dataset: Dataset): Binding {
  return pythonStruct.bind(dataset) as Binding;
}

function bytesOf(binding: Binding, value: Value): Buffer {
  return Buffer.from(binding.write(binding.build(value)) as Uint8Array);
}

function decode(binding: Binding, dataset: Dataset, bytes: Uint8Array): Value {
  return decodeUntrusted("python-struct", binding, dataset, bytes);
}

describe("the published packets", () => {
  it("are the 6 bytes of >ih and the 1116 of >ii1108s", () => {
    const small = datasetOf(packetSmall.schema, [packetSmall.make(1, 0)]);
    expect(bytesOf(bound(small), small.values[0]!).toString("hex")).toBe("000000370042");
    const large = datasetOf(
      packet.schema,
      [0, 1].map((index) => packet.make(1108, index)),
    );
    const bytes = bytesOf(bound(large), large.values[0]!);
    const { text } = large.values[0] as { readonly text: string };
    expect(bytes.equals(compileFormat(">ii1108s").pack(888, 333, Buffer.from(text)))).toBe(true);
    expect(bytes).toHaveLength(1116);
  });
});

describe("a value", () => {
  it.each<[string, readonly Field[], readonly Value[], string]>([
    ["numbers as declared", [field("a", "uint8"), field("b", "sint32")], [{ a: 1, b: -1 }], "01ffffffff"],
    ["text of one length", [field("a", "string")], [{ a: "ab" }, { a: "é" }], "6162"],
    ["text of several", [field("a", "string")], [{ a: "ab" }, { a: "abc" }], "02616200"],
    ["text that is empty", [field("a", "string")], [{ a: "" }], "00"],
    [
      "bytes of several lengths",
      [field("a", "bytes")],
      [{ a: new Uint8Array(1) }, { a: new Uint8Array(2) }],
      "010000",
    ],
    [
      "text of a capacity, which counts a NUL",
      [{ ...field("a", "string"), capacity: 4 }],
      [{ a: "ab" }],
      "02616200",
    ],
    ["what is absent", [field("a", "int16", OPTIONAL)], [{}], "000000"],
    ["what is not", [field("a", "int16", OPTIONAL)], [{ a: 5 }], "010005"],
    [
      "a list",
      [field("a", "int16", LIST), field("b", "bool")],
      [{ a: [1, 2], b: true }],
      "000000020100010002",
    ],
    ["a list of a fixed length", [field("a", "int8", { ...LIST, length: 2 })], [{ a: [1, 2] }], "000102"],
    [
      "a map",
      [field("a", "int8", { kind: "map", key: "uint32" })],
      [{ a: { "7": 1 } }],
      "000000010000000701",
    ],
    ["nothing", [], [{}], "00"],
  ])("of %s", (_, fields, values, hex) => {
    const dataset = datasetOf(schemaOf({ m: fields }), values);
    const binding = bound(dataset);
    expect(bytesOf(binding, values[0]!).toString("hex")).toBe(hex);
    for (const value of values) expect(decode(binding, dataset, bytesOf(binding, value))).toEqual(value);
  });

  it("of long text keeps its length beside it", () => {
    const values = [{ a: "é".repeat(200) }, { a: "x" }, { a: "" }];
    const dataset = datasetOf(schemaOf({ m: [field("a", "string")] }), values);
    const binding = bound(dataset);
    for (const value of values) {
      expect(bytesOf(binding, value)).toHaveLength(404);
      expect(decode(binding, dataset, bytesOf(binding, value))).toEqual(value);
    }
    const bytes = bytesOf(binding, { a: "x" });
    bytes[403] = 0x79;
    expect(() => decode(binding, dataset, bytes)).toThrow(DecodeError);
    bytes.writeUInt32BE(401);
    expect(() => decode(binding, dataset, bytes)).toThrow(DecodeError);
  });

  it("that is larger than the bounds is refused by its path", () => {
    const schema = schemaOf({
      m: [child("list", "n", LIST), field("map", "string", { kind: "map", key: "string" })],
      n: [field("text", "string"), field("same", "bytes")],
    });
    const value = {
      list: [
        { text: "ab", same: Buffer.from("x") },
        { text: "a", same: Buffer.from("y") },
      ],
      map: { key: "v" },
    };
    const binding = bound(datasetOf(schema, [value]));
    const refusal =
      (changed: object): (() => void) =>
      () =>
        bytesOf(binding, { ...value, ...changed } as Value);
    expect(refusal({ list: [{ text: "abc", same: Buffer.from("x") }] })).toThrow(
      "list[0].text: expected at most 2 bytes, got 3",
    );
    expect(refusal({ list: [{ text: "ab", same: Buffer.from("xy") }] })).toThrow(
      "list[0].same: expected 1 byte, got 2",
    );
    expect(refusal({ map: { kéy: "v" } })).toThrow('map["kéy"]: expected 3 bytes, got 4');
    expect(refusal({ map: { key: "\ud800" } })).toThrow("map.key: a lone surrogate, which UTF-8 cannot hold");
  });
});

describe("a schema", () => {
  it("without values for its bounds is refused, unless it needs none", () => {
    expect(() => bound(datasetOf(packet.schema, []))).toThrow(
      new UnsupportedError("packet.Packet.text: bounded by the largest of the values, and there are none"),
    );
    const binding = bound(datasetOf(tellist.schema, []));
    const value = tellist.make(2, 0);
    expect(binding.plain(binding.read(bytesOf(binding, value)))).toEqual(value);
  });

  it.each([
    ["5000 values", 1666, true],
    ["more", 2501, false],
  ])("with %s in a struct", (_, fields, fits) => {
    const list = Array.from({ length: fields }, (_, i) => field(`f${i}`, "int8", OPTIONAL));
    const bind = (): Binding => bound(datasetOf(schemaOf({ m: list }), [{}]));
    if (fits)
      expect(decode(bind(), datasetOf(schemaOf({ m: list }), [{}]), new Uint8Array(2 * fields))).toEqual({});
    else expect(bind).toThrow(new UnsupportedError("m: 5002 values in a struct, expected at most 5000"));
  });

  it("with a bound of more than 64 MiB is refused", () => {
    const dataset = datasetOf(schemaOf({ m: [field("a", "bytes")] }), [{ a: new Uint8Array(2 ** 26 + 1) }]);
    expect(() => bound(dataset)).toThrow("m: 67108865 bytes as a struct, expected at most 67108864");
  });

  it("with a list that takes more than 256 MiB is refused when it is written", () => {
    const schema = schemaOf({ m: [field("a", "string", LIST)] });
    const value = { a: ["x".repeat(2 ** 22), ...Array<string>(64).fill("")] };
    expect(() => bytesOf(bound(datasetOf(schema, [value])), value)).toThrow(UnsupportedError);
  });
});

describe("a message in itself", () => {
  const schema = schemaOf({ m: [child("next", "m", OPTIONAL), field("id", "uint8")] });
  const nested = (depth: number): Value => {
    let value: Value = { id: depth };
    for (let i = depth - 1; i >= 1; i--) value = { next: value, id: i };
    return value;
  };
  const dataset = datasetOf(schema, [nested(3)]);
  const binding = bound(dataset);

  it("is carried to a depth of 100", () => {
    const bytes = bytesOf(binding, nested(100));
    expect(bytes).toHaveLength(200);
    expect(decode(binding, dataset, bytes)).toEqual(nested(100));
  });

  it.each([101, 200_000])("is refused at %i", (depth) => {
    const bytes = Buffer.alloc(2 * depth, 1);
    expect(() => decode(binding, dataset, bytes)).toThrow(
      expect.objectContaining({ name: "DecodeError", code: "limit" }),
    );
    expect(() => bytesOf(binding, nested(101))).toThrow("nested deeper than 100 messages");
  });

  it("is refused where it has no end", () => {
    const value: { next?: Value; id: number } = { id: 1 };
    value.next = value as Value;
    expect(() => bytesOf(binding, value as Value)).toThrow("nested deeper than 100 messages");
  });
});

describe("bytes of another kind", () => {
  const schema = schemaOf({
    m: [
      field("list", "bool", LIST),
      field("map", "int8", { kind: "map", key: "string" }),
      field("long", "uint64"),
      field("text", "string"),
    ],
  });
  const value = { list: [true], map: { ab: 1 }, long: 1, text: "ab" };
  const dataset = datasetOf(schema, [value, { ...value, map: { a: 1 } }]);
  const binding = bound(dataset);
  const good = bytesOf(binding, value);
  const edited = (edit: (bytes: Buffer) => void): (() => Value) => {
    const bytes = Buffer.from(good);
    edit(bytes);
    return () => decode(binding, dataset, bytes);
  };

  it("are understood where they are whole", () => {
    expect(good.toString("hex")).toBe(
      "00000001" + "00000001" + "0000000000000001" + "6162" + "01" + "026162" + "01",
    );
    expect(edited(() => {})()).toEqual(value);
  });

  it.each([0, 2, 3, 0xffff, 0x7fff_ffff, 0xffff_ffff])("with %i elements are refused", (count) => {
    expect(edited((bytes) => bytes.writeUInt32BE(count))).toThrow(DecodeError);
    expect(edited((bytes) => bytes.writeUInt32BE(count, 4))).toThrow(DecodeError);
  });

  it("with an integer that is not safe are refused", () => {
    const most = edited((bytes) => bytes.writeBigUInt64BE(2n ** 53n - 1n, 8))() as typeof value;
    expect(most.long).toBe(2 ** 53 - 1);
    expect(edited((bytes) => bytes.writeBigUInt64BE(2n ** 53n, 8))).toThrow(DecodeError);
  });

  it.each(["c0af", "eda0", "ff61", "61c3"])("with text that is not UTF-8 are refused: %s", (hex) => {
    expect(edited((bytes) => bytes.write(hex, 16, "hex"))).toThrow(DecodeError);
    expect(edited((bytes) => bytes.write(hex, 20, "hex"))).toThrow(DecodeError);
  });

  it("with a key twice are refused", () => {
    const entry = good.subarray(-4);
    const twice = Buffer.concat([good, entry]);
    twice.writeUInt32BE(2, 4);
    expect(() => decode(binding, dataset, twice)).toThrow('the key "ab" twice');
  });

  it("with any bytes where nothing is told apart are taken, as Python takes them", () => {
    expect(edited((bytes) => (bytes[18] = 0xff))()).toEqual(value);
  });

  it.each(["__proto__", "constructor", "toString", ""])("may have the key %j, which stays data", (key) => {
    const map = Object.fromEntries([[key, 1]]);
    const one = datasetOf(schema, [{ ...value, map }]);
    const back = decode(bound(one), one, bytesOf(bound(one), one.values[0]!)) as typeof value;
    expect(Object.entries(back.map)).toEqual([[key, 1]]);
    expect(Object.getPrototypeOf(back.map)).toBe(Object.prototype);
  });
});

it("64-bit keys of a map are exact, whatever the dataset's integers are", () => {
  const schema = schemaOf({ m: [field("map", "bool", { kind: "map", key: "int64" })] });
  const dataset = datasetOf(schema, [{ map: { "9007199254740993": true, "-9223372036854775808": false } }]);
  const binding = bound(dataset);
  expect(decode(binding, dataset, bytesOf(binding, dataset.values[0]!))).toEqual(dataset.values[0]);
});
