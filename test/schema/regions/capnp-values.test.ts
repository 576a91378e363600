/** What a data section holds is the value, combined with the bits of its default. */
import { describe, expect, it } from "vitest";
import { type DataType, storedValue } from "../../../src/schema/regions/capnp-values.ts";

const stored = (hex: string, name: string, zero?: number | bigint, isThere = true) => {
  const bytes = Buffer.from(hex, "hex");
  const type = { kind: "data", name, bits: 8 * bytes.length } as unknown as DataType;
  return storedValue(
    new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    isThere ? 0 : undefined,
    zero,
    type,
  );
};

describe("a stored value", () => {
  it("is a float although what is stored is a signalling NaN", () => {
    // `echo '(w = 1)' | capnp encode f.capnp R`, of `struct R { w @0 :Float32 = 2.5; }`.
    expect(stored("0000a07f", "Float32", 2.5)).toBe(1);
    expect(stored("000000000000f47f", "Float64", 2.5)).toBe(1);
  });

  it("is an integer of any size", () => {
    expect(stored("02000000", "UInt32", 7)).toBe(5);
    expect(stored("f8ffffff", "Int32", 7)).toBe(-1);
    expect(stored("fa", "UInt8", 255)).toBe(5);
    expect(stored("faffffffffffffff", "UInt64", 2n ** 64n - 1n)).toBe(5n);
    expect(stored("0500", "UInt16")).toBe(5);
  });

  it("is the default where the message ends before it", () => {
    expect(stored("00000000", "UInt32", 7, false)).toBe(7);
  });
});
