/** What a message holds, in bytes. */
import { describe, expect, it } from "vitest";
import { byteSize, contentBytes } from "../../src/ipc/payload.ts";
import { UsageError } from "../../src/model/errors.ts";
import { field, list, optional, schemaOf, textMap } from "../../src/schema/declare.ts";

describe("a payload", () => {
  it.each([
    ["6.5MB", 6_500_000],
    ["26mb", 26_000_000],
    ["650 kB", 650_000],
    ["1000", 1000],
    ["1GB", 1_000_000_000],
    ["1MiB", 1_048_576],
    ["0.7kB", 700],
    ["1.1MB", 1_100_000],
  ])("%s is %i bytes", (text, bytes) => {
    expect(byteSize(text)).toBe(bytes);
  });

  it.each(["", "MB", "6,5MB", "6.5", "0.0001kB", "-1", "6.5TB", "0", "0.1", "1e6", "NaN", "9999999999GB"])(
    "%j is refused",
    (text) => {
      expect(() => byteSize(text)).toThrow(UsageError);
    },
  );
});

it("what a value holds is counted whatever the format", () => {
  const inner = {
    name: "t.Inner",
    fields: [field(1, "d", "double", optional), field(2, "f", "float", optional)],
  };
  const schema = schemaOf("t", [
    {
      name: "t.Root",
      fields: [
        field(1, "text", "string", optional),
        field(2, "bytes", "bytes", optional),
        field(3, "narrow", "int8", optional),
        field(4, "wide", "uint64", optional),
        field(5, "flag", "bool", optional),
        field(6, "inner", inner, list),
        field(7, "counts", "uint32", textMap),
        field(8, "absent", "double", optional),
      ],
    },
    inner,
  ]);
  const value = {
    text: "äb",
    bytes: new Uint8Array(5),
    narrow: 1,
    wide: 1,
    flag: true,
    inner: [{ d: 1, f: 1 }, { d: 1 }],
    counts: { ab: 1 },
  };
  expect(contentBytes(schema, value)).toBe(3 + 5 + 1 + 8 + 1 + (8 + 4) + 8 + (2 + 4));
});
