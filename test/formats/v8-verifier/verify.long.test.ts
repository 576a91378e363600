import { readFileSync } from "node:fs";
import path from "node:path";
import { deserialize, serialize } from "node:v8";
import { describe, expect, it } from "vitest";
import { type V8Options, verifyV8 } from "../../../src/formats/v8-verifier/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import { firstDifference } from "../../../src/model/value.ts";
import { expectSafe } from "../../hostile.ts";
import { mutants, SEED } from "../../seed.ts";

const folder = path.join(import.meta.dirname, "../../vectors/v8");
const { values } = (await import(path.join(folder, "values.js"))) as { values: Record<string, unknown> };

function vectorsOf(release: number): [name: string, hex: string][] {
  const file = JSON.parse(readFileSync(path.join(folder, `node-${release}.json`), "utf8")) as {
    vectors: Record<string, string>;
  };
  return Object.entries(file.vectors);
}

/** What is said about a value in hex, which is put after the header. */
function failure(hex: string, options?: V8Options): string {
  return failureOf(Buffer.from(`ff0f${hex.replaceAll(" ", "")}`, "hex"), options);
}

function failureOf(bytes: Uint8Array, options?: V8Options): string {
  try {
    verifyV8(bytes, options);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    const { code, message } = error as DecodeError;
    return `${code}: ${message}`;
  }
  return "accepted";
}

describe("verifyV8", () => {
  describe.each([20, 22, 24])("on what Node.js %i writes", (release) => {
    it.each(vectorsOf(release))("accepts %s", (name, hex) => {
      const bytes = Buffer.from(hex, "hex");
      expect(failureOf(bytes)).toBe("accepted");
      expect(firstDifference(values[name], deserialize(bytes))).toBeUndefined();
    });

    it.each(vectorsOf(release))("refuses every part of %s", (_, hex) => {
      const bytes = Buffer.from(hex, "hex");
      for (let length = 0; length < bytes.length; length++) {
        expect(failureOf(bytes.subarray(0, length)), `${length} bytes`).toMatch(/^(truncated|corrupt): /);
      }
    });
  });

  it.each(Object.entries(values))("accepts %s, as this Node.js writes it", (_, value) => {
    expect(failureOf(serialize(value))).toBe("accepted");
  });

  it.each<[string, unknown, string]>([
    ["undefined", undefined, "undefined"],
    ["a list with a hole", Object.assign([1], { 2: 2 }), "expected element 1 of a list of 3"],
    ["a Date", new Date(0), "a Date"],
    ["a RegExp", /a/, "a RegExp"],
    ["a Map", new Map(), "a Map"],
    ["a Set", new Set(), "a Set"],
    ["an Error", new Error("a"), "an Error"],
    ["a Number object", Object(1), "a Number object"],
    ["a String object", Object("a"), "a String object"],
    ["a Boolean object", Object(true), "a Boolean object"],
    ["a BigInt object", Object(1n), "a BigInt object"],
    ["an ArrayBuffer", new ArrayBuffer(1), "an ArrayBuffer"],
    ["a Float64Array", new Float64Array(1), "a host object of type 8"],
    ["a DataView", new DataView(new ArrayBuffer(1)), "a host object of type 9"],
    ["a bigint of 65 bits", 2n ** 64n, "a bigint of 16 bytes"],
    ["a list with a property", Object.assign([1], { a: 1 }), "expected the end tag 0x24"],
  ])("refuses %s by name", (_, value, name) => {
    expect(failureOf(serialize({ value }))).toContain(`: ${name}`);
  });

  it("refuses an object that contains itself", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = [cycle];
    expect(failureOf(serialize(cycle))).toBe("corrupt: v8 at byte 11: object 0 contains itself");
  });

  it.each([
    ["text after the end", "54 00", "corrupt: v8 at byte 3: expected the end, got 1 more bytes"],
    ["an unknown tag", "2a", "unsupported: v8 at byte 2: the unknown tag 0x2a is not allowed"],
    [
      "a list of 4,294,967,295 without elements",
      "61 ffffffff0f 40 00 ffffffff0f",
      "truncated: v8 at byte 3: expected 4294967295 elements, got 7 bytes",
    ],
    [
      "a list of more elements than bytes",
      "41 05 54",
      "truncated: v8 at byte 3: expected 5 elements, got 1 byte",
    ],
    [
      "a list with other elements than it says",
      "41 01 54 24 00 02",
      "corrupt: v8 at byte 7: count of elements is 2, expected 1",
    ],
    [
      "a list with properties at its end",
      "41 01 54 24 01 01",
      "corrupt: v8 at byte 6: count of properties is 1, expected 0",
    ],
    [
      "elements out of order",
      "61 02 4902 54 4900 54 40 02 02",
      "unsupported: v8 at byte 4: expected element 0 of a list of 2",
    ],
    [
      "an object with other keys than it says",
      "6f 220161 54 7b 02",
      "corrupt: v8 at byte 8: count of keys is 2, expected 1",
    ],
    ["an object without its end", "6f 220161 54", "truncated: v8 at byte 7: expected 1 more bytes, got 0"],
    [
      "a key that stands twice",
      "6f 220161 54 220161 54 7b 02",
      'corrupt: v8 at byte 7: the key "a" stands twice',
    ],
    [
      "a key that stands twice in two forms",
      "6f 220135 54 490a 54 7b 02",
      'corrupt: v8 at byte 7: the key "5" stands twice',
    ],
    [
      "a key that is true",
      "6f 54 54 7b 01",
      "corrupt: v8 at byte 3: expected text or an index as a key, got tag 0x54",
    ],
    [
      "a key of -1",
      "6f 4901 54 7b 01",
      "corrupt: v8 at byte 3: -1 is no index, as a number that is a key must be",
    ],
    [
      "a key of 0.5",
      "6f 4e000000000000e03f 54 7b 01",
      "corrupt: v8 at byte 3: 0.5 is no index, as a number that is a key must be",
    ],
    [
      "a key of 2^32 - 1",
      "6f 4e0000e0ffffffef41 54 7b 01",
      "corrupt: v8 at byte 3: 4294967295 is no index, as a number that is a key must be",
    ],
    [
      "text of half a unit",
      "00 63 03 616161",
      "corrupt: v8 at byte 4: 3 bytes at offset 5 are no text of two-byte units",
    ],
    ["two-byte text at an odd offset", "63 02 6100 ", "accepted"],
    ["two-byte text at an odd offset in a list", "41 01 63 02 6100 24 00 01", "accepted"],
    [
      "two-byte text that lacks its padding",
      "41 02 54 63 02 6100 24 00 02",
      "corrupt: v8 at byte 6: 2 bytes at offset 7 are no text of two-byte units",
    ],
    ["padding before other tags", "00 54", "corrupt: v8 at byte 2: padding before what needs none"],
    ["padding twice", "00 00 63 02 6100", "corrupt: v8 at byte 2: padding before what needs none"],
    ["UTF-8", "53 02 c3a9", "accepted"],
    ["UTF-8 that is none", "53 01 ff", "corrupt: v8 at byte 3: text is not valid UTF-8"],
    ["text beyond the end", "22 05 61", "truncated: v8 at byte 4: expected 5 more bytes, got 1"],
    ["bytes beyond the end", "5c 01 05 61", "truncated: v8 at byte 5: expected 5 more bytes, got 1"],
    [
      "a host object of an unknown type",
      "5c 63 00",
      "unsupported: v8 at byte 3: a host object of type 99 is not allowed",
    ],
    ["a bigint beyond the end", "5a 10 00", "truncated: v8 at byte 4: expected 8 more bytes, got 1"],
    ["a bigint of -0", "5a 01", "corrupt: v8 at byte 3: a bigint of -0"],
    ["a bigint of -0, its length in two bytes", "5a 8100", "corrupt: v8 at byte 3: a bigint of -0"],
    ["a length of 36 bits", "22 ffffffffff01", "corrupt: v8 at byte 3: integer has more than 32 bits"],
    ["a length of 33 bits", "22 ffffffff1f", "corrupt: v8 at byte 3: integer has more than 32 bits"],
    [
      "a reference to nothing",
      "41 01 5e 05 24 00 01",
      "corrupt: v8 at byte 4: reference to object 5, which is not there yet",
    ],
    [
      "an unsigned integer",
      "55 01",
      "unsupported: v8 at byte 2: an unsigned integer of 32 bits is not allowed",
    ],
  ])("says what is wrong with %s", (_, hex, expected) => {
    expect(failure(hex)).toBe(expected);
  });

  it.each([
    ["", "truncated: v8 at byte 0: expected 1 more bytes, got 0"],
    ["54", "corrupt: v8 at byte 0: expected the version tag 0xff"],
    ["ff0e54", "unsupported: v8 at byte 1: version 14, expected 15"],
    ["ff1054", "unsupported: v8 at byte 1: version 16, expected 15"],
    ["ff0f", "truncated: v8 at byte 2: expected 1 more bytes, got 0"],
  ])("wants a header of version 15: %s", (hex, expected) => {
    expect(failureOf(Buffer.from(hex, "hex"))).toBe(expected);
  });

  it("takes 100 levels of objects and lists and not 101", () => {
    const nested = (levels: number): unknown => (levels === 1 ? [] : [nested(levels - 1)]);
    expect(failureOf(serialize(nested(100)))).toBe("accepted");
    expect(failureOf(serialize(nested(101)))).toMatch(/^limit: .*nested deeper than 100 levels$/);
    expect(failureOf(serialize({ a: [1] }), { depth: 1 })).toMatch(/^limit: /);
  });

  it("counts the levels that a reference adds", () => {
    const inner = [[[]]];
    const value = { a: inner, b: [inner] };
    expect(failureOf(serialize(value), { depth: 5 })).toBe("accepted");
    expect(failureOf(serialize(value), { depth: 4 })).toMatch(/^limit: /);
  });

  it("counts what a reference stands for each time", () => {
    const three = [1, 2];
    const value = [three, three, three];
    expect(failureOf(serialize(value), { items: 10 })).toBe("accepted");
    expect(failureOf(serialize(value), { items: 9 })).toBe("limit: v8 at byte 15: more than 9 values");
    let doubled: unknown = [1];
    for (let i = 0; i < 40; i++) doubled = [doubled, doubled];
    expect(failureOf(serialize(doubled))).toMatch(/^limit: v8 at byte \d+: more than 1000000 values$/);
  });

  it("refuses keys that are not among the ones expected", () => {
    const keys = new Set(["a"]);
    expect(failureOf(serialize({ a: { a: 1 } }), { keys })).toBe("accepted");
    expect(failureOf(serialize({ a: { 1000: 1 } }), { keys })).toContain('unknown key "1000"');
  });

  it("lets nothing pass that v8.deserialize throws on", () => {
    const vectors = [20, 22, 24]
      .flatMap((release) => vectorsOf(release))
      .map(([, hex]) => Buffer.from(hex, "hex"));
    const verdicts = expectSafe(
      {
        decode: (bytes) => {
          verifyV8(bytes);
          return deserialize(bytes) as unknown;
        },
        vectors,
      },
      { mutants: mutants(500_000), seed: SEED },
    );
    expect(verdicts.accepted).toBeGreaterThan(mutants(500_000) / 100);
  });

  it("reads from the middle of a larger buffer", () => {
    const bytes = Buffer.concat([Buffer.from([1]), serialize({ 日: "日" }), Buffer.from([1])]);
    expect(failureOf(bytes.subarray(1, -1))).toBe("accepted");
  });
});
