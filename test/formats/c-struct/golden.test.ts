import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compileStruct, layoutOf, parseHeader } from "../../../src/formats/c-struct/index.ts";
import { itWith } from "../../references.ts";
import { runC } from "./gcc.ts";

const FOLDER = path.join(import.meta.dirname, "../../vectors/c-struct");

/** What gcc made of the headers: see README.md beside it. */
const golden = JSON.parse(readFileSync(path.join(FOLDER, "sample.json"), "utf8")) as {
  layouts: Record<string, { size: number; align: number; offsets: Record<string, number> }>;
  bytes: Record<string, string>;
};

const structs = new Map(
  [path.join(FOLDER, "sample.h"), path.join(import.meta.dirname, "../../../schemas/tellist.h")].flatMap(
    (file) => [...parseHeader(readFileSync(file, "utf8"), file).names],
  ),
);

/** The values that sample.c writes, as plain data. */
const values: Record<string, Record<string, unknown>> = {
  scalars: {
    c: -1,
    ll: -5000000000,
    sc: -128,
    s: -300,
    uc: 255,
    i: 70000,
    b: true,
    d: -0.1,
    us: 65535,
    f: 1.5,
    u8: 7,
    z: Number.MAX_SAFE_INTEGER,
    e: -1,
  },
  nested: {
    first: 1,
    points: [
      { tag: 97, at: { x: -2, y: 3 } },
      { tag: 98, at: { x: 4, y: -5 } },
    ],
    grid: [0, 1, 2, 10, 11, 12],
    names: ["abc", "é"],
    last: 2 ** 52,
    raw: Uint8Array.of(1, 0, 255),
  },
  samples: {
    items: [{ scores: [] }, { id: 0, name: "seven!!", data: Uint8Array.of(0, 9), scores: [0.5, -1e300] }],
  },
  packet: { id: -1, payload: Uint8Array.of(1, 2, 3) },
  personal_info_list: {
    info: Array.from({ length: 37 }, (_, i) => ({
      id: i,
      age: 20 + i,
      gender: i % 3,
      phone_num: 13_800_000_000 + i,
      name: `name-${i}`,
    })),
  },
};

describe("what gcc made", () => {
  it.each(Object.keys(golden.layouts))("is the layout of %s", (name) => {
    const struct = structs.get(name)!;
    const { size, align, offsets } = layoutOf(struct);
    const named = Object.fromEntries(struct.members.map((member, i) => [member.name, offsets[i]]));
    expect({ size, align, offsets: named }).toEqual(golden.layouts[name]);
  });

  it.each(Object.keys(golden.bytes))("is what the value of %s is written to and read from", (name) => {
    const struct = compileStruct(structs.get(name)!, { int64: "number" });
    const bytes = struct.pack(values[name]);
    expect(Buffer.from(bytes).toString("hex")).toBe(golden.bytes[name]);
    struct.verify(bytes);
    expect(struct.unpack(bytes)).toEqual(values[name]);
  });

  itWith("gcc")("is what the gcc that is installed makes", () => {
    const printed = runC({ "main.c": `#include "${path.join(FOLDER, "sample.c")}"\n` });
    expect(JSON.parse(printed)).toEqual(golden);
  });

  it("is 1784 bytes for the address book, not the 304 that were published", () => {
    expect(golden.bytes["personal_info_list"]).toHaveLength(2 * 1784);
  });
});
