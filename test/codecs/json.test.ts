import { describe, expect, it } from "vitest";
import json from "../../src/codecs/json.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { firstDifference } from "../../src/model/value.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { list, mapOf, of, ofMessage, schemaOf, single } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

async function textOf(dataset: Dataset): Promise<string> {
  const binding = await json.bind(dataset);
  const value = dataset.values[0]!;
  const bytes = encodeValue(binding, value) as Uint8Array;
  expect(firstDifference(value, decodeTrusted(binding, bytes))).toBeUndefined();
  expect(firstDifference(value, decodeUntrusted("json", binding, dataset, bytes))).toBeUndefined();
  return Buffer.from(bytes).toString("utf8");
}

async function failure(dataset: Dataset, input: string | Uint8Array): Promise<DecodeError> {
  const binding = await json.bind(dataset);
  try {
    decodeUntrusted("json", binding, dataset, typeof input === "string" ? Buffer.from(input) : input);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return error as DecodeError;
  }
  throw new Error(`accepted: ${String(input)}`);
}

const schema = schemaOf("p", [
  { name: "a" },
  { name: "s", type: of("string") },
  { name: "l", repetition: list },
  { name: "m", repetition: mapOf("string") },
  { name: "n", type: ofMessage("p.M") },
]);
const dataset = datasetOf(schema, [
  { a: 1, s: 'é"\\\n\u2028', l: [1, 2], m: { "": 1, __proto_: 2 }, n: { s: "x" } },
]);

describe("json", () => {
  it("writes compact UTF-8 without a byte order mark", async () => {
    expect(await textOf(dataset)).toBe(
      '{"a":1,"s":"é\\"\\\\\\n\u2028","l":[1,2],"m":{"":1,"__proto_":2},"n":{"s":"x","l":[],"m":{}}}',
    );
  });

  it("writes as text what JSON lacks, where the values need it", async () => {
    const special = schemaOf("p", [
      { type: of("double"), repetition: list },
      { type: of("bytes") },
      { type: of("int64") },
    ]);
    const values = {
      f1: [Number.NaN, Number.POSITIVE_INFINITY, -0, 0.5],
      f2: new Uint8Array([255, 0]),
      f3: 5n,
    };
    expect(await textOf(datasetOf(special, [values], "bigint"))).toBe(
      '{"f1":["NaN","Infinity","-0",0.5],"f2":"/wA=","f3":"5"}',
    );
    expect(await textOf(datasetOf(special, [{ ...values, f1: [0.5], f3: 5 }]))).toBe(
      '{"f1":[0.5],"f2":"/wA=","f3":5}',
    );
  });

  it("keeps the key __proto__ as one", async () => {
    const one = datasetOf(schema, [{ m: JSON.parse('{"__proto__": 1}') }]);
    expect(await textOf(one)).toBe('{"l":[],"m":{"__proto__":1}}');
    const bytes = schemaOf("p", [{ type: of("bytes"), repetition: mapOf("string") }]);
    const two = { f1: Object.fromEntries([["__proto__", new Uint8Array([1])]]) };
    expect(await textOf(datasetOf(bytes, [two]))).toBe('{"f1":{"__proto__":"AQ=="}}');
  });

  it("refuses every truncation, and says that it is one", async () => {
    const text = Buffer.from(await textOf(dataset));
    for (let length = 0; length < text.length; length++) {
      const error = await failure(dataset, text.subarray(0, length));
      const isCut = !/not valid UTF-8/.test(error.message);
      expect(isCut ? error.code : "truncated", `${length}: ${error.message}`).toBe("truncated");
    }
  });

  it.each<[string, string, string]>([
    ["a comma too many", '{"a": 1,}', "json at byte 8: property name expected (line 1, column 9)"],
    [
      "a line further down",
      '{\n  "a": 1\n  "s": "x"\n}',
      "json at byte 13: comma expected (line 3, column 3)",
    ],
    ["a value that is none", '{"a": nul}', "json at byte 6: invalid symbol (line 1, column 7)"],
    ["text without its end", '{"s": "a\n}', "json at byte 6: unexpected end of string (line 1, column 7)"],
    ["text that is cut", '{"s": "a', "json at byte 8: unexpected end of JSON (line 1, column 9)"],
    ["a comment", '{"a": 1} // b', "json at byte 9: invalid comment token (line 1, column 10)"],
    ["two values", '{"a": 1} {"a": 2}', "json at byte 9: end of file expected (line 1, column 10)"],
    ["single quotes", "{'a': 1}", "json at byte 1: invalid symbol (line 1, column 2)"],
    ["a byte order mark", "\ufeff{}", "json at byte 0: invalid symbol (line 1, column 1)"],
    ["letters of two bytes before", '{"s": "éé", x', "json at byte 14: invalid symbol (line 1, column 13)"],
    ["nothing", "", "json at byte 0: unexpected end of JSON (line 1, column 1)"],
    [
      "a duplicate key",
      '{"a": 1,\n "s": "x", "a": 2}',
      'json at byte 20: the key "a" stands twice (line 2, column 12)',
    ],
    [
      "a duplicate key that is written in two ways",
      '{"a": 1, "\\u0061": 2}',
      'json at byte 9: the key "a" stands twice (line 1, column 10)',
    ],
    [
      "a duplicate key deep inside",
      '{"n": {"m": {"x": 1, "x": 1}}}',
      'json at byte 21: the key "x" stands twice (line 1, column 22)',
    ],
    [
      "a duplicate key __proto__",
      '{"m": {"__proto__": 1, "__proto__": 1}}',
      'json at byte 23: the key "__proto__" stands twice (line 1, column 24)',
    ],
    ["another type", '{"n": {"l": [1, "x"]}}', 'json at n.l[1]: expected an integer (int32), got "x"'],
    ["an unknown name", '{"n": {"z": 1}}', "json at n.z: p.M has no such field, did you mean a or s or l?"],
    [
      "a number that is rounded",
      '{"a": 9007199254740993}',
      "json at a: 9007199254740992 is beyond 2^53 and may have been rounded, expected a decimal string",
    ],
    ["null", "null", "json: expected an object (p.M), got null"],
  ])("says where text is wrong: %s", async (_, text, says) => {
    expect((await failure(dataset, text)).message).toBe(says);
  });

  it("says that bytes are not UTF-8", async () => {
    const error = await failure(dataset, Buffer.from('{"s": "é"}', "latin1"));
    expect(error.message).toBe("json at byte 7: not valid UTF-8");
  });

  it.each([
    ["in a long text", Buffer.concat([Buffer.from("é".repeat(1000)), Buffer.of(0xff)]), 2000],
    ["a character that is cut", Buffer.from("ab€".repeat(5)).subarray(0, -1), 22],
    ["after a byte order mark", Buffer.from("efbbbf78ff79", "hex"), 4],
  ])("says where bytes are not UTF-8: %s", async (_, bytes, at) => {
    expect((await failure(dataset, bytes)).offset).toBe(at);
  });

  it("does not take keys of different objects for duplicates", async () => {
    const binding = await json.bind(dataset);
    const text = '{"a": 1, "n": {"a": 2, "l": [], "m": {"a": 3}}, "l": [], "m": {}}';
    expect(decodeUntrusted("json", binding, dataset, Buffer.from(text))).toMatchObject({ a: 1, n: { a: 2 } });
  });

  it("answers text that is nested 100,000 deep", async () => {
    for (const text of [
      "[".repeat(100_000),
      '{"n":'.repeat(100_000),
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    ]) {
      expect((await failure(dataset, text)).message.length).toBeGreaterThan(10);
    }
  });

  describe("that others wrote", () => {
    const fields = [
      { name: "phone_num", type: of("int64") },
      { name: "d", type: of("double"), repetition: single("implicit") },
      { name: "e", type: of("double") },
      { name: "b", type: of("bytes"), repetition: single("implicit") },
      { name: "l", type: of("double"), repetition: list },
      { name: "m", type: of("bytes"), repetition: mapOf("string") },
      { name: "n", type: ofMessage("p.M") },
    ];
    const nothing = { d: 0, b: Buffer.alloc(0), l: [], m: {} };
    const others = datasetOf(schemaOf("p", fields), [], "bigint");
    it.each<[string, string, object]>([
      ["fields that are missing", "{}", {}],
      [
        "fields that are null",
        '{"phone_num": null, "d": null, "e": null, "b": null, "l": null, "m": null, "n": null}',
        {},
      ],
      ["messages with nothing in them", '{"n": {}}', { n: nothing }],
      [
        "64-bit integers as numbers and as text",
        '{"phone_num": 5, "n": {"phone_num": "5"}}',
        { phone_num: 5n, n: { ...nothing, phone_num: 5n } },
      ],
      [
        "floats as text",
        '{"d": "NaN", "e": "-0", "l": ["Infinity", "1.5"]}',
        { d: Number.NaN, e: -0, l: [Number.POSITIVE_INFINITY, 1.5] },
      ],
      ["bytes in base64 for URLs", '{"b": "-_8"}', { b: Buffer.from([0xfb, 0xff]) }],
    ])("takes %s", async (_, text, value) => {
      const binding = await json.bind(others);
      const decoded = decodeUntrusted("json", binding, others, Buffer.from(text));
      expect(firstDifference({ ...nothing, ...value }, decoded)).toBeUndefined();
    });

    it("refuses names that are not the field's own, which would be lost, and integers that are not digits", async () => {
      expect((await failure(others, '{"phoneNum": "5"}')).message).toBe(
        "json: phone_num: expected 5n, got nothing",
      );
      expect((await failure(others, '{"phone_num": "73e4"}')).message).toBe(
        "json: Cannot convert 73e4 to a BigInt",
      );
      const plain = datasetOf(schemaOf("p", [{ name: "phone_num" }]), []);
      expect((await failure(plain, '{"phoneNum": 5}')).message).toContain(
        "json at phoneNum: p.M has no such field",
      );
    });
  });

  it("as a string, carries the same text without bytes", async () => {
    const binding = await json.variants!["string"]!.bind(dataset);
    const text = encodeValue(binding, dataset.values[0]!);
    expect(text).toBe(await textOf(dataset));
    expect(firstDifference(dataset.values[0], decodeTrusted(binding, text))).toBeUndefined();
  });
});
