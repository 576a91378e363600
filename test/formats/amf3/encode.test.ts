import { describe, expect, it } from "vitest";
import {
  decode,
  EcmaArray,
  Externalizable,
  encode,
  Traits,
  TypedObject,
  Vector,
  Xml,
} from "../../../src/formats/amf3/index.ts";
import { UsageError, ValueError } from "../../../src/model/errors.ts";

const hexOf = (value: unknown): string => Buffer.from(encode(value)).toString("hex");

function failure(value: unknown, options?: { depth: number }): string {
  try {
    encode(value, options);
  } catch (error) {
    expect(error).toBeInstanceOf(ValueError);
    return (error as ValueError).message;
  }
  return "taken";
}

function bytesToWrite(memory: ArrayBuffer): Externalizable {
  const bytes = new Uint8Array(memory);
  return new Externalizable("X", (output) => output.writeBytes(bytes));
}

describe("encode", () => {
  const point = new Traits("p", ["x"]);
  const open = new Traits("p", [], { dynamic: true });

  it.each<[string, unknown, string]>([
    ["a bigint beyond 2^53", { a: [2n ** 53n] }, "a[0]: expected a safe integer, got a bigint beyond 2^53"],
    ["a bigint beyond -2^53", -(2n ** 53n), "expected a safe integer, got a bigint beyond 2^53"],
    ["a very large bigint", [10n ** 400n], "[0]: expected a safe integer, got a bigint beyond 2^53"],
    ["a lone surrogate", { a: "\ud800" }, "a: text has a lone surrogate, which UTF-8 cannot hold"],
    [
      "one in long text",
      [`${"x".repeat(100)}\udc00`],
      "[0]: text has a lone surrogate, which UTF-8 cannot hold",
    ],
    ["one in a name", { "\ud800": 1 }, '["\\ud800"]: text has a lone surrogate, which UTF-8 cannot hold'],
    ["an empty name", { a: { "": 1 } }, 'a[""]: an empty name, which AMF3 cannot write'],
    [
      "an empty name of an array",
      new EcmaArray([], { "": 1 }),
      'entries[""]: an empty name, which AMF3 cannot write',
    ],
    // biome-ignore lint/suspicious/noSparseArray: that is the case
    ["a hole", { a: [1, , 2] }, "a[1]: a hole in a list"],
    ["a function", [() => 1], "[0]: expected data, got a function"],
    ["a symbol", { a: Symbol("a") }, "a: expected data, got a symbol"],
    ["a Set", new Set(), "expected a plain object or a type of AMF3, got a Set"],
    ["a RegExp", { a: /a/ }, "a: expected a plain object or a type of AMF3, got a RegExp"],
    ["a typed array", new Int32Array(1), "expected a plain object or a type of AMF3, got a Int32Array"],
    [
      "an object that is no Map",
      Object.create(Map.prototype),
      "expected a plain object or a type of AMF3, got a Map",
    ],
    [
      "an object that is no Date",
      Object.create(Date.prototype),
      "expected a plain object or a type of AMF3, got an object of the class Date",
    ],
    [
      "an instance of a class",
      new (class User {})(),
      "expected a plain object or a type of AMF3, got an object of the class User",
    ],
    ["an invalid Date", [new Date(Number.NaN)], "[0]: a Date without a time"],
    [
      "a sealed member that is not there",
      new TypedObject(point),
      "members.x: missing, and sealed in its class",
    ],
    [
      "a member that is not sealed",
      new TypedObject(point, { x: 1, y: 1 }),
      "members.y: no member of the class p",
    ],
    [
      "an empty dynamic name",
      new TypedObject(open, { "": 1 }),
      'members[""]: an empty name, which AMF3 cannot write',
    ],
    [
      "sealed members alike",
      new TypedObject(new Traits("p", ["x", "x"]), { x: 1 }),
      "sealed members of p: expected names that differ",
    ],
    ["a key of a dictionary", new Map([["a", () => 1]]), "a: expected data, got a function"],
    ["an object as such a key", new Map([[() => 1, 1]]), "[0]: expected data, got a function"],
    [
      "what a vector holds",
      new Vector([1n << 60n]),
      "items[0]: expected a safe integer, got a bigint beyond 2^53",
    ],
    ["a surrogate in XML", new Xml("\ud800"), "text has a lone surrogate, which UTF-8 cannot hold"],
  ])("refuses %s", (_, value, says) => {
    expect(failure(value)).toBe(says);
  });

  it.each<[string, unknown, string]>([
    ["XML that is no text", new Xml(5 as never), "a: expected text, got 5"],
    ["a class of a vector", new Vector([1], { className: 7 as never }), "a: expected text, got 7"],
    ["an external class", new Externalizable(5 as never, () => {}), "a: expected text, got 5"],
    ["a class of traits", new TypedObject(new Traits(null as never)), "a: expected text, got null"],
    ["text as a list", new EcmaArray("ab" as never), 'a.items: expected a list, got "ab"'],
    ["text as entries", new EcmaArray([], "ab" as never), 'a.entries: expected an object, got "ab"'],
    [
      "bytes that are none",
      new Externalizable("X", (output) => output.writeBytes({ length: Number.NaN } as never)),
      "a: expected bytes, got an object",
    ],
    [
      "a number as UTF-8",
      new Externalizable("X", (output) => output.writeUTF(5 as never)),
      "a: expected text, got 5",
    ],
  ])("refuses what types would: %s", (_, value, says) => {
    const before = hexOf(["a", "b"]);
    expect(failure({ a: value })).toBe(says);
    expect(hexOf(["a", "b"])).toBe(before);
  });

  it.each<[string, (memory: ArrayBuffer) => unknown]>([
    ["bytes", (memory) => new Uint8Array(memory)],
    ["integers", (memory) => new Vector(new Int32Array(memory))],
    ["doubles", (memory) => new Vector(new Float64Array(memory))],
    ["bytes to write", bytesToWrite],
  ])("refuses detached %s, and takes empty ones", (_, make) => {
    const memory = new ArrayBuffer(8);
    const value = make(memory);
    structuredClone(memory, { transfer: [memory] });
    expect(failure([value])).toBe("[0]: detached from its memory");
    expect(failure([make(new ArrayBuffer(0))])).toBe("taken");
  });

  it("refuses a number and the bigint that is written as it as keys of one dictionary", () => {
    const says = "a[1]: the key 1n is written as a number, which is a key too";
    const map = new Map<unknown, unknown>([
      [1, "x"],
      [1n, "y"],
    ]);
    expect(failure({ a: map })).toBe(says);
    expect(failure(new Map([...map].reverse()))).toMatch(/^\[0\]: the key 1n /);
    expect(failure(new Map<unknown, unknown>([...map.entries()].slice(1).concat([["1", 2]])))).toBe("taken");
  });

  it.each([Number.NaN, -1, 1.5, "7", null, 1001, 5000, Number.POSITIVE_INFINITY])(
    "refuses a depth of %s",
    (depth) => {
      const says = /^depth: out of range, expected a whole number up to 1000, got /;
      for (const call of [
        () => encode([], { depth: depth as number }),
        () => decode(Buffer.from([1]), { depth: depth as number }),
      ]) {
        expect(call).toThrow(UsageError);
        expect(call).toThrow(says);
      }
    },
  );

  it("says what an object has thrown, and keeps it as the cause", () => {
    const thrown = new TypeError("not now");
    const value = {
      a: {
        get b(): never {
          throw thrown;
        },
      },
    };
    expect(failure(value)).toBe("a.b: cannot be read: not now");
    expect(() => encode(value)).toThrow(expect.objectContaining({ path: "a.b", cause: thrown }));
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(failure([revoked.proxy])).toMatch(/^\[0\]: cannot be read: /);
  });

  it("writes a safe bigint as the number", () => {
    expect(decode(encode([5n, -(2n ** 53n) + 1n, 0n]))).toEqual([5, -Number.MAX_SAFE_INTEGER, 0]);
  });

  it("writes one NaN, whatever its bits are", () => {
    const payload = new Float64Array(new BigUint64Array([0x7ff8000000000001n, 0xffffffffffffffffn]).buffer);
    for (const nan of [...payload, Number.NaN]) expect(hexOf(nan)).toBe("05fff8000000000000");
    expect(hexOf(new Vector(payload))).toBe(`0f0500${"fff8000000000000".repeat(2)}`);
    expect(decode(Buffer.from("057ff8000000000001", "hex"))).toBeNaN();
  });

  it("takes 100 levels by default, as many as it is told, and never so many that the stack ends", () => {
    const nested = (levels: number): unknown => {
      let value: unknown = [];
      for (let i = 1; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
      return value;
    };
    for (const [levels, options] of [[100], [7, { depth: 7 }], [1000, { depth: 1000 }]] as const) {
      expect(decode(encode(nested(levels), options), options)).toEqual(nested(levels));
      const says = new RegExp(`: nested deeper than ${levels} levels$`);
      expect(failure(nested(levels + 1), options)).toMatch(says);
      const deeper = encode(nested(Math.min(levels + 1, 1000)), { depth: 1000 });
      if (levels < 1000) expect(() => decode(deeper, options)).toThrow(/nested deeper than/);
    }
    expect(failure(nested(100_000), { depth: 1000 })).toMatch(/deeper than 1000 levels$/);
  });

  it("tells shared from equal, however many objects there are", () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ i }));
    const read = decode(encode([items, items[5], items[40], items[99], { i: 5 }])) as unknown[];
    const [list, fifth, fortieth, last, other] = read as [object[], object, object, object, object];
    expect(fifth).toBe(list[5]);
    expect(fortieth).toBe(list[40]);
    expect(last).toBe(list[99]);
    expect(other).not.toBe(list[5]);
  });

  it("carries cycles through every container", () => {
    const list: unknown[] = [];
    const object: Record<string, unknown> = { list };
    const ecma = new EcmaArray([object], { list });
    const map = new Map<unknown, unknown>([[ecma, list]]);
    const typed = new TypedObject(open, { map });
    const vector = new Vector<unknown[]>([typed]);
    list.push(vector, object, map);
    const read = decode(encode(list)) as unknown[];
    const back = read[0] as Vector<[TypedObject]>;
    const dictionary = back.items[0].members["map"] as Map<EcmaArray, unknown>;
    const [array] = [...dictionary.keys()];
    expect(dictionary.get(array!)).toBe(read);
    expect(array!.entries["list"]).toBe(read);
    expect(array!.items[0]).toBe(read[1]);
    expect(read[2]).toBe(dictionary);
  });

  it("refers to text of a message by its own places, whatever was written before", () => {
    const first = hexOf(["a", "b", "a"]);
    expect(hexOf(["b", "c", "b", "a"])).toBe("09090106036206036306000603" + "61");
    expect(hexOf(["a", "b", "a"])).toBe(first);
    for (let i = 0; i < 300; i++) encode(Array.from({ length: 300 }, (_, j) => `text ${i} ${j}`));
    expect(hexOf(["a", "b", "a"])).toBe(first);
  });

  it("starts afresh after an error", () => {
    const before = hexOf({ a: "b" });
    expect(failure({ x: "y", a: ["b", "\ud800"] })).toMatch(/^a\[1\]/);
    expect(hexOf({ a: "b" })).toBe(before);
  });

  it("can be called by a getter in the middle of a message", () => {
    const inner = { a: "b", c: ["b", "a"] };
    const value = {
      a: "first",
      get b(): Uint8Array {
        return encode(inner);
      },
      c: ["first", "a", "b"],
    };
    const read = decode(encode(value)) as { b: Uint8Array; c: unknown };
    expect(decode(read.b)).toEqual(inner);
    expect(read.c).toEqual(value.c);
  });

  it("counts what it says it counts, whatever a getter changes", () => {
    const list: unknown[] = [1];
    list[0] = Object.defineProperty({}, "grow", { enumerable: true, get: () => list.push(2) });
    expect(decode(encode(list))).toEqual([{ grow: 2 }]);
    const map = new Map<unknown, unknown>();
    map.set("a", Object.defineProperty({}, "grow", { enumerable: true, get: () => map.set("b", 1).size }));
    expect(decode(encode(map))).toEqual(new Map([["a", { grow: 2 }]]));
    const shrinking: unknown[] = [0, 1];
    shrinking[0] = Object.defineProperty({}, "shrink", { enumerable: true, get: () => shrinking.pop() });
    expect(failure(shrinking)).toBe("[1]: a hole in a list");
  });

  it("gives bytes that a later call does not overwrite", () => {
    const bytes = encode({ a: "x".repeat(100) });
    const kept = Buffer.from(bytes);
    for (let i = 0; i < 1000; i++) encode({ b: `${i}`.repeat(50) });
    expect(kept.equals(bytes)).toBe(true);
  });

  it("writes objects that write themselves, and reads them with a reader", () => {
    const list = [1, { a: "b" }];
    const collection = new Externalizable("flex.ArrayCollection", (output) => output.writeObject(list));
    const bytes = encode([collection, collection, "b", new Externalizable("flex.ArrayCollection", () => {})]);
    expect(Buffer.from(bytes).toString("hex").startsWith("0909010a0729")).toBe(true);
    const external = new Map([
      ["flex.ArrayCollection", (input: { readObject(): unknown }) => input.readObject()],
    ]);
    expect(() => decode(bytes, { external })).toThrow(/^amf3 at byte \d+: expected 1 more bytes, got 0$/);
    const one = decode(encode([collection, collection, "b"]), { external }) as unknown[];
    expect(one).toEqual([list, list, "b"]);
    expect(one[0]).toBe(one[1]);
  });
});
