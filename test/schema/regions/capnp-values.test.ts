/** What a data section holds is the value, combined with the bits of its default. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readCapnp } from "../../../src/schema/read/capnp.ts";
import { capnpRegions } from "../../../src/schema/regions/capnp.ts";
import { type DataType, storedValue } from "../../../src/schema/regions/capnp-values.ts";
import { datasetOf } from "../../codecs/dataset.ts";
import { expectTiles } from "./tiling.ts";

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

describe("words of a group of a union that is not there", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-regions-capnp-"));
  const file = path.join(folder, "a.capnp");
  writeFileSync(
    file,
    `@0xbf5147cbbecf40c1;
    struct M { union {
      g :group { x @0 :UInt64; y @1 :UInt64; z @2 :UInt64; s @4 :Text; t @5 :Text; }
      b @3 :Bool;
    } }`,
  );
  const dataset = datasetOf(readCapnp(file), []);
  rmSync(folder, { recursive: true });
  // `echo '(b = true)' | capnp encode a.capnp M`.
  const head = "00000000070000000000000004000200";
  const rolesOf = (hex: string) => {
    const bytes = Buffer.from(hex, "hex");
    const anatomy = capnpRegions(bytes, dataset);
    expectTiles(bytes, anatomy);
    return [...anatomy.regions].map(({ role, length }) => `${role} ${length}`);
  };

  it("are padding, however many they are, where they are zero", () => {
    const words = `01${"00".repeat(23)}0100${"00".repeat(22)}`;
    expect(rolesOf(head + words)).toEqual([
      ...["header 4", "header 4", "offset 8", "payload 1", "padding 23", "tag 2", "padding 22"],
    ]);
  });

  it("are unknown where they are not, as is what no struct has", () => {
    const words = `01${"00".repeat(22)}070100${"00".repeat(22)}`;
    expect(rolesOf(head + words)).toContain("unknown 23");
    const longer = `01${"00".repeat(23)}0100${"00".repeat(22 + 8)}`;
    expect(rolesOf(head.replace("07", "08") + longer)).toContain("unknown 30");
  });
});
