/** The printed .fbs: what it says for each part of a schema, and that flatc takes it, whatever the names are. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { flatcBinary, flatcCode } from "../../benchmarks/plugins/flatc-code.js";
import tellist from "../../src/datasets/tellist.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import type { Field, Scalar, Schema } from "../../src/model/schema.ts";
import { emitFbs } from "../../src/schema/emit/fbs.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import {
  enumType,
  field,
  list,
  mapBy,
  message,
  optional,
  required,
  schemaOf,
} from "../codecs/flatbuffers-schema.ts";
import { itWith } from "../references.ts";

const vectors = path.join(import.meta.dirname, "../vectors/flatbuffers");
const color = enumType("test.Color", [
  ["RED", 2],
  ["CRIMSON", 2],
  ["BLUE", -1],
]);
const colorType: Field["type"] = { kind: "enum", name: color.name };

describe("emitFbs", () => {
  it("prints the schema of the address book as it is written in schemas/", () => {
    const written = readFileSync(path.join(import.meta.dirname, "../../schemas/tellist.fbs"), "utf8");
    expect(emitFbs(tellist.schema)).toBe(written.replace(/^\/\/.*\n/gm, ""));
  });

  it.each<[Scalar, string]>([
    ["bool", "bool"],
    ["int8", "byte"],
    ["uint8", "ubyte"],
    ["int16", "short"],
    ["uint16", "ushort"],
    ["int32", "int"],
    ["sint32", "int"],
    ["sfixed32", "int"],
    ["uint32", "uint"],
    ["fixed32", "uint"],
    ["int64", "long"],
    ["sint64", "long"],
    ["sfixed64", "long"],
    ["uint64", "ulong"],
    ["fixed64", "ulong"],
    ["float", "float"],
    ["double", "double"],
    ["string", "string"],
    ["bytes", "[ubyte]"],
  ])("prints %s as %s", (scalar, text) => {
    expect(emitFbs(schemaOf([field("x", scalar)]))).toContain(`  x:${text};\n`);
  });

  it.each<[string, Field, string]>([
    ["an optional scalar", field("x", "int32", optional), "x:int = null;"],
    ["an optional enum", field("x", colorType, optional), "x:Color = null;"],
    ["an enum without 0, which needs a default", field("x", colorType), "x:Color = BLUE;"],
    ["a required scalar, which FlatBuffers cannot require", field("x", "int32", required), "x:int;"],
    ["a required string", field("x", "string", required), "x:string (required);"],
    ["an optional string", field("x", "string", optional), "x:string;"],
    ["a message", field("x", message("test.Part"), optional), "x:Part;"],
    ["a list of messages", field("x", message("test.Part"), list), "x:[Part];"],
    ["a list of strings", field("x", "string", list), "x:[string];"],
    ["a list of bytes", field("x", "bytes", list), "x:[BytesValue];"],
    ["a map", field("x", "int64", mapBy("string")), "x:[Root_x_entry];"],
  ])("prints %s", (_, one, text) => {
    const part = { name: "test.Part", fields: [] };
    expect(emitFbs(schemaOf([one], [part], [color]))).toContain(`  ${text}\n`);
  });

  it("prints the tables that stand for the entries of a map and for bytes in a list", () => {
    const text = emitFbs(schemaOf([field("m", "bytes", mapBy("uint32")), field("b", "bytes", list)]));
    expect(text).toContain("table Root_m_entry {\n  key:uint;\n  value:[ubyte];\n}\n");
    expect(text).toContain("table BytesValue {\n  value:[ubyte];\n}\n");
  });

  it("prints the schema of the golden messages", () => {
    const schema = readProto(path.join(vectors, "kinds.proto"), "Kinds");
    expect(emitFbs(schema)).toBe(readFileSync(path.join(vectors, "kinds.fbs"), "utf8"));
  });

  it("prints an enum in ascending order and without aliases", () => {
    expect(emitFbs(schemaOf([field("x", colorType)], [], [color]))).toContain(
      "enum Color : int {\n  BLUE = -1,\n  RED = 2\n}\n",
    );
  });

  it("prints an enum of 8 bits as a byte where its values fit", () => {
    const narrow = enumType(
      "test.Narrow",
      [
        ["A", 0],
        ["B", -128],
      ],
      8,
    );
    const wide = enumType(
      "test.Wide",
      [
        ["A", 0],
        ["B", 200],
      ],
      8,
    );
    const fields = [narrow, wide].map(({ name }) => field(name, { kind: "enum", name }));
    const text = emitFbs(schemaOf(fields, [], [narrow, wide]));
    expect(text).toContain("enum Narrow : byte {");
    expect(text).toContain("enum Wide : int {");
  });

  it("refuses a message with more fields than a table of the runtime library can have", () => {
    const fields = Array.from({ length: 4095 }, (_, i) => field(`f${i}`, "int64"));
    expect(() => emitFbs(schemaOf(fields))).toThrow(UnsupportedError);
    expect(emitFbs(schemaOf(fields.slice(1)))).toContain("f4094:long;");
  });
});

/** Names that one flatc or the other refuses, that its TypeScript uses itself, or that become alike. */
const AWKWARD = [
  "bool byte ubyte short ushort int uint long ulong float double string int8 uint64 float32 vector true false null",
  "table struct enum union namespace include attribute root_type rpc_service file_extension file_identifier",
  "constructor bb bb_pos builder pack unpack unpackTo prototype __proto__ toString hasOwnProperty valueOf class",
  "x x_length xLength x_byte_vector xByteVector x_array xArray x_type xType x_ X _x",
  "Root root Part part Other_part Root_x_entry BytesValue key value",
]
  .join(" ")
  .split(" ");
const NOT_IDENTIFIERS = [
  "",
  "1st",
  "with space",
  "naïve",
  "日本語",
  'quote"',
  "semi;colon",
  "}",
  "line\nbreak",
  "/*",
  "a.b",
];

function awkwardSchema(): Schema {
  const names = [...AWKWARD, ...NOT_IDENTIFIERS];
  const types: Field["type"][] = [
    { kind: "scalar", scalar: "string" },
    message("test.Part"),
    { kind: "scalar", scalar: "bytes" },
    { kind: "enum", name: "test.int" },
  ];
  const fields = names.map((name, i) => field(name, types[i % types.length]!, i % 3 === 0 ? list : optional));
  const parts = [...new Set(names)].map((name) => ({ name: `test.${name}`, fields: [field(name, "int32")] }));
  const used = parts.map(({ name }) => field(`use ${name}`, message(name), optional));
  const labels = names.map((name, i): [string, number] => [name, i]);
  const others = [
    { name: "test.Part", fields: [] },
    { name: "other.part", fields: [] },
    ...parts.filter(({ name }) => !/\.(Part|Root|int)$/.test(name)),
  ];
  const refers = used.filter(({ type }) => type.kind === "message" && !/\.(Part|Root|int)$/.test(type.name));
  return schemaOf([...fields, ...refers, field("o", message("other.part"), optional)], others, [
    enumType("test.int", labels),
  ]);
}

/** One run of Debian's flatc over schemas. Throws with its message where it refuses one. */
function expectFlatcAccepts(schemas: readonly string[]): void {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-fbs-"));
  try {
    const files = schemas.map((text, i) => {
      writeFileSync(path.join(folder, `${i}.fbs`), text);
      return `${i}.fbs`;
    });
    execFileSync("flatc", ["--binary", "--schema", ...files], { cwd: folder, stdio: "pipe" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("flatc", () => {
  const packages = ["", "a.b.c", "int.table", "with-dash.1st"].map((name) => ({
    ...tellist.schema,
    package: name,
  }));
  const schemas = [awkwardSchema(), ...packages].map(emitFbs);

  itWith("flatc")("2.0.8 accepts awkward names, and packages of any name", () => {
    expectFlatcAccepts(schemas);
  });

  it.each(["tellist", "kinds"])("25.9.23 makes the bytes of 2.0.8 by the schema of %s", async (name) => {
    const schema =
      name === "tellist" ? tellist.schema : readProto(path.join(vectors, `${name}.proto`), "Kinds");
    const json = readFileSync(path.join(vectors, `${name}.json`), "utf8");
    const golden = readFileSync(path.join(vectors, `${name}.bin`));
    expect(Buffer.from(await flatcBinary(emitFbs(schema), json)).equals(golden)).toBe(true);
  });

  it("25.9.23 accepts them, and makes code of them that loads", async () => {
    expect(await flatcCode(schemas)).toHaveLength(schemas.length);
  });
});
