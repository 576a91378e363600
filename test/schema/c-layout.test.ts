import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import { type CMember, type CStruct, layoutOf, parseHeader } from "../../src/formats/c-struct/index.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import type { EnumType, Field, Schema } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { cStruct } from "../../src/schema/layout/c.ts";
import { field, list, message, optional, schemaOf } from "./c-schemas.ts";

/** A member as C would declare it, in short. */
function spelled(member: CMember): string {
  const { type, name, dimensions, flexible } = member;
  const types = {
    scalar: () => (type.kind === "scalar" ? type.scalar : ""),
    enum: () => (type.kind === "enum" ? `${type.enum.name}:${type.bits}` : ""),
    struct: () => (type.kind === "struct" ? `{${type.struct.members.map(spelled).join(" ")}}` : ""),
  };
  return `${types[type.kind]()} ${name}${flexible ? "[]" : ""}${dimensions.map((bound) => `[${bound}]`).join("")};`;
}

function members(fields: Field[], values: Value[] = [], others: Record<string, Field[]> = {}): string {
  const schema = schemaOf({ Root: fields, ...others });
  return cStruct({ schema, values }).members.map(spelled).join(" ");
}

function sizes(struct: CStruct): [string, number, number[]][] {
  const inner = struct.members.flatMap(({ type }) => (type.kind === "struct" ? sizes(type.struct) : []));
  const { size, offsets } = layoutOf(struct);
  return [[struct.name, size, [...offsets]], ...inner];
}

describe("the derived struct", () => {
  it("of the address book is laid out as the published header", () => {
    const file = path.join(import.meta.dirname, "../../schemas/tellist.h");
    const published = parseHeader(readFileSync(file, "utf8")).names.get("personal_info_list")!;
    const derived = cStruct({ schema: tellist.schema, values: [tellist.make(37, 0)] });
    expect(sizes(derived)).toEqual(sizes(published));
    expect(sizes(derived)).toEqual([
      ["personal_info_list", 8, [0, 8]],
      ["personal_info", 48, [0, 4, 5, 8, 16]],
    ]);
  });

  it.each([
    [
      "numbers as declared",
      [field("a", "uint8"), field("b", "double"), field("c", "bool")],
      "uint8 a; double b; bool c;",
    ],
    [
      "plain integers for protobuf's other encodings",
      [
        field("a", "sint32"),
        field("b", "fixed64"),
        field("c", "sfixed32"),
        field("d", "sint64"),
        field("e", "fixed32"),
      ],
      "int32 a; uint64 b; int32 c; int64 d; uint32 e;",
    ],
    [
      "strings after numbers, then bytes, lists, and structs",
      [
        field("s", message("Other")),
        field("l", "int32", { repetition: { kind: "list", packed: false, length: 2 } }),
        field("b", "bytes", { capacity: 4 }),
        field("t", "string", { capacity: 8 }),
        field("n", "int8"),
      ],
      "int8 n; char t[8]; {uint32 size; uint8 bytes[4];} b; int32 l[2]; {int8 x;} s;",
    ],
    [
      "a count before a flexible array, which is last",
      [field("l", "int32", list), field("s", message("Other")), field("n", "int8")],
      "int8 n; {int8 x;} s; uint32 l_count; int32 l[];",
    ],
    [
      "flags where they cost no padding",
      [field("a", "int32", optional), field("b", "int8", optional), field("c", "int64")],
      "int32 a; bool has_a; bool has_b; int8 b; int64 c;",
    ],
    [
      "flags in the padding before a long",
      [field("a", "int64"), field("b", "int32"), field("c", "int64", optional)],
      "int64 a; bool has_c; int32 b; int64 c;",
    ],
    [
      "flags of strings, bytes and structs too",
      [field("t", "string", { capacity: 3, ...optional }), field("s", message("Other"), optional)],
      "bool has_t; bool has_s; char t[3]; {int8 x;} s;",
    ],
    [
      "a fixed list without a count, but for bytes",
      [
        field("a", "int16", { repetition: { kind: "list", packed: false, length: 2 } }),
        field("b", "uint8", { repetition: { kind: "list", packed: false, length: 2 } }),
      ],
      "int16 a[2]; uint32 b_count; uint8 b[2];",
    ],
    ["a dummy where a message is empty", [], "char dummy_field;"],
  ])("has %s", (_, fields, expected) => {
    expect(members(fields, [], { Other: [field("x", "int8")] })).toBe(expected);
  });

  it("has an enum in one byte or four, as its type says", () => {
    const type = (name: string, bits: 8 | 32): EnumType => ({
      name,
      values: [{ name: `${name}_0`, number: 0 }],
      bits,
      closed: true,
    });
    const fields = [field("a", { kind: "enum", name: "A" }), field("b", { kind: "enum", name: "B" })];
    const struct = cStruct({ schema: schemaOf({ Root: fields }, [type("A", 8), type("B", 32)]), values: [] });
    expect(struct.members.map(spelled).join(" ")).toBe("A:8 a; B:32 b;");
    expect(layoutOf(struct).size).toBe(8);
  });
});

describe("bounds", () => {
  const text = (bytes: number): Value => ({ x: "a".repeat(bytes) });

  it.each([
    [0, 8],
    [7, 8],
    [8, 16],
    [31, 32],
    [32, 40],
  ])("a longest string of %d bytes takes %d", (bytes, expected) => {
    expect(members([field("x", "string")], [text(0), text(bytes)])).toBe(`char x[${expected}];`);
  });

  it("count bytes of UTF-8", () => {
    expect(members([field("x", "string")], [{ x: "éééé" }])).toBe("char x[16];");
  });

  it.each([
    [0, 4],
    [4, 4],
    [5, 8],
  ])("the longest bytes of %d take %d", (bytes, expected) => {
    expect(members([field("x", "bytes")], [{ x: new Uint8Array(bytes) }])).toBe(
      `{uint32 size; uint8 bytes[${expected}];} x;`,
    );
  });

  it("come from the whole of the data, over every message of a type", () => {
    const fields = [field("a", message("In")), field("b", message("In"))];
    const values = [
      { a: { t: "", l: [1, 2, 3] }, b: { t: "x".repeat(20), l: [] } },
      { a: { t: "", l: [] }, b: { t: "", l: [1] } },
    ];
    const inner = "{char t[24]; uint32 l_count; int32 l[3];}";
    expect(members(fields, values, { In: [field("t", "string"), field("l", "int32", list)] })).toBe(
      `${inner} a; ${inner} b;`,
    );
  });

  it("give a list that is always empty room for one", () => {
    const values = [{ a: [], b: [1] }];
    expect(members([field("a", "int8", list), field("b", "int8", list)], values)).toBe(
      "uint32 a_count; int8 a[1]; uint32 b_count; int8 b[];",
    );
  });

  it("give way to a capacity of the schema", () => {
    const fields = [field("x", "string", { capacity: 5 }), field("y", "bytes", { capacity: 3 })];
    expect(members(fields, [{ x: "a", y: new Uint8Array(1) }])).toBe(
      "char x[5]; {uint32 size; uint8 bytes[3];} y;",
    );
  });

  it("leave the largest list of the root flexible, by the bytes of its elements", () => {
    const fields = [field("a", "int8", list), field("b", "double", list), field("c", "int16", list)];
    const values = [{ a: [1, 2, 3, 4, 5, 6, 7, 8], b: [1, 2], c: [1] }];
    expect(members(fields, values)).toBe(
      "uint32 a_count; int8 a[8]; uint32 c_count; int16 c[1]; uint32 b_count; double b[];",
    );
  });

  it("make a map a list of entries", () => {
    const fields = [
      field("m", "string", { repetition: { kind: "map", key: "string" } }),
      field("n", "int8", { repetition: { kind: "map", key: "int64" } }),
    ];
    expect(members(fields, [{ m: { abc: "x".repeat(9) }, n: { 5: 1 } }])).toBe(
      "uint32 n_count; {int64 key; int8 value;} n[1]; uint32 m_count; {char key[8]; char value[16];} m[];",
    );
  });
});

describe("what C cannot hold", () => {
  const refusal = (schema: Schema, values: Value[] = []): string => {
    try {
      cStruct({ schema, values });
    } catch (error) {
      expect(error).toBeInstanceOf(UnsupportedError);
      return (error as Error).message;
    }
    return "none";
  };

  it.each([
    [
      "a message in itself",
      schemaOf({ A: [field("a", message("A"), optional)] }),
      "A: contains itself, which a C struct cannot",
    ],
    [
      "a message in a list of itself",
      schemaOf({ A: [field("b", message("B"))], B: [field("a", message("A"), list)] }),
      "A: contains itself, which a C struct cannot",
    ],
    [
      "a string without a bound",
      schemaOf({ A: [field("a", "string")] }),
      "A.a: nothing bounds it, expected values to take a bound from, or a C header",
    ],
    [
      "a list in a list without a bound",
      schemaOf({ A: [field("b", message("B"), list)], B: [field("a", "int8", list)] }),
      "B.a: nothing bounds it, expected values to take a bound from, or a C header",
    ],
    [
      "a second list without a bound",
      schemaOf({ A: [field("a", "int8", list), field("b", "int8", list)] }),
      "A.b: nothing bounds it, expected values to take a bound from, or a C header",
    ],
    [
      "a struct beyond 64 MiB",
      schemaOf({ A: [field("a", "string", { capacity: 67_108_865 })] }),
      "A: 67108865 bytes as a C struct, expected at most 67108864",
    ],
    [
      "deep nesting",
      schemaOf(
        Object.fromEntries(
          Array.from({ length: 120 }, (_, i) => [
            `M${i}`,
            [field("a", i < 119 ? message(`M${i + 1}`) : "int8")],
          ]),
        ),
      ),
      "M100: nested deeper than 100 messages",
    ],
  ])("%s", (_, schema, expected) => {
    expect(refusal(schema)).toBe(expected);
  });

  it("a NUL in a string, with its place", () => {
    const schema = schemaOf({ A: [field("a", message("B"), list)], B: [field("t", "string")] });
    expect(refusal(schema, [{ a: [{ t: "x" }, { t: "x\0" }] }])).toBe(
      "a[1].t: a NUL inside a string, which ends it in C",
    );
    const map = schemaOf({ A: [field("m", "int8", { repetition: { kind: "map", key: "string" } })] });
    expect(refusal(map, [{ m: { "\0": 1 } }])).toBe(
      'm["\\u0000"]: a NUL inside a string, which ends it in C',
    );
  });

  it("a message of the data beyond 2 GiB", () => {
    const schema = schemaOf({
      A: [field("l", message("B"), list)],
      B: [field("t", "string", { capacity: 60_000_000 })],
    });
    const l = Array.from({ length: 36 }, () => ({ t: "" }));
    expect(refusal(schema, [{ l }])).toBe(
      "A: 2160000004 bytes for the largest value, expected at most 2147483647",
    );
  });

  it("are none where the schema bounds everything", () => {
    expect(refusal(tellist.schema)).toBe("none");
  });
});
