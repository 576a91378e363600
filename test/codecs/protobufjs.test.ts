import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { describeSchema, refuseMixedGroups } from "../../src/codecs/protobufjs/descriptor.ts";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import { type FieldType, type Int64Mode, integerOf, is64Bit, type Scalar } from "../../src/model/schema.ts";
import { firstDifference } from "../../src/model/value.ts";
import { compileVisitor } from "../../src/schema/generate/visit.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { HARD } from "../schema/hard-schemas.ts";
import {
  enumType,
  list,
  mapOf,
  messageType,
  of,
  ofEnum,
  ofMessage,
  schemaOf,
  single,
} from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

const packed = { kind: "list", packed: true } as const;

/** The bytes of the first value in hex, once it has come back equal, by both ways of decoding and by access. */
async function hexOf(dataset: Dataset): Promise<string> {
  const binding = await protobufjs.bind(dataset);
  const value = dataset.values[0]!;
  const bytes = encodeValue(binding, value);
  expect(firstDifference(value, decodeTrusted(binding, bytes))).toBeUndefined();
  expect(firstDifference(value, decodeUntrusted("protobufjs", binding, dataset, bytes))).toBeUndefined();
  expect(binding.access(bytes)).toBe(compileVisitor(dataset.schema)(value));
  return Buffer.from(bytes as Uint8Array).toString("hex");
}

/** What comes of bytes from outside. */
async function decoded(dataset: Dataset, hex: string): Promise<unknown> {
  const binding = await protobufjs.bind(dataset);
  try {
    return decodeUntrusted("protobufjs", binding, dataset, Buffer.from(hex, "hex"));
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as Error).message;
  }
}

const INTEGERS = (
  [
    "int32",
    "uint32",
    "sint32",
    "fixed32",
    "sfixed32",
    "int64",
    "uint64",
    "sint64",
    "fixed64",
    "sfixed64",
  ] as const
).flatMap((scalar) => (["number", "bigint"] as const).map((mode): [Scalar, Int64Mode] => [scalar, mode]));

/** Extremes of an integer type, and of what a number holds of it. */
function extremes(scalar: Scalar, mode: Int64Mode): bigint[] {
  const { bits, signed } = integerOf(scalar)!;
  const width = mode === "number" && bits === 64 ? 53 : signed ? bits - 1 : bits;
  const high = 2n ** BigInt(width) - 1n;
  const low = signed ? (width === 53 ? -high : -high - 1n) : 0n;
  const around = [0n, 1n, 127n, 128n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 52n, high];
  return [...around, ...around.map((value) => -value), low].filter((value) => value >= low && value <= high);
}

/** Hard schemas with a name that protobufjs cannot have, and one that no value fits. */
const REFUSED = [
  "names that are no identifiers",
  "names that are keywords",
  "groups whose names are alike",
  "a oneof",
];

describe("protobufjs", () => {
  describe.each(INTEGERS)("%s in %s mode", (scalar, mode) => {
    const values = extremes(scalar, mode);
    const read = (value: bigint): unknown => (is64Bit(scalar) && mode === "bigint" ? value : Number(value));

    it.each([
      ["one by one", list],
      ["packed", packed],
    ])("carries every extreme, %s", async (_, repetition) => {
      const schema = schemaOf("p", [{ type: of(scalar), repetition }]);
      await hexOf(datasetOf(schema, [{ f1: values.map(read) }], mode));
    });

    it("carries every extreme as the value of a map", async () => {
      const schema = schemaOf("p", [{ type: of(scalar), repetition: mapOf("string") }]);
      const map = Object.fromEntries(values.map((value) => [`k${value}`, read(value)]));
      await hexOf(datasetOf(schema, [{ f1: map }], mode));
    });

    it("carries every extreme as the key of a map", async () => {
      const schema = schemaOf("p", [{ repetition: mapOf(scalar) }]);
      const map = Object.fromEntries(values.map((value) => [String(value), 1]));
      await hexOf(datasetOf(schema, [{ f1: map }], mode));
    });

    it.each(["required", "always", "optional", "implicit"] as const)(
      "carries every extreme as %s",
      async (presence) => {
        const schema = schemaOf("p", [{ type: of(scalar), repetition: single(presence) }]);
        for (const value of values) await hexOf(datasetOf(schema, [{ f1: read(value) }], mode));
      },
    );
  });

  it("carries a 64-bit key whose bytes are digits, which protobufjs takes for its decimal form", async () => {
    const key = Buffer.from("12345678").readBigUInt64LE();
    const schema = schemaOf("p", [{ repetition: mapOf("uint64") }]);
    await hexOf(datasetOf(schema, [{ f1: { [String(key)]: 1, "12345678": 2 } }]));
  });

  it.each([
    ["optional", "080010001a0022002900000000000000003000"],
    ["implicit", ""],
  ] as const)("writes zero that is %s as %o", async (presence, hex) => {
    const types = [of("int32"), of("bool"), of("string"), of("bytes"), of("double"), ofEnum("p.E")];
    const schema = schemaOf(
      "p",
      types.map((type) => ({ type, repetition: single(presence) })),
      { enums: [enumType("p.E", { ZERO: 0 }, presence !== "implicit")] },
    );
    const zeros = { f1: 0, f2: false, f3: "", f4: new Uint8Array(0), f5: 0, f6: 0 };
    expect(await hexOf(datasetOf(schema, [zeros]))).toBe(hex);
  });

  it("writes an implicit enum whose first value is not 0", async () => {
    const schema = schemaOf("p", [{ type: ofEnum("p.E"), repetition: single("implicit") }], {
      enums: [enumType("p.E", { ONE: 1, ZERO: 0 })],
    });
    expect(await hexOf(datasetOf(schema, [{ f1: 1 }]))).toBe("0801");
    expect(await hexOf(datasetOf(schema, [{ f1: 0 }]))).toBe("");
  });

  it("writes -0 that is implicit, and takes it for no zero", async () => {
    const schema = schemaOf("p", [{ type: of("float"), repetition: single("implicit") }]);
    expect(await hexOf(datasetOf(schema, [{ f1: -0 }]))).toBe("0d00000080");
  });

  it("reads an absent field as absent, whatever its default", async () => {
    const inner = messageType("p.N", []);
    const schema = schemaOf(
      "p",
      [
        { default: 5 },
        { type: of("string"), default: "a" },
        { type: ofMessage("p.N") },
        { type: ofEnum("p.E"), default: 1 },
        { type: of("uint64"), default: 7 },
        { name: "toString", default: 9 },
      ],
      { messages: [inner], enums: [enumType("p.E", { ONE: 1 })] },
    );
    expect(await hexOf(datasetOf(schema, [{}]))).toBe("");
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
      "isPrototypeOf",
    ];
    for (const presence of ["optional", "implicit", "always"] as const) {
      const fields = names.map((name) => ({ name, repetition: single(presence) }));
      const maps = names.map((name, i) => ({
        name: `${name}_map`,
        number: 100 + i,
        repetition: mapOf("string"),
      }));
      const schema = schemaOf("p", [...fields, ...maps]);
      const map = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}');
      const full = Object.fromEntries([
        ...names.map((name) => [name, 1]),
        ...names.map((name) => [`${name}_map`, map]),
      ]);
      await hexOf(datasetOf(schema, [full]));
      const empty = presence === "always" ? Object.fromEntries(names.map((name) => [name, 0])) : {};
      await hexOf(datasetOf(schema, [empty]));
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  const carried = HARD.filter(([name]) => !REFUSED.includes(name));
  it.each(carried)("carries a schema with %s", async (_, schema) => {
    const value = conform(schema, filled(schema), { form: "plain", int64: "number" }).value;
    await hexOf({ name: "hard", schema, values: [value], int64: "number" });
  });

  it.each([
    "",
    " ",
    "a b",
    "日本",
    'x"];throw 1;//',
    "a\n\u2028b",
    "%s%i%j",
    "class",
    "new",
    "m",
    "r",
    "w",
    "Infinity",
  ])("carries a field called %o", async (name) => {
    const schema = schemaOf("p", [
      { name },
      { name: `${name}_`, repetition: list },
      { name: `${name}__`, repetition: mapOf("bool") },
    ]);
    await hexOf(datasetOf(schema, [{ [name]: 5, [`${name}_`]: [1], [`${name}__`]: { true: 1 } }]));
  });

  it.each(["__proto__", "$type", "$", "1", "1x", "0_$"])(
    "declares that it has no field called %o",
    (name) => {
      expect(() => protobufjs.bind(datasetOf(schemaOf("p", [{ name }]), []))).toThrow(UnsupportedError);
      expect(() => protobufjs.bind(datasetOf(schemaOf("p", [{ name }]), []))).toThrow(
        `protobufjs: field p.M.${name}: it cannot have a field of that name`,
      );
    },
  );

  it("declares that protobuf has no field number 0, and no map by double", () => {
    expect(() => protobufjs.bind(datasetOf(schemaOf("p", [{ number: 0 }]), []))).toThrow(UnsupportedError);
    expect(() => protobufjs.bind(datasetOf(schemaOf("p", [{ repetition: mapOf("double") }]), []))).toThrow(
      UnsupportedError,
    );
  });

  it("writes groups between tags, alone and in lists, and messages with their length", async () => {
    const inner = messageType("p.N", [{}]);
    const schema = schemaOf(
      "p",
      [
        { type: ofMessage("p.N"), group: true },
        { type: ofMessage("p.N"), group: true, repetition: list },
        { type: ofMessage("p.N") },
      ],
      { messages: [inner] },
    );
    const value = { f1: { f1: 1 }, f2: [{ f1: 2 }, {}], f3: { f1: 3 } };
    expect(await hexOf(datasetOf(schema, [value]))).toBe("0b08010c1308021413141a020803");
  });

  it("is described to versions without editions by rules, packed and groups", () => {
    const schema = schemaOf(
      "p",
      [
        { type: ofMessage("p.N"), group: true },
        { repetition: list },
        { repetition: packed },
        { repetition: single("required") },
        { repetition: mapOf("int32"), type: ofMessage("p.N") },
      ],
      { messages: [messageType("p.N", [{}])] },
    );
    const { M0, M1 } = describeSchema(schema).namespace.nested as Record<string, protobuf.IType>;
    expect(M0?.fields).toMatchObject({
      f2: { rule: "repeated", options: { packed: false } },
      f4: { rule: "required" },
    });
    expect(M0?.fields["f3"]).not.toHaveProperty("options.packed");
    expect(M0).not.toHaveProperty("group");
    expect(M1).toHaveProperty("group", true);
    expect(() => refuseMixedGroups(schema)).not.toThrow();
    const mixed = schemaOf("p", [{ type: ofMessage("p.M"), group: true }, { type: ofMessage("p.M") }]);
    expect(() => refuseMixedGroups(mixed)).toThrow(
      "protobufjs before 7.5: field p.M.f2: a message that is a group elsewhere",
    );
  });

  it("writes fields in the order of their numbers", async () => {
    const schema = schemaOf("p", [{ number: 2 }, { number: 1 }]);
    expect(await hexOf(datasetOf(schema, [{ f1: 1, f2: 2 }]))).toBe("08021001");
  });

  describe("on bytes from outside", () => {
    const inner = messageType("p.N", [{}, {}]);
    const schema = schemaOf(
      "p",
      [
        { name: "a", oneof: "o" },
        { name: "n", type: ofMessage("p.N"), oneof: "o" },
        { name: "list", repetition: list },
        { name: "packed", repetition: packed },
        { name: "map", repetition: mapOf("string") },
        { name: "zero", repetition: single("implicit") },
        { name: "long", type: of("int64") },
        { name: "by", repetition: mapOf("int64") },
        { name: "bytes", type: of("bytes") },
      ],
      { messages: [inner] },
    );
    const rest = { list: [], packed: [], map: {}, zero: 0, by: {} };

    it.each([
      ["the last member of a oneof", "08011202080108021202 1002", { n: { f2: 2 } }],
      ["the last member of a oneof that is a number", "120208010805", { a: 5 }],
      ["a message in two parts", "120208011202 1002", { n: { f1: 1, f2: 2 } }],
      ["a number that is given twice", "08010805", { a: 5 }],
      ["packed and unpacked numbers", "180122020102 1a0203042005", { list: [1, 3, 4], packed: [1, 2, 5] }],
      ["a key that is in a map twice", "2a050a01611001 2a050a01611002", { map: { a: 2 } }],
      ["a map's entry without its value", "2a030a0161", { map: { a: 0 } }],
      ["a map's entry without its key", "2a021005", { map: { "": 5 } }],
      ["a zero that need not be there", "3000", {}],
      ["an entry by a 64-bit key without its key", "42021005", { by: { 0: 5 } }],
      ["the 64-bit key 0 twice", "4204 08001005 4204 08001006", { by: { 0: 6 } }],
      ["a 64-bit key that is left out twice", "42021005 42021006", { by: { 0: 6 } }],
      ["a negative number in five bytes", "08feffffff0f", { a: -2 }],
      ["a number of 33 bits", "08ffffffff1f", { a: -1 }],
      ["packed numbers of 33 bits", "2206 818080801002", { packed: [1, 2] }],
      ["a map's value of 33 bits", "2a09 0a0161 10feffffff1f", { map: { a: -2 } }],
    ])("takes %s", async (_, hex, value) => {
      expect(await decoded(datasetOf(schema, []), hex.replaceAll(" ", ""))).toEqual({ ...rest, ...value });
    });

    it.each([
      ["an unknown field", "5001", "protobuf at byte 0: p.M has no field 10, its data would be lost"],
      [
        "a long beyond 2^53",
        "388080808080808010",
        "protobuf at long at byte 1: 9007199254740992 is beyond 2^53, expected a safe integer",
      ],
      [
        "the 64-bit key 0 twice, once left out",
        "42021005 4204 08001006",
        "protobuf at by[1] at byte 4: the key 0 is there twice, once left out",
      ],
    ])("refuses %s", async (_, hex, says) => {
      expect(await decoded(datasetOf(schema, []), hex.replaceAll(" ", ""))).toBe(says);
    });

    it("takes a long beyond 2^53 as a bigint", async () => {
      const dataset = datasetOf(schema, [], "bigint");
      expect(await decoded(dataset, "388080808080808010")).toEqual({
        ...rest,
        long: 2n ** 53n,
      });
    });

    it("refuses a message without a field that every value has", async () => {
      const needed = schemaOf("p", [{ repetition: single("always") }, { repetition: single("required") }]);
      expect(await decoded(datasetOf(needed, []), "1001")).toBe(
        "protobuf at byte 0: p.M lacks its required field f1",
      );
      expect(await decoded(datasetOf(needed, []), "0801")).toBe(
        "protobuf at byte 0: p.M lacks its required field f2",
      );
    });

    it("steps over an unknown group in a message without fields, where protobufjs loses its way", async () => {
      const empty = schemaOf("p", [{ type: ofMessage("p.N") }], { messages: [messageType("p.N", [])] });
      const dataset = datasetOf(empty, []);
      const binding = await protobufjs.bind(dataset);
      const bytes = Buffer.from("0a04 0b0801 0c".replaceAll(" ", ""), "hex");
      const rules = { unknown: "skip" } as const;
      expect(decodeUntrusted("protobufjs", binding, dataset, bytes, rules)).toEqual({ f1: {} });
      expect(binding.load!(bytes, "auto", rules).value).toEqual({ f1: {} });
      expect(() =>
        protobuf.Root.fromJSON({ nested: { N: { fields: {} } } })
          .lookupType("N")
          .decode(bytes.subarray(2)),
      ).toThrow("invalid end group tag");
    });

    it("reads a Uint8Array as it reads a Buffer", async () => {
      const dataset = datasetOf(schema, []);
      const binding = await protobufjs.bind(dataset);
      const bytes = new Uint8Array([0x4a, 1, 7, 0x2a, 5, 0x0a, 1, 0x61, 0x10, 1]);
      expect(decodeUntrusted("protobufjs", binding, dataset, bytes)).toEqual({
        ...rest,
        map: { a: 1 },
        bytes: new Uint8Array([7]),
      });
    });
  });

  it("makes plain values that share no list or map with the message", async () => {
    const schema = schemaOf("p", [{ repetition: list }, { repetition: mapOf("string") }]);
    const binding = await protobufjs.bind(datasetOf(schema, []));
    const message = binding.read(Buffer.from("0801", "hex"));
    const [first, second] = [binding.plain(message), binding.plain(message)] as {
      f1: number[];
      f2: object;
    }[];
    expect(first).toEqual(second);
    expect(first!.f1).not.toBe(second!.f1);
    expect(first!.f2).not.toBe(second!.f2);
  });

  it("needs no conversion before it encodes, unless 64-bit integers are bigints", async () => {
    const schema = schemaOf("p", [{ type: of("int64") }]);
    const build = async (int64: Int64Mode) =>
      (await protobufjs.bind(datasetOf(schema, [], int64))).direct.build;
    expect([await build("number"), await build("bigint")]).toEqual([true, false]);
    const narrow = schemaOf("p", [{}]);
    expect((await protobufjs.bind(datasetOf(narrow, [], "bigint"))).direct.build).toBe(true);
  });

  it("does what it does because protobufjs writes a bigint as 0", () => {
    const type = protobuf.Root.fromJSON({
      nested: { M: { fields: { a: { type: "uint64", id: 1 } } } },
    }).lookupType("M");
    expect(Buffer.from(type.encode({ a: 5n } as never).finish()).toString("hex")).toBe("0800");
  });
});

/** A value with every field set that can be, messages down to some levels. */
function filled(schema: Dataset["schema"], name = schema.root, levels = 2): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { name: key, type, repetition, oneof } of schema.messages.get(name)?.fields ?? []) {
    const isMember = oneof !== undefined && repetition.kind === "one" && repetition.presence === "optional";
    const value = oneValue(schema, type, levels);
    if (isMember || value === undefined) continue;
    if (repetition.kind === "list") result[key] = [value, value];
    else if (repetition.kind === "map") result[key] = { [repetition.key === "bool" ? "true" : "5"]: value };
    else result[key] = value;
  }
  return result;
}

function oneValue(schema: Dataset["schema"], type: FieldType, levels: number): unknown {
  if (type.kind === "message") return levels === 0 ? undefined : filled(schema, type.name, levels - 1);
  if (type.kind === "enum") return schema.enums.get(type.name)?.values[0]?.number;
  return type.scalar === "string" ? "a" : 1;
}
