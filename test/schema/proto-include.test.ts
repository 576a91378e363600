/** Where a .proto file's imports come from: folders, the standard files, and FileDescriptorSets. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { loadSchema } from "../../src/catalog/load-dataset.ts";
import { SchemaError, UsageError } from "../../src/model/errors.ts";
import { messageOf, type Schema } from "../../src/model/schema.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { tree } from "./proto-files.ts";

const proto2 = 'syntax = "proto2";\n';
const proto3 = 'syntax = "proto3";\n';

function namesOf(schema: Schema, message = schema.root): readonly string[] {
  return messageOf(schema, message).fields.map(({ name }) => name);
}

function failure(read: () => unknown, at: string): string {
  try {
    read();
  } catch (error) {
    expect(error instanceof SchemaError || error instanceof UsageError, String(error)).toBe(true);
    return (error as Error).message.replaceAll(`${at}/`, "");
  }
  return "read";
}

describe("include paths", () => {
  const root = tree({
    "one/app/a.proto": `${proto3}import "lib/b.proto";\nmessage A { B b = 1; }`,
    "one/lib/b.proto": `${proto3}message B { int32 first = 1; }`,
    "two/lib/b.proto": `${proto3}message B { int32 second = 1; }`,
    "app/a.proto": `${proto3}import "lib/b.proto";\nmessage A { B b = 1; }`,
    "app/self.proto": `${proto3}import "app/self.proto";\nmessage A {}`,
    "app/up.proto": `${proto3}import "../two/lib/b.proto";\nmessage A {}`,
    "app/stamp.proto": `${proto3}import "google/protobuf/timestamp.proto";\nmessage A { google.protobuf.Timestamp t = 1; }`,
    "own/google/protobuf/timestamp.proto": `${proto3}package google.protobuf;\nmessage Timestamp { int64 mine = 1; }`,
  });
  const at = (...names: string[]): string => path.join(root, ...names);

  it("have the file itself, and its imports in the first of them", () => {
    const first = readProto(at("one/app/a.proto"), undefined, [at("one"), at("two")]);
    expect(namesOf(first, "B")).toEqual(["first"]);
    const second = readProto(at("one/app/a.proto"), undefined, [at("two"), at("one")]);
    expect(namesOf(second, "B")).toEqual(["second"]);
  });

  it("replace the folders above the file", () => {
    expect(failure(() => readProto(at("app/a.proto")), root)).toMatch(
      /^app\/a\.proto:2:8: import "lib\/b\.proto" not found in app or a folder above it: name its folder with --include$/,
    );
    expect(namesOf(readProto(at("app/a.proto"), "A", [root, at("two")]), "B")).toEqual(["second"]);
    expect(failure(() => readProto(at("one/app/a.proto"), "A", [at("one/app")]), root)).toBe(
      'one/app/a.proto:2:8: import "lib/b.proto" not found in one/app',
    );
  });

  it("may be relative to the working directory", () => {
    const relative = path.relative(process.cwd(), at("one"));
    expect(namesOf(readProto(at("one/app/a.proto"), "A", [relative]), "B")).toEqual(["first"]);
  });

  it("refuse a file that lies in none of them", () => {
    expect(failure(() => readProto(at("app/a.proto"), "A", [at("one"), at("two")]), root)).toBe(
      `app/a.proto: lies in no include path, which are ${at("one")}, ${at("two")}`.replaceAll(`${root}/`, ""),
    );
  });

  it("have no way out of them, and no file that imports itself", () => {
    expect(failure(() => readProto(at("app/up.proto"), "A", [root]), root)).toBe(
      'app/up.proto:2:8: import "../two/lib/b.proto" leaves the source tree',
    );
    for (const include of [[], [root]]) {
      expect(failure(() => readProto(at("app/self.proto"), "A", include), root)).toBe(
        'app/self.proto:2:8: import "app/self.proto": the file imports itself',
      );
    }
  });

  it("have copies of the standard files that win", () => {
    const name = "google.protobuf.Timestamp";
    expect(namesOf(readProto(at("app/stamp.proto"), "A", [root]), name)).toEqual(["seconds", "nanos"]);
    expect(namesOf(readProto(at("app/stamp.proto"), "A", [root, at("own")]), name)).toEqual(["mine"]);
  });

  it("are the library's too", () => {
    expect(namesOf(loadSchema(at("app/a.proto"), "A", [root, at("one")]), "B")).toEqual(["first"]);
  });
});

describe("standard files", () => {
  it.each([
    ["google/protobuf/any.proto", "google.protobuf.Any", ["type_url", "value"]],
    ["google/protobuf/field_mask.proto", "google.protobuf.FieldMask", ["paths"]],
    [
      "google/protobuf/struct.proto",
      "google.protobuf.Value",
      ["null_value", "number_value", "string_value", "bool_value", "struct_value", "list_value"],
    ],
    ["google/protobuf/wrappers.proto", "google.protobuf.UInt64Value", ["value"]],
    ["google/protobuf/source_context.proto", "google.protobuf.SourceContext", ["file_name"]],
    ["google/protobuf/api.proto", "google.protobuf.Mixin", ["name", "root"]],
    ["google/protobuf/type.proto", "google.protobuf.Option", ["name", "value"]],
    [
      "google/protobuf/compiler/plugin.proto",
      "google.protobuf.compiler.Version",
      ["major", "minor", "patch", "suffix"],
    ],
    [
      "google/protobuf/descriptor.proto",
      "google.protobuf.EnumValueDescriptorProto",
      ["name", "number", "options"],
    ],
    ["google/api/http.proto", "google.api.CustomHttpPattern", ["kind", "path"]],
    ["google/api/field_info.proto", "google.api.TypeReference", ["type_name"]],
    ["google/type/date.proto", "google.type.Date", ["year", "month", "day"]],
    ["google/rpc/status.proto", "google.rpc.Status", ["code", "message", "details"]],
  ])("has %s with its official names", (name, message, fields) => {
    const root = tree({ "a.proto": `${proto3}import "${name}";\nmessage M { .${message} m = 1; }` });
    expect(namesOf(readProto(path.join(root, "a.proto"), "M"), message)).toEqual(fields);
  });

  it("has the annotations of google.api, which a service has", () => {
    const text = `${proto3}import "google/api/annotations.proto";
message M { int32 a = 1; }
service S { rpc Get(M) returns (M) { option (google.api.http) = { get: "/v1/{name=*}" additional_bindings { post: "/" body: "*" } }; } }`;
    expect(namesOf(readProto(path.join(tree({ "a.proto": text }), "a.proto")))).toEqual(["a"]);
  });
});

/** A FileDescriptorSet of files as descriptor.proto has them in JSON. */
function setOf(name: string, files: readonly object[]): string {
  const root = tree({ "a.proto": `${proto2}import "google/protobuf/descriptor.proto";\nmessage M {}` });
  const json = protobuf.loadSync(
    path.join(import.meta.dirname, "../../node_modules/protobufjs/google/protobuf/descriptor.proto"),
  );
  const type = json.lookupType("google.protobuf.FileDescriptorSet");
  const file = path.join(root, name);
  writeFileSync(file, type.encode(type.fromObject({ file: files })).finish());
  return file;
}

const optional = { label: "LABEL_OPTIONAL", type: "TYPE_INT32" };

describe("a FileDescriptorSet", () => {
  const b = {
    name: "b.proto",
    package: "p",
    syntax: "proto2",
    messageType: [{ name: "B", field: [{ name: "x", number: 1, ...optional, defaultValue: "-7" }] }],
  };
  const a = {
    name: "a.proto",
    package: "p",
    syntax: "proto3",
    dependency: ["b.proto"],
    messageType: [
      {
        name: "A",
        field: [
          {
            name: "b",
            number: 1,
            label: "LABEL_OPTIONAL",
            type: "TYPE_MESSAGE",
            typeName: ".p.B",
            jsonName: "b",
          },
          { name: "a_c", number: 2, ...optional, jsonName: "other" },
          { name: "d", number: 3, ...optional, oneofIndex: 0, proto3Optional: true },
        ],
        oneofDecl: [{ name: "_d" }],
      },
    ],
  };

  it.each(["set.binpb", "set.pb", "set.desc", "set", "set.proto"])("is known by its content: %s", (name) => {
    const schema = loadSchema(setOf(name, [b, a]));
    expect(schema).toMatchObject({ package: "p", root: "p.A" });
    expect(messageOf(schema, "p.A").fields).toEqual([
      {
        name: "b",
        number: 1,
        type: { kind: "message", name: "p.B" },
        repetition: { kind: "one", presence: "optional" },
      },
      {
        name: "a_c",
        jsonName: "other",
        number: 2,
        type: { kind: "scalar", scalar: "int32" },
        repetition: { kind: "one", presence: "implicit" },
      },
      {
        name: "d",
        number: 3,
        type: { kind: "scalar", scalar: "int32" },
        repetition: { kind: "one", presence: "optional" },
      },
    ]);
    expect(messageOf(schema, "p.B").fields[0]?.default).toBe(-7);
  });

  it("finds a message of any of its files", () => {
    expect(loadSchema(setOf("set.pb", [b, a]), "B").root).toBe("p.B");
  });

  it("without its imports says how to have them", () => {
    const file = setOf("set.pb", [a]);
    expect(failure(() => loadSchema(file), path.dirname(file))).toBe(
      'set.pb: a.proto: import "b.proto" is not in the set: make it with protoc --include_imports',
    );
  });

  it("without the standard files finds them", () => {
    const file = setOf("set.pb", [
      {
        name: "a.proto",
        dependency: ["google/protobuf/struct.proto"],
        messageType: [
          {
            name: "M",
            field: [
              {
                name: "v",
                number: 1,
                label: "LABEL_OPTIONAL",
                type: "TYPE_MESSAGE",
                typeName: ".google.protobuf.Value",
              },
            ],
          },
        ],
      },
    ]);
    expect(namesOf(loadSchema(file), "google.protobuf.Value")).toContain("number_value");
  });

  it.each<[string, object, string]>([
    ["a name that is none", { name: "a.proto", messageType: [{ name: "A B" }] }, '"A B" is no name'],
    [
      "__proto__",
      { name: "a.proto", messageType: [{ name: "__proto__" }] },
      'the name "__proto__" cannot be used',
    ],
    [
      "an edition that is not known",
      { name: "a.proto", syntax: "editions", edition: "EDITION_99999_TEST_ONLY" },
      "edition 99999_TEST_ONLY is not known",
    ],
    [
      "a field without a type",
      { name: "a.proto", messageType: [{ name: "M", field: [{ name: "x", number: 1 }] }] },
      "field x has no type",
    ],
    [
      "a oneof that is not there",
      {
        name: "a.proto",
        messageType: [{ name: "M", field: [{ name: "x", number: 1, ...optional, oneofIndex: 3 }] }],
      },
      "field M.x: it is in a oneof that is not there",
    ],
    [
      "a map's entry without a key",
      {
        name: "a.proto",
        messageType: [
          {
            name: "M",
            field: [
              { name: "x", number: 1, label: "LABEL_REPEATED", type: "TYPE_MESSAGE", typeName: ".M.XEntry" },
            ],
            nestedType: [{ name: "XEntry", options: { mapEntry: true } }],
          },
        ],
      },
      "field M.x: M.XEntry has no key and value",
    ],
    [
      "a type that is not there",
      {
        name: "a.proto",
        messageType: [
          {
            name: "M",
            field: [{ name: "x", number: 1, label: "LABEL_OPTIONAL", type: "TYPE_MESSAGE", typeName: ".N" }],
          },
        ],
      },
      "type .N is not declared",
    ],
  ])("refuses %s", (_, file, says) => {
    const set = setOf("set.pb", [file]);
    expect(failure(() => loadSchema(set, "M"), path.dirname(set))).toContain(`set.pb: a.proto: ${says}`);
  });

  it("that is cut off is refused as one", () => {
    const whole = setOf("set.pb", [b, a]);
    const bytes = readFileSync(whole);
    for (let length = 12; length < bytes.length; length++) {
      writeFileSync(whole, bytes.subarray(0, length));
      expect(failure(() => loadSchema(whole, "A"), path.dirname(whole))).not.toBe("read");
    }
  });
});

describe("a file that is no schema", () => {
  it("is refused by what it should be", () => {
    const root = tree({ "notes.txt": "\nsome text\n\nmore of it" });
    expect(failure(() => loadSchema(path.join(root, "notes.txt")), root)).toMatch(
      /^notes\.txt: expected a schema file that ends in .*, or a FileDescriptorSet$/,
    );
  });
});
