/** What is declared of codecs is so: each trait that a program can find out, and the groups that they make. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import type { Encoded } from "../../src/model/codec.ts";
import { UsageError } from "../../src/model/errors.ts";
import type { Field, Repetition, Schema } from "../../src/model/schema.ts";
import { hasTrait } from "../../src/model/traits.ts";
import type { RecordValue } from "../../src/model/value.ts";
import { always, field, list, optional, schemaOf } from "../../src/schema/declare.ts";
import { decodeTrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasetOf } from "./dataset.ts";

const registry = await Registry.open();
const names = await registry.selectCodecs(["*"]);

function schemaWith(...more: readonly Field[]): Schema {
  const fields = [field(1, "id", "int32", always), field(2, "name", "string", always), ...more];
  return schemaOf("test", [{ name: "test.Note", fields }]);
}

const OLD = { schema: schemaWith(), value: { id: 7, name: "seven" } };
const NEW = newWith(optional);

function newWith(repetition: Repetition) {
  return {
    schema: schemaWith(field(3, "age", "int32", repetition), field(4, "tags", "string", list)),
    value: { id: 8, name: "eight", age: 9, tags: ["a", "b"] },
  };
}

async function bound(name: string, { schema, value }: typeof OLD) {
  const dataset = datasetOf(schema, [value]);
  return {
    binding: await (await registry.codec(name)).bind(dataset),
    value: dataset.values[0] as RecordValue,
  };
}

/** Whether what one side writes is read by the other, as far as both know the fields. */
async function isRead(name: string, writer: typeof OLD, reader: typeof OLD): Promise<boolean> {
  const [from, to] = [await bound(name, writer), await bound(name, reader)];
  try {
    const decoded = decodeTrusted(to.binding, encodeValue(from.binding, from.value)) as RecordValue;
    return ["id", "name"].every((known) => decoded[known] === from.value[known]);
  } catch {
    return false;
  }
}

function textOf(encoded: Encoded): string | undefined {
  if (typeof encoded === "string") return encoded;
  const text = Buffer.from(encoded).toString("utf8");
  return Buffer.from(text).equals(encoded) ? text : undefined;
}

// What is no table is not carried by apache-arrow, whose own test has its traits.
describe.each(names.filter((name) => name !== "apache-arrow"))("%s", (name) => {
  it("evolves where it says so, and only there", async () => {
    const codec = await registry.codec(name);
    // To pbf a number that may be absent is a hole.
    const other = name === "pbf" ? newWith({ kind: "one", presence: "implicit" }) : NEW;
    const reads = [await isRead(name, OLD, other), await isRead(name, other, OLD)];
    expect(reads.every(Boolean)).toBe(hasTrait(codec, "evolves"));
  });

  it("is text that has its names, or binary", async () => {
    const codec = await registry.codec(name);
    const { binding, value } = await bound(name, OLD);
    expect(textOf(encodeValue(binding, value))?.match(/^[[{]/) != null).toBe(!hasTrait(codec, "binary"));
  });

  it("has the names of fields in its bytes where it is self-describing", async () => {
    const codec = await registry.codec(name);
    // Ion's own table of symbols has `name`.
    const [key, data] = name === "ion-js" ? ["tags", NEW] : ["name", OLD];
    const { binding, value } = await bound(name, data);
    // What is compressed hides them.
    if (name.includes("z")) return;
    const has = Buffer.from(encodeValue(binding, value) as string, "latin1").includes(key);
    expect(has).toBe(hasTrait(codec, "self-describing"));
    // JSON that is written by its schema is as any other.
    const bySchema = name === "fast-json-stringify";
    expect(hasTrait(codec, "schemaless")).toBe(hasTrait(codec, "self-describing") && !bySchema);
  });

  it("reads a part in place where it is zero-copy", async () => {
    const codec = await registry.codec(name);
    const { binding } = await bound(name, OLD);
    const readsInPlace = binding.reader !== undefined && binding.readsWhole !== true;
    if (hasTrait(codec, "zero-copy")) expect(readsInPlace).toBe(true);
  });

  it("refuses a longer text than its data has where it is bounded, and only there", async () => {
    const codec = await registry.codec(name);
    const { binding, value } = await bound(name, OLD);
    const longer = { ...value, name: "x".repeat(1000) };
    const carries = (): boolean => {
      try {
        return (decodeTrusted(binding, encodeValue(binding, longer)) as RecordValue)["name"] === longer.name;
      } catch {
        return false;
      }
    };
    expect(carries()).toBe(!hasTrait(codec, "bounded"));
  });
});

/** What a program calls of each library, without what wirebench makes around it. */
const CALLS: Readonly<Record<string, string>> = {
  "capnp-ts": `const { Message } = await import("capnp-ts"); new Message().toArrayBuffer();`,
  "capnp-es": `const { Message } = await import("capnp-es"); new Message().toArrayBuffer();`,
  // Its own vectorFromArray and tableFromJSON compile a test for null.
  "apache-arrow": `const { makeBuilder, Table, tableFromIPC, tableToIPC, Utf8 } = await import("apache-arrow");
    const names = makeBuilder({ type: new Utf8() });
    for (const { name } of value) names.append(name);
    tableFromIPC(tableToIPC(new Table({ name: names.finish().toVector() }))).toArray();`,
  bebop: `const { BebopView } = await import("bebop"); BebopView.getInstance().startWriting();`,
  "ion-js": `const { default: { dumpBinary, load } } = await import("ion-js"); load(dumpBinary(value));`,
  flatbuffers: `const { Builder } = await import("flatbuffers"); new Builder(16).createString("x");`,
  json: `JSON.parse(JSON.stringify(value));`,
  v8: `const v8 = await import("node:v8"); v8.deserialize(v8.serialize(value));`,
  msgpackr: `const { Packr } = await import("msgpackr"); const packr = new Packr({ useRecords: false });
    for (let i = 0; i < 20; i++) packr.unpack(packr.pack(value));`,
  avsc: `const { default: avsc } = await import("avsc");
    const type = avsc.Type.forSchema({ type: "record", name: "A", fields: [{ name: "a", type: "int" }] });
    type.fromBuffer(type.toBuffer({ a: 1 }));`,
  bson: `const { deserialize, serialize } = await import("bson"); deserialize(serialize({ value }));`,
  "cbor-x": `const { Encoder } = await import("cbor-x"); const encoder = new Encoder();
    for (let i = 0; i < 20; i++) encoder.decode(encoder.encode(value));`,
  cborg: `const { decode, encode } = await import("cborg"); decode(encode(value));`,
  msgpack: `const { decode, encode } = await import("@msgpack/msgpack"); decode(encode(value));`,
  pbf: `const { compile } = await import("pbf/compile"); compile({ syntax: 3, messages: [], enums: [] });`,
  "protobuf-es": `const { create, fromBinary, toBinary } = await import("@bufbuild/protobuf");
    const { TimestampSchema } = await import("@bufbuild/protobuf/wkt");
    fromBinary(TimestampSchema, toBinary(TimestampSchema, create(TimestampSchema, { nanos: 1 })));`,
  protobufjs: `const { default: protobuf } = await import("protobufjs");
    const A = protobuf.parse('syntax = "proto3"; message A { int32 a = 1; }').root.lookupType("A");
    A.decode(A.encode({ a: 1 }).finish());`,
  amf3: `const { decode, encode } = await import("wirebench/amf3"); decode(encode(value));`,
  "erlang-etf": `const { binaryToTerm, termToBinary } = await import("wirebench/erlang-etf");
    for (let i = 0; i < 20; i++) binaryToTerm(termToBinary(value));`,
  "python-pickle": `const { decodePickle, encodePickle } = await import("wirebench/python-pickle");
    decodePickle(encodePickle(value));`,
  "python-struct": `const { compileFormat } = await import("wirebench/python-struct"); compileFormat(">ii").pack(1, 2);`,
  "raw-struct": `const { compileStruct, parseHeader, structNamed } = await import("wirebench/c-struct");
    const header = parseHeader("struct a { int b; };"); compileStruct(structNamed(header, "a")).pack({ b: 1 });`,
  flexbuffers: `
    const { default: { encode, toObject } } = await import("flatbuffers/js/flexbuffers.js");
    toObject(encode(value).buffer);`,
  "fast-json-stringify": `
    const { default: build } = await import("fast-json-stringify");
    build({ type: "array", items: { type: "object", properties: { id: { type: "integer" } } } })(value);`,
  devalue: 'const { parse, stringify } = await import("devalue"); parse(stringify(value));',
  superjson: 'const { parse, stringify } = await import("superjson"); parse(stringify(value));',
  seroval:
    'const { fromJSON, toJSON } = await import("seroval"); fromJSON(JSON.parse(JSON.stringify(toJSON(value))));',
  "protobuf-ts": `
    const { MessageType, ScalarType: { INT32, STRING } } = (await import("@protobuf-ts/runtime")).default;
    const fields = [{ no: 1, name: "id", kind: "scalar", T: INT32 }, { no: 2, name: "name", kind: "scalar", T: STRING }];
    const type = new MessageType("T", fields);
    for (const one of value) type.fromBinary(type.toBinary(one));`,
};

describe("code of strings", () => {
  it("is known of every codec whose library comes with wirebench", async () => {
    const known = await Promise.all(
      names.filter((name) => !name.includes(":")).map((name) => registry.codec(name)),
    );
    const coming = known.filter(({ tried }) => tried === undefined).map(({ name }) => name);
    expect(Object.keys(CALLS)).toEqual(expect.arrayContaining(coming));
  });

  it.each(Object.keys(CALLS))("is made by %s where it says so", async (name) => {
    const program = `const value = Array.from({ length: 50 }, (_, id) => ({ id, name: "n" + id }));\n${CALLS[name]}`;
    const run = (flags: readonly string[]) =>
      spawnSync(process.execPath, [...flags, "--input-type=module", "-e", program], {
        cwd: path.join(import.meta.dirname, "../.."),
        encoding: "utf8",
      });
    expect(run([]).stderr).toBe("");
    const { status, stderr } = run(["--disallow-code-generation-from-strings"]);
    const needs = hasTrait(await registry.codec(name), "needs-eval");
    expect(status === 0).toBe(!needs);
    if (needs) expect(stderr).toContain("Code generation from strings disallowed");
  });
});

describe("a group of codecs", () => {
  it("has what its trait says, without variants", async () => {
    const node = await registry.selectCodecs(["@node"]);
    expect(node).toEqual(
      expect.arrayContaining(["capnp-ts", "flatbuffers", "json", "msgpackr", "protobufjs", "v8"]),
    );
    for (const foreign of ["amf3", "erlang-etf", "python-pickle", "python-struct", "raw-struct"])
      expect(node).not.toContain(foreign);
    const schemaless = await registry.selectCodecs(["@schemaless"]);
    expect(schemaless).toEqual(
      expect.arrayContaining(["amf3", "erlang-etf", "json", "msgpackr", "python-pickle", "v8"]),
    );
    for (const name of names.filter((one) => !one.includes(":")))
      expect(schemaless.includes(name)).toBe(hasTrait(await registry.codec(name), "schemaless"));
    const published = await registry.selectCodecs(["@published"]);
    for (const name of registry.names("codecs"))
      expect(published.includes(name)).toBe((await registry.codec(name)).tried === undefined);
    expect(await registry.selectCodecs(["@python", "json"])).toEqual([
      "python-pickle",
      "python-struct",
      "json",
    ]);
  });

  it("that is not known is refused with the near names", async () => {
    await expect(registry.selectCodecs(["@schemales"])).rejects.toThrow(
      new UsageError('no group of codecs is called "@schemales", did you mean schemaless?'),
    );
  });

  it("has a plugin that says nothing of itself, and one that cannot be loaded", async () => {
    const plugins = ["caching.js"].map((file) => path.join(import.meta.dirname, "../plugins", file));
    const own = await Registry.open(plugins);
    expect(await own.selectCodecs(["@node"])).toContain("caching");
  });
});
