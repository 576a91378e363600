import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Length, writeUtf8Within } from "../../../src/formats/bytes/utf8.ts";
import { runs, SEED } from "../../seed.ts";

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
