import { describe, expect, it } from "vitest";
import {
  type CMember,
  type CompiledStruct,
  type CScalar,
  type CType,
  compileStruct,
} from "../../../src/formats/c-struct/index.ts";
import { ValueError } from "../../../src/model/errors.ts";
import { hex, members, thrown } from "./structs.ts";

describe("conventions", () => {
  it.each([
    ["char x[4];", { x: "abc" }, "61626300"],
    ["char x[4];", { x: "" }, "00000000"],
    ["char x[2][3];", { x: ["a", "bc"] }, "610000626300"],
    ["uint8_t x[3];", { x: Uint8Array.of(1, 2, 3) }, "010203"],
    ["unsigned char x[2][2];", { x: [Uint8Array.of(1, 2), Uint8Array.of(3, 4)] }, "01020304"],
    ["signed char x[2];", { x: [-1, 2] }, "ff02"],
    ["int16_t x[2][2];", { x: [1, 2, 3, 4] }, "0100020003000400"],
    ["bool has_x; int8_t x;", { x: 0 }, "0100"],
    ["bool has_x; int8_t x;", {}, "0000"],
    ["bool has_x; char x[3];", { x: "" }, "01000000"],
    ["bool has_x; struct { int8_t y; } x;", { x: { y: 2 } }, "0102"],
    ["bool has_x; struct { int8_t y; } x;", {}, "0000"],
    ["int has_x; int8_t x;", { has_x: 7, x: 1 }, "0700000001000000"],
    ["bool has_x; int8_t x[2];", { has_x: true, x: [1, 2] }, "010102"],
    ["bool has_y; int8_t x;", { has_y: true, x: 1 }, "0101"],
    ["bool has_has_x; bool has_x; int8_t x;", { has_has_x: true, x: 3 }, "010103"],
    ["uint8_t x_count; int8_t x[3];", { x: [5] }, "01050000"],
    ["int8_t x[3]; uint8_t x_count;", { x: [] }, "00000000"],
    ["uint16_t x_count; uint8_t x[2];", { x: [9] }, "01000900"],
    ["float x_count; int8_t x[1];", { x_count: 0.5, x: [1] }, "0000003f01000000"],
    ["char x[3]; uint8_t x_count;", { x: "a", x_count: 7 }, "61000007"],
    ["uint64_t x_count; uint8_t x[2][2];", { x: [Uint8Array.of(1, 2)] }, "01000000000000000102000000000000"],
    ["struct { uint8_t size; uint8_t bytes[3]; } x;", { x: Uint8Array.of(7) }, "01070000"],
    [
      "struct { uint16_t size; uint8_t bytes[3]; } x[2];",
      { x: [new Uint8Array(0), Uint8Array.of(7)] },
      "000000000000010007000000",
    ],
    [
      "struct { uint8_t bytes[2]; uint8_t size; } x;",
      { x: { bytes: Uint8Array.of(1, 2), size: 3 } },
      "010203",
    ],
    ["struct { uint8_t size; int8_t bytes[2]; } x;", { x: { size: 3, bytes: [1, 2] } }, "030102"],
    ["uint8_t n; int16_t x[];", { x: [1, -1] }, "02000100ffff"],
    ["uint8_t n; int16_t x[];", { x: [] }, "0000"],
    ["uint8_t a; uint8_t x_count; uint8_t b; uint8_t x[];", { a: 1, b: 2, x: [3, 4] }, "0102020304"],
    ["uint8_t n; uint8_t x[];", { x: Uint8Array.of(3, 4) }, "020304"],
    ["uint8_t n; char x[][3];", { x: ["a", "bc"] }, "02610000626300"],
    ["int64_t a; uint8_t n; uint8_t x[];", { a: 1, x: Uint8Array.of(5) }, "01000000000000000105000000000000"],
    ["char dummy_field;", {}, "00"],
    ["int8_t dummy_field;", { dummy_field: 1 }, "01"],
    ["char dummy_field; int8_t x;", { dummy_field: 1, x: 2 }, "0102"],
  ])("%s holds %o as %s", (text, value, expected) => {
    const struct = members(text);
    const bytes = struct.pack(value);
    expect(hex(bytes)).toBe(expected);
    struct.verify(bytes);
    expect(struct.unpack(bytes)).toEqual(value);
  });

  it("keep the names that every object has, as properties of its own", () => {
    const names = ["constructor", "toString", "length", "__proto__", "hasOwnProperty", "valueOf"];
    const struct = members(names.map((name) => `bool has_${name}; int8_t ${name};`).join(" "));
    expect(struct.unpack(struct.pack({}))).toEqual({});
    const full = Object.fromEntries(names.map((name, i) => [name, i]));
    const read = struct.unpack(struct.pack(full));
    expect(Object.keys(read)).toEqual(names);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    const always = members(names.map((name) => `int8_t ${name};`).join(" "));
    expect(Object.entries(always.unpack(always.pack(full)))).toEqual(Object.entries(full));
    expect(() => always.pack({})).toThrow("constructor: expected an integer (int8), got nothing");
  });
});

describe("64-bit integers", () => {
  it.each([0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32), -(2 ** 32) - 1, 2 ** 53 - 1, -(2 ** 53) + 1])(
    "hold %d as a number and as a bigint alike",
    (number) => {
      const [numbers, bigints] = [members("int64_t x;"), members("int64_t x;", "bigint")];
      const bytes = numbers.pack({ x: number });
      expect(hex(bigints.pack({ x: BigInt(number) }))).toBe(hex(bytes));
      numbers.verify(bytes);
      expect(numbers.unpack(bytes)).toEqual({ x: number });
      expect(bigints.unpack(bytes)).toEqual({ x: BigInt(number) });
    },
  );

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)])(
    "beyond 2^53 are bigints only: %d",
    (x) => {
      const bytes = members("int64_t x;", "bigint").pack({ x });
      expect(() => members("int64_t x;").verify(bytes)).toThrow("a 64-bit integer beyond 2^53");
      expect(members("int64_t x;", "bigint").unpack(bytes)).toEqual({ x });
    },
  );
});

describe("a value that C cannot hold", () => {
  it.each([
    ["char x[4];", { x: "abcd" }, "x: 5 bytes with the NUL, expected at most 4"],
    ["char x[4];", { x: "éé" }, "x: 5 bytes with the NUL, expected at most 4"],
    ["char x[200];", { x: "é".repeat(100) }, "x: 201 bytes with the NUL, expected at most 200"],
    ["char x[4];", { x: "a\0" }, "x: a NUL inside a string, which would end it"],
    ["char x[200];", { x: `${"a".repeat(100)}\0` }, "x: a NUL inside a string, which would end it"],
    ["char x[9];", { x: "a\ud800" }, "x: half of a surrogate pair has no UTF-8 form"],
    ["char x[4];", { x: 5 }, "x: expected a string, got 5"],
    ["uint8_t x[3];", { x: Uint8Array.of(1) }, "x: 1 byte, expected exactly 3"],
    ["uint8_t x[3];", { x: [1, 2, 3] }, "x: expected a Uint8Array, got a list of 3"],
    ["struct { int size; uint8_t bytes[2]; } x;", { x: new Uint8Array(3) }, "x: 3 bytes, expected at most 2"],
    ["int8_t x;", { x: 128 }, "x: 128 is outside int8, expected -128 to 127"],
    ["uint8_t x;", { x: -1 }, "x: -1 is outside uint8, expected 0 to 255"],
    ["uint16_t x;", { x: 65536 }, "x: 65536 is outside uint16, expected 0 to 65535"],
    ["int32_t x;", { x: 2 ** 31 }, "x: 2147483648 is outside int32, expected -2147483648 to 2147483647"],
    ["uint32_t x;", { x: 2 ** 32 }, "x: 4294967296 is outside uint32, expected 0 to 4294967295"],
    ["uint32_t x;", { x: 1.5 }, "x: expected an integer (uint32), got 1.5"],
    ["uint32_t x;", {}, "x: expected an integer (uint32), got nothing"],
    [
      "int64_t x;",
      { x: 2 ** 53 },
      "x: 9007199254740992 is beyond 2^53 and may have been rounded, expected a safe integer",
    ],
    ["uint64_t x;", { x: -1 }, "x: -1 is outside uint64, expected 0 to 18446744073709551615"],
    ["uint64_t x;", { x: 1n }, "x: expected an integer (uint64), got 1n"],
    ["float x;", { x: 1e39 }, "x: 1e+39 is outside the range of a float"],
    ["double x;", { x: "1" }, 'x: expected a number, got "1"'],
    ["bool x;", { x: 1 }, "x: expected true or false, got 1"],
    ["int8_t x[2];", { x: [1] }, "x: 1 elements, expected exactly 2"],
    ["int8_t x[2];", { x: [1, 300] }, "x[1]: 300 is outside int8, expected -128 to 127"],
    ["int8_t x[2];", { x: 1 }, "x: expected a list, got 1"],
    ["int x_count; int8_t x[2];", { x: [1, 2, 3] }, "x: 3 elements, expected at most 2"],
    ["int8_t x_count; int8_t x[];", { x: new Array(200).fill(0) }, "x: 200 elements, expected at most 127"],
    ["uint8_t n; uint8_t x[];", { x: new Uint8Array(256) }, "x: 256 bytes, expected at most 255"],
    [
      "int n; struct { char y[2]; } x[];",
      { x: [{ y: "a" }, { y: "ab" }] },
      "x[1].y: 3 bytes with the NUL, expected at most 2",
    ],
    ["int n; struct { char y[2]; } x[];", { x: [null] }, "x[0]: expected an object (s.x), got null"],
    ["int n; struct { int y; } x[];", { x: 3 }, "x: expected a list, got 3"],
    ["struct { int y; } x;", {}, "x: expected an object (s.x), got nothing"],
    ["int x;", 5, "expected an object (s), got 5"],
    ["int n; int8_t x[];", null, "expected an object (s), got null"],
  ])("%s %o is refused by name", (text, value, expected) => {
    const struct = members(text);
    expect(thrown(ValueError, () => struct.pack(value))).toBe(expected);
  });

  it("leaves nothing in later messages", () => {
    const struct = members("char a[16]; int8_t b;");
    const clean = hex(struct.pack({ a: "", b: 0 }));
    for (let i = 0; i < 2000; i++) {
      expect(() => struct.pack({ a: "aaaaaaaaaaaaaaa", b: 200 })).toThrow(ValueError);
      expect(hex(struct.pack({ a: "", b: 0 }))).toBe(clean);
    }
  });

  it("is looked for where it was read, also on a prototype", () => {
    class Item {
      get a() {
        return 1;
      }
      get b() {
        return 300;
      }
    }
    const struct = members("int8_t a; int8_t b;");
    expect(thrown(ValueError, () => struct.pack(new Item()))).toBe(
      "b: 300 is outside int8, expected -128 to 127",
    );
  });

  it("includes one whose getter throws, and nothing of it is left either", () => {
    const struct = members("char a[16]; int8_t b;");
    const value = Object.defineProperty({ a: "aaaa" }, "b", {
      get: () => {
        throw new RangeError("own");
      },
    });
    expect(() => struct.pack(value)).toThrow(RangeError);
    expect(hex(struct.pack({ a: "", b: 0 }))).toBe("00".repeat(17));
  });
});

describe("a value that changes while it is packed", () => {
  const struct = members("int n; int x[];");
  const clean = hex(struct.pack({ x: [] }));

  /** A list of a length, and of another from the second time on. */
  const growing = (first: number, then: number): object => {
    let reads = 0;
    return Object.defineProperty({}, "x", { get: () => Array(reads++ === 0 ? first : then).fill(-1) });
  };

  it.each([
    [1, 5],
    [1, 2000],
    [1100, 2000],
  ])("is refused with a list of %i elements that has %i later, and nothing of it is left", (first, then) => {
    expect(thrown(ValueError, () => struct.pack(growing(first, then)))).toBe("changed while it was packed");
    for (let i = 0; i < 20; i++) expect(hex(struct.pack({ x: [] }))).toBe(clean);
  });

  it("has as many elements as it had when they were counted", () => {
    const list: unknown[] = [0, 2];
    Object.defineProperty(list, 0, { get: () => list.push(7) });
    expect(hex(struct.pack({ x: list }))).toBe("02000000" + "03000000" + "02000000");
    for (let i = 0; i < 20; i++) expect(hex(struct.pack({ x: [] }))).toBe(clean);
  });

  it("is refused where it only inherits from bytes", () => {
    const bytes = members("int n; uint8_t x[];");
    for (const x of [Object.create(Uint8Array.prototype), new Proxy(new Uint8Array(2), {})]) {
      expect(() => bytes.pack({ x })).toThrow(ValueError);
    }
  });
});

describe("a key of a map", () => {
  const mapBy = (scalar: CScalar): CompiledStruct => {
    const one = (name: string, type: CType): CMember => ({ name, type, dimensions: [], flexible: false });
    const entry = [one("key", { kind: "scalar", scalar }), one("value", { kind: "scalar", scalar: "int8" })];
    const type: CType = { kind: "struct", struct: { name: "entry", members: entry } };
    const count = one("x_count", { kind: "scalar", scalar: "int32" });
    return compileStruct({
      name: "s",
      members: [count, { name: "x", type, dimensions: [3], flexible: false, map: true }],
    });
  };

  it.each<[CScalar, readonly string[], readonly string[]]>([
    ["int32", ["0", "-5", "7"], ["", "01", " 1", "1e1", "0x10", "-0", "a", "1.5", "2147483648", "__proto__"]],
    [
      "int64",
      ["0", "-9223372036854775808"],
      ["", "01", "1n", "a", "9223372036854775808", "9".repeat(10_000)],
    ],
    ["bool", ["true", "false"], ["", "1", "True", "toString"]],
  ])("of %s is what its value is written as, or refused", (scalar, taken, refused) => {
    const struct = mapBy(scalar);
    const value = { x: Object.fromEntries(taken.map((key, i) => [key, i])) };
    const bytes = struct.pack(value);
    struct.verify(bytes);
    expect(struct.unpack(bytes)).toEqual(value);
    for (const key of refused) {
      expect(() => struct.pack({ x: Object.fromEntries([[key, 1]]) }), key).toThrow(ValueError);
    }
  });
});

describe("a result", () => {
  it("that is transferred to another thread does not take later ones with it", () => {
    const struct = members("int8_t a;");
    for (let a = 0; a < 3; a++) {
      const bytes = struct.pack({ a });
      structuredClone(bytes, { transfer: [bytes.buffer as ArrayBuffer] });
      expect(hex(struct.pack({ a }))).toBe(`0${a}`);
    }
  });

  it("is never written to again", () => {
    const struct = members("int n; char x[][40];");
    const kept: [Uint8Array, string][] = [];
    for (let i = 0; i < 500; i++) {
      const bytes = struct.pack({ x: Array.from({ length: i % 150 }, () => "x".repeat(i % 40)) });
      kept.push([bytes, hex(bytes)]);
    }
    for (const [bytes, before] of kept) expect(hex(bytes)).toBe(before);
  });

  it("is aligned to 8 bytes in its buffer, as in C", () => {
    const struct = members("int n; char x[];".replace("char", "int8_t"));
    for (let i = 0; i < 50; i++) expect(struct.pack({ x: new Array(i).fill(1) }).byteOffset % 8).toBe(0);
  });

  it("of unpacking shares no memory with its input", () => {
    const struct = members("uint8_t x[3]; struct { int size; uint8_t bytes[100]; } y;");
    const bytes = struct.pack({ x: Uint8Array.of(1, 2, 3), y: new Uint8Array(100).fill(4) });
    const value = struct.unpack(bytes);
    bytes.fill(9);
    expect(value).toEqual({ x: Uint8Array.of(1, 2, 3), y: new Uint8Array(100).fill(4) });
  });
});

describe("text", () => {
  const struct = members("char before[1]; char x[300]; int8_t n; char y[][70];");
  it.each(
    [0, 1, 3, 4, 5, 12, 15, 16, 17, 18, 31, 63, 64, 65, 69].flatMap((length) => [
      ["ASCII", length, "abcdefghij".repeat(30).slice(0, length)],
      ["Latin-1", length, `${"a".repeat(length)}é`],
      ["two units at the start", length, `😀${"a".repeat(length)}`],
    ]),
  )("in %s of length %d is carried", (_, __, x) => {
    const value = { before: "", x, y: [x.slice(0, 30), ""] };
    const bytes = struct.pack(value);
    struct.verify(bytes);
    expect(struct.unpack(bytes)).toEqual(value);
    // In the middle of another buffer, at any alignment.
    for (const offset of [1, 2, 3]) {
      const moved = new Uint8Array(bytes.length + 8).fill(0xff);
      moved.set(bytes, offset);
      expect(struct.unpack(moved.subarray(offset, offset + bytes.length))).toEqual(value);
    }
  });
});
