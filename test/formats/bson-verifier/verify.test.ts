import { describe, expect, it } from "vitest";
import { type BsonOptions, DecodeError, verifyBson } from "../../../src/formats/bson-verifier/index.ts";

function problemOf(hex: string, options?: BsonOptions): string | undefined {
  try {
    verifyBson(Buffer.from(hex.replaceAll(" ", ""), "hex"), options);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as Error).message;
  }
}

/** A document around elements. */
function document(elements: string): string {
  const body = elements.replaceAll(" ", "");
  const size = Buffer.alloc(4);
  size.writeInt32LE(body.length / 2 + 5);
  return `${size.toString("hex")}${body}00`;
}

describe("verifyBson", () => {
  it.each([
    [document("")],
    // bsonspec.org, "FAQ": {"hello": "world"} and {"BSON": ["awesome", 5.05, 1986]}.
    ["16000000 02 68656c6c6f00 06000000 776f726c6400 00"],
    [
      "31000000 04 42534f4e00 26000000 02 3000 08000000 617765736f6d6500 01 3100 3333333333331440 10 3200 c2070000 00 00",
    ],
    [document("03 6100 0500000000")],
    [document("05 6100 01000000 80 ff")],
    [document("08 6100 00 08 6200 01 0a 6300")],
    [document("12 6100 ffffffffffffff7f")],
    [document("02 00 01000000 00")],
  ])("takes %s", (hex) => {
    expect(problemOf(hex)).toBeUndefined();
  });

  it.each<[hex: string, problem: string, options?: BsonOptions]>([
    ["", "expected 4 more bytes, got 0"],
    ["04000000", "expected a document of at least 5 bytes, got 4"],
    ["ffffffff00", "expected a document of at least 5 bytes, got -1"],
    ["0600000000", "expected 2 more bytes, got 1"],
    ["050000000000", "1 byte after the end of the message"],
    ["0500000001", "a name has no end"],
    ["0700000001 61 00 00", "expected 8 more bytes, got 1"],
    [document("02 6100 00000000"), "expected a text of at least 1 byte, got 0"],
    [document("02 6100 02000000 6161"), "a text does not end in a zero byte"],
    [document("02 6100 02000000 ff00"), "text is not valid UTF-8"],
    [document("02 6100 ffffff7f 00"), "expected 2147483647 more bytes"],
    [document("05 6100 ffffffff 00"), "expected the size of a binary, got -1"],
    [document("05 6100 04000000 02 00000000"), "a binary of subtype 2 is not allowed"],
    [document("08 6100 02"), "expected 0 or 1 as a boolean"],
    [document("09 6100 0000000000000000"), "an element of type 0x09 is not allowed"],
    [document("06 6100"), "an element of type 0x06 is not allowed"],
    [document("0a 6100 0a 6100"), 'the name "a" stands twice'],
    [document("0a ff00"), "a name is not valid UTF-8"],
    [document("0a 2472656600"), '"$ref" makes a reference of its document'],
    [document(`04 6100 ${document("0a 3100")}`), 'expected the element 0, got "1"'],
    [
      document(`03 6100 ${document("0a 6200")}`).replace("08000000", "09000000"),
      "a document of 8 bytes says that it has 9",
    ],
    [document("0a 6100"), 'unknown name "a"', { keys: new Set(["b"]) }],
    [document("12 6100 0000000000002000"), "9007199254740992 is beyond 2^53", { integers: "safe" }],
    [document(`03 6100 ${document("")}`), "nested deeper than 1 levels", { depth: 1 }],
  ])("refuses %s", (hex, problem, options) => {
    expect(problemOf(hex, options)).toContain(problem);
  });
});
