import { describe, expect, it, vi } from "vitest";
import { ValueError } from "../../src/model/errors.ts";
import type { Field, Int64Mode, Presence, Scalar } from "../../src/model/schema.ts";
import { firstDifference } from "../../src/model/value.ts";
import { type ConformOptions, conform, MAX_DEPTH } from "../../src/schema/values/conform.ts";
import { enumType, list, mapOf, of, ofEnum, ofMessage, single as one, schemaOf } from "./schema-of.ts";

/** A schema of one field `f`. */
function field(scalar: Scalar, more: Partial<Field> = {}) {
  return schemaOf("p", [{ name: "f", type: of(scalar), ...more }]);
}

type Subject = Parameters<typeof conform>[0];

function conformed(schema: Subject, input: unknown, options: Partial<ConformOptions> = {}): unknown {
  return conform(schema, input, { form: "plain", int64: "auto", ...options }).value;
}

function problem(schema: Subject, input: unknown, options: Partial<ConformOptions> = {}): string {
  try {
    conformed(schema, input, options);
  } catch (error) {
    expect(error).toBeInstanceOf(ValueError);
    return (error as ValueError).message;
  }
  return "conforms";
}

const json = { form: "json" } as const;

describe("conform", () => {
  describe("integers", () => {
    it.each<[Scalar, bigint, bigint]>([
      ["int8", -(2n ** 7n), 2n ** 7n - 1n],
      ["uint8", 0n, 2n ** 8n - 1n],
      ["int16", -(2n ** 15n), 2n ** 15n - 1n],
      ["uint16", 0n, 2n ** 16n - 1n],
      ["int32", -(2n ** 31n), 2n ** 31n - 1n],
      ["sint32", -(2n ** 31n), 2n ** 31n - 1n],
      ["sfixed32", -(2n ** 31n), 2n ** 31n - 1n],
      ["uint32", 0n, 2n ** 32n - 1n],
      ["fixed32", 0n, 2n ** 32n - 1n],
      ["int64", -(2n ** 63n), 2n ** 63n - 1n],
      ["sint64", -(2n ** 63n), 2n ** 63n - 1n],
      ["sfixed64", -(2n ** 63n), 2n ** 63n - 1n],
      ["uint64", 0n, 2n ** 64n - 1n],
      ["fixed64", 0n, 2n ** 64n - 1n],
    ])("of type %s go from %s to %s", (scalar, low, high) => {
      const schema = field(scalar);
      const options = { int64: "bigint" } as const;
      for (const value of [low, high]) {
        expect(problem(schema, { f: value }, options)).toBe("conforms");
        expect(problem(schema, { f: String(value) }, { ...options, ...json })).toBe("conforms");
      }
      const says = (value: bigint): string => `f: ${value} is outside ${scalar}, expected ${low} to ${high}`;
      for (const value of [low - 1n, high + 1n]) {
        expect(problem(schema, { f: value }, options)).toBe(says(value));
        expect(problem(schema, { f: String(value) }, { ...options, ...json })).toBe(says(value));
      }
    });

    it.each<[unknown, "plain" | "json", string]>([
      [0.5, "plain", "f: expected an integer (int32), got 0.5"],
      [Number.NaN, "plain", "f: expected an integer (int32), got NaN"],
      [Number.POSITIVE_INFINITY, "plain", "f: expected an integer (int32), got Infinity"],
      ["5", "plain", 'f: expected an integer (int32), got "5"'],
      ["5", "json", "conforms"],
      ["-5", "json", "conforms"],
      ["+5", "json", 'f: expected an integer (int32), got "+5"'],
      ["5.0", "json", "conforms"],
      ["0.5e1", "json", "conforms"],
      ["5.5", "json", 'f: expected an integer (int32), got "5.5"'],
      ["5e", "json", 'f: expected an integer (int32), got "5e"'],
      ["5e99999", "json", 'f: expected an integer (int32), got "5e99999"'],
      ["0x5", "json", 'f: expected an integer (int32), got "0x5"'],
      ["", "json", 'f: expected an integer (int32), got ""'],
      [" 5", "json", 'f: expected an integer (int32), got " 5"'],
      ["9".repeat(21), "json", `f: expected an integer (int32), got "${"9".repeat(21)}"`],
      [true, "json", "f: expected an integer (int32), got true"],
      [[1], "json", "f: expected an integer (int32), got a list of 1"],
      [
        2 ** 53,
        "json",
        "f: 9007199254740992 is beyond 2^53 and may have been rounded, expected a decimal string",
      ],
      [2 ** 53, "plain", "f: 9007199254740992 is beyond 2^53 and may have been rounded, expected a bigint"],
    ])("%o in %s form: %s", (value, form, says) => {
      expect(problem(field("int32"), { f: value }, { form })).toBe(says);
    });

    it("are numbers up to 32 bits, whatever they came as, and -0 is 0", () => {
      expect(conformed(field("uint32"), { f: 5n })).toEqual({ f: 5 });
      expect(conformed(field("int32"), { f: -0 })).toEqual({ f: 0 });
      expect(conformed(field("int64"), { f: -0 })).toEqual({ f: 0 });
      expect(conformed(field("int32"), { f: "-0" }, json)).toEqual({ f: 0 });
    });

    it.each<[Int64Mode | "auto", unknown, unknown, Int64Mode]>([
      ["auto", 5, 5, "number"],
      ["auto", 5n, 5, "number"],
      ["auto", 2n ** 53n - 1n, 2 ** 53 - 1, "number"],
      ["auto", 2n ** 53n, 2n ** 53n, "bigint"],
      ["auto", -(2n ** 53n), -(2n ** 53n), "bigint"],
      ["number", 5n, 5, "number"],
      ["bigint", 5, 5n, "bigint"],
    ])("of 64 bits, asked for as %s: %o is %o", (int64, given, expected, mode) => {
      const result = conform(field("int64"), { f: given }, { form: "plain", int64 });
      expect(result).toEqual({ value: { f: expected }, int64: mode });
    });

    it("of 64 bits are refused as numbers where one is beyond 2^53", () => {
      const says = "f: 9007199254740992 is beyond 2^53, expected a safe integer or bigints";
      expect(problem(field("int64"), { f: 2n ** 53n }, { int64: "number" })).toBe(says);
    });

    it("of 64 bits are all bigints where one has to be", () => {
      const schema = schemaOf("p", [
        { name: "a", type: of("uint64"), repetition: one("implicit") },
        { name: "b", type: of("int64"), repetition: list },
        { name: "c", type: of("int32") },
      ]);
      const result = conform(
        schema,
        { b: [1, "18446744073709551615".length, 2n ** 60n], c: 3 },
        { form: "plain", int64: "auto" },
      );
      expect(result).toEqual({ value: { a: 0n, b: [1n, 20n, 2n ** 60n], c: 3 }, int64: "bigint" });
    });
  });

  it.each<[Scalar, "plain" | "json", unknown, unknown]>([
    ["double", "plain", 0.1, 0.1],
    ["double", "plain", Number.NaN, Number.NaN],
    ["double", "plain", -0, -0],
    ["double", "json", "NaN", Number.NaN],
    ["double", "json", "-Infinity", Number.NEGATIVE_INFINITY],
    ["double", "json", "-0", -0],
    ["double", "json", "1.5e-7", 1.5e-7],
    ["double", "json", "inf", 'f: expected a number, got "inf"'],
    ["double", "json", "", 'f: expected a number, got ""'],
    ["double", "json", "1.", 'f: expected a number, got "1."'],
    ["double", "plain", "1", 'f: expected a number, got "1"'],
    ["double", "plain", 1n, "f: expected a number, got 1n"],
    ["float", "plain", 0.1, Math.fround(0.1)],
    ["float", "plain", 3.4028234663852886e38, 3.4028234663852886e38],
    ["float", "plain", 3.5e38, "f: 3.5e+38 is outside the range of a float"],
    ["float", "plain", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ["float", "plain", 1e-50, 0],
    ["bool", "plain", true, true],
    ["bool", "plain", 1, "f: expected true or false, got 1"],
    ["bool", "json", "true", 'f: expected true or false, got "true"'],
    ["string", "plain", "a\u0000日\u{1f600}", "a\u0000日\u{1f600}"],
    ["string", "plain", "\ud800", "f: half of a surrogate pair has no UTF-8 form"],
    ["string", "plain", 5, "f: expected a string, got 5"],
    ["bytes", "plain", Buffer.from("a"), Buffer.from("a")],
    ["bytes", "plain", "YQ==", 'f: expected a Uint8Array, got "YQ=="'],
    ["bytes", "plain", [97], "f: expected a Uint8Array, got a list of 1"],
    ["bytes", "plain", new Uint16Array(1), "f: expected a Uint8Array, got a Uint16Array"],
    ["bytes", "json", "", new Uint8Array(0)],
    ["bytes", "json", "YWI=", Buffer.from("ab")],
    ["bytes", "json", "YWI", Buffer.from("ab")],
    ["bytes", "json", "-_8=", Buffer.from([0xfb, 0xff])],
    ["bytes", "json", "+/8=", Buffer.from([0xfb, 0xff])],
    ["bytes", "json", "Y", 'f: expected base64, got "Y"'],
    ["bytes", "json", "YWI=YWI=", 'f: expected base64, got "YWI=YWI="'],
    ["bytes", "json", "Y W", 'f: expected base64, got "Y W"'],
    ["bytes", "json", "Y*==", 'f: expected base64, got "Y*=="'],
    ["bytes", "json", 5, "f: expected base64, got 5"],
  ])("%s in %s form: %o", (scalar, form, given, expected) => {
    const says = typeof expected === "string" && expected.startsWith("f: ") ? expected : "conforms";
    expect(problem(field(scalar), { f: given }, { form })).toBe(says);
    if (says === "conforms") {
      expect(
        firstDifference({ f: expected }, conformed(field(scalar), { f: given }, { form })),
      ).toBeUndefined();
    }
  });

  describe("presence", () => {
    it.each<[Presence, string]>([
      ["required", "f: missing, and every p.M has it"],
      ["always", "f: missing, and every p.M has it"],
      ["optional", "conforms"],
      ["implicit", "conforms"],
    ])("a missing field that is %s: %s", (presence, says) => {
      expect(problem(field("int32", { repetition: one(presence) }), {})).toBe(says);
      expect(problem(field("int32", { repetition: one(presence) }), { f: undefined })).toBe(says);
      expect(problem(field("int32", { repetition: one(presence) }), { f: null }, json)).toBe(says);
    });

    it("leaves an optional field out that is not set", () => {
      expect(Object.keys(conformed(field("int32"), { f: undefined }) as object)).toEqual([]);
    });

    it.each<[Scalar, unknown]>([
      ["bool", false],
      ["uint8", 0],
      ["int64", 0],
      ["double", 0],
      ["string", ""],
      ["bytes", new Uint8Array(0)],
    ])("fills in an implicit %s", (scalar, zero) => {
      expect(conformed(field(scalar, { repetition: one("implicit") }), {})).toEqual({ f: zero });
    });

    it("fills in an implicit int64 in the dataset's mode", () => {
      const schema = field("int64", { repetition: one("implicit") });
      expect(conformed(schema, {}, { int64: "bigint" })).toEqual({ f: 0n });
    });

    it("fills in lists and maps", () => {
      expect(conformed(field("int32", { repetition: list }), {})).toEqual({ f: [] });
      expect(conformed(field("int32", { repetition: mapOf("string") }), {})).toEqual({ f: {} });
    });

    it("does not take null for a value in plain form", () => {
      expect(problem(field("int32"), { f: null })).toBe("f: expected an integer (int32), got null");
      expect(problem(field("int32", { repetition: list }), { f: null })).toBe("f: expected a list, got null");
      const map = field("int32", { repetition: mapOf("string") });
      expect(problem(map, { f: null })).toBe("f: expected an object as a map, got null");
    });
  });

  describe("paths", () => {
    const schema = schemaOf("p", [
      { name: "info", type: ofMessage("p.M"), repetition: list },
      { name: "age", type: of("uint8") },
      { name: "by", type: ofMessage("p.M"), repetition: mapOf("string") },
      { name: "a b", type: of("uint8") },
    ]);
    it.each<[unknown, string]>([
      [{ info: [{}, {}, {}, { age: 300 }] }, "info[3].age: 300 is outside uint8, expected 0 to 255"],
      [
        { by: { bob: { info: [{ age: -1 }] } } },
        "by.bob.info[0].age: -1 is outside uint8, expected 0 to 255",
      ],
      [{ by: { "a.b": { age: -1 } } }, 'by["a.b"].age: -1 is outside uint8, expected 0 to 255'],
      [{ "a b": -1 }, '["a b"]: -1 is outside uint8, expected 0 to 255'],
      [{ info: [{ "a b": -1 }] }, 'info[0]["a b"]: -1 is outside uint8, expected 0 to 255'],
      [{ info: Object.assign([], { 1: {} }) }, "info[0]: expected an object (p.M), got nothing"],
      [{ info: {} }, "info: expected a list, got an object"],
      [{ by: [] }, "by: expected an object as a map, got a list of 0"],
      [{ info: [5] }, "info[0]: expected an object (p.M), got 5"],
      [5, "expected an object (p.M), got 5"],
      [null, "expected an object (p.M), got null"],
      [[], "expected an object (p.M), got a list of 0"],
      [new Uint8Array(1), "expected an object (p.M), got 1 byte"],
      [new Map([["age", 1]]), "expected an object (p.M), got a Map"],
      [{ by: new Map([["bob", {}]]) }, "by: expected an object as a map, got a Map"],
      [{ info: [new Date(0)] }, "info[0]: expected an object (p.M), got a Date"],
      [{ agee: 1 }, "agee: p.M has no such field, did you mean age?"],
      [
        { info: [{ nothing: 1 }] },
        "info[0].nothing: p.M has no such field, expected one of info, age, by, a b",
      ],
      [{ __proto__: null, age: 1 }, "conforms"],
      [
        JSON.parse('{"__proto__": 1}'),
        "__proto__: p.M has no such field, expected one of info, age, by, a b",
      ],
    ])("of %o: %s", (input, says) => {
      expect(problem(schema, input)).toBe(says);
    });

    it("takes an object of a class for what its properties say", () => {
      class Person {
        readonly age = 5;
      }
      expect(conformed(schema, new Person())).toEqual({ info: [], age: 5, by: {} });
    });

    it("compares an unknown name with those of about its length only", () => {
      const wide = schemaOf(
        "p",
        Array.from({ length: 500 }, (_, i) => ({ name: `name_of_a_field_${i}` })),
      );
      // The distance between two names takes a minimum for each pair of their characters.
      const steps = vi.spyOn(Math, "min");
      try {
        expect(problem(wide, { ["x".repeat(1_000_000)]: 1 })).toContain(
          "p.M has no such field, expected one of",
        );
        expect(steps.mock.calls.length).toBeLessThan(1000);
        steps.mockClear();
        problem(wide, { name_of_a_feld_1: 1 });
        expect(steps.mock.calls.length, "what is counted").toBeGreaterThan(1000);
      } finally {
        steps.mockRestore();
      }
    });
  });

  it("puts fields in the order of their declaration", () => {
    const schema = schemaOf("p", [{ name: "a" }, { name: "b" }, { name: "c" }]);
    expect(Object.keys(conformed(schema, { c: 1, a: 2, b: 3 }) as object)).toEqual(["a", "b", "c"]);
  });

  it("makes new lists and objects, and shares bytes", () => {
    const schema = schemaOf("p", [
      { name: "l", repetition: list },
      { name: "b", type: of("bytes") },
    ]);
    const input = { l: [1], b: new Uint8Array(1) };
    const value = conformed(schema, input) as typeof input;
    expect(value).toEqual(input);
    expect(value.l).not.toBe(input.l);
    expect(value.b).toBe(input.b);
  });

  describe("enums", () => {
    const values = { ZERO: 0, FIVE: 5, MINUS: -3 };
    const enumField = (closed: boolean) =>
      schemaOf("p", [{ name: "f", type: ofEnum("p.E") }], { enums: [enumType("p.E", values, closed)] });
    it.each<[unknown, unknown, unknown]>([
      [5, 5, 5],
      [-3, -3, -3],
      ["FIVE", 5, 5],
      [
        "five",
        'f: p.E has no value "five", did you mean FIVE?',
        'f: p.E has no value "five", did you mean FIVE?',
      ],
      [
        "SEVENTEEN",
        'f: p.E has no value "SEVENTEEN", expected one of ZERO, FIVE, MINUS',
        'f: p.E has no value "SEVENTEEN", expected one of ZERO, FIVE, MINUS',
      ],
      [7, "f: p.E has no value 7", 7],
      [
        2 ** 31,
        "f: 2147483648 is outside int32, expected -2147483648 to 2147483647",
        "f: 2147483648 is outside int32, expected -2147483648 to 2147483647",
      ],
      [true, "f: expected an integer (int32), got true", "f: expected an integer (int32), got true"],
    ])("%o", (given, closed, open) => {
      for (const [schema, expected] of [
        [enumField(true), closed],
        [enumField(false), open],
      ] as const) {
        if (typeof expected === "string") expect(problem(schema, { f: given })).toBe(expected);
        else expect(conformed(schema, { f: given })).toEqual({ f: expected });
      }
    });
  });

  describe("oneofs", () => {
    const schema = schemaOf("p", [{ name: "a", oneof: "o" }, { name: "b", oneof: "o" }, { name: "c" }]);
    it.each<[unknown, string]>([
      [{}, "conforms"],
      [{ a: 0, c: 1 }, "conforms"],
      [{ b: 0 }, "conforms"],
      [{ a: 0, b: 0 }, "b: a of the oneof o is set too"],
      [{ a: 0, b: undefined }, "conforms"],
    ])("of %o: %s", (input, says) => {
      expect(problem(schema, input)).toBe(says);
    });

    it("take null for a member that is not set, in JSON", () => {
      expect(conformed(schema, { a: null, b: 1 }, json)).toEqual({ b: 1 });
    });
  });

  describe("maps", () => {
    it.each<[Scalar, string, string]>([
      ["string", "__proto__", "conforms"],
      ["string", "", "conforms"],
      ["string", "\ud800", 'f["\\ud800"]: half of a surrogate pair has no UTF-8 form'],
      ["bool", "true", "conforms"],
      ["bool", "false", "conforms"],
      ["bool", "1", 'f["1"]: expected the key true or false'],
      ["int32", "-5", "conforms"],
      ["int32", "05", 'f["05"]: expected the key 5, got "05"'],
      ["int32", "-0", 'f["-0"]: expected the key 0, got "-0"'],
      ["int32", "1e3", 'f["1e3"]: expected an integer (int32), got "1e3"'],
      [
        "int32",
        "2147483648",
        'f["2147483648"]: 2147483648 is outside int32, expected -2147483648 to 2147483647',
      ],
      ["uint8", "-1", 'f["-1"]: -1 is outside uint8, expected 0 to 255'],
      ["uint64", "18446744073709551615", "conforms"],
      [
        "uint64",
        "18446744073709551616",
        'f["18446744073709551616"]: 18446744073709551616 is outside uint64, expected 0 to 18446744073709551615',
      ],
    ])("by %s with the key %o: %s", (key, name, says) => {
      const input = { f: Object.fromEntries([[name, 1]]) };
      expect(problem(field("int32", { repetition: mapOf(key) }), input)).toBe(says);
    });

    it("keep odd keys as their own, and no prototype changes", () => {
      const input = JSON.parse('{"f": {"__proto__": 1, "constructor": 2, "": 3, "10": 4}}');
      const { f } = conformed(field("int32", { repetition: mapOf("string") }), input) as { f: object };
      expect(Object.entries(f).sort()).toEqual([
        ["", 3],
        ["10", 4],
        ["__proto__", 1],
        ["constructor", 2],
      ]);
      expect(Object.getPrototypeOf(f)).toBe(Object.prototype);
    });

    it("do not need numbers for keys beyond 2^53", () => {
      const schema = field("int32", { repetition: mapOf("int64") });
      const input = { f: { "9223372036854775807": 1 } };
      expect(conform(schema, input, { form: "plain", int64: "auto" })).toEqual({
        value: input,
        int64: "number",
      });
    });
  });

  it("wants a list of the length that the schema fixes", () => {
    const schema = field("int32", { repetition: { kind: "list", packed: false, length: 2 } });
    expect(problem(schema, { f: [1, 2] })).toBe("conforms");
    expect(problem(schema, { f: [1] })).toBe("f: expected exactly 2 elements, got 1");
    expect(problem(schema, {})).toBe("f: expected exactly 2 elements, got 0");
  });

  it("takes messages nested 100 deep and not 101", () => {
    const schema = schemaOf("p", [{ name: "f", type: ofMessage("p.M") }]);
    const nested = (levels: number): unknown => (levels === 1 ? {} : { f: nested(levels - 1) });
    expect(problem(schema, nested(MAX_DEPTH))).toBe("conforms");
    expect(problem(schema, nested(MAX_DEPTH + 1))).toMatch(/^f\.f.*: nested deeper than 100 messages$/);
    const cycle: Record<string, unknown> = {};
    cycle["f"] = cycle;
    expect(problem(schema, cycle)).toMatch(/nested deeper than 100 messages$/);
  });

  describe("names in JSON", () => {
    const schema = schemaOf("p", [
      { name: "phone_num" },
      { name: "a_b" },
      { name: "aB" },
      { name: "x_y" },
      { name: "x__y" },
    ]);
    it.each<[unknown, unknown]>([
      [{ phone_num: 1 }, { phone_num: 1 }],
      [{ phoneNum: 1 }, { phone_num: 1 }],
      [{ phone_num: null, phoneNum: 1 }, { phone_num: 1 }],
      [{ phone_num: 1, phoneNum: 2 }, "phoneNum: the field phone_num is given twice"],
      [{ aB: 1 }, { aB: 1 }],
      [
        { a_b: 1, aB: 2 },
        { a_b: 1, aB: 2 },
      ],
      [{ xY: 1 }, "xY: p.M has no such field, did you mean x_y or aB or x__y?"],
      [{ x__y: 1 }, { x__y: 1 }],
    ])("%o", (input, expected) => {
      if (typeof expected === "string") expect(problem(schema, input, json)).toBe(expected);
      else expect(conformed(schema, input, json)).toEqual(expected);
    });

    it("are not those of plain values", () => {
      expect(problem(schema, { phoneNum: 1 })).toBe(
        "phoneNum: p.M has no such field, did you mean phone_num?",
      );
    });
  });
});
