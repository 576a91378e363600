/** Schemas that are hard to print as a .proto file. */
import type { Schema } from "../../src/model/schema.ts";
import { enumType, list, mapOf, messageType, of, ofEnum, ofMessage, schemaOf, single } from "./schema-of.ts";

/** What is hard about it, the schema, and lines that its text has. */
export const HARD: readonly (readonly [string, Schema, readonly string[]])[] = [
  [
    "implicit presence",
    schemaOf("c1", [{ repetition: single("implicit") }, {}, { type: ofMessage("c1.M") }]),
    ['syntax = "proto3";', "  int32 f1 = 1;", "  optional int32 f2 = 2;", "  M f3 = 3;"],
  ],
  [
    "implicit presence beside required fields",
    schemaOf("c2", [{ repetition: single("implicit") }, { repetition: single("required") }]),
    ['syntax = "proto2";', "  optional int32 f1 = 1;", "  required int32 f2 = 2;"],
  ],
  [
    "an open enum",
    schemaOf("c3", [{ type: ofEnum("c3.E") }], { enums: [enumType("c3.E", { A: 0 }, false)] }),
    ['syntax = "proto3";', "  optional E f1 = 1;"],
  ],
  [
    "an open enum beside required fields",
    schemaOf("c4", [{ type: ofEnum("c4.E"), repetition: single("required") }], {
      enums: [enumType("c4.E", { A: 0 }, false)],
    }),
    ['syntax = "proto2";', "  required int32 f1 = 1;"],
  ],
  [
    "an implicit enum that does not start with 0",
    schemaOf("c5", [{ type: ofEnum("c5.E"), repetition: single("implicit") }], {
      enums: [enumType("c5.E", { A: 1, B: 0 })],
    }),
    ['syntax = "proto2";', "  optional int32 f1 = 1;"],
  ],
  [
    "a map of an enum that does not start with 0",
    schemaOf("c6", [{ type: ofEnum("c6.E"), repetition: mapOf("bool") }, { type: ofEnum("c6.E") }], {
      enums: [enumType("c6.E", { A: 1, B: 0 })],
    }),
    ["  map<bool, int32> f1 = 1;", "  optional E f2 = 2;"],
  ],
  [
    "an enum without values",
    schemaOf("c7", [{ type: ofEnum("c7.E") }], { enums: [enumType("c7.E", {})] }),
    ["  optional int32 f1 = 1;"],
  ],
  [
    "two names of one number",
    schemaOf("c8", [{ type: ofEnum("c8.E") }], { enums: [enumType("c8.E", { A: 0, B: 0 })] }),
    ["  option allow_alias = true;"],
  ],
  [
    "packed lists in proto2",
    schemaOf("c9", [{ repetition: { kind: "list", packed: true } }, { repetition: list }]),
    ["  repeated int32 f1 = 1 [packed = true];", "  repeated int32 f2 = 2;"],
  ],
  [
    "unpacked lists in proto3",
    schemaOf("c10", [
      { repetition: { kind: "list", packed: true } },
      { repetition: list },
      { repetition: single("implicit") },
      { type: of("string"), repetition: { kind: "list", packed: true } },
    ]),
    ["  repeated int32 f1 = 1;", "  repeated int32 f2 = 2 [packed = false];", "  repeated string f4 = 4;"],
  ],
  [
    "narrow integers",
    schemaOf("c11", [
      { type: of("int8") },
      { type: of("uint16") },
      { repetition: mapOf("uint8"), type: of("int16") },
    ]),
    ["  optional int32 f1 = 1;", "  optional uint32 f2 = 2;", "  map<uint32, int32> f3 = 3;"],
  ],
  [
    "a oneof",
    schemaOf("c12", [
      { oneof: "o" },
      {},
      { oneof: "o", repetition: single("always") },
      { oneof: "o", repetition: single("required") },
    ]),
    [
      "  oneof o {\n    int32 f1 = 1;\n    int32 f3 = 3;\n  }",
      "  optional int32 f2 = 2;",
      "  required int32 f4 = 4;",
    ],
  ],
  [
    "names that are no identifiers",
    schemaOf(
      "c13",
      ["", " ", "1", "a b", "a-b", "日本", "x = 1; } message Evil { optional int32 y", "a\nb"].map(
        (name) => ({ name }),
      ),
    ),
    [
      "  optional int32 _ = 1;",
      "  optional int32 _2 = 2;",
      "  optional int32 _1 = 3;",
      "  optional int32 a_b = 4;",
      "  optional int32 a_b2 = 5;",
      "  optional int32 x_1_message_Evil_optional_int32_y = 7;",
    ],
  ],
  [
    "names that are keywords",
    schemaOf(
      "c14",
      [
        "optional",
        "message",
        "group",
        "oneof",
        "map",
        "reserved",
        "option",
        "int32",
        "true",
        "__proto__",
      ].map((name) => ({ name, repetition: single("implicit") })),
    ),
    ["  int32 optional = 1;", "  int32 reserved = 6;", "  int32 option = 7;"],
  ],
  [
    "types that are keywords",
    schemaOf(
      "c15",
      [
        { type: ofMessage("c15.int32"), repetition: single("implicit") },
        { type: ofMessage("c15.optional") },
        { repetition: single("implicit") },
        { type: ofEnum("c15.reserved"), repetition: single("implicit") },
      ],
      {
        messages: [messageType("c15.int32", []), messageType("c15.optional", [])],
        enums: [enumType("c15.reserved", { option: 0, reserved: 1 }, false)],
      },
    ),
    [
      "  .c15.int32 f1 = 1;",
      "  .c15.optional f2 = 2;",
      "  .c15.reserved f4 = 4;",
      "  option_ = 0;",
      "  reserved_ = 1;",
    ],
  ],
  [
    "values of two enums that are alike",
    schemaOf("c16", [{ type: ofEnum("c16.E") }, { type: ofEnum("c16.F") }], {
      enums: [enumType("c16.E", { A: 0 }), enumType("c16.F", { A: 0, M: 1 })],
    }),
    ["enum E {\n  A = 0;", "enum F {\n  A2 = 0;\n  M2 = 1;"],
  ],
  [
    "values that are alike without the name of their enum",
    schemaOf("c17", [{ type: ofEnum("c17.color"), repetition: single("implicit") }], {
      enums: [enumType("c17.color", { COLOR_RED: 0, RED: 1, Color_Red: 2, COLOR_red: 0 }, false)],
    }),
    ["  RED2 = 1;", "  Color_Red3 = 2;", "  COLOR_red = 0;"],
  ],
  [
    "fields that are alike in JSON",
    schemaOf(
      "c18",
      ["a_b", "aB", "AB", "a__b"].map((name) => ({ name, repetition: single("implicit") })),
    ),
    ["  int32 aB2 = 2;"],
  ],
  [
    "fields that are alike in JSON, in proto2",
    schemaOf(
      "c19",
      ["a_b", "aB"].map((name) => ({ name })),
    ),
    ["  optional int32 aB = 2;"],
  ],
  [
    "maps whose entries would be alike",
    schemaOf("c20", [
      { name: "foo_bar", repetition: mapOf("string") },
      { name: "fooBar", repetition: mapOf("string") },
      { name: "FooBarEntry" },
    ]),
    ["  map<string, int32> fooBar2 = 2;", "  optional int32 FooBarEntry2 = 3;"],
  ],
  [
    "a field, a oneof and types of one name",
    schemaOf(
      "c21",
      [
        { name: "x", type: ofMessage("c21.M.x"), oneof: "x" },
        { name: "y", type: ofEnum("c21.M.y") },
      ],
      { messages: [messageType("c21.M.x", [])], enums: [enumType("c21.M.y", { y: 0 })] },
    ),
    ["  message x {}", "  oneof x3 {", "    M.x x2 = 1;"],
  ],
  [
    "types of other packages",
    schemaOf("c22", [{ type: ofMessage("google.protobuf.Timestamp") }, { type: ofMessage("c22x.N") }], {
      messages: [messageType("google.protobuf.Timestamp", [{}]), messageType("c22x.N", [{}])],
    }),
    ["message google_protobuf_Timestamp {", "  optional c22x_N f2 = 2;"],
  ],
  [
    "a type in a message that is not there",
    schemaOf("c23", [{ type: ofMessage("c23.Outer.Inner") }], {
      messages: [messageType("c23.Outer.Inner", [{}])],
    }),
    ["message Outer {\n  message Inner {\n    optional int32 f1 = 1;", "  optional Outer.Inner f1 = 1;"],
  ],
  [
    "a package of no identifiers",
    {
      ...schemaOf("c24", [{ type: ofMessage("c-24. .M") }]),
      package: "c-24. ",
      root: "c-24. .M",
      messages: new Map([["c-24. .M", messageType("c-24. .M", [{ type: ofMessage("c-24. .M") }])]]),
    },
    ["package c_24._;", "  optional M f1 = 1;"],
  ],
  [
    "no package",
    { ...schemaOf("", [{ type: ofMessage("NoPackage") }], { messages: [messageType("NoPackage", [{}])] }) },
    ["  optional NoPackage f1 = 1;"],
  ],
  [
    "a type that is named like its package",
    {
      ...schemaOf("c25", []),
      root: "c25.c25",
      messages: new Map([["c25.c25", messageType("c25.c25", [{ type: ofMessage("c25.c25") }])]]),
    },
    ["  optional .c25.c25 f1 = 1;"],
  ],
  [
    "a group",
    schemaOf("c26", [{ name: "inner", type: ofMessage("c26.M.Inner"), group: true, repetition: list }], {
      messages: [
        messageType("c26.M.Inner", [{ type: ofMessage("c26.M.Inner.Deep") }]),
        messageType("c26.M.Inner.Deep", [{}]),
      ],
    }),
    ["  repeated group Inner = 1 {\n    message Deep {", "    optional M.Inner.Deep f1 = 1;"],
  ],
  [
    "groups and a message of one type",
    schemaOf(
      "c27",
      ["a", "b"]
        .map((name) => ({ name, type: ofMessage("c27.T"), group: true }))
        .concat([{ name: "t", type: ofMessage("c27.T"), group: false }]),
      { messages: [messageType("c27.T", [{}])] },
    ),
    ["  optional group A = 1 {", "  optional group B = 2 {", "  optional T t = 3;", "message T {"],
  ],
  [
    "groups whose names are alike",
    schemaOf(
      "c28",
      [
        { name: "x", type: ofMessage("c28.T"), group: true },
        { name: "X" },
        { name: "_y", type: ofMessage("c28.T"), group: true },
        { name: "1", type: ofMessage("c28.T"), group: true },
      ],
      { messages: [messageType("c28.T", [{}])] },
    ),
    [
      "  optional group X = 1 {",
      "  optional int32 X2 = 2;",
      "  optional group G_y = 3 {",
      "  optional group G1 = 4 {",
    ],
  ],
  ["an empty message", schemaOf("c29", []), ["message M {}"]],
];
