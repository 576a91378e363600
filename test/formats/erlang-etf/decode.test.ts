import { describe, expect, it } from "vitest";
import {
  Atom,
  binaryToTerm,
  type DecodeOptions,
  Export,
  Float,
  Tuple,
  termToBinary,
} from "../../../src/formats/erlang-etf/index.ts";
import { DecodeError, UsageError } from "../../../src/model/errors.ts";
import { fromHex } from "./old-forms.ts";

function problemOf(
  bytes: Uint8Array,
  options?: DecodeOptions,
): { code: string; offset: unknown; text: string } {
  try {
    binaryToTerm(bytes, options);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    const { code, offset, message } = error as DecodeError;
    return { code, offset, text: message };
  }
  throw new Error("it was read");
}

/** What is no term: hex, code, offset and a part of the text. */
const REFUSED: readonly (readonly [hex: string, code: string, offset: number, text: string])[] = [
  ["", "truncated", 0, "got 0 bytes"],
  ["82", "corrupt", 0, "expected the version 131"],
  ["83", "truncated", 1, "expected 1 more bytes"],
  ["83 61", "truncated", 2, "expected 1 more"],
  ["83 61 01 00", "corrupt", 3, "1 byte after the end"],
  ["83 62 000000", "truncated", 2, "expected 4 more"],
  ["83 00", "corrupt", 1, "expected a tag, got the byte 0"],
  ["83 52 00", "unsupported", 1, "ATOM_CACHE_REF"],
  ["83 79 00", "unsupported", 1, "LOCAL_EXT"],
  ["83 68 01 50 00000002 00", "unsupported", 3, "a compressed term within"],
  ["83 46 7ff0000000000000", "corrupt", 2, "a finite float"],
  ["83 46 7ff8000000000000", "corrupt", 2, "a finite float"],
  [`83 63 ${"31".repeat(31)}`, "corrupt", 2, "a finite float as text"],
  [
    `83 63 ${Buffer.from("1.0e999").toString("hex")}${"00".repeat(24)}`,
    "corrupt",
    2,
    "a finite float as text",
  ],
  ["83 6c 00000001 61 01", "truncated", 8, "expected 1 more"],
  ["83 6c ffffffff 61 01 6a", "truncated", 6, "expected 4294967295 more"],
  ["83 6c 7fffffff 6a", "truncated", 6, "more bytes"],
  ["83 69 ffffffff", "truncated", 6, "expected 4294967295 more"],
  ["83 74 ffffffff", "truncated", 6, "expected 8589934590 more"],
  ["83 6b ffff 01", "truncated", 4, "expected 65535 more"],
  ["83 6d ffffffff", "truncated", 6, "expected 4294967295 more"],
  ["83 6d 00000001 ff", "corrupt", 6, 'the options binaries: "bytes"'],
  ["83 6d 00000002 c0af", "corrupt", 6, "not UTF-8"],
  ["83 6d 00000003 eda080", "corrupt", 6, "not UTF-8"],
  ["83 6f ffffffff 00", "limit", 6, "at most 1024"],
  ["83 6e 05 00 0102", "truncated", 4, "expected 5 more"],
  ["83 77 02 c0af", "corrupt", 3, "not UTF-8"],
  ["83 76 0003 eda080", "corrupt", 4, "not UTF-8"],
  [`83 64 0100 ${"78".repeat(256)}`, "limit", 4, "more than 255 characters"],
  [`83 76 0400 ${"f09f9880".repeat(256)}`, "limit", 4, "more than 255 characters"],
  ["83 4d 00000001 09 ff", "corrupt", 2, "1 to 8 bits"],
  ["83 4d 00000001 00 ff", "corrupt", 2, "1 to 8 bits"],
  ["83 4d 00000000 03", "corrupt", 2, "1 to 8 bits"],
  ["83 74 00000002 6d 00000001 61 61 01 6d 00000001 61 61 02", "corrupt", 14, 'the key "a" stands twice'],
  ["83 74 00000002 6d 00000001 61 61 01 77 01 61 61 02", "corrupt", 14, 'the key "a" stands twice'],
  ["83 74 00000001 61 01 61 02", "unsupported", 6, 'the option maps: "Map"'],
  ["83 74 00000001 6d 00000001 ff 61 02", "corrupt", 11, "a key that is not UTF-8"],
  ["83 71 77 01 61 77 01 62 61 01", "unsupported", 1, 'funs: "inert"'],
  ["83 72 0000 77 01 61 01", "corrupt", 2, "1 to 5 words"],
  ["83 5a 0006 77 01 61", "corrupt", 2, "1 to 5 words"],
  ["83 58 61 01", "corrupt", 2, "expected an atom"],
  ["83 67 77 01 61 00000001 00000001 04", "corrupt", 14, "a creation of two bits"],
];

describe("binaryToTerm", () => {
  it.each(REFUSED)("refuses %s: %s at byte %i, %s", (hex, code, offset, text) => {
    const problem = problemOf(fromHex(hex));
    expect(problem).toMatchObject({ code, offset });
    expect(problem.text).toContain(text);
  });

  it("refuses what is no bytes", () => {
    expect(problemOf("\x83j" as unknown as Uint8Array).text).toContain("expected bytes");
    expect(problemOf(undefined as unknown as Uint8Array).text).toContain("expected bytes");
  });

  it("reads a list of lists by its tail as one list, however long", () => {
    const link = Buffer.from("6c000000016101", "hex");
    const chain = Buffer.concat([Buffer.of(131), ...Array<Buffer>(5000).fill(link), Buffer.of(106)]);
    expect(binaryToTerm(chain)).toEqual(Array(5000).fill(1));
  });

  it("keeps __proto__ and its like as keys of their own", () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString", "", "1", "4294967295"]) {
      for (let again = 0; again < 2; again++) {
        const map = binaryToTerm(
          termToBinary(
            new Map<string, unknown>([
              ["a", 0],
              [key, { x: 1 }],
            ]),
          ),
        ) as object;
        expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
        expect(Object.getOwnPropertyDescriptor(map, key)?.value).toEqual({ x: 1 });
      }
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("reads maps of one shape, of many shapes, of long and of many keys", () => {
    const maps = [
      { a: 1, b: 2 },
      { a: 1, c: 2 },
      { a: 1, b: 2, c: 3 },
      ...Array.from({ length: 20 }, (_, i) => ({ [`key${i}`]: i, last: i })),
      { ["long".repeat(50)]: 1, ["long".repeat(51)]: 2 },
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i + 10}`, i])),
      Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`k${i + 10}`, i])),
      Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i + 10}`, i])),
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i + 100}`, { n: i }])),
    ];
    for (let again = 0; again < 3; again++)
      expect(binaryToTerm(termToBinary([...maps, ...maps]))).toEqual([...maps, ...maps]);
  });

  it("forgets keys when there are too many, and reads on", () => {
    for (let i = 0; i < 20_000; i++) {
      const map = { [`x${i}`]: 1, same: { [`y${i}`]: 2 } };
      expect(binaryToTerm(termToBinary(map))).toEqual(map);
    }
  });

  it("gives a map any keys by an option, and tells an atom from a text", () => {
    const map = new Map<unknown, unknown>([
      [1, "a"],
      [new Atom("x"), "b"],
      ["x", "c"],
      [new Tuple([1]), { not: "an object" }],
    ]);
    const read = binaryToTerm(termToBinary(map), { maps: "Map" }) as Map<unknown, unknown>;
    expect([...read]).toEqual([
      [1, "a"],
      [new Atom("x"), "b"],
      [new Tuple([1]), new Map([["not", "an object"]])],
      ["x", "c"],
    ]);
  });

  it.each(["61 01", "46 3ff0000000000000", "68 01 6a", "6d 00000001 61", "74 00000001 6a 6a", "77 01 61"])(
    "refuses the key %s when it stands twice, whatever it is",
    (key) => {
      const bytes = fromHex(`83 74 00000002 ${key} 61 01 ${key} 61 02`);
      for (const options of [{ maps: "Map" }, { terms: "typed" }] as const) {
        expect(problemOf(bytes, options).text).toContain("stands twice");
      }
    },
  );

  it("gives the key -0.0 as what is written as -0.0 again", () => {
    const bytes = fromHex("83 74 00000002 46 8000000000000000 61 01 6d 00000001 61 61 02");
    for (const options of [{ maps: "Map" }, { terms: "typed" }] as const) {
      const map = binaryToTerm(bytes, options) as Map<unknown, unknown>;
      expect([...map.keys()][0]).toStrictEqual(new Float(-0));
      expect(Buffer.compare(termToBinary(map), bytes)).toBe(0);
    }
    const twice = fromHex("83 74 00000002 46 8000000000000000 61 01 46 0000000000000000 61 02");
    expect(problemOf(twice, { maps: "Map" }).text).toContain("stands twice");
    expect(problemOf(twice, { terms: "typed" }).text).toContain("stands twice");
  });

  it("gives binaries as bytes by an option, copies of the input", () => {
    const bytes = fromHex("83 6c 00000002 6d 00000002 fffe 6d 00000001 61 6a");
    const read = binaryToTerm(bytes, { binaries: "bytes" });
    expect(read).toEqual([Uint8Array.of(255, 254), Uint8Array.of(97)]);
    expect(binaryToTerm(bytes, { binaries: "auto" })).toEqual([Uint8Array.of(255, 254), "a"]);
    bytes.fill(0);
    expect(read).toEqual([Uint8Array.of(255, 254), Uint8Array.of(97)]);
  });

  it("gives funs as inert data by an option", () => {
    const bytes = fromHex("83 71 77 01 61 77 01 62 61 03");
    expect(binaryToTerm(bytes, { funs: "inert" })).toStrictEqual(new Export("a", "b", 3));
  });

  it("reads from the middle of a buffer, of shared memory, and refuses a detached one", () => {
    const bytes = termToBinary({ text: "a text that is long enough to be read by Node itself", n: [1, 300] });
    const value = binaryToTerm(bytes);
    const middle = new Uint8Array(bytes.length + 8);
    middle.set(bytes, 5);
    expect(binaryToTerm(middle.subarray(5, 5 + bytes.length))).toEqual(value);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    expect(binaryToTerm(shared)).toEqual(value);
    const packed = termToBinary(["a".repeat(1000)], { compressed: 6 });
    const sharedPacked = new Uint8Array(new SharedArrayBuffer(packed.length));
    sharedPacked.set(packed);
    expect(binaryToTerm(sharedPacked)).toEqual(["a".repeat(1000)]);
    const detached = new Uint8Array(bytes);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    expect(problemOf(detached).code).toBe("truncated");
  });

  it("refuses limits that make no sense", () => {
    for (const options of [
      { maxDepth: 513 },
      { maxItems: -1 },
      { maxBytes: 0.5 },
      { maxInflatedBytes: 2 ** 32 },
    ]) {
      expect(() => binaryToTerm(Buffer.of(131, 106), options)).toThrow(UsageError);
    }
  });
});
