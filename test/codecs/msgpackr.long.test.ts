import { execFileSync } from "node:child_process";
import { isNativeAccelerationEnabled, Packr, Unpackr } from "msgpackr";
import { describe, expect, it } from "vitest";
import msgpackr from "../../src/codecs/msgpackr.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError, VerificationError } from "../../src/model/errors.ts";
import type { Scalar, Schema } from "../../src/model/schema.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import {
  decodeTrusted,
  decodeUntrusted,
  encodeProven,
  encodeValue,
} from "../../src/schema/values/transcode.ts";
import { withCompiled } from "../compiled.ts";
import { plainOf, vectorsOf } from "../formats/msgpack-verifier/vectors.ts";
import { list, mapOf, messageType, of, ofMessage, schemaOf, single } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

type Style = "maps" | "records";
const STYLES: readonly Style[] = ["maps", "records"];

async function bind(dataset: Dataset, style: Style): Promise<Binding> {
  return style === "maps" ? msgpackr.bind(dataset) : msgpackr.variants!["records"]!.bind(dataset);
}

/** The bytes of the first value in hex, once all have come back equal, by both ways of decoding. */
async function hexOf(dataset: Dataset, style: Style): Promise<string> {
  const binding = await bind(dataset, style);
  const all = dataset.values.map((value) => encodeValue(binding, value) as Uint8Array);
  dataset.values.forEach((value, i) => {
    expect(firstDifference(value, decodeTrusted(binding, all[i]!))).toBeUndefined();
    expect(firstDifference(value, decodeUntrusted("msgpackr", binding, dataset, all[i]!))).toBeUndefined();
  });
  return Buffer.from(all[0]!).toString("hex");
}

async function decoded(dataset: Dataset, style: Style, hex: string): Promise<unknown> {
  const binding = await bind(dataset, style);
  try {
    return decodeUntrusted("msgpackr", binding, dataset, Buffer.from(hex.replaceAll(" ", ""), "hex"));
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as Error).message;
  }
}

describe("msgpackr", () => {
  describe("on the vectors of the specification", () => {
    /** The field that holds a vector's value, in a message of that field alone. */
    function fieldFor(value: unknown): Parameters<typeof schemaOf>[1][number] | undefined {
      if (typeof value === "boolean") return { type: of("bool") };
      if (typeof value === "bigint") return { type: of(value < 0n ? "int64" : "uint64") };
      if (typeof value === "string") return { type: of("string") };
      if (value instanceof Uint8Array) return { type: of("bytes") };
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) return { type: of("int64") };
      if (typeof value === "number") return { type: of("double") };
      if (Array.isArray(value) && value.every((item) => typeof item === "number"))
        return { repetition: list };
      const numbers = typeof value === "object" && value !== null ? Object.values(value) : [null];
      return numbers.every((item) => typeof item === "number") ? { repetition: mapOf("string") } : undefined;
    }

    const vectors = vectorsOf("values").map((vector) => ({ ...vector, value: plainOf(vector.value) }));
    const carried = vectors.filter(({ value }) => fieldFor(value) !== undefined);

    it.each(carried)("reads $name", async ({ hex, value }) => {
      const dataset = datasetOf(
        schemaOf("p", [fieldFor(value)!]),
        [],
        typeof value === "bigint" ? "bigint" : "number",
      );
      expect(
        firstDifference({ f1: value }, await decoded(dataset, "maps", `81a26631${hex}`)),
      ).toBeUndefined();
    });

    const shortest = carried.filter((vector) => vector.shortest !== undefined);
    it.each(shortest)("writes $name in the shortest way", async ({ hex, value, shortest: kind }) => {
      const field = kind === "float" ? { type: of("float") } : fieldFor(value)!;
      expect(await hexOf(datasetOf(schemaOf("p", [field]), [{ f1: value }]), "maps")).toBe(`81a26631${hex}`);
    });
  });

  describe.each(STYLES)("with objects as %s", (style) => {
    it("carries every scalar", async () => {
      const values: [Scalar, unknown[]][] = [
        ["int32", [0, 1, -1, 31, 32, 63, 64, 127, 128, -32, -33, 2 ** 31 - 1, -(2 ** 31)]],
        ["uint32", [2 ** 31, 2 ** 32 - 1]],
        ["int64", [2 ** 32, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1]],
        ["float", [0.5, -2.5, 1e-45, 3.4028234663852886e38, Number.NaN, Number.NEGATIVE_INFINITY, 5]],
        ["double", [0.1, 1e300, 5e-324, 2 ** 53, 2 ** 64, Number.NaN, 5]],
        [
          "string",
          [
            "",
            "a",
            "é",
            "日本",
            "\u{1f600}",
            "a\u0000b",
            "x".repeat(31),
            "x".repeat(32),
            "é".repeat(200),
            "y".repeat(70_000),
          ],
        ],
        ["bytes", [new Uint8Array(0), new Uint8Array([1]), new Uint8Array(256), new Uint8Array(70_000)]],
        ["bool", [true, false]],
      ];
      for (const [scalar, all] of values) {
        const schema = schemaOf("p", [{ type: of(scalar), repetition: list }]);
        await hexOf(datasetOf(schema, [{ f1: all }]), style);
        if (scalar !== "double") continue;
        await hexOf(
          datasetOf(schemaOf("p", [{ type: of("float") }, { type: of("double") }]), [{ f1: 0.5, f2: 0.1 }]),
          style,
        );
      }
    });

    it("carries 64-bit integers as bigints", async () => {
      const schema = schemaOf("p", [
        { type: of("uint64"), repetition: list },
        { type: of("int64"), repetition: list },
      ]);
      const value = { f1: [0n, 5n, 2n ** 63n, 2n ** 64n - 1n], f2: [-1n, -(2n ** 63n)] };
      await hexOf(datasetOf(schema, [value], "bigint"), style);
    });

    it("carries fields and map keys that objects of JavaScript have", async () => {
      const names = [
        "constructor",
        "toString",
        "hasOwnProperty",
        "valueOf",
        "toJSON",
        "length",
        "prototype",
        "",
        "a b",
        "日本",
      ];
      const schema = schemaOf("p", [
        ...names.map((name) => ({ name })),
        ...names.map((name, i) => ({ name: `${name}_map`, number: 100 + i, repetition: mapOf("string") })),
      ]);
      const map = { constructor: 1, toString: 2, "": 3, "10": 4, toJSON: 5, __keys__: 6, __proto_: 7 };
      const full = Object.fromEntries([
        ...names.map((name) => [name, 1]),
        ...names.map((name) => [`${name}_map`, map]),
      ]);
      await hexOf(datasetOf(schema, [full, {}]), style);
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it("carries maps of any size", async () => {
      const schema = schemaOf("p", [{ repetition: mapOf("uint32") }]);
      const map = (size: number) => ({
        f1: Object.fromEntries(Array.from({ length: size }, (_, i) => [i * 7, i])),
      });
      await hexOf(datasetOf(schema, [0, 1, 15, 16, 65_535, 65_536].map(map)), style);
    });

    it("carries more shapes of objects than it has ids for, in lists and in each other", async () => {
      const fields = Array.from({ length: 9 }, (_, i) => ({ name: `f${i}` }));
      const schema = schemaOf("p", [
        ...fields,
        { name: "list", number: 100, type: ofMessage("p.M"), repetition: list },
      ]);
      // Each number of nine bits says which of the nine fields are set.
      const shape = (bits: number) =>
        Object.fromEntries(fields.filter((_, i) => (bits >> i) & 1).map(({ name }, i) => [name, i]));
      const flat = Array.from({ length: 1200 }, (_, i) => shape((i * 37) % 512));
      let nested: unknown = shape(1);
      for (let level = 2; level < 99; level++)
        nested = { ...shape(level), list: [nested, shape(level), shape(level - 1)] };
      await hexOf(
        datasetOf(schema, [{ list: flat }, { list: [nested] }, { list: flat.slice(0, 70) }]),
        style,
      );
    });

    it("carries messages as deep as any codec", async () => {
      const schema = schemaOf("p", [
        { type: ofMessage("p.M"), repetition: list },
        { repetition: mapOf("string") },
      ]);
      let value: unknown = { f2: { a: 1 } };
      for (let level = 1; level < 100; level++) value = { f1: [value] };
      await hexOf(datasetOf(schema, [value]), style);
    });

    it("gives bytes that later calls do not overwrite, also from its pool", async () => {
      const schema = schemaOf("p", [{ type: of("bytes") }, { type: of("string") }]);
      const binding = await bind(datasetOf(schema, []), style);
      const value = (i: number): Value => ({ f1: new Uint8Array(i % 900).fill(i), f2: "x".repeat(i % 100) });
      const encoded = Array.from({ length: 3000 }, (_, i) => encodeValue(binding, value(i)));
      const values = encoded.map((bytes) => decodeTrusted(binding, bytes));
      values.forEach((decodedValue, i) => {
        expect(firstDifference(value(i), decodedValue)).toBeUndefined();
      });
    });

    it("leaves its input as it is, also what it holds in a pool", async () => {
      const schema = schemaOf("p", [{ type: of("bytes") }]);
      const dataset = datasetOf(schema, []);
      const binding = await bind(dataset, style);
      const bytes = Buffer.from(encodeValue(binding, { f1: new Uint8Array([1, 2, 3]) }) as Uint8Array);
      const before = Buffer.from(bytes);
      decodeUntrusted("msgpackr", binding, dataset, bytes);
      expect(before.equals(bytes)).toBe(true);
    });

    it.each<[string, Parameters<typeof schemaOf>[1], unknown, string]>([
      ["-0", [{ type: of("double") }], { f1: -0 }, "f1: msgpackr writes -0 as 0"],
      ["-0 as a float", [{ type: of("float") }], { f1: -0 }, "f1: msgpackr writes -0 as 0"],
      [
        "-0 in a list",
        [{ type: of("double"), repetition: list }],
        { f1: [0, -0] },
        "f1[1]: msgpackr writes -0 as 0",
      ],
      [
        "-0 in a map",
        [{ type: of("double"), repetition: mapOf("string") }],
        { f1: { a: -0 } },
        "f1.a: msgpackr writes -0 as 0",
      ],
      [
        "-0 in a message of a message",
        [
          { name: "m", type: ofMessage("p.M"), repetition: list },
          { name: "d", type: of("double") },
        ],
        { m: [{ m: [{ d: 1 }, { d: -0 }] }] },
        "m[0].m[1].d: msgpackr writes -0 as 0",
      ],
      [
        "-0 in a field that every object has",
        [{ name: "toString", type: of("double") }],
        { toString: -0 },
        "toString: msgpackr writes -0 as 0",
      ],
    ])("declares that it cannot carry %s", async (_, fields, input, says) => {
      const schema = schemaOf("p", fields);
      const dataset = datasetOf(schema, [input]);
      await expect(async () => bind(dataset, style)).rejects.toThrow(new UnsupportedError(says));
      const binding = await bind({ ...dataset, values: [] }, style);
      expect(() => encodeProven("msgpackr", binding, dataset.values[0]!)).toThrow(VerificationError);
    });

    it("declares that it has no field called __proto__", async () => {
      const dataset = datasetOf(schemaOf("p", [{ name: "__proto__" }]), []);
      await expect(async () => bind(dataset, style)).rejects.toThrow(UnsupportedError);
    });

    it("writes floats in four bytes where no field is a double", async () => {
      const floats = datasetOf(schemaOf("p", [{ type: of("float"), repetition: list }]), [{ f1: [0.5] }]);
      const both = datasetOf(
        schemaOf("p", [{ type: of("float"), repetition: list }, { type: of("double") }]),
        [{ f1: [0.5] }],
      );
      expect(await hexOf(floats, style)).toMatch(/91ca3f000000$/);
      expect(await hexOf(both, style)).toMatch(/91cb3fe0000000000000$/);
    });
  });

  describe("as records", () => {
    const schema = schemaOf(
      "p",
      [
        { name: "list", type: ofMessage("p.N"), repetition: list },
        { name: "map", type: ofMessage("p.N"), repetition: mapOf("string") },
      ],
      { messages: [messageType("p.N", [{ name: "a" }, { name: "b" }])] },
    );
    const value = {
      list: [{ a: 1, b: 2 }, { a: 3, b: 4 }, { b: 5 }],
      map: { x: { a: 1, b: 2 }, __proto_: { b: 1 } },
    };

    it("define in every message what they use, so that a reader that knows nothing reads them", async () => {
      const dataset = datasetOf(schema, [value, value]);
      const binding = await bind(dataset, "records");
      for (const one of dataset.values) {
        const bytes = encodeValue(binding, one) as Uint8Array;
        const fresh = new Unpackr({ mapsAsObjects: false }).unpack(bytes) as {
          list: unknown;
          map: Map<string, unknown>;
        };
        expect(fresh.list).toEqual(value.list);
        expect(Object.fromEntries(fresh.map)).toEqual(value.map);
      }
    });

    it("are written the same after other records have been read and written", async () => {
      const dataset = datasetOf(schema, [value]);
      const binding = await bind(dataset, "records");
      const first = Buffer.from(encodeValue(binding, dataset.values[0]!) as Uint8Array);
      for (const other of [
        { list: [{ b: 1 }], map: {} },
        { list: [], map: {} },
      ] as Value[]) {
        decodeTrusted(binding, encodeValue(binding, other));
        expect(first.equals(encodeValue(binding, dataset.values[0]!) as Uint8Array)).toBe(true);
      }
    });

    it("leave maps as maps, with any keys", async () => {
      const dataset = datasetOf(schemaOf("p", [{ repetition: mapOf("string") }]), [
        { f1: JSON.parse('{"__proto__": 1, "__keys__": 2}') },
      ]);
      expect(await hexOf(dataset, "records")).toBe(
        "d4724091a2663182a95f5f70726f746f5f5f01a85f5f6b6579735f5f02",
      );
    });

    it("have no field called __keys__, in which msgpackr keeps a note of its own", async () => {
      const dataset = datasetOf(schemaOf("p", [{ name: "__keys__" }]), []);
      await expect(async () => bind(dataset, "records")).rejects.toThrow(UnsupportedError);
      await hexOf(datasetOf(schemaOf("p", [{ name: "__keys__" }]), [{ __keys__: 1 }]), "maps");
    });

    it.each([
      ["a record that is not defined", "4101", "msgpack at byte 0: record 0x41 is not defined"],
      ["a field that is not there", "d4724091a17a01", 'msgpack at byte 4: unknown key "z"'],
    ])("refuse %s", async (_, hex, says) => {
      expect(await decoded(datasetOf(schemaOf("p", [{}]), []), "records", hex)).toContain(
        says.replace(/^msgpackr: .*/, "msgpackr"),
      );
    });
  });

  it.each([
    [
      "a message that is a map",
      "d4724093a26631a26632a26633 81a178d4724191a16101 90 81a16101",
      "msgpack at f3: expected an object (p.N), got a Map",
    ],
    [
      "a map that is a record",
      "d4724092a26631a26632 d4724191a17801 90",
      'msgpack at byte 14: unknown key "x"',
    ],
    ["a map that is a list", "d4724092a26631a26632 90 90", "msgpack at f1: expected a map, got a list of 0"],
    ["a list that is a map", "d4724092a26631a26632 80 80", "msgpack at f2: expected a list, got a Map"],
    ["a list that is a number", "d4724092a26631a26632 80 05", "msgpack at f2: expected a list, got 5"],
    ["a message that is a number", "05", "msgpack: expected an object (p.M), got 5"],
  ])("as records with maps among them, refuses %s", async (_, hex, says) => {
    expect(await decoded(datasetOf(withMaps(), []), "records", hex)).toBe(says);
  });

  it("as records with maps among them, reads a map that is not there as an empty one", async () => {
    const message = "d4724091a26632 90";
    expect(await decoded(datasetOf(withMaps(), []), "records", message)).toEqual({ f1: {}, f2: [] });
  });

  function withMaps(): Schema {
    return schemaOf(
      "p",
      [
        { type: ofMessage("p.N"), repetition: mapOf("string") },
        { type: ofMessage("p.N"), repetition: list },
        { type: ofMessage("p.N") },
      ],
      { messages: [messageType("p.N", [{ name: "a" }])] },
    );
  }

  it("as records without maps among them, refuses a map", async () => {
    expect(await decoded(datasetOf(schemaOf("p", [{}]), []), "records", "81a2663105")).toBe(
      "msgpack: expected an object (p.M), got a Map",
    );
  });

  describe("as standard maps", () => {
    it("declare that they cannot carry the key __proto__, which would become __proto_", async () => {
      const schema = schemaOf("p", [{ repetition: mapOf("string") }]);
      const input = { f1: JSON.parse('{"a": 1, "__proto__": 1}') };
      const dataset = datasetOf(schema, [input]);
      await expect(async () => bind(dataset, "maps")).rejects.toThrow(
        new UnsupportedError("f1.__proto__: msgpackr reads this key as __proto_"),
      );
      const binding = await bind({ ...dataset, values: [] }, "maps");
      expect(() => encodeProven("msgpackr", binding, dataset.values[0]!)).toThrow(VerificationError);
      const packr = new Packr({ useRecords: false });
      expect(Object.keys(packr.unpack(packr.pack(input)).f1)).toEqual(["a", "__proto_"]);
    });

    it.each([
      ["a key that stands twice", "82a2663101a2663102", 'msgpack at byte 5: the key "f1" stands twice'],
      ["an unknown field", "81a1 7a 01", 'msgpack at byte 1: unknown key "z"'],
      ["a record", "d4724091a2663101", "msgpack at byte 0: extension of type 114 is not allowed"],
      ["a timestamp", "81a26631d6ff00000000", "msgpack at byte 4: extension of type -1 is not allowed"],
      [
        "an integer beyond 2^53",
        "81a26632cf0020000000000000",
        "msgpack at byte 4: 9007199254740992 is beyond 2^53, expected a safe integer",
      ],
      [
        "a float that stands for an integer beyond 2^53",
        "81a26632cb4340000000000000",
        "msgpack at f2: 9007199254740992 is beyond 2^53 and may have been rounded, expected a bigint",
      ],
      [
        "a fraction where an integer is",
        "81a26631cb3fe0000000000000",
        "msgpack at f1: expected an integer (int32), got 0.5",
      ],
      ["nil where a list is", "81a26633c0", "msgpack at f3: expected a list, got null"],
      ["nothing at all", "", "msgpack at byte 0: expected 1 more bytes, got 0"],
    ])("refuse %s", async (_, hex, says) => {
      const schema = schemaOf("p", [{}, { type: of("int64") }, { repetition: list }]);
      expect(await decoded(datasetOf(schema, []), "maps", hex)).toBe(says);
    });

    it.each([
      ["integers as a float, where they are safe", "81a26632cb4270000000000000", { f2: 2 ** 40 }],
      ["a short integer in a long form", "81a26631d3ffffffffffffffff", { f1: -1 }],
      ["map 32, str 32 and array 32", "df00000001db000000026633dd0000000105", { f3: [5] }],
    ])("take %s", async (_, hex, value) => {
      const schema = schemaOf("p", [{}, { type: of("int64") }, { repetition: list }]);
      expect(await decoded(datasetOf(schema, []), "maps", hex)).toEqual({ f3: [], ...value });
    });

    it("take short integers for 64-bit ones that are bigints", async () => {
      const schema = schemaOf("p", [
        { type: of("int64"), repetition: single("implicit") },
        { type: of("uint64") },
      ]);
      expect(await decoded(datasetOf(schema, [], "bigint"), "maps", "81a2663205")).toEqual({
        f1: 0n,
        f2: 5n,
      });
    });
  });

  it("knows whether the native part of msgpackr is there, without which long text loses a byte order mark", () => {
    const run = (disabled: boolean): { native: boolean; rows: Record<string, string> } =>
      withCompiled("test/codecs/msgpackr-marks-program.ts", (program) => {
        const env = { ...process.env, MSGPACKR_NATIVE_ACCELERATION_DISABLED: String(disabled) };
        return JSON.parse(execFileSync(process.execPath, [program], { encoding: "utf8", env }));
      });
    const says = "msgpackr without its native part drops the byte order mark of long text";
    expect(run(true)).toEqual({
      native: false,
      rows: {
        "short text": "carried",
        "long text": `f1: ${says}`,
        "long text elsewhere": "carried",
        "a long key": `f2["\ufeff${"a".repeat(70)}"]: ${says}`,
        "from outside": "msgpack at byte 6: text starts with a byte order mark, which would be lost",
      },
    });
    const native = run(false);
    expect(native.native).toBe(isNativeAccelerationEnabled);
    if (native.native) expect(new Set(Object.values(native.rows))).toEqual(new Set(["carried"]));
  });
});
