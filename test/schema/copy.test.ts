import { describe, expect, it } from "vitest";
import type { Value } from "../../src/model/value.ts";
import { type CopyRules, compileConversion, compileCopier } from "../../src/schema/generate/copy.ts";
import { list, mapOf, of, ofMessage, schemaOf, single } from "./schema-of.ts";

/** Copies in which every int32 is doubled. */
const doubling: CopyRules = {
  leaf: (type, value) => (type.kind === "scalar" && type.scalar === "int32" ? `twice(${value})` : undefined),
  scope: { twice: (value: number) => value * 2 },
};

describe("compileCopier", () => {
  it("changes leaves wherever they are", () => {
    const schema = schemaOf("p", [
      { name: "one" },
      { name: "text", type: of("string"), repetition: list },
      { name: "list", repetition: list },
      { name: "map", repetition: mapOf("string") },
      { name: "self", type: ofMessage("p.M"), repetition: list },
    ]);
    const empty = { text: [], list: [], map: {}, self: [] };
    const copy = compileCopier<Value, unknown>(schema, doubling);
    expect(
      copy({ ...empty, one: 1, text: ["1"], list: [1, 2], map: { a: 3 }, self: [{ ...empty, one: 4 }] }),
    ).toEqual({
      ...empty,
      one: 2,
      text: ["1"],
      list: [2, 4],
      map: { a: 6 },
      self: [{ ...empty, one: 8 }],
    });
  });

  it("leaves out what is absent, and keeps the order of the declaration", () => {
    const schema = schemaOf("p", [
      { name: "b", repetition: single("always") },
      { name: "c" },
      { name: "a", repetition: single("implicit") },
      { name: "constructor" },
    ]);
    const copy = compileCopier<Value, object>(schema, doubling);
    expect(Object.entries(copy({ a: 1, b: 2 }))).toEqual([
      ["b", 4],
      ["a", 2],
    ]);
    expect(Object.entries(copy({ constructor: 3, a: 1, c: 0, b: 2 }))).toEqual([
      ["b", 4],
      ["c", 0],
      ["a", 2],
      ["constructor", 6],
    ]);
  });

  it("leaves out any field that is absent, where what others wrote may lack it", () => {
    const schema = schemaOf("p", [
      { name: "n", repetition: single("always") },
      { name: "l", repetition: list },
      { name: "m", repetition: mapOf("bool") },
      { name: "s", type: ofMessage("p.M"), repetition: single("always") },
      { name: "o" },
      { name: "after", repetition: list },
    ]);
    const nothing = { n: undefined, l: undefined, m: undefined, s: undefined };
    const missing = compileCopier<object, object>(schema, { ...doubling, absent: "undefined" });
    expect(missing({})).toStrictEqual(nothing);
    expect(missing({ l: [1], after: [2] })).toStrictEqual({ ...nothing, l: [2], after: [4] });
    expect(() => missing({ l: null })).toThrow(TypeError);
    const none = compileCopier<object, object>(schema, { ...doubling, absent: "null or undefined" });
    expect(none({ n: null, l: null, o: null, after: null, s: { o: 1 } })).toStrictEqual({
      ...nothing,
      s: { ...nothing, o: 2 },
    });
  });

  it("shares no list, map or message with the original", () => {
    const schema = schemaOf("p", [
      { name: "l", repetition: list },
      { name: "m", repetition: mapOf("bool") },
      { name: "s", type: ofMessage("p.M") },
    ]);
    const original = { l: [1], m: { true: 1 }, s: { l: [], m: {} } };
    const copy = compileCopier<Value, typeof original>(schema, { leaf: () => undefined })(original);
    expect(copy).toEqual(original);
    for (const key of ["l", "m", "s"] as const) expect(copy[key]).not.toBe(original[key]);
  });

  it("keeps fields and keys called __proto__ as they are", () => {
    const schema = schemaOf("p", [{ name: "__proto__" }, { name: "m", repetition: mapOf("string") }]);
    const original = JSON.parse('{"__proto__": 1, "m": {"__proto__": 2}}') as Value;
    const copy = compileCopier<Value, { m: object }>(schema, doubling)(original);
    expect(JSON.stringify(copy)).toBe('{"__proto__":2,"m":{"__proto__":4}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(copy.m)).toBe(Object.prototype);
  });

  it("makes Maps of maps and maps of Maps", () => {
    const schema = schemaOf("p", [{ name: "m", type: ofMessage("p.M"), repetition: mapOf("string") }]);
    const original = { m: { a: { m: {} }, b: { m: JSON.parse('{"__proto__": {"m": {}}}') } } };
    const leaf = (): undefined => undefined;
    const there = compileCopier<Value, { m: Map<string, unknown> }>(schema, { leaf, maps: "to Map" })(
      original,
    );
    expect([...there.m.keys()]).toEqual(["a", "b"]);
    expect(there.m.get("a")).toEqual({ m: new Map() });
    const back = compileCopier<unknown, Value>(schema, { leaf, maps: "from Map" })(there);
    expect(JSON.stringify(back)).toBe(JSON.stringify(original));
  });

  it("reads inherited fields where it is told to", () => {
    const schema = schemaOf("p", [{ name: "a", repetition: single("implicit") }, { name: "toString" }]);
    const original = Object.create({ a: 5, toString: undefined }) as Value;
    expect(compileCopier<Value, unknown>(schema, { ...doubling, inherited: true })(original)).toEqual({
      a: 10,
    });
  });
});

describe("compileConversion", () => {
  it.each<[string, Parameters<typeof schemaOf>[1], CopyRules, boolean]>([
    ["a leaf that changes", [{}], doubling, true],
    ["no leaf that changes", [{ type: of("string") }], doubling, false],
    ["a map's value that changes", [{ repetition: mapOf("string") }], doubling, true],
    ["a map that stays one", [{ type: of("string"), repetition: mapOf("string") }], doubling, false],
    [
      "a map that becomes a Map",
      [{ type: of("string"), repetition: mapOf("string") }],
      { leaf: () => undefined, maps: "to Map" },
      true,
    ],
    [
      "a map's key that changes",
      [{ type: of("string"), repetition: mapOf("int64") }],
      { leaf: () => undefined, key: (_, key) => `k(${key})` },
      true,
    ],
    ["nothing but messages", [{ type: ofMessage("p.M") }], doubling, false],
  ])("sees %s", (_, fields, rules, changes) => {
    expect(compileConversion(schemaOf("p", fields), rules) !== undefined).toBe(changes);
  });
});
