import { describe, expect, it } from "vitest";
import { type CborOptions, DecodeError, verifyCbor } from "../../../src/formats/cbor-verifier/index.ts";

function problemOf(hex: string, options?: CborOptions): string | undefined {
  try {
    verifyCbor(Buffer.from(hex.replaceAll(" ", ""), "hex"), options);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as Error).message;
  }
}

const RECORDS = { records: true } as const;

describe("verifyCbor", () => {
  // RFC 8949, appendix A: all examples that have text for keys, and neither tags nor chunks.
  it.each(
    [
      ["00", "01", "0a", "17", "1818", "1819", "1864", "1903e8", "1a000f4240", "1b000000e8d4a51000"],
      ["1bffffffffffffffff", "3bffffffffffffffff", "20", "29", "3863", "3903e7"],
      ["f90000", "f98000", "f93c00", "fb3ff199999999999a", "f93e00", "f97bff", "fa47c35000", "fa7f7fffff"],
      ["fb7e37e43c8800759c", "f90001", "f97c00", "f97e00", "f9fc00", "fa7f800000", "fbfff0000000000000"],
      ["f4", "f5", "f6", "40", "4401020304", "60", "6161", "6449455446", "62225c", "62c3bc", "63e6b0b4"],
      ["64f0908591", "80", "83010203", "8301820203820405", "a0", "a26161016162820203", "826161a161626163"],
      [
        "9fff",
        "9f018202039f0405ffff",
        "83019f0203ff820405",
        "bf61610161629f0203ffff",
        "bf6346756ef563416d7421ff",
      ],
    ].flat(),
  )("takes %s", (hex) => {
    expect(problemOf(hex)).toBeUndefined();
  });

  it.each<[hex: string, problem: string, options?: CborOptions]>([
    ["", "expected 1 more bytes, got 0"],
    ["0000", "1 byte after the end of the message"],
    ["18", "expected 1 more bytes, got 0"],
    ["1b00000000", "expected 8 more bytes, got 4"],
    ["1c", "the low bits 28 of a first byte are reserved"],
    ["1f", "an integer has no length of its own"],
    ["ff", "a break ends nothing"],
    ["81ff", "a break ends nothing"],
    ["bf6161ff", "a break ends nothing"],
    ["9f", "expected 1 more bytes, got 0"],
    ["42 01", "expected 2 more bytes, got 1"],
    ["5f42010243030405ff", "a byte string has no length of its own"],
    ["7f657374726561646d696e67ff", "text has no length of its own"],
    ["61ff", "text is not valid UTF-8"],
    ["63eda080", "text is not valid UTF-8"],
    ["82 01", "expected at least 2 more bytes, got 1"],
    ["9bffffffffffffffff", "expected at least 18446744073709552000 more bytes, got 0"],
    ["bbffffffffffffffff", "expected at least 36893488147419103000 more bytes, got 0"],
    ["5bffffffffffffffff", "expected 18446744073709552000 more bytes, got 0"],
    ["a10102", "expected text as a key, got the major type 0"],
    ["a2616101616102", 'the key "a" stands twice'],
    ["a1695f5f70726f746f5f5f01", '"__proto__" cannot be read as a key'],
    ["a1616101", 'unknown key "a"', { keys: new Set(["b"]) }],
    ["c249010000000000000000", "the tag 2 is not allowed"],
    ["d9d9f700", "the tag 55799 is not allowed"],
    ["d84041ff", "the tag 64 is not allowed"],
    ["d84001", "expected a byte string with its length", { typedBytes: true }],
    ["d8405fff", "expected a byte string with its length", { typedBytes: true }],
    ["f7", "undefined is not allowed"],
    ["f0", "the simple value 16 is not allowed"],
    ["f8ff", "the simple value 255 is not allowed"],
    ["f814", "the simple value 20 is not allowed"],
    ["1b0020000000000000", "an integer is beyond 2^53, expected a safe one", { integers: "safe" }],
    ["3b001fffffffffffff", "an integer is beyond 2^53, expected a safe one", { integers: "safe" }],
    ["818180", "nested deeper than 2 levels", { depth: 2 }],
    ["820102", "more than 2 values", { items: 2 }],
    [
      `7841efbbbf${"61".repeat(62)}`,
      "text starts with a byte order mark, which would be lost",
      { keepsMarks: 64 },
    ],
    ["d9dfff8319e0008161610102", "1 byte after the end of the message", RECORDS],
    ["d9dfff8219e000816161", "a record of 1 keys has 0 values", RECORDS],
    ["d9dfff8319df00816161 01", "record id 57088, expected 57344 to 57599", RECORDS],
    ["d9dfff8319e0009f6161ff01", "expected an array of keys with its length", RECORDS],
    ["d9dfff8419e000826161616101 02", 'the key "a" stands twice', RECORDS],
    ["d9dfff8319e00081695f5f70726f746f5f5f01", '"__proto__" cannot be read as a key', RECORDS],
    ["d9e0008101", "record 57344 is not defined", RECORDS],
    ["82d9dfff8319e00081616101d9e000820102", "a record of 1 keys has 2 values", RECORDS],
    ["82d9dfff8319e00081616101d9e0009f01ff", "expected an array with its length", RECORDS],
  ])("refuses %s", (hex, problem, options) => {
    expect(problemOf(hex, options)).toContain(problem);
  });

  it.each<[hex: string, options: CborOptions]>([
    ["d84041ff", { typedBytes: true }],
    ["1b001fffffffffffff", { integers: "safe" }],
    ["3b001ffffffffffffe", { integers: "safe" }],
    ["82d9dfff8319e00081616101d9e0008102", RECORDS],
    // Within its own values a record has its definition already, and may get another.
    ["d9dfff8319e000816161d9e0008101", RECORDS],
    ["82d9dfff8319e000816161d9dfff8219e00080d9e00080", RECORDS],
    ["a1695f5f70726f746f5f5f01", { refuseProto: false }],
    [`7841efbbbf${"61".repeat(62)}`, {}],
  ])("takes %s with %j", (hex, options) => {
    expect(problemOf(hex, options)).toBeUndefined();
  });
});
