/** Texts in the bundles of msgpackr, as it writes them and damaged. */
import { Packr, Unpackr } from "msgpackr";
import { describe, expect, it } from "vitest";
import { verifyMessagePack } from "../../../src/formats/msgpack-verifier/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";

const options = { mapsAsObjects: false, bundleStrings: true } as const;
const packr = new Packr(options);
const unpackr = new Unpackr(options);

function failure(bytes: Uint8Array, keys?: ReadonlySet<string>): string {
  try {
    verifyMessagePack(bytes, { records: true, bundles: true, ...(keys && { keys }) });
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as Error).message;
  }
  return "accepted";
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

const VALUES: readonly [string, unknown][] = [
  ["a key and texts", { a: "hello", bcde: "wörld", c: ["abc", "hello"] }],
  ["texts that are no part of a bundle", ["abc", "x".repeat(4096), "", 5]],
  [
    "records again",
    [
      { name: "aaaa", in: { name: "bbbb" } },
      { name: "cccc", in: { name: "😀dd" } },
    ],
  ],
  ["several bundles", Array.from({ length: 40 }, (_, i) => `${i}${i % 3 ? "xyz" : "é"}`.repeat(400))],
  [
    "lengths of one and two bytes",
    ["x".repeat(31), "x".repeat(64), "x".repeat(200), "é".repeat(200), "é".repeat(900)],
  ],
];

describe("bundles of texts", () => {
  it.each(VALUES)("are accepted as msgpackr writes them: %s", (_, value) => {
    const bytes = packr.pack(value);
    expect(failure(bytes)).toBe("accepted");
  });

  it("are none of MessagePack's", () => {
    expect(() => verifyMessagePack(packr.pack(VALUES[0]![1]), { records: true })).toThrow(DecodeError);
  });

  it.each(VALUES)("are refused when they are cut: %s", (_, value) => {
    const bytes = packr.pack(value);
    const step = Math.ceil(bytes.length / 500);
    for (let length = 0; length < bytes.length; length += step)
      expect(failure(bytes.subarray(0, length)), `${length} bytes`).not.toBe("accepted");
  });

  it("are read by msgpackr where they are accepted, whatever byte is changed", () => {
    const bytes = packr.pack([VALUES[0]![1], VALUES[2]![1]]);
    let accepted = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= bit;
        if (failure(damaged) !== "accepted") continue;
        accepted += 1;
        expect(() => unpackr.unpack(damaged), `byte ${at}`).not.toThrow();
      }
    }
    expect(accepted).toBeGreaterThan(10);
  });

  it.each([
    ["a text without a bundle", "c104", "a text of a bundle where none has begun"],
    [
      "one that begins like a later one",
      "c8000862 00000006 a0a0 c104",
      "a bundle begins like one that is not the first",
    ],
    ["two first ones", "92 d6620000000e c104 d66200000003 c104 a0a461616161", "a bundle begins like one"],
    ["no text in it", "92 d66200000006 01 02 a0a0", "expected a text of the bundle"],
    [
      "texts before their values",
      "d66200000003 c104 a0a461616161",
      "texts of a bundle stand before their values",
    ],
    ["texts beyond the end", "d662ffffffff c104 a0a461616161", "expected 4294967291 more bytes"],
    ["texts that are none", "d66200000006 c104 a0 01", "expected text, got the byte 0x1"],
    ["more units than there are", "d66200000006 c105 a0a461616161", "5 units are no text of the bundle"],
    ["no units", "d66200000006 c100 a0a461616161", "0 units are no text of the bundle"],
    ["units that nobody takes", "d66200000006 c103 a0a461616161", "a bundle has text that is no value"],
    ["half a character", "92 d66200000008 c1ff c1ff a4f09f9880a0", "1 units are no text of the bundle"],
    [
      "a length that is none",
      "d66200000007 c1a0 00 a0a461616161",
      "expected the length of a text, got the byte 0xa0",
    ],
    [
      "something between values and texts",
      "d66200000007 c104 00 a0a461616161",
      "expected the texts of a bundle here",
    ],
    ["something behind them", "d66200000006 c104 a0a461616161 00", "expected the end, got 1 more bytes"],
    [
      "a byte order mark that is dropped",
      `d66200000006 c144 a0d946efbbbf${"61".repeat(67)}`,
      "starts with a byte order mark",
    ],
    [
      "a key that stands twice",
      "d4724092 d6620000000a c104 c104 0102 a0a86161616161616161",
      'the key "aaaa" stands twice',
    ],
  ])("are refused with %s", (_, bytes, says) => {
    expect(failure(hex(bytes))).toContain(says);
  });

  it("have keys that are among the ones expected", () => {
    const bytes = packr.pack({ name: "aaaa" });
    expect(failure(bytes, new Set(["name"]))).toBe("accepted");
    expect(failure(bytes, new Set(["nama"]))).toContain('unknown key "name"');
  });
});
