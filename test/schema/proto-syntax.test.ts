/** What a .proto file may say: statements, options in every form, editions, and what is refused. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SchemaError, UsageError } from "../../src/model/errors.ts";
import { type Field, messageOf, type Schema } from "../../src/model/schema.ts";
import { emitProto } from "../../src/schema/emit/proto.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { tree } from "./proto-files.ts";

const proto2 = 'syntax = "proto2";\n';
const proto3 = 'syntax = "proto3";\n';
const edition = 'edition = "2023";\n';

function read(text: string, message?: string): Schema {
  return readProto(path.join(tree({ "a.proto": text }), "a.proto"), message);
}

function fieldsOf(text: string, message = "M"): readonly Field[] {
  const schema = read(text, message);
  return messageOf(schema, schema.root).fields;
}

function failure(text: string): string {
  const file = path.join(tree({ "a.proto": text }), "a.proto");
  try {
    readProto(file, "M");
  } catch (error) {
    expect(error instanceof SchemaError || error instanceof UsageError, String(error)).toBe(true);
    return (error as Error).message.replaceAll(`${path.dirname(file)}/`, "");
  }
  return "read";
}

describe("the parser", () => {
  it("reads a group in a oneof, as it is printed", () => {
    const text = `${proto2}
message M {
  oneof o {
    group MyBigGroup = 1 {
      optional int32 a = 2;
    }
    int32 b = 3;
  }
}
`;
    const schema = read(text);
    expect(messageOf(schema, "M").fields).toEqual([
      {
        name: "mybiggroup",
        number: 1,
        type: { kind: "message", name: "M.MyBigGroup" },
        repetition: { kind: "one", presence: "optional" },
        group: true,
        oneof: "o",
      },
      {
        name: "b",
        number: 3,
        type: { kind: "scalar", scalar: "int32" },
        repetition: { kind: "one", presence: "optional" },
        oneof: "o",
      },
    ]);
    expect(emitProto(schema)).toBe(text);
  });

  it("reads signs that stand apart, and reserved numbers of enums below zero", () => {
    const text = `${proto2}enum E { A = 0; B = - 2; reserved - 1, -9 to - 5, 7 to max; reserved "C", 'D'; }
message M { reserved 5, 7 to 9, 1000 to max; reserved "x"; optional E e = 1; optional sint32 s = 2 [default = - 3]; }`;
    expect(read(text).enums.get("E")?.values).toEqual([
      { name: "A", number: 0 },
      { name: "B", number: -2 },
    ]);
    expect(fieldsOf(text)[1]?.default).toBe(-3);
  });

  it("reads numbers in octal and hexadecimal, and text in pieces and escapes", () => {
    const text = `${proto2}message M {
  optional int32 a = 0x1 [default = 0777];
  optional string s = 02 [default = "a" 'b"' "\\x41\\u00e9\\U0001F600"];
  optional bytes y = 3 [default = "é\\xe9"];
  optional float f = 4 [default = 1.17];
  optional double d = 5 [default = .5e1];
}`;
    expect(fieldsOf(text).map((field) => field.default)).toEqual([
      511,
      'ab"Aé😀',
      "Ã©é",
      Math.fround(1.17),
      5,
    ]);
  });

  it("reads 40 messages in each other, and refuses more than 100", () => {
    const nested = (count: number): string =>
      `${proto2}message M {\n${"message N { ".repeat(count - 2)}message L { optional int32 a = 1; }${" }".repeat(count - 1)}`;
    const inner = ["M", ...Array.from({ length: 38 }, () => "N"), "L"].join(".");
    expect(fieldsOf(nested(40), inner)).toHaveLength(1);
    expect(failure(nested(101))).toContain("messages nested deeper than 100");
    expect(failure(nested(100_000))).toContain("messages nested deeper than 100");
  });

  it("reads words of the language as names", () => {
    const words = [
      "optional",
      "message",
      "group",
      "oneof",
      "map",
      "reserved",
      "option",
      "to",
      "max",
      "stream",
      "true",
    ];
    const text = `${proto3}message M { ${words.map((word, i) => `int32 ${word} = ${i + 1};`).join(" ")} .map x = 50; }
message map {} message rpc { map<string, rpc> map = 1; }`;
    expect(fieldsOf(text).map(({ name }) => name)).toEqual([...words, "x"]);
  });

  it("reads over services, empty statements and comments", () => {
    const text = `\uFEFF/* a */ ${proto3}; // b
message M { ; int32 a = 1; /* c
*/ }
service S { option deprecated = true; ; rpc Get(M) returns (stream .M); rpc Put(stream M) returns (M) { ; } }
;`;
    expect(fieldsOf(text)).toHaveLength(1);
  });

  it("reads over options that it does not know, custom ones in all forms", () => {
    const custom = `(my.opt).a.(b.c) = { a: 1 b { c: "]};" } d < e: [1, -2.5, inf] > [x.y/z.W] { } }`;
    const list = `[deprecated = true, ${custom}, (.my.flag) = -inf]`;
    const text = `${proto2}option java_package = "x"; option ${custom};
extend M { optional int32 ext = 100 ${list}; }
enum E { option ${custom}; A = 0 ${list}; }
message M {
  option ${custom};
  optional int32 a = 1 ${list};
  oneof o { option ${custom}; int32 b = 2 ${list}; }
  map<string, int32> m = 3 ${list};
  optional group G = 4 ${list} { optional int32 c = 1; }
  extensions 100 to 200 ${list};
}
service S { option ${custom}; rpc R(M) returns (M) { option ${custom}; } }`;
    expect(fieldsOf(text).map(({ name }) => name)).toEqual(["a", "b", "m", "g", "ext"]);
  });

  it("sees what a file imports and what that imports publicly, and nothing else", () => {
    const root = tree({
      "a.proto": `${proto3}import "b.proto";\nmessage M { .C c = 1; .D d = 2; }`,
      "b.proto": `${proto3}import public "c.proto";\nimport "d.proto";\nmessage B { D d = 1; }`,
      "c.proto": `${proto3}message C {}`,
      "d.proto": `${proto3}message D {}`,
    });
    expect(() => readProto(path.join(root, "a.proto"), "M")).toThrow(
      `a.proto:3:23: type .D is declared in ${root}/d.proto, which this file does not import`,
    );
    expect(readProto(path.join(root, "b.proto"), "B").root).toBe("B");
  });
});

describe("editions", () => {
  it.each([
    [
      "of a file",
      `${edition}option features.field_presence = IMPLICIT;\nmessage M { int32 a = 1; }`,
      "implicit",
    ],
    [
      "as an aggregate",
      `${edition}option features = { enum_type: OPEN field_presence: IMPLICIT };\nmessage M { int32 a = 1; }`,
      "implicit",
    ],
    [
      "of a field before its file's",
      `${edition}option features.field_presence = IMPLICIT;\nmessage M { int32 a = 1 [features.field_presence = EXPLICIT]; }`,
      "optional",
    ],
    [
      "of a oneof's field",
      `${edition}option features.field_presence = IMPLICIT;\nmessage M { oneof o { int32 a = 1; } }`,
      "optional",
    ],
    [
      "of a message's field",
      `${edition}option features.field_presence = IMPLICIT;\nmessage M { M a = 1; }`,
      "optional",
    ],
    [
      "of another library",
      `${edition}message M { int32 a = 1 [features.(pb.cpp).string_type = VIEW, features.utf8_validation = NONE]; }`,
      "optional",
    ],
    [
      "of 2024",
      `edition = "2024";\nimport option "none.proto";\nmessage M { int32 a = 1; }`.replace(/import.*\n/, ""),
      "optional",
    ],
  ])("has the presence %s", (_, text, presence) => {
    expect(fieldsOf(text)[0]?.repetition).toEqual({ kind: "one", presence });
  });

  it("delimits the messages of a file, but no map, and keeps the names of fields", () => {
    const text = `${edition}option features.message_encoding = DELIMITED;
message M { M Inner = 1; repeated M list = 2; map<string, M> map = 3; M plain = 4 [features.message_encoding = LENGTH_PREFIXED]; }`;
    expect(fieldsOf(text).map(({ name, group }) => [name, group ?? false])).toEqual([
      ["Inner", true],
      ["list", true],
      ["map", false],
      ["plain", false],
    ]);
  });

  it("reads what 2024 adds: visibility, and imports for options", () => {
    const text = `edition = "2024";
export message M { local enum E { A = 0; } E e = 1; message export { int32 local = 1; } export x = 2; }
local message N {}`;
    expect(fieldsOf(text).map(({ name }) => name)).toEqual(["e", "x"]);
    const root = tree({
      "a.proto": 'edition = "2024";\nimport option "o.proto";\nmessage M { int32 a = 1 [(o) = 2]; }',
      "o.proto": `${proto2}import "google/protobuf/descriptor.proto";\nextend google.protobuf.FieldOptions { optional int32 o = 50000; }`,
    });
    expect(readProto(path.join(root, "a.proto")).root).toBe("M");
  });

  it("reserves names without quotes", () => {
    expect(failure(`${edition}message M { reserved a, b; int32 b = 1; }`)).toBe(
      "a.proto:2:34: message M: the name b is reserved",
    );
  });
});

describe("what is refused", () => {
  it("is a message set, where it is reached", () => {
    const text = `${proto2}message Set { option message_set_wire_format = true; extensions 4 to max; }
message Item { extend Set { optional Item item = 2147483646; } }
message M { optional Set s = 1; }
message Other { optional int32 a = 1; }`;
    expect(failure(text)).toBe("a.proto:2:9: message Set: message_set_wire_format is not supported");
    expect(fieldsOf(text, "Other")).toHaveLength(1);
    const any = `${text}\nimport "google/protobuf/any.proto"; message A { optional google.protobuf.Any any = 1; }`;
    expect([...read(any, "A").messages.keys()]).toEqual(["A", "google.protobuf.Any", "Item", "Other"]);
  });

  it.each([
    [
      "message M { optional group low = 1 {} }",
      "a.proto:2:28: group low: its name must begin with a capital letter",
    ],
    ["message M { int32 a = 1; }", "a.proto:2:13: a: expected required, optional or repeated in front of it"],
    ["message M { oneof o { optional int32 a = 1; } }", "a.proto:2:23: a field of a oneof has no label"],
    ["message M { oneof o {} }", "a.proto:2:19: message M: oneof o has no field"],
    ["message M { optional int32 a = 08; }", "a.proto:2:32: 08 begins with 0 and is not octal"],
    ["message M { optional int32 a = 1a; }", "a.proto:2:32: 1a is no number"],
    [
      'message M { optional string a = 1 [default = "\\q"]; }',
      "a.proto:2:46: text with an escape that is none",
    ],
    [
      "message M { optional int32 a = 1 [default = 1, default = 2]; }",
      "a.proto:2:48: option default is set twice",
    ],
    ["message M { optional string é = 1; }", 'a.proto:2:29: the character "é" has no meaning here'],
    ["message M {} /* no end", "a.proto:2:14: comment without an end"],
    ["package a; package b;", "a.proto:2:12: a second package"],
    [
      "message M { repeated string a = 1 [packed = true]; }",
      "a.proto:2:29: field M.a: packed is for lists of numbers",
    ],
    [
      "message M { repeated map<string, M> a = 1; }",
      "a.proto:2:22: a map has no label, and is no extension and in no oneof",
    ],
    ["message M { map<double, M> a = 1; }", "a.proto:2:28: field M.a: the key of a map cannot be double"],
    [
      "message M { map<string, M> a = 1; repeated AEntry b = 2; }",
      "a.proto:2:51: field M.b: M.AEntry is the type of a map's entries",
    ],
    [
      "message M { map<string, M> a = 1; optional int32 AEntry = 2; }",
      "a.proto:2:28: M.AEntry is declared twice",
    ],
    [
      "message M { optional int32 a = 1; optional a b = 2; }",
      "a.proto:2:44: type a is no message and no enum",
    ],
    [
      "package p; message q {} message M { message p {} optional p.q b = 2; }",
      "a.proto:2:59: type p.q means p.M.p.q here, which is not declared",
    ],
    [
      "message M { extensions 5; } extend M { optional int32 a = 6; }",
      "a.proto:2:59: extension a: M has no extension number 6",
    ],
    [
      "message M { extensions 5; } extend M { optional int32 a = 5; optional int32 b = 5; }",
      "a.proto:2:81: extension b: a has the number 5 too",
    ],
    [
      "message M { extensions 5; } extend M { required int32 a = 5; }",
      "a.proto:2:55: field a: an extension is not required",
    ],
    [
      "message M { extensions 5 to 9; optional int32 a = 7; }",
      "a.proto:2:51: message M: the number 7 is an extension's",
    ],
    ["message M { reserved 5 to 3; }", "a.proto:2:22: numbers 5 to 3: the last is less than the first"],
    ['message M { reserved "a"; optional int32 a = 1; }', "a.proto:2:42: message M: the name a is reserved"],
    ["enum E { A = 0; B = 0; }", "a.proto:2:21: enum E: A and B have the number 0, without allow_alias"],
    ["enum E { A = 0; } enum F { A = 0; }", "a.proto:2:28: A is declared twice"],
    ["message M { option map_entry = true; }", "a.proto:2:9: M: map_entry is not set by hand"],
    ["message M { option (x) = { a: ", 'a.proto:2:31: syntax error, expected "}", got the end of the file'],
    [
      "message M { optional int32 a = 1 [packed = 1]; }",
      "a.proto:2:44: option packed: expected true or false, got 1",
    ],
  ])("is, in proto2, %s", (text, says) => {
    expect(failure(proto2 + text).slice(0, says.length)).toBe(says);
  });

  it.each([
    [`${proto3}message M { required int32 a = 1; }`, "a.proto:2:13: required fields are proto2's"],
    [`${proto3}message M { repeated group A = 1 {} }`, "a.proto:2:28: group A: groups are proto2's"],
    [
      `${proto3}import "google/protobuf/descriptor.proto"; message M { google.protobuf.FieldDescriptorProto.Type t = 1; }`,
      "a.proto:2:98: field M.t: enum google.protobuf.FieldDescriptorProto.Type is closed",
    ],
    [
      `${edition}message M { optional int32 a = 1; }`,
      "a.proto:2:13: a field of an edition is optional without a label",
    ],
    [
      `${edition}message M { int32 a = 1 [features.field_presence = SOMETIMES]; }`,
      "a.proto:2:26: feature field_presence: expected one of EXPLICIT, IMPLICIT, LEGACY_REQUIRED, got SOMETIMES",
    ],
    [
      `${edition}message M { oneof o { int32 a = 1 [features.field_presence = LEGACY_REQUIRED]; } }`,
      "a.proto:2:29: field M.a: a field of a oneof has no presence of its own",
    ],
    [
      `${edition}message M { repeated int32 a = 1 [features.field_presence = EXPLICIT]; }`,
      "a.proto:2:28: field M.a: a list has no presence",
    ],
    [
      `${edition}message M { int32 a = 1 [features.repeated_field_encoding = PACKED]; }`,
      "a.proto:2:19: field M.a: repeated_field_encoding is for lists",
    ],
    [
      `${edition}message M { int32 a = 1 [features.message_encoding = DELIMITED]; }`,
      "a.proto:2:19: field M.a: message_encoding is for messages",
    ],
    [
      `${edition}message M { M a = 1 [features.field_presence = IMPLICIT]; }`,
      "a.proto:2:15: field M.a: a message has no implicit presence",
    ],
    [
      `${proto3}message M { int32 a = 1 [features.field_presence = EXPLICIT]; }`,
      "a.proto:2:26: option features.field_presence: features are of editions",
    ],
    ['edition = "2026";', 'a.proto:1:11: edition "2026" is not known'],
  ])("is %s", (text, says) => {
    expect(failure(text).slice(0, says.length)).toBe(says);
  });
});
