/** Schemas as protoc reads them: of the same text, its FileDescriptorSet and the parser here say the same. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { UsageError } from "../../src/model/errors.ts";
import { messageOf, type Schema } from "../../src/model/schema.ts";
import { emitProto } from "../../src/schema/emit/proto.ts";
import { protobufSyntax } from "../../src/schema/layout/protobuf.ts";
import { link } from "../../src/schema/read/proto/link.ts";
import { readProtoSource } from "../../src/schema/read/proto/source.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { itWith } from "../references.ts";
import { SEED } from "../seed.ts";
import { protoSchemas } from "./arbitrary-proto.ts";
import { HARD } from "./hard-schemas.ts";
import { tree } from "./proto-files.ts";

/** The FileDescriptorSet that protoc makes of files, with their imports. */
function compiled(root: string, ...names: readonly string[]): string {
  const set = path.join(tree({}), "set.binpb");
  execFileSync("protoc", ["-I", root, "--include_imports", `-o${set}`, ...names], { stdio: "pipe" });
  return set;
}

/** Whether protoc takes a text. */
function isTaken(text: string): boolean {
  try {
    compiled(tree({ "a.proto": text }), "a.proto");
    return true;
  } catch {
    return false;
  }
}

function isRead(text: string): boolean {
  try {
    readProto(path.join(tree({ "a.proto": text }), "a.proto"), "NoSuchMessage");
    return true;
  } catch (error) {
    return error instanceof UsageError;
  }
}

/** Every message of a file. */
function messagesOf(file: string, include: readonly string[]): readonly string[] {
  return [...link(readProtoSource(file, include).files).messages.values()]
    .filter(({ declaration }) => !declaration.isMapEntry && !declaration.isMessageSet)
    .map(({ name }) => name);
}

const standard = "/usr/include";
const standardNames = existsSync(`${standard}/google/protobuf`)
  ? readdirSync(`${standard}/google/protobuf`, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".proto"))
      .map((name) => `google/protobuf/${name}`)
  : [];

describe("protoc's descriptors", () => {
  itWith("protoc")("of random schemas, printed together, say what their text says", () => {
    const schemas = fc
      .sample(protoSchemas("pkg"), { numRuns: 100, seed: SEED })
      .concat(HARD.map(([, schema]) => schema))
      .filter((schema) => protobufSyntax(schema) !== "2023");
    const texts = schemas.map((schema, i) => emitProto(schema).replace(/^package .*;$/m, `package p${i};`));
    // Full names within a text have its package too.
    const files = texts.map((text, i) => text.replace(/(?<=[ <])\.(?:pkg|c\d+)\./g, `.p${i}.`));
    const root = tree(Object.fromEntries(files.map((text, i) => [`t${i}.proto`, text])));
    const taken = files.flatMap((text, i) =>
      text.includes("__proto__") || text.startsWith('syntax = "proto3";\n\nmessage NoPackage') ? [] : [i],
    );
    const set = compiled(root, ...taken.map((i) => `t${i}.proto`));
    for (const i of taken) {
      const file = path.join(root, `t${i}.proto`);
      for (const message of messagesOf(file, [root])) {
        expect(readProto(set, message)).toEqual(readProto(file, message, [root]));
      }
    }
  });

  itWith("protoc").each(standardNames)("of %s say what its text says, and what is built in", (name) => {
    const set = compiled(standard, name);
    const file = path.join(standard, name);
    const other = path.join(
      tree({ "a.proto": `syntax = "proto3"; import "${name}"; message Nothing {}` }),
      "a.proto",
    );
    const folder = path.dirname(other);
    for (const message of messagesOf(file, [standard])) {
      const schema = readProto(file, message, [standard]);
      expect(readProto(set, message)).toEqual(schema);
      // Later versions have more, but change nothing.
      expectWithin(schema, readProto(other, message, [folder]));
    }
  });

  itWith("protoc")("are of the files that are read, and of no others", () => {
    const disagreed = STATEMENTS.filter(
      ({ 0: text, 1: taken }) => isTaken(text) !== taken || isRead(text) !== taken,
    );
    expect(disagreed).toEqual([]);
  });
});

/** Removed from descriptor.proto after protobuf 3.21. */
const REMOVED = new Set(["php_generic_services"]);

function expectWithin(old: Schema, recent: Schema): void {
  for (const { name, fields } of old.messages.values()) {
    const later = messageOf(recent, name).fields;
    for (const field of fields.filter((one) => !REMOVED.has(one.name))) {
      expect(later.find((one) => one.name === field.name)).toEqual(field);
    }
  }
}

const m2 = (body: string): string => `syntax = "proto2"; message M { ${body} }`;
const m3 = (body: string): string => `syntax = "proto3"; message M { ${body} }`;

/** Texts, and whether they are a .proto file. */
const STATEMENTS: readonly (readonly [string, boolean])[] = [
  [m2("optional float f = 1 [default = 1.];"), true],
  [m2("optional float f = 1 [default = .5e+3];"), true],
  [m2("optional float f = 1 [default = 1.5f];"), false],
  [m2("optional float f = 1 [default = 0x10];"), true],
  [m2("optional double f = 1 [default = -nan];"), true],
  [m2("optional double f = 1 [default = Inf];"), false],
  [m2("optional double f = 1 [default = 1e400];"), true],
  [m2('optional double f = 1 [default = "1"];'), false],
  [m2("optional int64 a = 1 [default = -0x8000000000000000];"), true],
  [m2("optional int64 a = 1 [default = 0x8000000000000000];"), false],
  [m2("optional bool b = 1 [default = True];"), false],
  [m2("optional bool b = 1 [default = 1];"), false],
  [m2("optional int32 a = 08;"), false],
  [m2("optional int32 a = 010;"), true],
  [m2("optional int32 a = - 1;"), false],
  [m2("optional int32 optional = 1;"), true],
  [m2("oneof o { group Foo = 1 { optional int32 a = 1; } }"), true],
  [m2("oneof o { map<string, M> a = 1; }"), false],
  [m2("enum E { A = - 1; reserved - 5, -4 to -2; reserved 'X', \"Y\"; }"), true],
  [m2("enum E { A = 2147483648; }"), false],
  [m2("enum E { option allow_alias = true; A = 0; B = 0; }"), true],
  [m2("reserved 1 to max; reserved 'a';"), true],
  [m2("reserved a;"), false],
  [m2("reserved 1, 'a';"), false],
  [m2("extensions 4 to 10, 20; extensions 100 to max;"), true],
  [m2("option message_set_wire_format = true; extensions 4 to max;"), true],
  [m2("option message_set_wire_format = true; extensions 4 to max; optional int32 a = 1;"), false],
  [m2("optional .M m = 1; optional M.M n = 2; message M {}"), false],
  [m2("map<int32, M> a = 1; map<bool, AEntry> b = 2;"), false],
  [m2("map<M, M> a = 1;"), false],
  [m2("optional int32 a = 1 [json_name = 'x'];"), true],
  [m2("optional int32 a = 1 [json_name = x];"), false],
  [m2("optional group Foo = 1 [deprecated = true] { optional int32 Foo = 1; }"), true],
  [m3("optional int32 a = 1; oneof o { int32 b = 2; }"), true],
  [m3("int32 a = 1 [default = 1];"), false],
  [m3("repeated group A = 1 {}"), false],
  [m3("enum E { A = 1; }"), false],
  ['syntax = "proto2"; import "a.proto"; message M {}', false],
  ['message M {} syntax = "proto2";', false],
  ['syntax = "proto" "2"; message M {}', true],
  [
    'syntax = "proto2"; message M {} service S { rpc A(stream M) returns (.M) { option deprecated = true; ; } ; }',
    true,
  ],
  ['syntax = "proto2"; message M {} service S { rpc A(M) returns (); }', false],
  ['syntax = "proto2"; message message { optional message enum = 1; }', true],
];
