import { encode, toObject } from "flatbuffers/js/flexbuffers.js";
import { describe, expect, it } from "vitest";
import { DecodeError, verifyFlexBuffer } from "../../../src/formats/flexbuffers-verifier/index.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { damaged } from "../../codec-contract.ts";
import { mutants, SEED } from "../../seed.ts";

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex"));

describe("verifyFlexBuffer", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["a number", 2 ** 40],
    ["a text", "text"],
    ["a map", { a: 1, b: "text", c: [1, 2, 3], d: { a: true } }],
    ["an empty key", { "": 1 }],
    ["nothing", [[], {}, "", new Uint8Array(0)]],
    ["texts of one list", ["a", "bb", "c".repeat(200)]],
    ["numbers of both kinds", [1, 0.5, -1, 2 ** 20]],
    ["bools", [true, false]],
    ["long texts, and others", [1, "a".repeat(300), "b".repeat(70_000)]],
    ["bytes", [Uint8Array.of(1, 2, 3)]],
    ["the same text often", Array.from({ length: 1000 }, () => ({ key: "the same text" }))],
  ])("lets pass what the library writes: %s", (_, value) => {
    verifyFlexBuffer(encode(value));
  });

  it.each([
    ["nothing", "", "at byte 0: expected 3 bytes or more"],
    ["a width of 3", "00 04 03", "expected a width of 1, 2, 4 or 8 bytes"],
    ["an offset beyond the start", "05 14 01", "0 bytes are outside of the message"],
    ["a text that is too long", "ff 61 00 02 14 01", "1 byte are outside of the message"],
    ["a text without a NUL", "01 61 62 02 14 01", "outside of the message|does not end"],
    [
      "a text whose length has more bytes than its type says",
      `2c01${"78".repeat(300)}00 2d01 14 02`,
      "does not end where its length says",
    ],
    ["a key without a NUL", "61 62 02 10 01", "a key without an end|not valid UTF-8|outside"],
    ["text that is not UTF-8", "01 ff 00 02 14 01", "not valid UTF-8"],
    ["numbers of one type where the library reads types behind them", "00 40 01", "outside of the message"],
    ["bools of one type, likewise", "04 01 01 01 01 04 90 01", "outside of the message"],
    ["a vector in itself", "01 00 28 02 28 01", "outside|nested deeper"],
    ["a float of one byte", "00 0c 01", "a float of 1 byte"],
    ["an offset of 8 bytes", "61 00 01 00 00 00 00 00 00 00 10 08", "an offset of 8 bytes"],
    ["a length of 8 bytes", "00 00 00 00 00 00 00 00 00 67 01", "a length of 8 bytes"],
    ["a type that is none", "01 00 fc 01", "no type is 63"],
    ["__proto__", "5f5f70726f746f5f5f00 01 0b 01 01 01 01 04 02 24 01", "the key .__proto__. is not allowed"],
  ])("refuses %s", (_, hex, problem) => {
    const bytes = bytesOf(hex);
    expect(() => verifyFlexBuffer(bytes)).toThrow(DecodeError);
    expect(() => verifyFlexBuffer(bytes)).toThrow(new RegExp(problem));
  });

  it("counts what offsets share", () => {
    // Each vector holds the one before it twice: 2^40 values.
    const parts = [0x00, 0x00];
    let last = 1;
    for (let i = 0; i < 40; i++) {
      const at = parts.push(2);
      parts.push(at - last, at + 1 - last, 0x28, 0x28);
      last = at;
    }
    parts.push(parts.length - last, 0x28, 1);
    expect(() => verifyFlexBuffer(Uint8Array.from(parts))).toThrow(/more values than allowed/);
    const text = "x".repeat(65_000);
    const shared = encode([1, ...Array.from({ length: 65_000 }, () => text)]);
    expect(() => verifyFlexBuffer(shared)).toThrow(/more text than allowed/);
  });

  it("lets pass only what the library reads", () => {
    const random = seededRandom(SEED);
    const sources = [
      { a: 1, b: "text", c: [1, 2, 3], d: { a: true, e: null } },
      [{ key: [0.5, 0.25] }, { key: ["a", "b", "c"] }, { key: Uint8Array.of(1, 2) }],
      { far: 2 ** 40, half: 0.1 },
    ].map((value) => encode(value));
    let passed = 0;
    for (let i = 0; i < mutants(100_000); i++) {
      const mutant = new Uint8Array(damaged(sources[i % 3]!, Math.floor(i / 3), random));
      try {
        verifyFlexBuffer(mutant);
      } catch (error) {
        if (error instanceof DecodeError) continue;
        throw error;
      }
      passed += 1;
      try {
        toObject(mutant.buffer as ArrayBuffer);
      } catch (error) {
        throw new Error(Buffer.from(mutant).toString("hex"), { cause: error });
      }
    }
    expect(passed).toBeGreaterThan(0);
  });
});
