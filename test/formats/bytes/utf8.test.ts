import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readShortText,
  readUtf8,
  SHORT_TEXT,
  UTF8_PER_UNIT,
  utf8Length,
  writeUtf8,
  writeUtf8Within,
} from "../../../src/formats/bytes/utf8.ts";
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

  it("of a few bytes is what TextDecoder takes, whichever they are", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const expectSame = (bytes: Uint8Array): void => {
      let expected: string | undefined;
      try {
        expected = decoder.decode(bytes);
      } catch {
        expected = undefined;
      }
      if (read(bytes) !== expected) expect(read(bytes), Buffer.from(bytes).toString("hex")).toBe(expected);
    };
    for (let i = 0; i < 2 ** 16; i++) expectSame(Uint8Array.of(i >> 8, i & 255));
    for (const first of [0xdf, 0xe0, 0xe4, 0xed, 0xef, 0xf0]) {
      for (let i = 0; i < 2 ** 16; i += 3) expectSame(Uint8Array.of(first, i >> 8, i & 255));
    }
    for (let count = 0; count < 9; count++) {
      for (const unit of ["é", "小", "ﬀ", "🙂"]) {
        for (const other of ["", "a", "é", "小", "\ufeff"]) {
          const bytes = Buffer.from(unit.repeat(count) + other);
          for (let cut = 0; cut < 4; cut++) expectSame(bytes.subarray(0, bytes.length - cut));
        }
      }
    }
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

it("text is written where it fits, and nothing is beyond its room", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  const property = fc.property(text, fc.integer({ min: -3, max: 3 }), (string, spare) => {
    const expected = Buffer.from(string);
    expect(utf8Length(string)).toBe(expected.length);
    const room = Math.max(0, expected.length + spare);
    const bytes = Buffer.alloc(room + 2, 0xa5);
    const written = writeUtf8Within(bytes, 1, room, string);
    if (!string.isWellFormed()) expect(written).toBe(-1);
    else {
      expect(written).toBe(expected.length);
      const fits = expected.length <= room;
      expect(bytes.subarray(1, 1 + expected.length).equals(expected) || !fits).toBe(true);
    }
    expect([bytes[0], bytes[room + 1]]).toEqual([0xa5, 0xa5]);
  });
  fc.assert(property, { seed: SEED, numRuns: runs(5000) });
});

describe("readShortText", () => {
  it("makes ASCII of every length, from any place", () => {
    const bytes = Buffer.from("\0!0123456789abcdefghijklmnop~\x7f");
    for (let start = 0; start < 4; start++) {
      for (let length = 0; length <= SHORT_TEXT; length++) {
        expect(readShortText(bytes, start, length)).toBe(bytes.toString("latin1", start, start + length));
      }
    }
  });

  it("makes nothing of other bytes, wherever they are", () => {
    for (let length = 1; length <= SHORT_TEXT; length++) {
      for (let at = 0; at < length; at++) {
        const bytes = Buffer.alloc(length, 97);
        bytes[at] = 0x80;
        expect(readShortText(bytes, 0, length)).toBeUndefined();
      }
    }
  });

  it("makes nothing of longer text", () => {
    expect(readShortText(Buffer.alloc(40, 97), 0, SHORT_TEXT + 1)).toBeUndefined();
  });
});
