import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import type { EnumType, Field, FieldType, MessageType, Repetition, Schema } from "../../src/model/schema.ts";
import { emitCapnp } from "../../src/schema/emit/capnp.ts";
import { type CapnpLayout, capnpLayout, slotsOf } from "../../src/schema/layout/capnp.ts";
import { Sections } from "../../src/schema/layout/capnp-places.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { schemas } from "../arbitrary-schema.ts";
import { itWithRealData, realData } from "../real-data.ts";
import { itWith } from "../references.ts";
import { SEED } from "../seed.ts";

const scalar = (name: Extract<FieldType, { kind: "scalar" }>["scalar"]): FieldType => ({
  kind: "scalar",
  scalar: name,
});
const one = (presence: "required" | "always" | "optional" | "implicit"): Repetition => ({
  kind: "one",
  presence,
});
const list: Repetition = { kind: "list", packed: false };

function field(name: string, type: FieldType, repetition: Repetition = one("implicit")): Field {
  return { name, number: 1, type, repetition };
}

function enumType(name: string, numbers: readonly number[]): EnumType {
  return {
    name,
    values: numbers.map((number, i) => ({ name: `VALUE_${i}`, number })),
    bits: 32,
    closed: true,
  };
}

function schema(messages: readonly MessageType[], enums: readonly EnumType[] = [], packageName = ""): Schema {
  return {
    package: packageName,
    root: messages[0]!.name,
    messages: new Map(messages.map((message) => [message.name, message])),
    enums: new Map(enums.map((type) => [type.name, type])),
  };
}

/** The fields of the root as they are printed. */
function printed(
  fields: readonly Field[],
  others: readonly MessageType[] = [],
  enums: readonly EnumType[] = [],
): string[] {
  const text = emitCapnp(schema([{ name: "Root", fields }, ...others], enums));
  const [, body = ""] = /struct Root @0x\w+ \{\n([^}]*)\}/.exec(text) ?? [];
  return body
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

const INNER: MessageType = { name: "inner_type", fields: [] };

describe("emitCapnp", () => {
  it.each<[string, Field, string[]]>([
    ["bool", field("x", scalar("bool")), ["x @0 :Bool;"]],
    ["int8", field("x", scalar("int8")), ["x @0 :Int8;"]],
    ["uint8", field("x", scalar("uint8")), ["x @0 :UInt8;"]],
    ["int16", field("x", scalar("int16")), ["x @0 :Int16;"]],
    ["uint16", field("x", scalar("uint16")), ["x @0 :UInt16;"]],
    ["sint32", field("x", scalar("sint32")), ["x @0 :Int32;"]],
    ["fixed32", field("x", scalar("fixed32")), ["x @0 :UInt32;"]],
    ["sfixed64", field("x", scalar("sfixed64")), ["x @0 :Int64;"]],
    ["uint64", field("x", scalar("uint64")), ["x @0 :UInt64;"]],
    ["float", field("x", scalar("float")), ["x @0 :Float32;"]],
    ["double", field("x", scalar("double")), ["x @0 :Float64;"]],
    ["string", field("x", scalar("string")), ["x @0 :Text;"]],
    ["bytes", field("x", scalar("bytes")), ["x @0 :Data;"]],
    ["a message", field("x", { kind: "message", name: "inner_type" }, one("optional")), ["x @0 :InnerType;"]],
    ["a list", field("x", scalar("uint32"), list), ["x @0 :List(UInt32);"]],
    [
      "a list of messages",
      field("x", { kind: "message", name: "inner_type" }, list),
      ["x @0 :List(InnerType);"],
    ],
    ["a map", field("x", scalar("bool"), { kind: "map", key: "int32" }), ["x @0 :List(RootXEntry);"]],
    ["a required scalar", field("x", scalar("int32"), one("required")), ["x @0 :Int32;"]],
    ["a scalar that is always there", field("x", scalar("int32"), one("always")), ["x @0 :Int32;"]],
    [
      "an optional scalar",
      field("an_x", scalar("int32"), one("optional")),
      ["anX @0 :Int32;", "hasAnX @1 :Bool;"],
    ],
    ["an optional string", field("x", scalar("string"), one("optional")), ["x @0 :Text;"]],
  ])("prints %s", (_, given, expected) => {
    expect(printed([given], [INNER])).toEqual(expected);
  });

  it("prints the entries of a map", () => {
    const fields = [field("phone_of", scalar("bytes"), { kind: "map", key: "string" })];
    expect(emitCapnp(schema([{ name: "book", fields }]))).toMatch(
      /struct BookPhoneOfEntry @0x\w+ \{\n {2}key @0 :Text;\n {2}value @1 :Data;\n\}/,
    );
  });

  it.each([
    ["0 to n - 1", [0, 1, 2], "GenderType"],
    ["0 to n - 1 in another order", [2, 0, 1], "GenderType"],
    ["0 to n - 1 with an alias", [0, 1, 1], "GenderType"],
    ["with a gap", [0, 2], "Int32"],
    ["from 1", [1, 2], "Int32"],
    ["with a negative number", [-1, 0, 1], "Int32"],
  ])("prints an enum of numbers %s", (_, numbers, type) => {
    const fields = [field("x", { kind: "enum", name: "gender_type" })];
    expect(printed(fields, [], [enumType("gender_type", numbers)])).toEqual([`x @0 :${type};`]);
  });

  it("orders enumerants by number and keeps the first of two names", () => {
    const type: EnumType = {
      ...enumType("e", []),
      values: [
        { name: "SECOND", number: 1 },
        { name: "FIRST", number: 0 },
        { name: "ALSO_SECOND", number: 1 },
      ],
    };
    const text = emitCapnp(
      schema([{ name: "m", fields: [field("x", { kind: "enum", name: "e" })] }], [type]),
    );
    expect(text).toContain("enum E {\n  first @0;\n  second @1;\n}\n");
  });

  it.each([
    [
      ["a_b", "aB", "a__b"],
      ["aB", "aB2", "aB3"],
    ],
    [
      ["PHONE_NUM", "Id", "ID", "x1"],
      ["phoneNum", "id", "id2", "x1"],
    ],
    [
      ["", "_", "1a", "日本", "a b", "a\nb"],
      ["field", "field2", "field1a", "field3", "aB", "aNb"],
    ],
    [
      ["__proto__", "constructor", "union", "true"],
      ["proto", "constructor", "union", "true"],
    ],
  ])("names the fields %j as %j", (names, expected) => {
    const slots = slotsOf(
      capnpLayout(schema([{ name: "m", fields: names.map((name) => field(name, scalar("bool"))) }]))
        .structs[0]!,
    );
    expect(slots.map(({ name }) => name)).toEqual(expected);
  });

  it("keeps the flag of a field and a field of the flag's name apart", () => {
    const fields = [
      field("x", scalar("bool"), one("optional")),
      field("has_x", scalar("bool"), one("optional")),
    ];
    expect(printed(fields)).toEqual([
      "x @0 :Bool;",
      "hasX @1 :Bool;",
      "hasX2 @2 :Bool;",
      "hasHasX @3 :Bool;",
    ]);
  });

  it.each([
    [
      ["a.b.text", "a.b.Text", "a.b.list", "a.b.int"],
      ["TextType", "TextType2", "ListType", "IntType"],
    ],
    [
      ["a.b.outer.inner", "a.b.outer_inner", "other.inner", "a.b"],
      ["OuterInner", "OuterInner2", "OtherInner", "AB"],
    ],
    [
      ["", "1", "a.b.ANY_POINTER", "a.b.Int8"],
      ["Type", "Type1", "AnyPointerType", "Int8Type"],
    ],
  ])("names the messages %j of the package a.b as %j", (names, expected) => {
    const refer = (name: string): Field => field(name, { kind: "message", name }, one("optional"));
    const messages = names.map((name, i) => ({ name, fields: i === 0 ? names.slice(1).map(refer) : [] }));
    expect(capnpLayout(schema(messages, [], "a.b")).structs.map(({ name }) => name)).toEqual(expected);
  });

  it("lets no name out of its comment", () => {
    const text = emitCapnp(schema([{ name: "m", fields: [] }], [], "a\nstruct X {}"));
    expect(text.split("\n")[0]).toBe("# The root is M of the package a?struct?X???.");
  });

  it("gives the same ids to the same content and others to another", () => {
    const ids = (fields: readonly Field[]): string[] => {
      const { id, structs } = capnpLayout(schema([{ name: "m", fields }]));
      return [id, ...structs.map((struct) => struct.id)];
    };
    const first = ids([field("x", scalar("int32"))]);
    expect(ids([{ ...field("x", scalar("sint32")), default: 5n }])).toEqual(first);
    const all = [...first, ...ids([field("y", scalar("int32"))]), ...ids([field("x", scalar("int64"))])];
    expect(new Set(all).size).toBe(6);
    for (const id of all) expect(id).toMatch(/^[89a-f][0-9a-f]{15}$/);
  });

  it("refuses a message with more fields than ordinals", () => {
    const fields = (count: number): Field[] =>
      Array.from({ length: count }, (_, i) => field(`x${i}`, scalar("bool"), one("optional")));
    expect(() => capnpLayout(schema([{ name: "m", fields: fields(32_767) }]))).not.toThrow();
    expect(() => capnpLayout(schema([{ name: "m", fields: fields(32_768) }]))).toThrow(
      new UnsupportedError("M: 65536 fields, expected at most 65535 in Cap'n Proto"),
    );
  });

  it("prints the address book as schemas/tellist.capnp has it", () => {
    const withoutComments = (text: string): string => text.replace(/ *#.*/g, "").trim();
    const file = readFileSync(path.join(import.meta.dirname, "../../schemas/tellist.capnp"), "utf8");
    expect(withoutComments(emitCapnp(tellist.schema))).toBe(withoutComments(file));
  });
});

describe("Sections", () => {
  it.each([
    ["in their order while they fit", [32, 8, 16, 64], [0, 32, 48, 64]],
    ["small ones into gaps", [1, 64, 1, 8, 32, 16], [0, 64, 1, 8, 32, 16]],
    ["into the smallest gap", [8, 32, 1, 1, 16], [0, 32, 8, 9, 16]],
    ["64 bools into a word", Array<number>(65).fill(1), [...Array(65).keys()]],
  ])("places fields %s", (_, bits, offsets) => {
    const sections = new Sections();
    expect(bits.map((one) => sections.placeData(one as 1))).toEqual(offsets);
    expect(sections.dataWords).toBe(Math.max(...offsets.map((offset) => Math.floor(offset / 64) + 1)));
  });
});

describe("capnpLayout against capnp compile", () => {
  const itWithCapnp = itWith("capnp");

  itWithCapnp("agrees on 300 random schemas", () => {
    const random = fc.sample(schemas(), { numRuns: 300, seed: SEED });
    expectSameLayout(random.map((one, i) => (i % 2 === 0 ? one : withDenseEnums(one))));
  });

  itWithCapnp("agrees on names that are hard to name", () => {
    const names = [
      "",
      "_",
      "1a",
      "日本",
      "a b",
      "a\nb",
      "x",
      "has_x",
      "hasX",
      "union",
      "true",
      "List",
      "__proto__",
      "constructor",
    ];
    const types = [...names, "Text", "text", "Int", "Int8", "AnyPointer", "Bool", "Data", "Void", "Enum"];
    const fields = names.map((name) => field(name, scalar("bool"), one("optional")));
    const maps = names.map((name) =>
      field(`${name} map`, { kind: "message", name: "Text" }, { kind: "map", key: "string" }),
    );
    const refer = types.slice(1).map((name) => field(`${name} struct`, { kind: "message", name }, list));
    const enumFields = types.map((name) => field(`${name} enum`, { kind: "enum", name }));
    const messages = types.map((name, i) => ({
      name,
      fields: i === 0 ? [...fields, ...maps, ...refer, ...enumFields] : fields,
    }));
    expectSameLayout([
      schema(
        messages,
        types.map((name) => enumType(name, [0, 1])),
        "x",
      ),
    ]);
  });

  const itWithBoth = itWithCapnp === it.skip ? it.skip : itWithRealData;
  itWithBoth("agrees on the messages of messages.proto", () => {
    expectSameLayout(
      ["Message1", "Message2"].map((message) => readProto(realData("messages.proto"), message)),
    );
  });
});

/** The same schema with its enums' numbers from 0 on, which makes them Cap'n Proto enums. */
function withDenseEnums(given: Schema): Schema {
  const enums = [...given.enums.values()].map((type) => ({
    ...type,
    values: type.values.map(({ name }, number) => ({ name, number })),
  }));
  return { ...given, enums: new Map(enums.map((type) => [type.name, type])) };
}

function expectSameLayout(given: readonly Schema[]): void {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-capnp-"));
  try {
    // Equal schemas have equal ids, and the compiler refuses them together.
    const texts = [...new Map(given.map((one) => [emitCapnp(one), one]))];
    const files = texts.map(([text], i) => {
      writeFileSync(path.join(folder, `${i}.capnp`), text);
      return `${i}.capnp`;
    });
    const output = execFileSync("capnp", ["compile", "-ocapnp", ...files], {
      cwd: folder,
      env: { ...process.env, PWD: folder },
      maxBuffer: 2 ** 28,
    });
    const compiled = output
      .toString("utf8")
      .split(/^# \d+\.capnp\n/m)
      .slice(1);
    expect(compiled.map(placesOf)).toEqual(texts.map(([, one]) => expectedPlaces(capnpLayout(one))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sizes of structs and places of fields, from the comments that the compiler puts after them. */
function placesOf(compiled: string): string[] {
  const structs = [
    ...compiled.matchAll(/^struct (\w+) @0x(\w+) \{ {2}# (\d+ bytes, \d+ ptrs).*\n((?: {2}.*\n)*)/gm),
  ];
  return structs.flatMap(([, name, id, size, body = ""]) => [
    `${name} ${id} ${size}`,
    ...[...body.matchAll(/^ {2}(\w+) @(\d+) .*# (\S+(?: \d+\))?)/gm)].map(([, ...parts]) => parts.join(" ")),
  ]);
}

function expectedPlaces({ structs }: CapnpLayout): string[] {
  return structs.flatMap((struct) => [
    `${struct.name} ${struct.id} ${struct.dataWords * 8} bytes, ${struct.pointers} ptrs`,
    ...slotsOf(struct).map(({ name, ordinal, type, offset }) => {
      const place = "bits" in type ? `bits[${offset}, ${offset + type.bits})` : `ptr[${offset}]`;
      return `${name} ${ordinal} ${place}`;
    }),
  ]);
}
