import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  Atom,
  BitBinary,
  binaryToTerm,
  Export,
  Float,
  ImproperList,
  Pid,
  Port,
  Reference,
  Tuple,
  termToBinary,
} from "../../../src/formats/erlang-etf/index.ts";
import { UsageError, ValueError } from "../../../src/model/errors.ts";

function hexOf(value: unknown): string {
  return Buffer.from(termToBinary(value)).toString("hex");
}

function errorOf(value: unknown): ValueError {
  try {
    termToBinary(value);
  } catch (error) {
    expect(error).toBeInstanceOf(ValueError);
    return error as ValueError;
  }
  throw new Error("was written");
}

const REFUSED: readonly (readonly [value: unknown, path: string, problem: string])[] = [
  [undefined, "", "expected a term, got nothing"],
  [Symbol("x"), "", "expected a term, got a symbol"],
  [() => 1, "", "expected a term, got a function"],
  [Number.NaN, "", "expected a finite number, got NaN"],
  [
    { info: [1, 2, 3, { age: Number.POSITIVE_INFINITY }] },
    "info[3].age",
    "expected a finite number, got Infinity",
  ],
  [[{ a: undefined }], "[0].a", "expected a term, got nothing"],
  [new Array(3), "[0]", "expected a term, got nothing"],
  ["\ud800", "", "a lone surrogate has no UTF-8"],
  [{ name: "a\udc00b" }, "name", "a lone surrogate has no UTF-8"],
  [{ "\ud800": 1 }, '["\\ud800"]', "a lone surrogate has no UTF-8"],
  [{ at: new Date(0) }, "at", "expected plain data or a term, got a Date"],
  [new Set([1]), "", "expected plain data or a term, got a Set"],
  [new (class Point {})(), "", "expected plain data or a term, got an object"],
  [new Uint16Array(2), "", "expected plain data or a term, got a Uint16Array"],
  [
    new Map<unknown, unknown>([
      [1, 1],
      [1n, 2],
    ]),
    '["1n"]',
    "another key of the map is the same term",
  ],
  [
    new Map<unknown, unknown>([
      ["a", 1],
      [Buffer.from("a"), 2],
    ]),
    '["1 byte"]',
    "another key of the map is the same term",
  ],
  [new Map([["k", [Number.NaN]]]), "k[0]", "expected a finite number, got NaN"],
  [new Tuple([1, undefined]), "[1]", "expected a term, got nothing"],
  [new Tuple(5 as never), "", "expected the elements of a tuple, got 5"],
  [new Float(Number.NaN), "", "expected a finite number, got NaN"],
  [new Atom("x".repeat(256)), "", "an atom of more than 255 characters"],
  [new Atom("\ud800"), "", "expected the name of an atom"],
  [new Atom(5 as never), "", "expected the name of an atom, got 5"],
  [new ImproperList([], 1), "", "expected the elements of an improper list, got a list of 0"],
  [new ImproperList([1], []), "", "expected another tail of an improper list, got a list"],
  [new ImproperList([1], undefined), "tail", "expected a term, got nothing"],
  [new BitBinary(Uint8Array.of(1), 8), "", "expected 1 to 7 bits of a last byte"],
  [new BitBinary(new Uint8Array(0), 3), "", "expected 1 to 7 bits of a last byte"],
  [new Pid("a", -1, 0, 0), "", "expected 32 bits without a sign, got -1"],
  [new Pid("a", 1.5, 0, 0), "", "expected 32 bits without a sign, got 1.5"],
  [new Port("a", 2n ** 64n, 0), "", "expected the id of a port"],
  [new Port("a", -1, 0), "", "expected the id of a port"],
  [new Reference("a", 0, []), "", "expected 1 to 5 words of a reference"],
  [new Reference("a", 0, [1, 2, 3, 4, 5, 6]), "", "expected 1 to 5 words of a reference"],
  [new Export("a", "b", 256), "", "expected an arity of 0 to 255, got 256"],
];

describe("termToBinary", () => {
  it.each(REFUSED)("refuses %o at %j: %s", (value, path, problem) => {
    expect(() => termToBinary(value)).toThrow(ValueError);
    try {
      termToBinary(value);
    } catch (error) {
      expect((error as ValueError).path).toBe(path);
      expect((error as ValueError).problem).toContain(problem);
    }
  });

  it("writes lists of bytes as Erlang does, and only those", () => {
    expect(hexOf([1, 2, 255])).toBe("836b00030102ff");
    expect(hexOf([1n, 2])).toBe("836b00020102");
    expect(hexOf([1, 256])).toBe("836c0000000261016200000100" + "6a");
    expect(hexOf([-0])).toBe("836c00000001468000000000000000" + "6a");
    expect(hexOf([1, true])).toBe("836c000000026101640004747275656a");
    expect(termToBinary(Array(65_535).fill(7))[1]).toBe(107);
    expect(termToBinary(Array(65_536).fill(7))[1]).toBe(108);
  });

  it("writes keys in Erlang's order, whatever order they are in", () => {
    const expected = hexOf(
      new Map([
        ["", 1],
        ["a", 2],
        ["ab", 3],
        ["é", 4],
        ["\uffff", 5],
        ["😀", 6],
      ]),
    );
    expect(hexOf({ "😀": 6, "\uffff": 5, ab: 3, é: 4, a: 2, "": 1 })).toBe(expected);
    expect(expected.indexOf("efbfbf")).toBeLessThan(expected.indexOf("f09f9880"));
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${(i * 7) % 50}`, i]));
    expect(Object.keys(binaryToTerm(termToBinary(many)) as object)).toEqual(Object.keys(many).sort());
  });

  it("sorts very many keys that are tuples", () => {
    const keys = Array.from({ length: 40_000 }, (_, i) => new Tuple([i % 3, [i % 7, { a: "x" }], i * 7919]));
    const map = binaryToTerm(termToBinary(new Map(keys.map((key) => [key, 1]))), { maps: "Map" });
    expect((map as Map<unknown, unknown>).size).toBe(40_000);
  });

  it("writes keys of any size before numbers of any size as those of a Map, which are written one by one", () => {
    const numbers = [0, -0, 255, 256, -1, 1.5, 2 ** 31, 2 ** 32, -(2 ** 40), 2 ** 48, 2 ** 53 - 1];
    for (const unit of ["k", "\x7f", "é", "\u{10ffff}", "\u{10ffff}\x7f"]) {
      for (let length = 0; length <= 64; length += unit.length) {
        const key = unit.repeat(length / unit.length);
        for (const number of numbers) {
          const object = { [key]: number, [`${key}z`]: number, a: number };
          expect(hexOf([object, "end"])).toBe(hexOf([new Map(Object.entries(object)), "end"]));
        }
      }
    }
  });

  it("writes objects without a prototype, and no property that an object inherits", () => {
    expect(hexOf(Object.assign(Object.create(null), { a: 1 }))).toBe(hexOf({ a: 1 }));
    const stray = { value: 1, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(Object.prototype, "stray", stray);
    const written = [hexOf({ a: 1 }), hexOf({ a: 1 })];
    Reflect.deleteProperty(Object.prototype, "stray");
    expect(written).toEqual(Array(2).fill("8374000000016d00000001616101"));
  });

  it("writes a data property of any name", () => {
    const value = JSON.parse('{"__proto__": 1, "constructor": 2, "toJSON": 3, "1": 4}');
    expect(binaryToTerm(termToBinary(value))).toEqual(value);
    expect(Object.hasOwn(binaryToTerm(termToBinary(value)) as object, "__proto__")).toBe(true);
  });

  it("can be called by what it calls", () => {
    const inner = { b: [1, 2, "x"], c: { d: 1 } };
    const value = {
      z: 1,
      get a() {
        return Buffer.from(termToBinary(inner)).toString("hex");
      },
      m: [
        {
          get deep() {
            return termToBinary(inner).length;
          },
        },
      ],
    };
    const text = Buffer.from(termToBinary(inner)).toString("hex");
    expect(binaryToTerm(termToBinary(value))).toEqual({ z: 1, a: text, m: [{ deep: text.length / 2 }] });
  });

  it("gives the error of a getter or a trap as the cause, with the path, and writes on afterwards", () => {
    const mine = new TypeError("mine");
    const fail = (): never => {
      throw mine;
    };
    const list = [1, 2];
    Object.defineProperty(list, 1, { get: fail });
    const getter = Object.defineProperty({ z: 1 }, "a", { get: fail, enumerable: true });
    const cases: readonly (readonly [unknown, string])[] = [
      [[getter], "[0].a"],
      [{ list }, "list[1]"],
      [[1, new Proxy({}, { ownKeys: fail })], "[1]"],
      [{ p: new Proxy({}, { getPrototypeOf: fail }) }, "p"],
      [{ p: new Proxy([1], { get: fail }) }, "p"],
    ];
    for (const [value, path] of cases) {
      const error = errorOf(value);
      expect(error).toMatchObject({ path, problem: "cannot be read: mine" });
      expect(error.cause).toBe(mine);
    }
    for (const value of [new Proxy(new Map(), {}), new Proxy(new Uint8Array(2), {})]) {
      const error = errorOf({ value });
      expect(error.path).toBe("value");
      expect(error.cause).toBeInstanceOf(TypeError);
    }
    expect(hexOf([300])).toBe("836c0000000162000001" + "2c6a");
  });

  it.each([
    ["an iterator of a list", [1, 2].values()],
    ["an iterator of a Map", new Map([[1, 2]]).entries()],
    ["an iterator of a text", "ab"[Symbol.iterator]()],
    ["an object that inherits from another", Object.create({ inh: 1 })],
    ["the same with keys of its own", Object.assign(Object.create({ inh: 1 }), { a: 1 })],
    ["an object that inherits from one without a constructor", Object.create(Object.create(null))],
  ])("refuses %s, which is no plain object", (_, value) => {
    // A shape that is known, as nothing else tells what an object inherits from what it has.
    expect(hexOf({ inh: 1 })).toBe("8374000000016d00000003696e686101");
    expect(errorOf({ value })).toMatchObject({ path: "value" });
    expect(errorOf({ value }).problem).toContain("expected plain data or a term, got");
  });

  it("writes plain objects of another realm, and with a property called constructor", () => {
    expect(hexOf(runInNewContext("({ a: 1 })"))).toBe(hexOf({ a: 1 }));
    expect(hexOf({ constructor: 1 })).toBe(hexOf(new Map([["constructor", 1]])));
  });

  it("refuses bytes whose buffer is detached, and takes none", () => {
    const bytes = Uint8Array.of(1, 2);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    expect(errorOf([bytes])).toMatchObject({ path: "[0]" });
    expect(errorOf([bytes]).problem).toContain("detached");
    expect(hexOf(new Uint8Array(0))).toBe("836d00000000");
  });

  it("gives bytes that no later call changes", () => {
    const first = termToBinary({ a: "first", n: 1 });
    const copy = Buffer.from(first);
    for (let i = 0; i < 100; i++) termToBinary({ b: "second", n: i });
    expect(copy.equals(first)).toBe(true);
  });

  it("refuses options that make no sense", () => {
    for (const options of [
      { compressed: 10 },
      { compressed: -1 },
      { minorVersion: 3 as 2 },
      { maxDepth: 513 },
      null as never,
    ]) {
      expect(() => termToBinary(1, options)).toThrow(UsageError);
    }
  });
});
