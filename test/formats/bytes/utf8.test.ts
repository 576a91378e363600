import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readUtf8, UTF8_PER_UNIT, writeUtf8 } from "../../../src/formats/bytes/utf8.ts";
import { runs, SEED } from "../../seed.ts";

function written(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(2 + UTF8_PER_UNIT * text.length);
  const length = writeUtf8(bytes, 2, text);
  return length < 0 ? undefined : bytes.subarray(2, 2 + length);
}

const read = (bytes: Uint8Array): string | undefined => readUtf8(bytes, 0, bytes.length);

describe("UTF-8", () => {
  it("is what TextEncoder writes, and is read back", () => {
    const text = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: "grapheme", maxLength: 60 }));
    const property = fc.property(text, (string) => {
      const bytes = written(string);
      expect(bytes).toEqual(new TextEncoder().encode(string));
      expect(read(bytes ?? new Uint8Array())).toBe(string);
    });
    fc.assert(property, { seed: SEED, numRuns: runs(2000) });
  });

  it("refuses exactly the bytes that TextDecoder refuses", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const parts = fc.array(
      fc.constantFrom(
        "61",
        "c3a9",
        "e282ac",
        "f09f9880",
        "efbfbd",
        "efbbbf",
        "c0af",
        "eda080",
        "ff",
        "80",
        "f4908080",
      ),
      { maxLength: 20 },
    );
    const property = fc.property(parts, fc.nat(3), (hex, cut) => {
      const whole = Buffer.from(hex.join(""), "hex");
      const bytes = whole.subarray(0, Math.max(0, whole.length - cut));
      let expected: string | undefined;
      try {
        expected = decoder.decode(bytes);
      } catch {
        expected = undefined;
      }
      expect(read(bytes)).toBe(expected);
    });
    fc.assert(property, { seed: SEED, numRuns: runs(2000) });
  });

  it.each(["\ud800", "a\udc00b", `${"x".repeat(40)}\ud83d`])(
    "does not write a lone surrogate: %j",
    (text) => {
      expect(written(text)).toBeUndefined();
    },
  );
});
