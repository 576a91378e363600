/** Reading .fbs files: what each part of the language becomes, and what is refused, with its place. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadSchema } from "../../src/catalog/load-dataset.ts";
import flatbuffers from "../../src/codecs/flatbuffers/index.ts";
import { SchemaError, UsageError } from "../../src/model/errors.ts";
import { type Field, messageOf, type Schema } from "../../src/model/schema.ts";
import { readFbs } from "../../src/schema/read/fbs.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeUntrusted } from "../../src/schema/values/transcode.ts";

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-fbs-read-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, "a.fbs");

function read(text: string, message?: string): Schema {
  writeFileSync(file, text);
  return readFbs(file, message);
}

/** What flatc's JSON of the table R is. */
function ofJson(text: string, value: unknown): unknown {
  return conform(read(text), value, { form: "json", int64: "bigint" }).value;
}

/** The fields of the table R of some declarations. */
function fields(inside: string, before = ""): readonly Field[] {
  return messageOf(read(`${before}\ntable R { ${inside} }\nroot_type R;`), "R").fields;
}

const one = (presence: string) => ({ kind: "one", presence });

describe("readFbs", () => {
  it.each<[string, Partial<Field>]>([
    ["x:byte;", { type: { kind: "scalar", scalar: "int8" }, repetition: one("implicit") as never }],
    ["x:uint16 = 7;", { default: 7, repetition: one("always") as never }],
    ["x:short = 0x10;", { default: 16 }],
    ["x:long = -9223372036854775808;", { default: -(2n ** 63n) }],
    ["x:int = null;", { repetition: one("optional") as never }],
    ["x:bool = true;", { default: true }],
    ["x:double = -inf;", { default: Number.NEGATIVE_INFINITY }],
    ["x:float = 1e-3;", { default: Math.fround(0.001) }],
    ["x:double = -0.0;", { default: -0 }],
    ["x:string;", { repetition: one("optional") as never }],
    ["x:string (required);", { repetition: one("required") as never }],
    ["x:string (key);", { repetition: one("required") as never }],
    ["x:int (key);", { repetition: one("implicit") as never }],
    ['x:string = "a";', { default: "a", repetition: one("optional") as never }],
    ["x:[ubyte];", { type: { kind: "scalar", scalar: "bytes" } }],
    ["x:[byte];", { repetition: { kind: "list", packed: true } }],
    ["x:[string] (required);", { repetition: { kind: "list", packed: false, required: true } }],
    ["x:bool (deprecated);", { repetition: one("optional") as never }],
    ["x:E = B;", { type: { kind: "enum", name: "E" }, default: 5 }],
    ["x:E = E.B;", { default: 5 }],
    ['x:E = "B";', { default: 5 }],
    ['x:F = "Q S";', { default: 5 }],
    ['x:F = "R";', { default: 2 }],
    ['x:int = "5";', { default: 5 }],
    ["x:Big = Y;", { type: { kind: "scalar", scalar: "uint64" }, default: 2 ** 40 }],
    ["x:S;", { type: { kind: "message", name: "S" }, repetition: one("optional") as never }],
    ['x:[ubyte] (nested_flatbuffer: "R", hash: "fnv1_32", priority: -1);', { name: "x" }],
  ])("reads %s", (text, expected) => {
    const types =
      "enum E:ubyte { A, B = 5 } enum Big:ulong { X, Y = 1099511627776 } enum F:ubyte (bit_flags) { Q, R, S } struct S { a:int; }";
    expect(fields(text, types)[0]).toMatchObject(expected);
  });

  it("makes a oneof of a union, whose members have the tags of the file", () => {
    const text = "union U { A, B2: B = 7, String: string }\ntable A {} table B {}";
    expect(fields("u:U; u_A:int;", text)).toMatchObject([
      { name: "u_A_", oneof: "u", tag: 1, number: 1, type: { kind: "message", name: "A" } },
      { name: "u_B2", oneof: "u", tag: 7, number: 2, type: { kind: "message", name: "B" } },
      { name: "u_String", oneof: "u", tag: 8, number: 3, type: { kind: "scalar", scalar: "string" } },
      { name: "u_A", number: 4 },
    ]);
  });

  it("puts fields in the order of their ids, of which a union takes two", () => {
    const order = fields("c:int (id: 3); u:U (id: 2); a:int (id: 0);", "union U { A } table A {}");
    expect(order.map(({ name }) => name)).toEqual(["a", "u_A", "c"]);
  });

  it("finds names from the namespace outwards, and includes from folders above", () => {
    mkdirSync(path.join(folder, "sub"), { recursive: true });
    writeFileSync(
      path.join(folder, "base.fbs"),
      "namespace a; struct P { x:int; } namespace a.b; table P { y:int; }",
    );
    const inner = path.join(folder, "sub/inner.fbs");
    writeFileSync(inner, 'include "base.fbs"; namespace a.b.c; table R { p:P; q:a.P; } root_type R;');
    const schema = readFbs(inner);
    expect(schema.package).toBe("a.b.c");
    expect([...schema.messages.keys()]).toEqual(["a.b.c.R", "a.b.P", "a.P"]);
    expect(messageOf(schema, "a.P").form).toBe("struct");
  });

  it("reads over what no byte depends on, and keeps the identifier of the root type", () => {
    const schema =
      read(`attribute "x"; file_extension "dat"; /* a */ rpc_service S { M(R):R (streaming: "none"); }
      table R { a:int; } table Q { r:R; } root_type R; file_identifier "ABCD";`);
    expect(schema).toMatchObject({ root: "R", identifier: "ABCD", language: "flatbuffers" });
    expect(readFbs(file, "Q")).not.toHaveProperty("identifier");
    expect(loadSchema(file, "Q").root).toBe("Q");
  });

  it("asks which table it is where nothing says", () => {
    expect(() => read("table A {} table B {}")).toThrow(UsageError);
    expect(read("table A {} table B { a:A; }").root).toBe("B");
    expect(() => readFbs(file, "C")).toThrow(/table "C" is not in it/);
  });

  it.each<[string, RegExp]>([
    ["table R { x:[U]; } union U { A } table A {}", /:1:13: x: a vector of unions is not supported/],
    ["table R { x:U; } struct S { a:int; } union U { S }", /:1:48: U.S: only tables and strings/],
    ["table R { x:string (offset64); }", /:1:11: x: offset64 is not supported/],
    ["table R { x:[ubyte] (vector64); }", /:1:11: x: vector64 is not supported/],
    ["table R { x:[[int]]; }", /:1:14: a vector of vectors/],
    ["table R { x:[int:3]; }", /:1:13: an array of fixed length is only supported in a struct/],
    ["table R { x:Y; }", /:1:13: unknown type Y/],
    ["table R { x:int; x:int; }", /:1:18: field x is declared twice/],
    ["table R { x:int (id: 1); }", /:1:11: x: id 1, expected 0/],
    ["table R { x:int (id: 0); y:int; }", /:1:26: y: expected an id/],
    ["struct S { a:int; }", /: declares no table/],
    ["table R { x:byte = 200; }", /:1:20: expected a default of int8, got "200"/],
    // As flatc has it: neither several of no flags, nor two spaces.
    ['enum E:byte { A, B, C }\ntable R { x:E = "B C"; }', /:2:17: expected a default of E, got/],
    ['enum F:byte (bit_flags) { A, B }\ntable R { x:F = "A  B"; }', /:2:17: expected a default of F, got/],
    ["table R { x:E; } enum E:byte { A = 200 }", /:1:32: A = 200 is outside byte/],
    ["table R { x:E; } enum E { A }", /:1:25: expected the type of the enum/],
    ["struct S { s:S; } table R { s:S; }", /:1:14: S: a struct contains itself/],
    ["struct S { s:string; } table R { s:S; }", /:1:14: S.s: a string in a struct/],
    ["struct S (force_align: 3) { s:int; } table R { s:S; }", /:1:8: force_align: expected a power of 2/],
    ["struct S { a:int; } root_type S;", /:1:31: S: a root must be a table/],
    ["table R { x:int", /:1:16: unexpected end of file/],
    ["table R { __proto__:int; }", /:1:11: the name "__proto__"/],
    ['include "none.fbs"; table R {}', /:1:9: include "none.fbs" not found/],
    ['table R {} file_identifier "ABC";', /:1:28: file_identifier must have four characters/],
    ["table R {} { a: 1 }", /:1:12: a value among declarations is not supported/],
    ["table R {} /* open", /:1:12: comment without an end/],
    ["enum E:ulong (bit_flags) { A = 99999999999 } table R { e:E; }", /:1:28: bit 99999999999/],
  ])("refuses %s", (text, problem) => {
    expect(() => read(text)).toThrow(SchemaError);
    expect(() => read(text)).toThrow(problem);
  });

  it("refuses a long number that is none after one look at it", () => {
    expect(() => read(`table R { x:float = ${"1".repeat(100_000)} z; }`)).toThrow(SchemaError);
  });
});

describe("a union in flatc's JSON", () => {
  const text = `union U { A, B2: B = 7, String: string }
table A { x:int; } table B {} table R { u:U; v:U; } root_type R;`;

  it.each<[string, unknown, unknown]>([
    ["by its member's name", { u_type: "A", u: { x: 1 } }, { u_A: { x: 1 } }],
    ["by its number, behind the value", { u: {}, u_type: 7 }, { u_B2: {} }],
    ["as text", { v_type: "String", v: "a" }, { v_String: "a" }],
    ["of two fields", { v_type: "B2", v: {}, u_type: "A", u: {} }, { u_A: { x: 0 }, v_B2: {} }],
    ["that is not there", { u_type: "NONE", v_type: 0 }, {}],
    ["that is null", { u_type: "NONE", u: null, v_type: null }, {}],
    ["under the name of its field", { u_A: { x: 2 } }, { u_A: { x: 2 } }],
  ])("is read %s", (_, value, expected) => {
    expect(ofJson(text, value)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [{ u: {} }, "u is there without u_type"],
    [{ u_type: "A" }, "u_type is there without u"],
    [{ u_type: "NONE", u: {} }, "u is there, but u_type is NONE"],
    [{ u_type: "B3", u: {} }, 'u has no type "B3"'],
    [{ u_type: 2, u: {} }, "u has no type 2"],
    [{ u_type: "A", u: { y: 1 } }, "u_A.y: A has no such field"],
    [{ u_type: "A", u: {}, u_A: {} }, "the field u_A is given twice"],
    [{ u_type: "A", u: {}, u_B2: {} }, "u_B2: u_A of the oneof u is set too"],
  ])("is refused: %j", (value, problem) => {
    expect(() => ofJson(text, value)).toThrow(problem);
  });

  it("leaves a field alone that has the name of its type", () => {
    const own = "union U { A } table A {} table R { u:U (id: 2); u_type_:int (id: 0); } root_type R;";
    expect(ofJson(own, { u_type_: 5, u_type: "A", u: {} })).toEqual({ u_type_: 5, u_A: {} });
  });
});

describe("flags in flatc's JSON", () => {
  const text = "enum F:ubyte (bit_flags) { A, B, C = 4 } table R { f:F; fs:[F]; } root_type R;";

  it("are the sum of their names", () => {
    expect(ofJson(text, { f: "A C", fs: ["B", "A B C", 3, "A A"] })).toEqual({ f: 17, fs: [2, 19, 3, 1] });
  });

  it("have names too where an enum is wider than those of protobuf", () => {
    const wide =
      "enum U:uint (bit_flags) { A, B, C = 31 } enum L:long { X = -3, Y = 9007199254740993 }" +
      " table R { u:U; us:[U]; l:L = X; ls:[L]; } root_type R;";
    expect(ofJson(wide, { u: "A C", us: ["B", 5], l: "X", ls: ["-7", "X"] })).toEqual({
      u: 0x8000_0001,
      us: [2, 5],
      l: -3n,
      ls: [-7n, -3n],
    });
    expect(ofJson(wide, { l: "Y" })).toMatchObject({ l: 9007199254740993n });
    expect(() => ofJson(wide, { ls: ["Z"] })).toThrow('ls[0]: no value is called "Z"');
  });

  it.each(["A D", "A  B", "", "A,B"])("are refused where a name is none: %j", (flags) => {
    expect(() => ofJson(text, { f: flags })).toThrow(`f: F has no value "${flags}"`);
  });
});

it("takes the padding that flatc leaves where it read a struct", async () => {
  // flatc --binary of {"n":{"b0":1,"b1":1,"b2":1},"s":{"a":1},"v":""}
  const hex =
    "1000000000000a0018000400080014000a0000002c0000000100000000000000000000000400000000000000000000000000" +
    "000000000a0008000500060007000a00000000010101";
  const schema = read(`struct S { a:long; } table N { b0:byte; b1:byte; b2:byte; }
table T { n:N; s:S; v:string; } root_type T;`);
  const dataset = { name: "padded", schema, values: [], int64: "number" } as const;
  const binding = await flatbuffers.bind(dataset);
  const decoded = (bytes: Uint8Array): unknown => decodeUntrusted("flatbuffers", binding, dataset, bytes);
  const bytes = Buffer.from(hex, "hex");
  expect(decoded(bytes)).toEqual({ n: { b0: 1, b1: 1, b2: 1 }, s: { a: 1 }, v: "" });
  bytes[52] = 1;
  expect(() => decoded(bytes)).toThrow("byte 52: bytes that belong to no part of the message");
});

it("takes the identifier that flatc --root-type puts before another table of the file", async () => {
  // flatc --binary --root-type Q of {"a":"x"}
  const hex = "1000000041424344000006000800040006000000040000000100000078000000";
  read('table Q { a:string; } table R { q:Q; } root_type R; file_identifier "ABCD";');
  const dataset = { name: "q", schema: readFbs(file, "Q"), values: [], int64: "number" } as const;
  const binding = await flatbuffers.bind(dataset);
  expect(decodeUntrusted("flatbuffers", binding, dataset, Buffer.from(hex, "hex"))).toEqual({ a: "x" });
});
