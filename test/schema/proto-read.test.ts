import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import { SchemaError, UsageError } from "../../src/model/errors.ts";
import { type Field, messageOf, type Schema } from "../../src/model/schema.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { itWithRealData, realData } from "../real-data.ts";

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let written = 0;

/** Writes files into a folder of their own and returns the path of the first. */
function files(texts: Readonly<Record<string, string>>): string {
  const own = path.join(folder, String(written++));
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(own, name)), { recursive: true });
    writeFileSync(path.join(own, name), text);
  }
  return path.join(own, Object.keys(texts)[0] ?? "");
}

function read(text: string, message?: string): Schema {
  return readProto(files({ "a.proto": text }), message);
}

function fieldsOf(text: string, message?: string): readonly Field[] {
  const schema = read(text, message);
  return messageOf(schema, schema.root).fields;
}

/** The error of a file, without the folder in front of its name. */
function failure(text: string, message?: string): string {
  const file = files({ "a.proto": text });
  try {
    readProto(file, message);
  } catch (error) {
    expect(error instanceof SchemaError || error instanceof UsageError, String(error)).toBe(true);
    return (error as Error).message.replaceAll(`${path.dirname(file)}/`, "");
  }
  return "read";
}

const proto2 = 'syntax = "proto2";\n';
const proto3 = 'syntax = "proto3";\n';
const one = (presence: string) => ({ kind: "one", presence });

describe("readProto", () => {
  it("reads the address book", () => {
    const schema = readProto(
      path.join(import.meta.dirname, "../../schemas/tellist.proto"),
      "personal_info_list",
    );
    expect(schema.package).toBe("as.tellist");
    expect(schema.root).toBe(tellist.schema.root);
    expect([...schema.messages.keys()]).toEqual([...tellist.schema.messages.keys()]);
    expect(schema.enums.get("as.tellist.gender_type")?.values).toEqual(
      [...tellist.schema.enums.values()][0]?.values,
    );
  });

  itWithRealData("reads groups", () => {
    const { fields } = messageOf(readProto(realData("messages.proto"), "Message2"), "bench.Message2");
    expect(fields.find((field) => field.group)).toMatchObject({
      name: "group1",
      number: 10,
      type: { kind: "message", name: "bench.Message2.Group1" },
      repetition: { kind: "list", packed: false },
    });
  });

  it.each([
    ["optional, of proto2", `${proto2}message M { optional int32 a = 1; }`, one("optional")],
    ["required", `${proto2}message M { required int32 a = 1; }`, one("required")],
    ["without a label, of proto3", `${proto3}message M { int32 a = 1; }`, one("implicit")],
    ["optional, of proto3", `${proto3}message M { optional int32 a = 1; }`, one("optional")],
    ["a message, of proto3", `${proto3}message M { M a = 1; }`, one("optional")],
    ["of a oneof, of proto3", `${proto3}message M { oneof o { int32 a = 1; } }`, one("optional")],
    ["repeated, of proto2", `${proto2}message M { repeated int32 a = 1; }`, { kind: "list", packed: false }],
    [
      "packed, of proto2",
      `${proto2}message M { repeated int32 a = 1 [packed = true]; }`,
      { kind: "list", packed: true },
    ],
    ["repeated, of proto3", `${proto3}message M { repeated int32 a = 1; }`, { kind: "list", packed: true }],
    [
      "unpacked, of proto3",
      `${proto3}message M { repeated int32 a = 1 [packed = false]; }`,
      { kind: "list", packed: false },
    ],
    [
      "repeated text, of proto3",
      `${proto3}message M { repeated string a = 1; }`,
      { kind: "list", packed: false },
    ],
    [
      "repeated messages, of proto3",
      `${proto3}message M { repeated M a = 1; }`,
      { kind: "list", packed: false },
    ],
    ["a map", `${proto3}message M { map<fixed64, M> a = 1; }`, { kind: "map", key: "fixed64" }],
    ["of edition 2023", 'edition = "2023";\nmessage M { int32 a = 1; }', one("optional")],
    [
      "implicit, of edition 2023",
      'edition = "2023";\nmessage M { int32 a = 1 [features.field_presence = IMPLICIT]; }',
      one("implicit"),
    ],
    [
      "implicit by its file",
      'edition = "2023";\noption features.field_presence = IMPLICIT;\nmessage M { int32 a = 1; }',
      one("implicit"),
    ],
    [
      "required, of edition 2023",
      'edition = "2023";\nmessage M { int32 a = 1 [features.field_presence = LEGACY_REQUIRED]; }',
      one("required"),
    ],
    [
      "repeated, of edition 2023",
      'edition = "2023";\nmessage M { repeated int32 a = 1; }',
      { kind: "list", packed: true },
    ],
    [
      "expanded, of edition 2023",
      'edition = "2023";\nmessage M { repeated int32 a = 1 [features.repeated_field_encoding = EXPANDED]; }',
      { kind: "list", packed: false },
    ],
  ])("reads a field that is %s", (_, text, repetition) => {
    expect(fieldsOf(text)[0]?.repetition).toEqual(repetition);
  });

  it("takes a file without a syntax for proto2", () => {
    expect(fieldsOf("message M { required int32 a = 1; }")[0]?.repetition).toEqual(one("required"));
  });

  it("reads the delimited encoding of editions as a group", () => {
    const text = 'edition = "2023";\nmessage M { M a = 1 [features.message_encoding = DELIMITED]; M b = 2; }';
    expect(fieldsOf(text).map((field) => field.group ?? false)).toEqual([true, false]);
  });

  it.each([
    ["proto2", `${proto2}enum E { A = 1; }\nmessage M { optional E e = 1; }`, true],
    ["proto3", `${proto3}enum E { A = 0; }\nmessage M { E e = 1; }`, false],
    ["edition 2023", 'edition = "2023";\nenum E { A = 0; }\nmessage M { E e = 1; }', false],
    [
      "edition 2023 with closed enums",
      'edition = "2023";\nenum E { option features.enum_type = CLOSED; A = 0; }\nmessage M { E e = 1; }',
      true,
    ],
  ])("knows whether an enum of %s is closed", (_, text, closed) => {
    expect(read(text, "M").enums.get("E")?.closed).toBe(closed);
  });

  it("keeps enum values in their order, aliases and negative numbers among them", () => {
    const text = `${proto2}enum E { option allow_alias = true; B = 2; A = -1; C = 2; }\nmessage M { optional E e = 1; }`;
    expect(read(text, "M").enums.get("E")?.values).toEqual([
      { name: "B", number: 2 },
      { name: "A", number: -1 },
      { name: "C", number: 2 },
    ]);
  });

  it("keeps the oneof of a field, but not the one that proto3 makes up for optional", () => {
    const text = `${proto3}message M { oneof choice { int32 a = 1; string b = 2; } optional int32 c = 3; oneof alone { int32 d = 4; } }`;
    expect(fieldsOf(text).map(({ name, oneof }) => [name, oneof])).toEqual(
      [
        ["c", undefined],
        ["a", "choice"],
        ["b", "choice"],
        ["d", "alone"],
      ].sort(),
    );
  });

  it("reads defaults by the type of their field", () => {
    const text = `${proto2}enum E { A = 0; B = 7; }
message M {
  optional int32 i = 1 [default = -5];
  optional string s = 2 [default = "a\\"b\\n\\101"];
  optional bool b = 3 [default = true];
  optional E e = 4 [default = B];
  optional double d = 5 [default = -inf];
  optional float n = 6 [default = nan];
  optional uint64 u = 7 [default = 18446744073709551615];
  optional int64 l = 8 [default = 9007199254740991];
  optional bytes y = 9 [default = "\\xff\\000"];
  optional int32 none = 10;
  optional int64 least = 11 [deprecated = true, default = -9223372036854775808];
  optional string utf8 = 12 [default = "\\303\\251"];
}`;
    expect(fieldsOf(text, "M").map((field) => field.default)).toEqual([
      -5,
      'a"b\nA',
      true,
      7,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
      18446744073709551615n,
      9007199254740991,
      "\u00ff\0",
      undefined,
      -9223372036854775808n,
      "é",
    ]);
  });

  it.each([
    [
      `${proto2}message M { optional int32 a = 1 [default = 99999999999]; }`,
      "field M.a: the default 99999999999 is outside int32",
    ],
    [
      `${proto2}message M { optional uint32 a = 1 [default = -1]; }`,
      "field M.a: the default -1 is outside uint32",
    ],
    [
      `${proto2}message M { optional int64 a = 1 [default = 9223372036854775808]; }`,
      "the default 9223372036854775808 is outside int64",
    ],
    [
      `${proto2}message M { optional int32 a = 1 [default = 1.5]; }`,
      "field M.a: expected a default of type int32, got 1.5",
    ],
    [
      `${proto2}message M { optional bool a = 1 [default = maybe]; }`,
      "expected a default of type bool, got maybe",
    ],
    [
      `${proto2}enum E { A = 0; } message M { optional E a = 1 [default = NOPE]; }`,
      "enum E has no value NOPE",
    ],
    [
      `${proto2}message M { repeated int32 a = 1 [default = 1]; }`,
      "only a single scalar or enum has a default",
    ],
    [`${proto3}message M { string a = 1 [default = "x"]; }`, "a default, and the file's syntax has none"],
    [
      `${proto3}message M { optional string a = 1 [default = "x"]; }`,
      "a default, and the file's syntax has none",
    ],
  ])("refuses the default in %s", (text, problem) => {
    expect(() => fieldsOf(text, "M")).toThrow(problem);
  });

  it.each([
    [
      `${proto2}message M {\n  reserved 3;\n  optional int32 s = 3;\n}`,
      ":4:22: message M: the number 3 is reserved",
    ],
    [
      'syntax = "proto4";\nmessage M {}',
      ':1:10: syntax "proto4" is not known, expected one of proto2, proto3',
    ],
    ['edition = "2022";\nmessage M {}', ':1:11: edition "2022" is not known, expected one of 2023, 2024'],
  ])("says where it is in %j", (text, place) => {
    expect(() => read(text, "M")).toThrow(place);
  });

  it("reads messages that contain themselves and each other", () => {
    const schema = read(
      `${proto3}message A { B b = 1; A a = 2; }\nmessage B { repeated A a = 1; map<string, B> b = 2; }`,
      "A",
    );
    expect([...schema.messages.keys()]).toEqual(["A", "B"]);
    expect(messageOf(schema, "B").fields[1]?.type).toEqual({ kind: "message", name: "B" });
  });

  it("finds types as protoc does: in the message, in what is around it, in the package, by their full name", () => {
    const text = `${proto3}package p.q;
message T { int32 outer = 1; }
message M {
  message T { int32 inner = 1; }
  T a = 1;
  q.T b = 2;
  .p.q.T c = 3;
  M.T d = 4;
  p.q.M.T e = 5;
}`;
    expect(fieldsOf(text, "M").map(({ type }) => type.kind === "message" && type.name)).toEqual([
      "p.q.M.T",
      "p.q.T",
      "p.q.T",
      "p.q.M.T",
      "p.q.M.T",
    ]);
  });

  it("reads imports from the file's folder and from those above it, also public ones", () => {
    const file = files({
      "src/a/m.proto": `${proto3}import "src/b/n.proto";\nmessage M { b.N n = 1; b.O o = 2; E e = 3; }\nenum E { Z = 0; }`,
      "src/b/n.proto": `${proto3}package b;\nimport public "o.proto";\nmessage N { int32 x = 1; }`,
      "src/b/o.proto": `${proto2}package b;\nmessage O { required int32 x = 1; optional E e = 2; enum E { A = 1; } }`,
    });
    const schema = readProto(file, "M");
    expect([...schema.messages.keys()]).toEqual(["M", "b.N", "b.O"]);
    expect(messageOf(schema, "b.O").fields[0]?.repetition).toEqual(one("required"));
    expect([...schema.enums.values()].map(({ name, closed }) => [name, closed])).toEqual([
      ["b.O.E", true],
      ["E", false],
    ]);
    expect(schema.package).toBe("");
  });

  it("reads files that import each other once", () => {
    const file = files({
      "a.proto": `${proto3}import "b.proto";\nmessage A { B b = 1; }`,
      "b.proto": `${proto3}import "a.proto";\nmessage B { A a = 1; }`,
    });
    expect([...readProto(file, "A").messages.keys()]).toEqual(["A", "B"]);
  });

  it("knows the well-known types", () => {
    const schema = read(
      `${proto3}import "google/protobuf/timestamp.proto";\nimport "google/protobuf/struct.proto";\nimport "google/protobuf/wrappers.proto";
message M { google.protobuf.Timestamp t = 1; google.protobuf.Struct s = 2; google.protobuf.Int64Value w = 3; }`,
      "M",
    );
    expect(
      messageOf(schema, "google.protobuf.Timestamp").fields.map(({ name, number }) => [name, number]),
    ).toEqual([
      ["seconds", 1],
      ["nanos", 2],
    ]);
    expect(messageOf(schema, "google.protobuf.Timestamp").fields[0]?.repetition).toEqual(one("implicit"));
    expect(messageOf(schema, "google.protobuf.Value").fields.every(({ oneof }) => oneof === "kind")).toBe(
      true,
    );
    expect(schema.enums.get("google.protobuf.NullValue")?.closed).toBe(false);
  });

  it("reads an extension as a field of what it extends", () => {
    const text = `${proto2}package p;
message M { optional int32 a = 1; extensions 100 to 200; }
extend M { optional string note = 100; repeated int32 more = 101 [packed = true]; }`;
    expect(fieldsOf(text, "M").slice(1)).toEqual([
      {
        name: "p.note",
        number: 100,
        type: { kind: "scalar", scalar: "string" },
        repetition: one("optional"),
      },
      {
        name: "p.more",
        number: 101,
        type: { kind: "scalar", scalar: "int32" },
        repetition: { kind: "list", packed: true },
      },
    ]);
  });

  it("reads names that objects of JavaScript have", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf", "length", "prototype"];
    const text = `${proto3}message M { ${names.map((name, i) => `int32 ${name} = ${i + 1};`).join(" ")} }`;
    expect(fieldsOf(text).map(({ name }) => name)).toEqual(names);
  });

  it("keeps the case of names", () => {
    expect(
      fieldsOf(`${proto3}message M { int32 phone_num = 1; int32 URL = 2; }`).map(({ name }) => name),
    ).toEqual(["phone_num", "URL"]);
  });

  it("keeps a json_name that does not follow from the field's name", () => {
    const text = `${proto3}message M { int32 a_b = 1 [json_name = "x y"]; int32 c_d = 2 [json_name = "cD"]; }`;
    expect(fieldsOf(text).map(({ jsonName }) => jsonName)).toEqual(["x y", undefined]);
  });

  it.each([
    ["the only message", `${proto3}message M {}`, undefined, "M"],
    [
      "the one that contains the others",
      `${proto3}message A {}\nmessage B { A a = 1; repeated C c = 2; }\nmessage C {}`,
      undefined,
      "B",
    ],
    ["the one that contains itself", `${proto3}message A { A a = 1; }`, undefined, "A"],
    ["a full name", `${proto3}package p;\nmessage A {}\nmessage B {}`, "p.B", "p.B"],
    ["a full name with a dot in front", `${proto3}package p;\nmessage A {}`, ".p.A", "p.A"],
    ["the end of a name", `${proto3}package p;\nmessage A { message C {} }\nmessage B {}`, "A.C", "p.A.C"],
    ["a full name that is the end of another", `${proto3}message A { message B {} }\nmessage B {}`, "B", "B"],
  ])("takes %s for the message", (_, text, message, root) => {
    expect(read(text, message).root).toBe(root);
  });

  it.each([
    ["no message", `${proto3}enum E { A = 0; }`, undefined, "a.proto: declares no message"],
    [
      "two that contain no other",
      `${proto3}message A {}\nmessage B {}`,
      undefined,
      "a.proto: which message is it? give --message, one of A, B",
    ],
    [
      "two that contain each other",
      `${proto3}message A { B b = 1; }\nmessage B { A a = 1; }`,
      undefined,
      "a.proto: which message is it? give --message, one of A, B",
    ],
    [
      "one that is not there",
      `${proto3}message Person {}`,
      "Persn",
      'a.proto: message "Persn" is not in it, did you mean Person?',
    ],
    [
      "one that could be two",
      `${proto3}package p;\nmessage A { message T {} }\nmessage B { message T {} }`,
      "T",
      'a.proto: message "T" is one of p.A.T, p.B.T: give the full name',
    ],
    [
      "an enum",
      `${proto3}enum E { A = 0; }\nmessage M { E e = 1; }`,
      "E",
      'a.proto: message "E" is not in it',
    ],
  ])("says which message it is asked for: %s", (_, text, message, says) => {
    expect(failure(text, message).startsWith(says), failure(text, message)).toBe(true);
  });

  it.each([
    [
      "a missing semicolon",
      `${proto3}message M {\n  int32 a = 1\n}`,
      'a.proto:4:1: syntax error, expected ";", got "}"',
    ],
    [
      "a missing number",
      `${proto3}message M {\n  int32 a;\n}`,
      'a.proto:3:10: syntax error, expected "=", got ";"',
    ],
    [
      "a number that is text",
      `${proto3}message M {\n  int32 a = x;\n}`,
      'a.proto:3:13: syntax error, expected the number of a field, got "x"',
    ],
    [
      "a word that is none",
      `${proto3}massage M {}`,
      'a.proto:2:1: syntax error, expected "message" or another declaration, got "massage"',
    ],
    [
      "an end that is missing",
      `${proto3}message M {\n  int32 a = 1;\n`,
      'a.proto:4:1: syntax error, expected "}", got the end of the file',
    ],
    ["text that does not end", `${proto3}import "a`, "a.proto:2:8: text without an end"],
    ["another syntax", 'syntax = "proto4";\nmessage M {}', 'a.proto:1:10: syntax "proto4" is not known'],
    [
      "an enum without values",
      `${proto3}enum E {}\nmessage M { E e = 1; }`,
      "a.proto:2:6: enum E: it has no values",
    ],
    [
      "an open enum that does not start with 0",
      `${proto3}enum E { A = 1; }\nmessage M { E e = 1; }`,
      "a.proto:2:6: enum E: its first value must be 0, got A = 1",
    ],
    [
      "an enum's value of 33 bits",
      `${proto2}enum E { A = 2147483648; }\nmessage M { optional E e = 1; }`,
      "a.proto:2:6: enum E: A = 2147483648 is outside int32",
    ],
    [
      "two fields of one number",
      `${proto3}message M {\n  int32 a = 1;\n  int32 b = 1;\n}`,
      "a.proto:4:13: message M: a and b have the number 1",
    ],
    [
      "two fields of one name",
      `${proto3}message M {\n  int32 a = 1;\n  int32 a = 2;\n}`,
      "a.proto:4:9: M.a is declared twice",
    ],
    [
      "a type that is not there",
      `${proto3}message M {\n  Nothing a = 1;\n}`,
      "a.proto:3:3: type Nothing is not declared",
    ],
    [
      "an import that is not there",
      `${proto3}\nimport "b.proto";`,
      'a.proto:3:8: import "b.proto" not found in',
    ],
    [
      "field number 0",
      `${proto3}message M {\n  int32 a = 0;\n}`,
      "a.proto:3:9: field M.a: number 0 is not allowed, expected 1 to 536870911 outside 19000 to 19999",
    ],
    [
      "field number 19500",
      `${proto3}message M {\n  int32 a = 19500;\n}`,
      "a.proto:3:9: field M.a: number 19500 is not allowed",
    ],
    [
      "field number 2^29",
      `${proto3}message M {\n  int32 a = 536870912;\n}`,
      "a.proto:3:9: field M.a: number 536870912 is not allowed",
    ],
    ["a negative field number", `${proto3}message M {\n  int32 a = -1;\n}`, "a.proto:3:"],
    [
      "__proto__",
      `${proto3}message M {\n  int32 a = 1;\n  int32 __proto__ = 2;\n}`,
      'a.proto:4:9: the name "__proto__" cannot be used',
    ],
    [
      "a message __proto__",
      `${proto3}message __proto__ {}`,
      'a.proto:2:9: the name "__proto__" cannot be used',
    ],
    ["a map by double", `${proto3}message M {\n  map<double, int32> a = 1;\n}`, "a.proto:3:"],
    ["nothing at all", "", "a.proto: declares no message"],
  ])("says where a file is wrong: %s", (_, text, says) => {
    const said = failure(text);
    expect(said.startsWith(says), said).toBe(true);
  });

  it("mentions __proto__ in a comment without harm", () => {
    expect(fieldsOf(`${proto3}// __proto__\nmessage M { int32 a = 1; /* __proto__ */ }`)).toHaveLength(1);
  });

  it("says where an imported file is wrong", () => {
    const file = files({
      "a.proto": `${proto3}import "b.proto";\nmessage M {}`,
      "b.proto": `${proto3}message N {\n  int32\n}`,
    });
    expect(() => readProto(file)).toThrow(/b\.proto:4:1: /);
  });

  it("says that a file is not there", () => {
    expect(() => readProto(path.join(folder, "none.proto"))).toThrow(/none\.proto: no such file$/);
    expect(() => readProto(folder)).toThrow(/: is a folder$/);
  });
});
