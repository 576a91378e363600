/** Reading .capnp files: what each part of the language becomes, and what is refused, with its place. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadSchema } from "../../src/catalog/load-dataset.ts";
import { SchemaError, UsageError } from "../../src/model/errors.ts";
import { type Field, messageOf, type Schema } from "../../src/model/schema.ts";
import { capnpLayout } from "../../src/schema/layout/capnp.ts";
import { readCapnp } from "../../src/schema/read/capnp.ts";
import { conform } from "../../src/schema/values/conform.ts";

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-capnp-read-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, "a.capnp");

function read(text: string, message?: string): Schema {
  writeFileSync(file, `@0xdbb9ad1f14bf0b36;\n${text}`);
  return readCapnp(file, message);
}

const one = (presence: string) => ({ kind: "one", presence });

describe("readCapnp", () => {
  it.each<[string, Partial<Field>]>([
    [
      "x @0 :UInt8;",
      { number: 1, type: { kind: "scalar", scalar: "uint8" }, repetition: one("implicit") as never },
    ],
    ["x @0 :Int16 = -3 $ann(5);", { default: -3, repetition: one("always") as never }],
    ["x @0 :UInt64 = 0xffffffffffffffff;", { default: 2n ** 64n - 1n }],
    ["x @0 :Float32 = -inf;", { default: Number.NEGATIVE_INFINITY }],
    ["x @0 :Int32 = .five;", { default: 5 }],
    ["x @0 :E = two;", { type: { kind: "enum", name: "E" }, default: 1 }],
    ["x @0 :Text;", { repetition: one("optional") as never }],
    ['x @0 :Text = "a\\n";', { default: "a\n", repetition: one("optional") as never }],
    ["x @0 :List(Int8);", { repetition: { kind: "list", packed: true } }],
    [
      "x @0 :List(List(Text));",
      { type: { kind: "message", name: "R.x" }, repetition: { kind: "list", packed: false } },
    ],
    ["x @0 :Void;", { type: { kind: "enum", name: "google.protobuf.NullValue" } }],
    [
      "x @0 :Alias;",
      { type: { kind: "message", name: "Other.Inner" }, repetition: one("optional") as never },
    ],
    [
      "x :group { y @0 :Int8; }",
      { number: 1, type: { kind: "message", name: "R.x" }, repetition: one("always") as never },
    ],
  ])("reads %s", (text, expected) => {
    const schema = read(
      `annotation ann(*) :Int32; const five :Int32 = 5; enum E { one @0; two @1; }
       struct Other { struct Inner { a @0 :Int8; } } using Alias = Other.Inner;\nstruct R { ${text} }`,
      "R",
    );
    expect(messageOf(schema, "R").fields[0]).toMatchObject(expected);
  });

  it("makes a oneof of a union, and of a named one a group of nothing else", () => {
    const schema = read(
      "struct R { union { a @1 :Int8; b @0 :List(Int8); } u :union { c @2 :Void; d @3 :Text; } }",
    );
    expect(messageOf(schema, "R").fields).toMatchObject([
      { name: "b", oneof: "which", type: { kind: "message", name: "R.b" }, number: 1 },
      { name: "a", oneof: "which", number: 2 },
      { name: "u", type: { kind: "message", name: "R.u" } },
    ]);
    expect(messageOf(schema, "R.b")).toMatchObject({ form: "list", inPlace: true });
    expect(messageOf(schema, "R.u")).toMatchObject({
      form: "group",
      fields: [{ oneof: "which" }, { oneof: "which" }],
    });
  });

  it("takes a union without a member for its first, and null for Void", () => {
    const schema = read(
      "struct R { union { a @0 :Int8 = 7; b @1 :Void; c @2 :Text; } g :group { d @3 :Int8; } }",
    );
    const json = (value: unknown) => conform(schema, value, { form: "json", int64: "number" }).value;
    expect(json({})).toEqual({ a: 7, g: { d: 0 } });
    expect(json({ b: null })).toEqual({ b: 0, g: { d: 0 } });
  });

  it("reads imports where a name needs them, two types of one name too", () => {
    writeFileSync(path.join(folder, "b.capnp"), "@0xdbb9ad1f14bf0b37; struct R { x @0 :Int8; }");
    const schema = read(
      `using Cxx = import "/no/such.capnp"; using import "b.capnp".R; $Cxx.namespace("a");
       struct S { r @0 :R; q @1 :import "b.capnp".R; }`,
      "S",
    );
    expect([...schema.messages.keys()]).toEqual(["S", "R"]);
    expect(loadSchema(file, "S").language).toBe("capnp");
  });

  it("places the fields of unions in unions where the compiler does", () => {
    // Of capnp/schema.capnp 0.9.2, `Type`: 24 bytes and a pointer, `parameter` behind two discriminants.
    const { structs } = capnpLayout(
      read(`struct R { union { list :group { element @0 :R; } enum :group { typeId @1 :UInt64; brand @2 :R; }
        any :union { free :union { kind @3 :Void; other @6 :Void; } parameter :group { id @4 :UInt64; index @5 :UInt16; } } } }`),
    );
    expect(structs[0]).toMatchObject({ dataWords: 3, pointers: 1 });
    const places = structs.flatMap(({ members }) => members.map(({ slot }) => [slot.name, slot.offset]));
    expect(Object.fromEntries(places)).toMatchObject({ typeId: 64, id: 128, index: 80 });
  });

  it("asks which struct it is where nothing says", () => {
    expect(() => read("struct A {} struct B {}")).toThrow(UsageError);
    expect(read("struct A {} struct B { a @0 :List(A); }").root).toBe("B");
  });

  it.each<[string, RegExp]>([
    ["struct R { x @0 :AnyPointer; }", /:2:18: AnyPointer is not supported/],
    [
      "struct R { x @0 :I; } interface I { m @0 (a :Text) -> stream; }",
      /:2:18: I: an interface is not supported/,
    ],
    ["struct G(T) { x @0 :T; } struct R { x @0 :G(Text); }", /:2:43: G: generics are not supported/],
    ["struct R { x @0 :List(Void); }", /:2:18: List\(Void\) is not supported/],
    ["struct R { x @0 :List(Int8) = [1]; }", /:2:31: x: a list with a default is not supported/],
    ["struct R { x @0 :Y; }", /:2:18: unknown name Y/],
    ["struct R { x @0 :Int8; y @0 :Int8; }", /:2:24: R: @0 stands twice/],
    ["struct R { x @1 :Int8; }", /:2:12: R: @0 is missing/],
    ["struct R { x @0 :Int8 = 300; }", /:2:25: expected a default of type int8, got "300"/],
    ["struct R { x :Int8; }", /:2:12: x: expected an ordinal/],
    ["struct R { x @0 :Int8 }", /:2:23: expected ";", got "}"/],
    ["struct R { x @99999 :Int8; }", /:2:15: expected an ordinal up to 65534/],
    ['struct R { x @0 :import "none.capnp".X; }', /:2:18: import "none.capnp" not found/],
    ["using A = B; using B = A; struct R { x @0 :A; }", /more than 100 aliases/],
    ["struct R { x @0 :Int8", /unexpected end of file/],
    [
      "struct R { u :union { union { x @0 :Int8; y @1 :Int8; } z @2 :Int8; } }",
      /a union without a name in a union/,
    ],
  ])("refuses %s", (text, problem) => {
    expect(() => read(text, "R")).toThrow(SchemaError);
    expect(() => read(text, "R")).toThrow(problem);
  });

  it("refuses a long number that is none after one look at it", () => {
    expect(() => read(`struct R { x @0 :Float32 = ${"1".repeat(100_000)} z; }`, "R")).toThrow(SchemaError);
  });
});
