import { dumpBinary } from "ion-js";
import { describe, expect, it } from "vitest";
import { verifyExtent } from "../../src/codecs/ion-js/extent.ts";
import { DecodeError } from "../../src/model/errors.ts";

const bytesOf = (hex: string): Uint8Array => Buffer.from(`e00100ea${hex.replaceAll(" ", "")}`, "hex");

/** A symbol table that adds nothing to the one before it. */
const APPENDED = "e6 81 83 d3 86 71 03";

describe("the extent of Ion", () => {
  it.each<[string, unknown]>([
    ["a number", 2 ** 40],
    ["a float", 0.5],
    ["null and booleans", [null, true, false]],
    ["a long text", "x".repeat(20_000)],
    ["a struct", { a: 1, b: { c: [1, [2]], d: "text" } }],
    ["nothing", [[], {}, ""]],
  ])("is whole where the library writes it: %s", (_, value) => {
    verifyExtent(dumpBinary(value), 20);
  });

  it.each([
    ["as many symbol tables as are taken", `${APPENDED.repeat(8)} 20`],
    ["other annotations", `b0${"e3 81 8a 20".repeat(9)}`],
    ["symbols, and no imports", "e9 81 83 d6 86 b0 87 b2 81 61 20"],
    ["an integer of 1,024 bytes", `2e 08 80 ${"01".repeat(1024)}`],
  ])("takes %s", (_, hex) => {
    verifyExtent(bytesOf(hex), 20);
  });

  it("refuses an import of a shared table", () => {
    const table = bytesOf("e8 81 83 d5 86 b3 d2 84 80 20");
    expect(() => verifyExtent(table, 20)).toThrow(/an import of a shared symbol table/);
  });

  it("begins with the marker of binary Ion", () => {
    expect(() => verifyExtent(Buffer.from("[1]"), 3)).toThrow(/expected the marker of binary Ion 1.0/);
  });

  it.each([
    ["a list of which a byte is missing", "b4 21 01 21", "4 bytes, of which 3 are there"],
    ["a list of any length", "be 7f 7f ff", "of which 0 are there"],
    ["a list that ends after the one around it", "b2 b2 21 01 21 01", "2 bytes, of which 1 are there"],
    ["a text that is too long", "84 61", "4 bytes, of which 1 are there"],
    ["a field without a value", "d1 81 84", "expected another byte|1 byte, of which|reserved"],
    ["a text that is overlong UTF-8", "82 c0 af", "text is not valid UTF-8"],
    ["padding", "b3 01 00 0f", "padding"],
    ["a boolean of 2", "12", "expected a boolean of 0 or 1"],
    ["a float of two bytes", "42 00 00", "a float of 2 bytes"],
    ["a reserved type", "f0", "a type that is reserved"],
    ["an annotation of nothing", "e3 80 21 01", "an annotation of nothing"],
    ["an annotated value that is too short", "e5 81 84 21 01 0f", "an annotated value that ends too early"],
    [
      "a length without an end",
      "8e 00 00 00 00 00 81",
      "expected another byte|more than four bytes|of which",
    ],
    ["an integer of 1,025 bytes", `2e 08 81 ${"01".repeat(1025)}`, "an integer of 1025 bytes"],
    ["a negative one", `3e 08 81 ${"01".repeat(1025)}`, "an integer of 1025 bytes"],
    ["nine symbol tables", `${APPENDED.repeat(9)} 20`, "more than 8 symbol tables"],
    [
      "nine whose annotation is padded",
      `${"e7 82 00 83 d3 86 71 03".repeat(9)} 20`,
      "more than 8 symbol tables",
    ],
    ["lists in each other", "b3 b2 b1 b0", "nested deeper than 3 levels"],
  ])("refuses %s", (_, hex, problem) => {
    expect(() => verifyExtent(bytesOf(hex), 3)).toThrow(DecodeError);
    expect(() => verifyExtent(bytesOf(hex), 3)).toThrow(new RegExp(problem));
  });
});
