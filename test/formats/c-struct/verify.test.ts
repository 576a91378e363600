import { describe, expect, it } from "vitest";
import { compileStruct, parseHeader } from "../../../src/formats/c-struct/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { SEED } from "../../seed.ts";
import { randomHeader, randomValue } from "./random-header.ts";
import { hex, members, thrown } from "./structs.ts";

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

describe("verify", () => {
  it.each([
    ["char x[4];", "61626364", "x at byte 0: no NUL in a char[4]"],
    ["char x[4];", "61006300", "x at byte 2: rest of the text is not zero"],
    ["char x[4];", "c3000000", "x at byte 0: not valid UTF-8"],
    ["char x[4];", "c0af0000", "x at byte 0: not valid UTF-8"],
    ["char x[4];", "eda08000", "x at byte 0: not valid UTF-8"],
    ["bool x;", "02", "x at byte 0: a bool of 2, expected 0 or 1"],
    ["bool has_x; int8_t x;", "ff00", "x at byte 0: a bool of 255, expected 0 or 1"],
    ["bool has_x; int8_t x;", "0001", "x at byte 1: absent member is not zero"],
    ["int8_t a; int16_t b;", "00010000", "byte 1: padding is not zero"],
    ["int16_t a; int8_t b;", "00000001", "byte 3: padding is not zero"],
    ["uint8_t x_count; int8_t x[2];", "030000", "x at byte 0: 3 elements, expected 0 to 2"],
    ["int8_t x_count; int8_t x[2];", "ff0000", "x at byte 0: -1 elements, expected 0 to 2"],
    ["uint8_t x_count; int8_t x[2];", "010001", "x at byte 2: rest of the array is not zero"],
    [
      "int64_t x_count; int8_t x[1];",
      "000000000000008000 00000000000000",
      "x at byte 0: -9223372036854776000 elements, expected 0 to 1",
    ],
    ["struct { uint8_t size; uint8_t bytes[2]; } x;", "030000", "x at byte 0: 3 bytes, expected 0 to 2"],
    ["struct { uint8_t size; uint8_t bytes[2]; } x;", "010001", "x at byte 2: rest of the bytes is not zero"],
    ["int n; int16_t x[];", "ffffffff", "x at byte 0: -1 elements, expected 0 to 2147483647"],
    ["int n; int16_t x[];", "ffffff7f", "byte 4: 4 bytes, expected 4294967298"],
    ["uint8_t n; int16_t x[];", "0000 00", "byte 2: 3 bytes, expected 2"],
    ["uint8_t n; int16_t x[];", "0200 0000", "byte 4: 4 bytes, expected 6"],
    ["uint8_t n; int16_t x[];", "0101 0000", "byte 1: padding is not zero"],
    [
      "int64_t a; uint8_t n; uint8_t x[];",
      "0000000000000000 0105 000000000001",
      "x at byte 15: rest of the array is not zero",
    ],
    ["int8_t a[2];", "00", "byte 1: 1 byte, expected 2"],
    ["int8_t a[2];", "", "byte 0: 0 bytes, expected 2"],
    ["int8_t a[2];", "000000", "byte 2: 3 bytes, expected 2"],
    [
      "int8_t n; struct { bool b[2]; } x[];",
      "02 0000 0003",
      "x[1].b[1] at byte 4: a bool of 3, expected 0 or 1",
    ],
    ["char dummy_field;", "01", "byte 0: padding is not zero"],
  ])("%s refuses %s", (text, bytes, expected) => {
    const struct = members(text);
    expect(thrown(DecodeError, () => struct.verify(bytesOf(bytes)))).toBe(`c-struct at ${expected}`);
  });

  it.each([
    ["int n; int16_t x[];", "ffffffff"],
    ["uint8_t n; int16_t x[];", "0200 0000"],
    ["uint8_t x_count; int8_t x[2];", "030000"],
    ["struct { uint8_t size; uint8_t bytes[2]; } x;", "030000"],
    ["int8_t a[2];", "00"],
  ])("is not needed to keep unpack within its bytes: %s of %s", (text, bytes) => {
    expect(() => members(text).unpack(bytesOf(bytes))).toThrow(DecodeError);
  });

  it("accepts what pack gives, and nothing that differs in a bit from all that pack gives", () => {
    const random = seededRandom(SEED);
    const structs = parseHeader(randomHeader(random, 40)).structs.map((struct) => compileStruct(struct));
    let refused = 0;
    for (const struct of structs) {
      for (let i = 0; i < 10; i++) {
        const value = randomValue(struct.shape, random);
        const bytes = struct.pack(value);
        struct.verify(bytes);
        expect(struct.unpack(bytes)).toEqual(value);
        for (let j = 0; j < 10; j++) {
          const mutant = Buffer.from(bytes);
          const at = Math.floor(random() * mutant.length);
          mutant[at] = mutant[at]! ^ (1 << Math.floor(random() * 8));
          try {
            struct.verify(mutant);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
            refused += 1;
            continue;
          }
          // NaN has many forms and one value; every other accepted byte is one that pack would write.
          const again = struct.unpack(mutant);
          if (
            !JSON.stringify(again, (_, v) =>
              Number.isNaN(v) ? "NaN" : typeof v === "bigint" ? `${v}` : v,
            ).includes("NaN")
          ) {
            expect(hex(struct.pack(again))).toBe(mutant.toString("hex"));
          }
        }
      }
    }
    expect(refused).toBeGreaterThan(500);
  });
});
