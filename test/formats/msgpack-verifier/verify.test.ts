import { describe, expect, it } from "vitest";
import { type MessagePackOptions, verifyMessagePack } from "../../../src/formats/msgpack-verifier/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import { vectorsOf } from "./vectors.ts";

function failure(hex: string, options?: MessagePackOptions): string {
  try {
    verifyMessagePack(Buffer.from(hex.replaceAll(" ", ""), "hex"), options);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    const { code, message } = error as DecodeError;
    return `${code}: ${message}`;
  }
  return "accepted";
}

const records = { records: true };

describe("verifyMessagePack", () => {
  it.each(vectorsOf("values"))("accepts $name", ({ hex }) => {
    expect(failure(hex)).toBe("accepted");
  });

  it.each(vectorsOf("values").filter(({ hex }) => hex.length < 2000))(
    "refuses $name when it is cut",
    ({ hex }) => {
      for (let length = 0; length < hex.length; length += 2) {
        expect(failure(hex.slice(0, length)), `${length / 2} bytes`).toMatch(/^truncated: /);
      }
    },
  );

  it.each(vectorsOf("refused"))("refuses $name", ({ hex, says }) => {
    expect(failure(hex)).toBe(says);
  });

  it("takes 100 levels of arrays and maps and not 101", () => {
    const nested = (levels: number): string => `${"91".repeat(levels - 1)}90`;
    expect(failure(nested(100))).toBe("accepted");
    expect(failure(nested(101))).toBe("limit: msgpack at byte 100: nested deeper than 100 levels");
    expect(failure(`81a161${nested(3)}`, { depth: 3 })).toBe(
      "limit: msgpack at byte 5: nested deeper than 3 levels",
    );
    expect(failure("91".repeat(200_000))).toMatch(/^limit: /);
  });

  it("counts values, not keys, up to its limit", () => {
    expect(failure("82a16101a16202", { items: 3 })).toBe("accepted");
    expect(failure("82a16101a16202", { items: 2 })).toBe("limit: msgpack at byte 6: more than 2 values");
    const zeros = `dd000f423f${"00".repeat(999_999)}`;
    expect(failure(zeros)).toBe("accepted");
    expect(failure(`dd000f4240${"00".repeat(1_000_000)}`)).toMatch(/^limit: /);
  });

  it.each([
    ["cf001fffffffffffff", "accepted"],
    [
      "cf0020000000000000",
      "unsupported: msgpack at byte 0: 9007199254740992 is beyond 2^53, expected a safe integer",
    ],
    [
      "cf0020000000000001",
      "unsupported: msgpack at byte 0: 9007199254740993 is beyond 2^53, expected a safe integer",
    ],
    ["d3ffe0000000000001", "accepted"],
    [
      "d3ffe0000000000000",
      "unsupported: msgpack at byte 0: -9007199254740992 is beyond 2^53, expected a safe integer",
    ],
    ["cb7fefffffffffffff", "accepted"],
  ])("with safe integers, %s is %s", (hex, expected) => {
    expect(failure(hex)).toBe("accepted");
    expect(failure(hex, { integers: "safe" })).toBe(expected);
  });

  it("takes __proto__ as a key for a reader that makes Maps", () => {
    const hex = "81a95f5f70726f746f5f5f01";
    expect(failure(hex, { refuseProto: false })).toBe("accepted");
  });

  it("refuses keys that are not among the ones expected", () => {
    const keys = new Set(["a", "é"]);
    expect(failure("82a16101a2c3a902", { keys })).toBe("accepted");
    expect(failure("81a16201", { keys })).toBe('corrupt: msgpack at byte 1: unknown key "b"');
    expect(failure(`81d940${"62".repeat(64)}01`, { keys })).toBe(
      `corrupt: msgpack at byte 1: unknown key "${"b".repeat(40)}…"`,
    );
  });

  it("refuses a byte order mark before long text where a reader would drop it", () => {
    const mark = "efbbbf";
    const says = "text starts with a byte order mark, which would be lost";
    const long = `d941${mark}${"61".repeat(62)}`;
    expect(failure(long)).toBe("accepted");
    expect(failure(long, { refuseMark: true })).toBe(`unsupported: msgpack at byte 2: ${says}`);
    expect(failure(`81${long}01`, { refuseMark: true })).toBe(`unsupported: msgpack at byte 3: ${says}`);
    expect(failure(`d940${mark}${"61".repeat(61)}`, { refuseMark: true })).toBe("accepted");
    expect(failure(`d941${"61".repeat(62)}${mark}`, { refuseMark: true })).toBe("accepted");
  });

  it.each([
    ["a record", "d47240 92a161a162 01 02", "accepted"],
    ["a record without fields", "d47240 90", "accepted"],
    ["a record again by its id", "92 d4724092a161a162 0102 40 0304", "accepted"],
    ["a record in a record", "d4724091a161 d4724191a162 01", "accepted"],
    ["a record that is defined anew", "93 d4724091a16101 d4724092a161a1620102 400304", "accepted"],
    ["a map among records", "81a161 d4724091a16101", "accepted"],
    ["small integers", "923fe0", "accepted"],
    ["array 16 as the keys", "d47240 dc0001a161 01", "accepted"],
    [
      "an id that is not defined",
      "92 d4724091a16101 4101",
      "corrupt: msgpack at byte 8: record 0x41 is not defined",
    ],
    ["an id inside of its own definition", "d4724091a161 4001", "accepted"],
    [
      "an id below 0x40",
      "d4723f91a16101",
      "corrupt: msgpack at byte 0: record id 0x3f, expected 0x40 to 0x7f",
    ],
    [
      "an id above 0x7f",
      "d4728091a16101",
      "corrupt: msgpack at byte 0: record id 0x80, expected 0x40 to 0x7f",
    ],
    [
      "a record whose id has two bytes",
      "d57240 0091a16101",
      "unsupported: msgpack at byte 0: extension of type 114 is not allowed",
    ],
    [
      "keys that are no array",
      "d47240a16101",
      "corrupt: msgpack at byte 3: expected an array of keys, got the byte 0xa1",
    ],
    [
      "a key that is no text",
      "d472409101 01",
      "unsupported: msgpack at byte 4: expected text as a key, got the byte 0x1",
    ],
    [
      "a key that stands twice",
      "d4724092a161a1610102",
      'corrupt: msgpack at byte 6: the key "a" stands twice',
    ],
    [
      "more keys than bytes",
      "d47240ddffffffffa161",
      "truncated: msgpack at byte 3: expected at least 4294967295 more bytes, got 2",
    ],
    [
      "a value that is missing",
      "d4724092a161a16201",
      "truncated: msgpack at byte 0: expected at least 2 more bytes, got 1",
    ],
    [
      "a value of a known record that is missing",
      "92 d4724091a16101 40",
      "truncated: msgpack at byte 8: expected at least 1 more bytes, got 0",
    ],
    [
      "__proto__",
      "d4724091a95f5f70726f746f5f5f01",
      'unsupported: msgpack at byte 4: "__proto__" cannot be read as a key',
    ],
  ])("with records: %s", (_, hex, expected) => {
    expect(failure(hex, { ...records, refuseProto: false })).toBe(expected);
  });

  it("expects the keys of records where there are records, and any in maps", () => {
    const options = { ...records, keys: new Set(["a"]) };
    expect(failure("d4724091a161 81a17a01", options)).toBe("accepted");
    expect(failure("d4724091a17a 01", options)).toBe('corrupt: msgpack at byte 4: unknown key "z"');
  });

  it("reads from the middle of a larger buffer", () => {
    const bytes = Buffer.from("ffcb3ff8000000000000ff", "hex");
    expect(() => verifyMessagePack(bytes.subarray(1, -1))).not.toThrow();
  });
});
