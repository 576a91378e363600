import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  ByteArray,
  decodePickle,
  decodePickles,
  encodePickle,
  FrozenSet,
  type PickleOptions,
  type Protocol,
  PyFloat,
  Tuple,
} from "../../../src/formats/python-pickle/index.ts";
import { DecodeError, UsageError, ValueError } from "../../../src/model/errors.ts";

const hex = (value: unknown, protocol: Protocol = 4): string =>
  Buffer.from(encodePickle(value, { protocol })).toString("hex");

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

describe("encodePickle", () => {
  it.each<[unknown, string]>([
    [null, "80044e2e"],
    [true, "8004882e"],
    [-0, "8004950a0000000000000047" + "8000000000000000" + "2e"],
    [255, "80044bff2e"],
    [256, "80049504000000000000004d00012e"],
    [2 ** 31, "80049508000000000000008a0500000080002e"],
    ["a", "80049505000000000000008c0161942e"],
    [new PyFloat(1), "8004950a0000000000000047" + "3ff0000000000000" + "2e"],
    [Tuple.of(), "8004292e"],
    [{ a: 1 }, "8004950a000000000000007d948c0161944b01732e"],
  ])("writes %s", (value, expected) => {
    expect(hex(value)).toBe(expected);
  });

  it("writes the same texts once, and the same objects", () => {
    const one = [1];
    expect(hex([one, one, "ab", "ab"])).toBe("80049513000000000000005d94285d944b016168018c026162946802652e");
  });

  it("without the memo is what Pickler.fast writes", () => {
    expect(Buffer.from(encodePickle(["ab", "ab"], { memo: false })).toString("hex")).toBe(
      "8004950c000000000000005d288c0261628c026162652e",
    );
  });

  it.each<[string, unknown, string]>([
    ["undefined", { a: [1, undefined] }, "a[1]"],
    ["a function", [() => 1], "[0]"],
    ["a symbol", { "a b": Symbol("x") }, '["a b"]'],
    ["a Date", { info: [{ age: new Date(0) }] }, "info[0].age"],
    ["an instance of a class", [new (class A {})()], "[0]"],
    ["what inherits from an object", [Object.create({ a: 1 })], "[0]"],
    ["a Float64Array", [new Float64Array(1)], "[0]"],
    ["a lone surrogate", { a: "x\ud800" }, "a"],
    ["a long text with a lone surrogate", [`${"x".repeat(100_000)}\udc00`], "[0]"],
    ["a lone surrogate in a key", { "\ud800": 1 }, '["\\ud800"]'],
    ["a hole", [1, ...new Array(1), 2], "[1]"],
    ["a list as a key", new Map([[[1], 2]]), '["a list of 1"]'],
    ["a dict in a set", [new Set([{}])], "[0][0]"],
    ["a bytearray in a set", new Set([new ByteArray(1)]), "[0]"],
    [
      "1 and true as keys",
      new Map<unknown, number>([
        [1, 1],
        [true, 2],
      ]),
      "true",
    ],
    [
      "equal tuples as keys",
      new Map<Tuple, number>([
        [Tuple.of<unknown>(1), 1],
        [Tuple.of<unknown>(1n), 2],
      ]),
      '["a list of 1"]',
    ],
    ["equal elements", new FrozenSet([0, new PyFloat(0)]), "[1]"],
  ])("refuses %s, with its path", (_, value, path) => {
    const error = catchError(() => encodePickle(value));
    expect(error).toBeInstanceOf(ValueError);
    expect((error as ValueError).path).toBe(path);
    expect(hex([1, 2])).toBe(hex([1, 2]));
  });

  it("takes object literals without a prototype and of other realms", () => {
    expect(hex(Object.assign(Object.create(null), { a: 1 }))).toBe(hex({ a: 1 }));
    expect(hex(runInNewContext("({ a: [1] })"))).toBe(hex({ a: [1] }));
  });

  it("ignores what Object.prototype was given", () => {
    const prototype = Object.prototype as Record<string, unknown>;
    prototype["polluted"] = 1;
    try {
      expect(hex({})).toBe("80047d942e");
      expect(hex({ a: 1 })).toBe("8004950a000000000000007d948c0161944b01732e");
    } finally {
      delete prototype["polluted"];
    }
  });

  it("keeps indexes among names in the order of the object", () => {
    const value = { x: 1, 7: 2, 0: 3, 100: 4, "-1": 5, "01": 6 };
    const map = decodePickle(encodePickle(value), { dicts: "Map" });
    expect([...(map as Map<string, number>)]).toEqual(Object.entries(value));
  });

  it("does not end in a stack overflow: nesting has a limit", () => {
    expect(() => encodePickle(nested(100))).not.toThrow();
    expect(() => encodePickle(nested(101))).toThrow(ValueError);
    expect(() => encodePickle(nested(1000), { depth: 1000 })).not.toThrow();
    expect(() => encodePickle(1, { depth: 1001 })).toThrow(UsageError);
    const tuple = new Tuple<unknown>();
    tuple.push(tuple);
    expect(() => encodePickle(tuple)).toThrow(ValueError);
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(() => encodePickle(cyclic, { memo: false })).toThrow(ValueError);
    const key = new FrozenSet<unknown>();
    key.add(key);
    expect(() => encodePickle(new Set([key]))).toThrow(ValueError);
  });

  it.each<[string, (inner?: unknown) => unknown]>([
    ["lists", (inner) => (inner === undefined ? [] : [inner])],
    ["tuples", (inner) => (inner === undefined ? Tuple.of() : Tuple.of(inner))],
    ["objects", (inner) => (inner === undefined ? {} : { a: inner })],
    ["Maps", (inner) => (inner === undefined ? new Map() : new Map([[1, inner]]))],
    ["frozensets", (inner) => new FrozenSet(inner === undefined ? [] : [inner])],
  ])("writes %s as deep as they are read, and no deeper", (_, make) => {
    for (const protocol of [1, 2, 4, 5] as const) {
      for (const innermost of [make(), make(1)]) {
        const four = make(make(make(innermost)));
        for (const [value, levels] of [
          [four, 4],
          [[four], 5],
        ] as const) {
          expect(() => encodePickle(value, { protocol, depth: levels - 1 })).toThrow(ValueError);
          const bytes = encodePickle(value, { protocol, depth: levels });
          expect(() => decodePickle(bytes, { depth: levels })).not.toThrow();
          expect(() => decodePickle(bytes, { depth: levels - 1 })).toThrow(DecodeError);
        }
      }
    }
  });

  it.each([1, 12, 13, 20, 32, 33])("writes a text of %s units once, wherever it stands", (length) => {
    const text = "x".repeat(length);
    const chinese = "小".repeat(length);
    for (const one of [text, chinese]) {
      const size = Buffer.byteLength(one);
      for (const value of [
        { [one]: one },
        [one, { [one]: 1 }],
        [{ [one]: 1 }, Tuple.of(one)],
        new Map([[one, one]]),
      ]) {
        const written = Buffer.from(encodePickle(value));
        expect(written.toString("latin1").split(Buffer.from(one).toString("latin1")).length).toBe(2);
        expect(written.length).toBeLessThan(size + 40);
      }
    }
  });

  it("has room for the ends of containers, wherever its buffer ends", () => {
    const tuples = (levels: number): Tuple => (levels === 0 ? Tuple.of() : Tuple.of(tuples(levels - 1)));
    for (const value of [nested(999), tuples(998)]) {
      for (const protocol of [1, 4] as const) {
        for (let padding = 0; padding < 9000; padding += 97) {
          const bytes = inNewBuffer(["x".repeat(padding), value], { protocol, depth: 1000 });
          expect(() => decodePickle(bytes, { depth: 1000 })).not.toThrow();
        }
      }
    }
  });

  it("takes properties as Object.keys has them", () => {
    const value = { 1: 5, a: 6 };
    Object.defineProperty(value, "0", { value: 5, enumerable: false });
    expect(decodePickle(encodePickle(value))).toEqual({ 1: 5, a: 6 });
    const hidden = {};
    Object.defineProperty(hidden, "0", { value: 5, enumerable: false });
    expect(hex(hidden)).toBe(hex({}));
  });

  it("takes indexes as Object.keys has them, whatever follows whichever", () => {
    const hidden = { 1: "a", 2: "b", 3: "c" };
    Object.defineProperty(hidden, "2", { enumerable: false });
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i, `text ${i}`]));
    const getters = {
      get 1() {
        return "one";
      },
      get 2() {
        return "two";
      },
    };
    const plain = { 0: "a", 1: "b", 2: "c", x: "d" };
    for (const value of [plain, { 1: "a", 3: "b" }, { 1: "a", 10: "b", 2: "c" }, hidden, many, getters]) {
      for (const one of [value, new Proxy(value, {})]) {
        const read = decodePickle(encodePickle(one), { dicts: "Map" });
        expect([...(read as Map<string, unknown>)]).toEqual(Object.entries(value));
      }
    }
    let calls = 0;
    const counting = {
      get 1() {
        return ++calls;
      },
    };
    expect(decodePickle(encodePickle([counting, { 1: counting }]))).toEqual([{ 1: 1 }, { 1: { 1: 1 } }]);
    expect(calls).toBe(1);
    const prototype = Object.prototype as Record<number, unknown>;
    Object.defineProperty(prototype, 2, { value: "b", configurable: true });
    try {
      expect(hex({ 1: "a", 3: "b" })).toBe(hex(new Map(Object.entries({ 1: "a", 3: "b" }))));
    } finally {
      delete prototype[2];
    }
  });

  it("tells where in every container, and lets errors of getters pass", () => {
    const bad = { b: [1, 2, new Map([["key", Tuple.of({ 1: 1, 2: undefined })]])] };
    const error = catchError(() => encodePickle([bad])) as ValueError;
    expect(error).toBeInstanceOf(ValueError);
    expect(error.path).toBe('[0].b[2].key[0]["2"]');
    const own = new RangeError("of the getter");
    const value = {
      get a() {
        throw own;
      },
    };
    expect(catchError(() => encodePickle([value]))).toBe(own);
    expect(catchError(() => encodePickle(() => 1))).toMatchObject({ path: "" });
  });

  it("refuses integers in protocol 1 that CPython would not read", () => {
    const digits = (count: number): bigint => -(10n ** BigInt(count - 1));
    expect(() => encodePickle(digits(4300), { protocol: 1 })).not.toThrow();
    expect(() => encodePickle(digits(4301), { protocol: 1 })).toThrow(ValueError);
    expect(() => encodePickle(digits(4301))).not.toThrow();
  });

  it("can be called by a getter of what it encodes", () => {
    const inner = { a: "text", b: [1, 2], c: "y".repeat(5000) };
    const value = {
      a: "text",
      get b() {
        return encodePickle(inner);
      },
      c: "text",
      d: inner,
    };
    const read = decodePickle(encodePickle(value)) as Record<string, unknown>;
    expect(decodePickle(read["b"] as Uint8Array)).toEqual(inner);
    expect(read).toMatchObject({ a: "text", c: "text", d: inner });
  });

  it("is as good as new after an error", () => {
    const before = hex({ a: ["text", { b: 1 }] });
    for (let i = 0; i < 3; i++)
      expect(() => encodePickle({ a: ["text", { b: () => 1 }] })).toThrow(ValueError);
    expect(hex({ a: ["text", { b: 1 }] })).toBe(before);
  });

  it("finds equal texts again whatever earlier pickles left", () => {
    const texts = Array.from({ length: 3000 }, (_, i) => `t${i % 1500}`);
    const first = encodePickle(texts);
    for (let i = 0; i < 50; i++) encodePickle([`t${i * 7}`, `other ${i}`]);
    expect(Buffer.compare(encodePickle(texts), first)).toBe(0);
    expect(decodePickle(first)).toEqual(texts);
  });
});

describe("options that make no sense", () => {
  it.each([0, 3, 6, Number.NaN, null, "4"])("are refused: protocol %s", (protocol) => {
    expect(() => encodePickle(1, { protocol: protocol as 4 })).toThrow(UsageError);
  });

  it.each([
    { bytes: Number.NaN },
    { items: Number.NaN },
    { integerBytes: Number.NaN },
    { digits: "9" as unknown as number },
    { dicts: "map" as "Map" },
    { encoding: "utf8" as "latin1" },
  ])("are refused: %j", (options) => {
    expect(() => decodePickle(encodePickle(1), options)).toThrow(UsageError);
    expect(() => decodePickles(encodePickle(1), options)).toThrow(UsageError);
  });
});

/** What is encoded meanwhile has a small buffer of its own. */
function inNewBuffer(value: unknown, options: PickleOptions): Uint8Array {
  let bytes: Uint8Array = new Uint8Array(0);
  encodePickle({
    get a() {
      bytes = encodePickle(value, options);
      return 1;
    },
  });
  return bytes;
}

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
