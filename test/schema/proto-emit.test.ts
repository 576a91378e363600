import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import {
  type EnumType,
  type Field,
  messageOf,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../src/model/schema.ts";
import { emitProto } from "../../src/schema/emit/proto.ts";
import { isGroup, isImplicit, protobufScalar, protobufSyntax } from "../../src/schema/layout/protobuf.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { Protoc } from "../codecs/protoc.ts";
import { itWithRealData, realData } from "../real-data.ts";
import { itWith } from "../references.ts";
import { SEED } from "../seed.ts";
import { protoSchemas } from "./arbitrary-proto.ts";
import { HARD } from "./hard-schemas.ts";
import { enumType, list, mapOf, messageType, ofEnum, ofMessage, schemaOf, single } from "./schema-of.ts";

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readBack(text: string, message: string): Schema {
  const file = path.join(folder, "printed.proto");
  writeFileSync(file, text);
  return readProto(file, message);
}

/**
 * What a .proto file can say of a message, and of the messages in it: narrow integers are wide, `always` is the
 * dataset's own knowledge, and a group's type has a name of its own.
 */
function printable(schema: Schema, name = schema.root, levels = 3): unknown {
  const proto2 = protobufSyntax(schema) === "proto2";
  const typeOf = (field: Field): unknown => {
    const { type } = field;
    if (type.kind === "scalar") return protobufScalar(type.scalar);
    if (type.kind === "message") return levels > 0 ? printable(schema, type.name, levels - 1) : "message";
    const printed = schema.enums.get(type.name)!;
    return printsAsInt32(printed, field, proto2) ? "int32" : printed.values;
  };
  const fieldOf = (field: Field): unknown => {
    const { name: own, number, type, repetition, oneof } = field;
    const presence = repetition.kind === "one" ? repetition.presence : undefined;
    const optional =
      presence === "always" || (presence === "implicit" && (proto2 || type.kind === "message"));
    return {
      name: isGroup(field) && proto2 ? own.toLowerCase() : own,
      number,
      type: typeOf(field),
      repetition: optional ? { kind: "one", presence: "optional" } : { ...repetition, key: keyOf(field) },
      group: isGroup(field),
      oneof: presence === "required" || presence === "implicit" ? undefined : oneof,
      default: isImplicit(field) ? undefined : field.default,
    };
  };
  // A oneof brings its members together, which can change the order.
  return [...messageOf(schema, name).fields].sort((a, b) => a.number - b.number).map(fieldOf);
}

function keyOf({ repetition }: Field): string | undefined {
  return repetition.kind === "map" ? protobufScalar(repetition.key) : undefined;
}

function printsAsInt32({ closed, values }: EnumType, field: Field, proto2: boolean): boolean {
  const needsZero = field.repetition.kind === "map" || isImplicit(field);
  return (proto2 && !closed) || (needsZero && values[0]?.number !== 0);
}

const DEFAULTS: readonly (readonly [Scalar, NonNullable<Field["default"]>, string | undefined])[] = [
  ["bool", true, "true"],
  ["int32", -5, "-5"],
  ["uint64", 18446744073709551615n, "18446744073709551615"],
  ["int64", -(2n ** 63n), "-9223372036854775808"],
  ["float", 0.5, "0.5"],
  ["float", 1e-45, "1e-45"],
  ["double", 1e300, "1e+300"],
  ["double", -0, "-0"],
  ["double", Number.POSITIVE_INFINITY, "inf"],
  ["float", Number.NEGATIVE_INFINITY, "-inf"],
  ["double", Number.NaN, "nan"],
  ["string", 'a"b\\c', '"a\\"b\\\\c"'],
  ["string", "\n\u00002", '"\\012\\0002"'],
  ["string", "日本 é", '"日本 é"'],
  ["string", '"]; optional int32 evil = 99; //', '"\\"]; optional int32 evil = 99; //"'],
  ["bytes", "\u00ff1\u0000", '"\\3771\\000"'],
  ["bytes", "日", '"\\346\\227\\245"'],
  ["int32", "5", undefined],
  ["int32", 0.5, undefined],
  ["string", 5, undefined],
];

describe("emitProto", () => {
  it("prints the address book as schemas/tellist.proto has it", () => {
    const written = readFileSync(path.join(import.meta.dirname, "../../schemas/tellist.proto"), "utf8");
    expect(written.replace(/^\/\/.*\n/gm, "")).toBe(emitProto(tellist.schema));
  });

  itWithRealData.each(["Message1", "Message2"])("prints what it read of the real %s", (name) => {
    const schema = readProto(realData("messages.proto"), name);
    expect(readBack(emitProto(schema), name)).toEqual(schema);
  });

  it("prints text that reads back as an equivalent schema", () => {
    fc.assert(
      fc.property(protoSchemas("pkg"), (schema) => {
        const back = readBack(emitProto(schema), schema.root);
        expect(back.root).toBe(schema.root);
        expect(printable(back)).toEqual(printable(schema));
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it.each(HARD)("prints %s", (_, schema, lines) => {
    const text = emitProto(schema);
    for (const line of lines) expect(`\n${text}`).toContain(`\n${line}`);
  });

  it.each(HARD)("prints %s so that it can be read", (_, schema) => {
    const count = (one: Schema): number => reachableMessages(one).flatMap(({ fields }) => fields).length;
    const text = emitProto(schema).replaceAll("__proto__", "proto");
    const root = schema.root.slice(schema.root.lastIndexOf(".") + 1);
    expect(count(readBack(text, root))).toBeGreaterThanOrEqual(count(schema));
  });

  const defaults = schemaOf(
    "d",
    DEFAULTS.map(([scalar, value]) => ({ type: { kind: "scalar", scalar }, default: value })),
  );

  it.each(DEFAULTS.map(([scalar, value, printed], i) => ({ scalar, value, printed, i })))(
    "prints the default $printed of a $scalar",
    ({ scalar, printed, i }) => {
      const tail = printed === undefined ? "" : ` [default = ${printed}]`;
      expect(emitProto(defaults)).toContain(`  optional ${scalar} f${i + 1} = ${i + 1}${tail};\n`);
    },
  );

  it("prints the default of an enum by its name, and of an open one as a number", () => {
    const fields = [
      { type: ofEnum("d.E"), default: 5 },
      { type: ofEnum("d.E"), default: 6 },
    ];
    const printed = (closed: boolean): string =>
      emitProto(schemaOf("d", fields, { enums: [enumType("d.E", { A: 0, FIVE: 5 }, closed)] }));
    expect(printed(true)).toContain("optional E f1 = 1 [default = FIVE];\n  optional E f2 = 2;");
    expect(printed(false)).toContain(
      "optional int32 f1 = 1 [default = 5];\n  optional int32 f2 = 2 [default = 6];",
    );
  });

  it("prints a group where it is declared, although others refer to its type", () => {
    const text = `syntax = "proto2";

message G {
  optional group Grp = 1 {
    optional int32 a = 1;
  }
  optional G.Grp other = 2;
  map<string, G.Grp> more = 3;
}
`;
    expect(emitProto(readBack(text, "G"))).toBe(text);
  });

  it("prints a group that contains itself, and more groups than can be written in place, in edition 2023", () => {
    const recursive = schemaOf(
      "p",
      [
        { type: ofMessage("p.M"), group: true },
        { repetition: single("required") },
        { repetition: single("implicit") },
        { repetition: list },
        { repetition: { kind: "list", packed: true } },
        { type: ofEnum("p.E"), default: 1 },
        { type: ofEnum("p.E"), repetition: single("implicit") },
      ],
      { enums: [enumType("p.E", { A: 0, B: 1 })] },
    );
    expect(emitProto(recursive)).toBe(`edition = "2023";

package p;

enum E {
  option features.enum_type = CLOSED;
  A = 0;
  B = 1;
}

message M {
  M f1 = 1 [features.message_encoding = DELIMITED];
  int32 f2 = 2 [features.field_presence = LEGACY_REQUIRED];
  int32 f3 = 3 [features.field_presence = IMPLICIT];
  repeated int32 f4 = 4 [features.repeated_field_encoding = EXPANDED];
  repeated int32 f5 = 5;
  E f6 = 6 [default = B];
  int32 f7 = 7 [features.field_presence = IMPLICIT];
}
`);
    const level = (i: number): Partial<Field>[] =>
      [1, 2].map(() => ({ type: ofMessage(`p.L${i}`), group: true }));
    const levels = Array.from({ length: 40 }, (_, i) => messageType(`p.L${i}`, i < 39 ? level(i + 1) : []));
    const bomb = schemaOf("p", level(0), { messages: levels });
    expect(readBack(emitProto(bomb), "p.M")).toEqual({ ...bomb, packsLists: true });
  });

  itWith("protoc")("prints what protoc takes", () => {
    const texts = [...HARD.map(([, schema]) => emitProto(schema)), emitProto(defaults)];
    expect(() => new Protoc(texts.map((proto) => ({ proto }))).close()).not.toThrow();
  });

  it.each<[string, Schema, string]>([
    ["field number 0", schemaOf("p", [{ number: 0 }]), "protobuf: field p.M.f1: number 0 is not allowed"],
    [
      "field number 19000",
      schemaOf("p", [{ number: 19_000 }]),
      "protobuf: field p.M.f1: number 19000 is not allowed",
    ],
    [
      "field number 2^29",
      schemaOf("p", [{ number: 2 ** 29 }]),
      "protobuf: field p.M.f1: number 536870912 is not allowed",
    ],
    [
      "two fields of one number",
      schemaOf("p", [{}, { number: 1 }]),
      "protobuf: field p.M.f2: another field has its number",
    ],
    [
      "a map by double",
      schemaOf("p", [{ repetition: mapOf("double") }]),
      "protobuf: field p.M.f1: the key of a map cannot be double",
    ],
  ])("refuses %s", (_, schema, says) => {
    expect(() => emitProto(schema)).toThrow(UnsupportedError);
    expect(() => emitProto(schema)).toThrow(says);
  });
});

describe("messages of google.protobuf", () => {
  const WELL_KNOWN = ["any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"];
  const imports = WELL_KNOWN.map((name) => `import "google/protobuf/${name}.proto";`).join("\n");
  const all = `syntax = "proto3"; ${imports}
message M {
  google.protobuf.Any any = 1; google.protobuf.Duration duration = 2; repeated google.protobuf.Empty empty = 3;
  google.protobuf.FieldMask mask = 4; google.protobuf.ListValue list = 5; map<string, google.protobuf.Value> map = 6;
  oneof o { google.protobuf.Struct struct = 7; google.protobuf.NullValue none = 8; }
  google.protobuf.BoolValue b = 9; google.protobuf.Int64Value l = 10; google.protobuf.BytesValue y = 11;
  google.protobuf.Timestamp at = 12; M inner = 13;
}`;

  it.each(["", "package p;", "package google.protobufs;"])("are imported: %s", (declared) => {
    const name = declared === "" ? "M" : `${declared.slice(8, -1)}.M`;
    const schema = readBack(all.replace(";", `; ${declared}`), name);
    const printed = emitProto(schema);
    for (const file of WELL_KNOWN) expect(printed).toContain(`import "google/protobuf/${file}.proto";`);
    expect(readBack(printed, name)).toEqual(schema);
  });

  itWith("protoc")("are imported as protoc takes it", () => {
    const file = path.join(folder, "imports.proto");
    writeFileSync(file, emitProto(readBack(all, "M")));
    execFileSync("protoc", ["-I", folder, `-o${path.join(folder, "imports.binpb")}`, file], {
      stdio: "pipe",
    });
  });

  it("have their full names where another word is the same, and only files that are needed are imported", () => {
    const text = `syntax = "proto2"; import "google/protobuf/timestamp.proto"; import "google/protobuf/struct.proto";
message M { optional google.protobuf.Timestamp google = 1; optional google.protobuf.NullValue none = 2; required int32 id = 3; }`;
    const printed = emitProto(readBack(text, "M"));
    expect(printed).toContain("optional .google.protobuf.Timestamp google = 1;");
    expect(printed).not.toContain("struct.proto");
    expect(readBack(printed, "M").messages.get("google.protobuf.Timestamp")?.fields).toHaveLength(2);
  });

  it("are declared where they are others of those names, or the message itself", () => {
    const schema = readBack(all, "M");
    const timestamp = messageOf(schema, "google.protobuf.Timestamp");
    const fields = [...timestamp.fields, { ...timestamp.fields[1]!, name: "unknown_7", number: 7 }];
    const messages = new Map(schema.messages).set(timestamp.name, { ...timestamp, fields });
    expect(emitProto({ ...schema, messages })).not.toContain("timestamp.proto");
    const struct = { ...schema, root: "google.protobuf.Struct", package: "google.protobuf" };
    expect(emitProto(struct)).not.toContain("import");
  });
});
