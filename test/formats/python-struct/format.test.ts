import { describe, expect, it } from "vitest";
import { calcsize, compileFormat, pack } from "../../../src/formats/python-struct/index.ts";
import { SchemaError, UsageError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { cases, runs, SEED } from "../../seed.ts";
import { anyFormat } from "./random.ts";

describe("a format", () => {
  it.each([
    ["", 0, 0],
    [">ih", 6, 2],
    [">ii1108s", 1116, 3],
    ["@bq", 16, 2],
    ["=bq", 9, 2],
    ["@b0q", 8, 1],
    ["@qb", 9, 2],
    ["@l", 8, 1],
    ["<l", 4, 1],
    ["@c3xP", 16, 2],
    ["3x2b", 5, 2],
    ["0s", 0, 1],
    ["10s2p", 12, 2],
    ["2 h", 0, undefined],
    ["i \t\n\v\f\r i", 8, 2],
  ])("%j has %i bytes and %s values", (format, size, count) => {
    if (count === undefined) {
      expect(() => calcsize(format)).toThrow(SchemaError);
      return;
    }
    expect(calcsize(format)).toBe(size);
    expect(compileFormat(format)).toMatchObject({ format, size, count });
  });

  it.each([
    [">iz", '">iz":3: expected a format character, got "z"'],
    [">i12", '">i12":3: a count without a format character'],
    ["<P", '"<P":2: expected a format character, got "P", which only native mode has'],
    ["i\0", '"i\\u0000":2: expected a format character, got "\\u0000"'],
    ["toString", '"toString":1: expected a format character, got "t"'],
    ["9007199254740992x", '"9007199254740992x":1: the struct is too large'],
    [`${"1".repeat(400)}x`, `"${"1".repeat(40)}…":1: the struct is too large`],
  ])("%j is refused", (format, message) => {
    const error = expect.objectContaining({ name: "SchemaError", message });
    expect(() => compileFormat(format)).toThrow(error);
    expect(() => calcsize(format)).toThrow(error);
  });

  it("may have a size of 2^53 - 1", () => {
    expect(calcsize("9007199254740991x")).toBe(2 ** 53 - 1);
  });

  it.each([
    ["67108864x", {}, '"67108865x": expected at most 67108864 bytes, got 67108865'],
    ["1000000?", {}, '"1000001?": expected at most 1000000 values, got 1000001'],
    ["8x", { maxBytes: 8 }, '"9x": expected at most 8 bytes, got 9'],
    ["8b", { maxValues: 8 }, '"9b": expected at most 8 values, got 9'],
    ["1b2hb", { maxRuns: 3 }, '"1bi2hb": expected at most 3 runs of one character, got 4'],
  ])("%s is the most that options %j allow", (format, options, message) => {
    expect(() => compileFormat(format, options)).not.toThrow();
    const more = message.slice(1, message.indexOf('":'));
    expect(() => compileFormat(more, options)).toThrow(message);
  });

  it("may have 10,000 runs of one character", () => {
    const values = Array.from({ length: 10_000 }, (_, i) => i % 100);
    const struct = compileFormat(`<${"bh".repeat(5000)}`);
    expect(struct.unpack(struct.packArray(values))).toEqual(values);
    expect(() => compileFormat(`<${"bh".repeat(5000)}b`)).toThrow(
      "expected at most 10000 runs of one character, got 10001",
    );
  });

  it("is a SchemaError or none, whatever the text is", () => {
    const random = seededRandom(SEED);
    let refused = 0;
    for (let i = 0; i < runs(10_000); i++) {
      try {
        calcsize(anyFormat(random));
      } catch (error) {
        expect(error).toBeInstanceOf(SchemaError);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(cases(1000));
  });

  it.each([null, undefined, 5, Buffer.from("b")])("that is no text is refused: %s", (format) => {
    const wrong = format as unknown as string;
    expect(() => pack(wrong, 1)).toThrow(SchemaError);
    expect(() => calcsize(wrong)).toThrow("format: expected text, got");
  });

  it("is not compiled with options that make no sense", () => {
    expect(() => compileFormat("b", { maxBytes: Number.NaN })).toThrow("expected at most NaN bytes, got 1");
    expect(() => compileFormat("q", { int64: "x" as "number" })).toThrow(UsageError);
  });
});
