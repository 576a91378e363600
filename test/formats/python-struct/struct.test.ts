import { describe, expect, it } from "vitest";
import {
  compileFormat,
  iterUnpack,
  pack,
  packInto,
  type StructOptions,
  type StructValue,
  unpack,
  unpackFrom,
} from "../../../src/formats/python-struct/index.ts";
import { halfBits, halfValue } from "../../../src/formats/python-struct/values.ts";
import { DecodeError, ValueError } from "../../../src/model/errors.ts";

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

describe("pack", () => {
  it.each<[string, StructValue[], string]>([
    [">ih", [55, 66], "000000370042"],
    ["<ih", [55, 66], "370000004200"],
    ["@bi", [-1, 1], "ff00000001000000"],
    [">3s", [Buffer.from("abcd")], "616263"],
    [">3s", [Buffer.from("a")], "610000"],
    [">4p", [Buffer.from("abcd")], "03616263"],
    [">4p", [Buffer.from("a")], "01610000"],
    ["0p", [Buffer.from("a")], ""],
    [">2?", [true, 0], "0100"],
    [">??", [2n, Number.NaN], "0101"],
    [">Q", [2n ** 64n - 1n], "ffffffffffffffff"],
    [">q", [-(2 ** 53) + 1], "ffe0000000000001"],
    ["@P", [-1n], "ffffffffffffffff"],
    [">b", [-0], "00"],
    [">e", [65_519.999], "7bff"],
    ["@f", [1e39], "0000807f"],
    ["2x", [], "0000"],
  ])("of %j and %o is %s", (format, values, expected) => {
    expect(hex(pack(format, ...values))).toBe(expected);
    expect(hex(compileFormat(format).packArray(values))).toBe(expected);
  });

  it.each<[string, unknown[], string]>([
    [">ih", [1], 'expected 2 values for ">ih", got 1'],
    [">ih", [1, 2, 3], 'expected 2 values for ">ih", got 3'],
    [">ih", [1, 32_768], "[1]: expected an integer from -32768 to 32767, got 32768"],
    [">B", [-1], "[0]: expected an integer from 0 to 255, got -1"],
    [">I", [2 ** 32], "[0]: expected an integer from 0 to 4294967295, got 4294967296"],
    [">i", [1.5], "[0]: expected an integer from -2147483648 to 2147483647, got 1.5"],
    [">i", [Number.NaN], "[0]: expected an integer from -2147483648 to 2147483647, got NaN"],
    [">i", [2n ** 31n], "[0]: expected an integer from -2147483648 to 2147483647, got 2147483648n"],
    [">i", [true], "[0]: expected an integer from -2147483648 to 2147483647, got true"],
    [
      ">q",
      [2 ** 53],
      `[0]: expected a safe integer or a bigint from -${2n ** 63n} to ${2n ** 63n - 1n}, got ${2 ** 53}`,
    ],
    [">Q", [-1], `[0]: expected a safe integer or a bigint from 0 to ${2n ** 64n - 1n}, got -1`],
    [
      ">Q",
      [2n ** 64n],
      `[0]: expected a safe integer or a bigint from 0 to ${2n ** 64n - 1n}, got ${2n ** 64n}n`,
    ],
    [">f", [3.5e38], "[0]: expected a number that 32 bits hold, got 3.5e+38"],
    [">e", [65_520], "[0]: expected a number that 16 bits hold, below 65520, got 65520"],
    [">d", [1n], "[0]: expected a number, got 1n"],
    [">f", [2n], "[0]: expected a number, got 2n"],
    [">e", [3n], "[0]: expected a number, got 3n"],
    [">d", [true], "[0]: expected a number, got true"],
    [">f", [false], "[0]: expected a number, got false"],
    [">e", [true], "[0]: expected a number, got true"],
    [">?", ["yes"], '[0]: expected a boolean or a number, got "yes"'],
    [">c", [Buffer.from("ab")], "[0]: expected bytes of length 1, got 2 bytes"],
    [">3s", ["abc"], '[0]: expected bytes, got "abc"'],
    ["0p", ["abc"], '[0]: expected bytes, got "abc"'],
  ])("of %j refuses %s", (format, values, message) => {
    const given = values as StructValue[];
    const error = expect.objectContaining({ name: "ValueError", message });
    expect(() => pack(format, ...given)).toThrow(error);
    expect(() => compileFormat(format).packArray(given)).toThrow(error);
  });

  it.each([
    undefined,
    null,
    Symbol("x"),
    {},
    [],
    { valueOf: () => 1 },
    Object.create(null),
    () => 1,
    new Date(0),
  ])("refuses %s for every character", (value) => {
    for (const character of "cbB?hHiIlLqQnNefdspP") {
      const struct = compileFormat(character);
      const given = value as unknown as StructValue;
      expect(() => struct.pack(given), character).toThrow(ValueError);
      expect(() => struct.packArray([given]), character).toThrow(ValueError);
    }
  });

  it("takes a list only as one", () => {
    const struct = compileFormat(">i");
    for (const list of [undefined, null, 1, "1", { length: 1, 0: 1 }]) {
      expect(() => struct.packArray(list as never)).toThrow(ValueError);
    }
    expect(() => struct.packArray(Array(1))).toThrow(ValueError);
  });

  it("gives bytes that no later call writes to", () => {
    const struct = compileFormat(">4s");
    const all = Array.from({ length: 5000 }, (_, i) => struct.pack(Buffer.from(String(i).padStart(4, "0"))));
    expect(all.every((one, i) => Buffer.from(one).toString() === String(i).padStart(4, "0"))).toBe(true);
  });

  it("may be called while it packs", () => {
    const struct = compileFormat(">dqs2f");
    const values = [1.5, 2n ** 60n, Buffer.from("x"), 0.5, 0.25];
    const expected = struct.packArray(values);
    const within: string[] = [];
    const list = values.map((_, i) => i) as unknown as StructValue[];
    values.forEach((value, i) => {
      const get = (): StructValue => {
        within.push(hex(struct.packArray(values)));
        return value;
      };
      Object.defineProperty(list, i, { get });
    });
    expect(hex(struct.packArray(list))).toBe(hex(expected));
    expect(within).toEqual(Array(5).fill(hex(expected)));
  });
});

describe("many values", () => {
  it.each([127, 128, 129, 1000])("%i of them are packed as few are", (count) => {
    const values = Array.from({ length: count }, (_, i) => i - 64);
    const struct = compileFormat(`>${count}h`);
    const packed = struct.pack(...values);
    expect(hex(packed)).toBe(values.map((value) => hex(pack(">h", value))).join(""));
    expect(struct.packArray(values)).toEqual(packed);
    const target = new Uint8Array(2 * count + 1);
    struct.packInto(target, 1, ...values);
    expect(hex(target.subarray(1))).toBe(hex(packed));
    expect(struct.unpack(packed)).toEqual(values);
    expect(() => struct.pack(...values.slice(1))).toThrow(ValueError);
    expect(() => struct.packInto(target, 0, ...values, 1)).toThrow(ValueError);
    expect(() => struct.packArray([...values.slice(1), 32_768])).toThrow(`[${count - 1}]: `);
  });

  it("of every kind are packed alike", () => {
    const format = "xb?cH2s3pefdqQ";
    const values = [
      1,
      true,
      Buffer.from("c"),
      7,
      Buffer.from("ab"),
      Buffer.from("p"),
      0.5,
      0.25,
      1e300,
      -1n,
      2n,
    ];
    const one = compileFormat(`>${format}`);
    const many = compileFormat(`>${format.repeat(100)}`);
    const list = Array.from({ length: 100 }, () => values).flat();
    const packed = many.packArray(list);
    expect(hex(packed)).toBe(hex(one.packArray(values)).repeat(100));
    const back = many.unpack(packed);
    expect(back.slice(0, values.length)).toEqual(one.unpack(one.packArray(values)));
    expect(back.slice(-values.length)).toEqual(back.slice(0, values.length));
  });

  it("are a million at most, in one list", () => {
    const struct = compileFormat("1000000B");
    const values = Array.from({ length: 1_000_000 }, (_, i) => i & 255);
    expect(struct.unpack(struct.packArray(values))).toEqual(values);
  });
});

describe("packInto and unpackFrom", () => {
  const struct = compileFormat("<hxB");

  it.each([
    [0, "0100000200000000"],
    [3, "0000000100000200"],
    [4, "0000000001000002"],
    [-4, "0000000001000002"],
    [-8, "0100000200000000"],
  ])("take the offset %i", (offset, expected) => {
    const target = new Uint8Array(8);
    struct.packInto(target, offset, 1, 2);
    expect(hex(target)).toBe(expected);
    expect(struct.unpackFrom(target, offset)).toEqual([1, 2]);
  });

  it("leave what is around alone, and make padding zero", () => {
    const target = new Uint8Array(6).fill(0xff);
    packInto("<hxB", target, 1, 1, 2);
    expect(hex(target)).toBe("ff01000002ff");
    expect(unpackFrom("<hxB", target, 1)).toEqual([1, 2]);
    expect(unpackFrom("<h", target)).toEqual([511]);
  });

  it.each([5, -3, -9, 2 ** 40])("refuse the offset %i", (offset) => {
    const target = new Uint8Array(8);
    expect(() => struct.packInto(target, offset, 1, 2)).toThrow(
      new ValueError("offset", `expected room for 4 bytes, got ${offset} in 8 bytes`),
    );
    expect(() => struct.unpackFrom(target, offset)).toThrow(DecodeError);
    expect(target).toEqual(new Uint8Array(8));
  });

  it.each([1.5, Number.NaN, "1", null, {}])("refuse %s as an offset", (offset) => {
    expect(() => struct.packInto(new Uint8Array(8), offset as number, 1, 2)).toThrow(ValueError);
    expect(() => struct.unpackFrom(new Uint8Array(8), offset as number)).toThrow(ValueError);
  });

  it.each([undefined, null, "bytes", [1, 2, 3, 4], new ArrayBuffer(8)])("refuse %s as bytes", (target) => {
    expect(() => struct.packInto(target as never, 0, 1, 2)).toThrow(ValueError);
    expect(() => struct.unpackFrom(target as never)).toThrow(ValueError);
    expect(() => struct.unpack(target as never)).toThrow(DecodeError);
    expect(() => struct.iterUnpack(target as never)).toThrow(DecodeError);
  });
});

describe("unpack", () => {
  it.each<[string, string, StructValue[]]>([
    [">ih", "ffffffc90042", [-55, 66]],
    [">BHI", "ffffffffffffff", [255, 65_535, 4_294_967_295]],
    ["<bhi", "fffefffdffffff", [-1, -2, -3]],
    [">?xc", "02ff61", [true, Uint8Array.of(0x61)]],
    [">3s", "610000", [bytes("610000")]],
    [">4p", "ff616263", [bytes("616263")]],
    [">4p", "00616263", [bytes("")]],
    ["0p", "", [bytes("")]],
    [">e", "fc01", [Number.NaN]],
    [">e", "8001", [-(2 ** -24)]],
    ["<f", "000080ff", [Number.NEGATIVE_INFINITY]],
    [">d", "8000000000000000", [-0]],
    [">qQ", "ffffffffffffffffffffffffffffffff", [-1n, 2n ** 64n - 1n]],
    ["@nNP", "01000000000000000200000000000000ffffffffffffffff", [1n, 2n, 2n ** 64n - 1n]],
  ])("of %j and %s is what CPython says", (format, given, expected) => {
    expect(unpack(format, bytes(given))).toEqual(expected);
  });

  it.each([
    [">ih", 5, "truncated", 'python-struct at byte 0: expected 6 bytes for ">ih", got 5 bytes'],
    [">ih", 7, "corrupt", 'python-struct at byte 0: expected 6 bytes for ">ih", got 7 bytes'],
  ])("of %j refuses %i bytes", (format, length, code, message) => {
    expect(() => unpack(format, new Uint8Array(length))).toThrow(
      expect.objectContaining({ name: "DecodeError", code, message, format: "python-struct", offset: 0 }),
    );
  });

  it("gives bytes of their own", () => {
    const given = bytes("61626364");
    const values = unpack("c3s", given) as Uint8Array[];
    given.fill(0);
    expect(values).toEqual([bytes("61"), bytes("626364")]);
  });

  it.each([
    ["a view", (source: Uint8Array) => Buffer.concat([bytes("ff"), source]).subarray(1)],
    [
      "shared memory",
      (source: Uint8Array) => {
        const shared = new Uint8Array(new SharedArrayBuffer(source.length));
        shared.set(source);
        return shared;
      },
    ],
  ])("reads and writes %s", (_, place) => {
    const struct = compileFormat(">i40sd");
    const values = [7, Buffer.alloc(40, "x"), 0.5];
    const packed = struct.packArray(values);
    expect(struct.unpack(place(packed))).toEqual(struct.unpack(packed));
    const target = place(new Uint8Array(packed.length));
    struct.packInto(target, 0, ...values);
    expect(hex(target)).toBe(hex(packed));
  });

  it("refuses memory that was given away", () => {
    const given = new Uint8Array(8);
    const steps = iterUnpack(">i", given);
    expect(steps.next().value).toEqual([0]);
    structuredClone(given.buffer, { transfer: [given.buffer] });
    expect(steps.next()).toEqual({ done: true, value: undefined });
    expect(() => unpack(">2i", given)).toThrow(DecodeError);
    expect(() => packInto(">2i", given, 0, 1, 2)).toThrow(ValueError);
  });
});

describe("iterUnpack", () => {
  it("gives the values of each struct", () => {
    expect([...iterUnpack(">hB", bytes("000102000304"))]).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect([...iterUnpack(">hB", bytes(""))]).toEqual([]);
  });

  it("refuses at once what are not whole structs, and a struct of no bytes", () => {
    expect(() => iterUnpack(">hB", bytes("00010200"))).toThrow(
      'python-struct at byte 0: expected a multiple of 3 bytes for ">hB", got 4 bytes',
    );
    expect(() => iterUnpack("0s", bytes(""))).toThrow('"0s": a struct of no bytes cannot be iterated over');
  });
});

describe("integers of 64 bits", () => {
  const asNumbers = compileFormat(">qQ", { int64: "number" });

  it.each([
    [0, 0],
    [-1, 1],
    [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [-(2 ** 32), 2 ** 32],
    [-(2 ** 32) - 1, 2 ** 32 - 1],
  ])("are numbers where asked for: %i, %i", (signed, unsigned) => {
    const packed = asNumbers.pack(signed, unsigned);
    expect(asNumbers.unpack(packed)).toEqual([signed, unsigned]);
    expect(unpack(">qQ", packed)).toEqual([BigInt(signed), BigInt(unsigned)]);
    expect(pack(">qQ", BigInt(signed), BigInt(unsigned))).toEqual(packed);
  });

  it.each([
    [-(2n ** 53n), 0n],
    [2n ** 53n, 0n],
    [0n, 2n ** 53n],
    [0n, 2n ** 64n - 1n],
    [-(2n ** 63n), 0n],
  ])("are never rounded: %s and %s", (signed, unsigned) => {
    const packed = asNumbers.pack(signed, unsigned);
    expect(unpack(">qQ", packed)).toEqual([signed, unsigned]);
    expect(() => asNumbers.unpack(packed)).toThrow(
      expect.objectContaining({ code: "unsupported", offset: signed === 0n ? 8 : 0 }),
    );
  });
});

describe("text", () => {
  const struct = compileFormat(">4s5ps", { text: [0, 1] });

  it("is UTF-8, with the zeros that fill an s", () => {
    const packed = struct.pack("é", "aé", Buffer.from("z"));
    expect(hex(packed)).toBe("c3a9000003" + "61c3a900" + "7a");
    expect(struct.unpack(packed)).toEqual(["é\0\0", "aé", Uint8Array.of(0x7a)]);
  });

  it.each<[StructOptions["text"], string, StructValue[]]>([
    [true, "2s2p", ["ab", "c"]],
    [[1], "2s2p", [bytes("6162"), "c"]],
    [[], "2s2p", [bytes("6162"), bytes("63")]],
    [false, "2s2p", [bytes("6162"), bytes("63")]],
  ])("is what the option says: %o", (text, format, values) => {
    const one = compileFormat(format, text === undefined ? {} : { text });
    expect(one.unpack(one.packArray(values))).toEqual(values);
  });

  it.each<[StructValue[], string]>([
    [["abcde", "", bytes("00")], '[0]: expected text of at most 4 bytes of UTF-8, got "abcde"'],
    [["aéé", "", bytes("00")], '[0]: expected text of at most 4 bytes of UTF-8, got "aéé"'],
    [["", "\ud800", bytes("00")], "[1]: expected text without lone surrogates, got"],
    [["", bytes("61"), bytes("00")], "[1]: expected a string, got 1 byte"],
    [["", "", "z"], '[2]: expected bytes, got "z"'],
  ])("that does not fit is refused: %o", (values, message) => {
    expect(() => struct.packArray(values)).toThrow(ValueError);
    expect(() => struct.packArray(values)).toThrow(message);
  });

  it.each(["c0af6161", "eda08061", "ff616161", "616161c3"])("of the bytes %s is refused", (start) => {
    expect(() => struct.unpack(bytes(`${start}000000000000`))).toThrow(
      expect.objectContaining({ name: "DecodeError", code: "corrupt", offset: 0 }),
    );
  });

  it("of a p is at most 255 bytes, where bytes may be more", () => {
    const text = compileFormat("300p", { text: true });
    const long = "x".repeat(255);
    expect(text.unpack(text.pack(long))).toEqual([long]);
    expect(hex(text.pack(long)).slice(-88)).toBe("0".repeat(88));
    expect(() => text.pack(`${long}x`)).toThrow("expected text of at most 255 bytes of UTF-8");
    expect(hex(pack("300p", Buffer.alloc(299, "x")))).toBe(`ff${"78".repeat(299)}`);
  });

  it.each([
    "",
    "a",
    "x".repeat(31),
    "x".repeat(32),
    "x".repeat(1108),
    "é".repeat(554),
    "日本",
    "😀".repeat(9),
  ])("fills its room to the last byte: %j", (text) => {
    const room = Buffer.byteLength(text);
    const exact = compileFormat(`${room}s`, { text: true });
    expect(exact.unpack(exact.pack(text))).toEqual([text]);
    expect(() => exact.pack(`${text}y`)).toThrow(ValueError);
  });
});

describe("numbers of 16 bits", () => {
  it("are what their bits say, and have these bits", () => {
    const wrong: number[] = [];
    for (let bits = 0; bits < 65_536; bits++) {
      const value = halfValue(bits);
      const isNan = (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0;
      if (isNan !== Number.isNaN(value)) wrong.push(bits);
      if (halfBits(value) !== (isNan ? (bits & 0x8000) | 0x7e00 : bits)) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    [2 ** -25, 0],
    [2 ** -25 + 2 ** -60, 1],
    [1.5 * 2 ** -24, 2],
    [2.5 * 2 ** -24, 2],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    // By way of 32 bits this would be rounded twice, and be 0x3c01.
    [1 + 2 ** -11 + 2 ** -40, 0x3c01],
    [1 + 3 * 2 ** -11 - 2 ** -40, 0x3c01],
    [2 ** -14 - 2 ** -26, 0x0400],
    [65_519, 0x7bff],
    [65_520, -1],
    [5e-324, 0],
    [Number.NaN, 0x7e00],
  ])("are rounded to the nearest, once: %f", (value, bits) => {
    expect(halfBits(value)).toBe(bits);
  });
});

it.each([
  [0x7e00, "7fc00000", "7ff8000000000000"],
  [0xfe00, "ffc00000", "fff8000000000000"],
  [0xfc01, "ffc00000", "fff8000000000000"],
])("the NaN of the 16 bits %i keeps its sign", (bits, float, double) => {
  const half = bits < 0x8000 ? "7e00" : "fe00";
  expect(hex(pack(">efd", halfValue(bits), halfValue(bits), halfValue(bits)))).toBe(half + float + double);
  const many: StructValue[] = [true];
  for (let i = 0; i < 200; i++) many.push(halfValue(bits));
  expect(hex(compileFormat(">?200e").packArray(many))).toBe(`01${half.repeat(200)}`);
});

it("more formats than are kept can be used in turn", () => {
  for (let round = 0; round < 2; round++) {
    for (let count = 1; count <= 150; count++) {
      expect(unpack(`${count}s`, pack(`${count}s`, bytes("61")))).toHaveLength(1);
    }
  }
});
