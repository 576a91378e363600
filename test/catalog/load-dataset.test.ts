import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { ownDataset } from "../../src/catalog/dataset.ts";
import { datasetHash } from "../../src/catalog/dataset-hash.ts";
import { loadDataset, loadSchema } from "../../src/catalog/load-dataset.ts";
import type { ReadProgress } from "../../src/catalog/read-progress.ts";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { itWithRealData, realData } from "../real-data.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-data-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

const schema = file(
  "point.proto",
  `syntax = "proto3";
message Point { uint64 id = 1; string name = 2; repeated string tags = 11; }
`,
);

/** What `protoc -o` makes of a file with one message of one field. */
const SET = Buffer.from(
  "\n'\n\x07p.proto\"\x14\n\x01P\x12\x0f\n\x01a\x18\x01 \x01(\x05R\x01ab\x06proto3",
  "latin1",
);

describe("loadDataset", () => {
  it("names the dataset after its file", async () => {
    const dataset = await loadDataset({ schema, data: file("here.json", '{"id":1,"name":"a"}') });
    expect(dataset).toMatchObject({
      name: "here",
      story: "One Point from here.json.",
      int64: "number",
      values: [{ id: 1, name: "a", tags: [] }],
    });
  });

  it("takes a JSON list, or several files, as several values", async () => {
    const data = [file("two.json", '[{"id":1},{"id":2}]'), file("third.json", '{"id":3}')];
    const { values } = await loadDataset({ schema, data });
    expect(values).toEqual([1, 2, 3].map((id) => ({ id, name: "", tags: [] })));
  });

  it("takes a list of any length, and tells how far it is", async () => {
    const list = Array.from({ length: 150_000 }, () => "{}").join(",");
    const told: ReadProgress[] = [];
    const { values } = await loadDataset({
      schema,
      data: file("long.json", `[${list}]`),
      onRead: (now) => told.push(now),
    });
    expect(values).toHaveLength(150_000);
    expect([...new Set(told.map(({ step }) => step))]).toEqual(["read", "parse", "check"]);
    const checks = told.filter(({ step }) => step === "check").map(({ done }) => done);
    expect(checks).toEqual([...checks].sort((a, b) => a - b));
  });

  it("holds all 64-bit integers as bigints when one of them needs it", async () => {
    const data = file("big.json", '[{"id":1},{"id":"18446744073709551615"}]');
    const { int64, values } = await loadDataset({ schema, data });
    expect(int64).toBe("bigint");
    expect(values).toMatchObject([{ id: 1n }, { id: 18446744073709551615n }]);
  });

  it("refuses such an integer when numbers are asked for", async () => {
    const data = file("big.json", '{"id":"9007199254740993"}');
    await expect(loadDataset({ schema, data, int64: "number" })).rejects.toThrow(
      "big.json:1:7: id: 9007199254740993 is beyond 2^53",
    );
  });

  it("takes what is both JSON and a message for what its file's name says, and asks where that says nothing", async () => {
    // Field 1 is a text of 32 bytes, whose tag and length are white space to JSON.
    const both = Buffer.concat([Buffer.from([0x0a, 0x20]), Buffer.from('{"text":"x"}'.padEnd(32))]);
    const text = file("text.proto", 'syntax = "proto3"; message T { string text = 1; }');
    const valuesOf = async (name: string): Promise<unknown> =>
      (await loadDataset({ schema: text, data: file(name, both) })).values;
    expect(await valuesOf("both.bin")).toEqual([{ text: '{"text":"x"}'.padEnd(32) }]);
    expect(await valuesOf("both.json")).toEqual([{ text: "x" }]);
    await expect(valuesOf("both")).rejects.toThrow("it can be read as JSON and as an encoded message");
  });

  it("names one long message of gRPC that is no delimited messages", async () => {
    const message = Buffer.concat([Buffer.from([18, 0xa0, 0x8d, 6]), Buffer.alloc(100_000, "a")]);
    const head = Buffer.from([0, 0, 1, 0x86, 0xa4]);
    const data = file("long.bin", Buffer.concat([head, message]));
    await expect(loadDataset({ schema, data, delimited: true })).rejects.toThrow(
      "it looks like messages of gRPC",
    );
  });

  it("refuses a key that stands twice in an object, and a number beyond a double", async () => {
    await expect(loadDataset({ schema, data: file("twice.json", '{"id":1,\n "id":2}') })).rejects.toThrow(
      'twice.json:2:2: the key "id" stands twice',
    );
    const real = file("real.proto", 'syntax = "proto3"; message R { double d = 1; }');
    for (const d of ["1e400", "-1e400", '"1e400"']) {
      await expect(loadDataset({ schema: real, data: file("real.json", `{"d":${d}}`) })).rejects.toThrow(
        "d: a number outside the range of a double",
      );
    }
    for (const d of ["1e-400", "[-0.5E-0400]", `0.${"0".repeat(400)}1`]) {
      await expect(loadDataset({ schema: real, data: file("real.json", `{"d":${d}}`) })).rejects.toThrow(
        /real.json:1:[67]: a number outside the range of a double/,
      );
    }
    await expect(loadDataset({ schema: real, data: file("real.json", '{"d":"1e-400"}') })).rejects.toThrow(
      "d: a number outside the range of a double",
    );
    for (const [d, value] of [
      ["5e-324", 5e-324],
      ["0e-400", 0],
      ["-0.0e-999", -0],
    ] as const)
      expect((await loadDataset({ schema: real, data: file("least.json", `{"d":${d}}`) })).values).toEqual([
        { d: value },
      ]);
    const infinite = file("infinite.json", '{"d":"-Infinity"}');
    expect((await loadDataset({ schema: real, data: infinite })).values).toEqual([
      { d: Number.NEGATIVE_INFINITY },
    ]);
  });

  it("keeps the objects of the file, and says how large they are there", async () => {
    const data = [
      file("two.json", '[{"id":"1"}, { "id" : 2, "tags":null }]'),
      file("third.json", '\n{"name":"é"}\n'),
    ];
    const { documents, fileBytes } = await loadDataset({ schema, data });
    expect(documents).toEqual([{ id: "1" }, { id: 2, tags: null }, { name: "é" }]);
    expect(fileBytes).toBe((10 + 25 + 13) / 3);
  });

  it("makes documents of protobuf bytes as protobuf's JSON has them", async () => {
    const data = file("point.bin", Buffer.from("08051203616263", "hex"));
    const { documents, fileBytes } = await loadDataset({ schema, data });
    expect(documents).toEqual([{ id: "5", name: "abc" }]);
    expect(fileBytes).toBe(7);
  });

  it("has no documents where defaults are to be filled in", async () => {
    const dataset = await loadDataset({ schema, data: file("one.json", '{"id":1}'), fillDefaults: true });
    expect(dataset).not.toHaveProperty("documents");
    expect(dataset).toMatchObject({ fileBytes: 8, values: [{ id: 1, name: "", tags: [] }] });
  });

  it("is other data with documents than without, by its hash, and no other than before without", async () => {
    const data = file("one.json", '{"id":1}');
    const own = await loadDataset({ schema, data });
    const { documents: _, ...filled } = own;
    expect(datasetHash(own)).not.toBe(datasetHash(filled));
    expect(datasetHash(filled)).toBe(datasetHash(await loadDataset({ schema, data, fillDefaults: true })));
    expect(datasetHash({ ...own, documents: [{ id: "1" }] })).not.toBe(datasetHash(own));
  });

  it("refuses documents that a program gives a dataset and that are other data", async () => {
    const dataset = await loadDataset({ schema, data: file("one.json", '{"id":1}') });
    expect(ownDataset(dataset).documents).toBe(dataset.documents);
    expect(() => ownDataset({ ...dataset, documents: [{ id: 2 }] })).toThrow(
      'dataset "one": its documents are not its values: [0].id: expected 1, got 2',
    );
    expect(() => ownDataset({ ...dataset, documents: [] })).toThrow("expected 1 elements, got 0");
  });

  it("ignores a byte order mark before JSON", async () => {
    const { values } = await loadDataset({ schema, data: file("bom.json", '\uFEFF{"id":7}') });
    expect(values).toMatchObject([{ id: 7 }]);
  });

  it("reads protobuf bytes, also ones that begin as JSON might", async () => {
    // Field 11, length 1: "Z" and "[" are 0x5a and 0x5b.
    const { values } = await loadDataset({ schema, data: file("tags.bin", Buffer.from("5a015b", "hex")) });
    expect(values).toMatchObject([{ tags: ["["] }]);
    const group = await loadDataset({ schema, data: file("text", Buffer.from("\x12\x03abc")) });
    expect(group.values).toMatchObject([{ name: "abc" }]);
  });

  it("says of protobuf bytes with a field that the schema lacks where it is", async () => {
    const data = file("unknown.bin", Buffer.from("0801f80601", "hex"));
    await expect(loadDataset({ schema, data, unknown: "refuse" })).rejects.toThrow(
      /unknown\.bin: protobuf.* at byte 2: .*111/,
    );
  });

  it("leaves out what the schema lacks, and says so once for all files", async () => {
    const data = ["one", "two"].map((name) =>
      file(`${name}.bin`, Buffer.from("0801f80601f80602a20600", "hex")),
    );
    const said: string[] = [];
    const { values } = await loadDataset({ schema, data, onLeftOut: (sentence) => said.push(sentence) });
    expect(values).toEqual([1, 1].map((id) => ({ id, name: "", tags: [] })));
    expect(said).toEqual(["6 values of 2 unknown fields left out: Point 111, Point 100"]);
  });

  it("says nothing where nothing is left out", async () => {
    const said: string[] = [];
    await loadDataset({
      schema,
      data: file("known.bin", Buffer.from("0801", "hex")),
      onLeftOut: (sentence) => said.push(sentence),
    });
    expect(said).toEqual([]);
  });

  it("takes bytes without a known field for another message, unless it is told to skip", async () => {
    const data = file("other.bin", Buffer.from("f80601", "hex"));
    await expect(loadDataset({ schema, data })).rejects.toThrow(
      "other.bin: nothing in it is a field of Point: is it another message?",
    );
    expect((await loadDataset({ schema, data, unknown: "skip" })).values).toEqual([
      { id: 0, name: "", tags: [] },
    ]);
  });

  it("keeps unknown fields of every wire type, groups in groups and numbers of closed enums as fields of the schema", async () => {
    const proto = file(
      "closed.proto",
      `syntax = "proto2";
enum Kind { A = 0; B = 1; }
message Thing { optional int32 id = 1; repeated Kind kinds = 2; optional Thing inner = 3; }
`,
    );
    // A varint, 8 bytes, 4 bytes, text, and a group with a group; two numbers that Kind lacks; a field of Thing in Thing.
    const hex =
      "0801 5005 5901000000000000006d07000000 62016a 73 0801 7b 1002 7c 74 1007 12020009 1a03f83e01";
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    const dataset = await loadDataset({ schema: proto, data: file("closed.bin", bytes), unknown: "keep" });
    expect(dataset.values).toMatchObject([
      {
        id: 1,
        kinds: [7, 0, 9],
        unknown_10: [5],
        unknown_11: [1],
        unknown_12: [new Uint8Array([0x6a])],
        unknown_13: [7],
        unknown_14: [{ unknown_1: [1], unknown_15: [{ unknown_2: [2] }] }],
        inner: { unknown_1007: [1] },
      },
    ]);
    const { schema: kept, values, int64 } = dataset;
    const binding = await protobufjs.bind({ ...dataset, schema: kept });
    const encoded = encodeValue(binding, values[0]!) as Uint8Array;
    expect(encoded.length).toBe(bytes.length);
    expect(binding.load!(encoded, int64, {}).value).toEqual(values[0]);
  });

  it.each([
    [
      "a field of another wire type",
      "0a00",
      "unknown field 1 of Point cannot be kept: it has another wire type",
    ],
    [
      "a field of two wire types",
      "f80600fa0600",
      "unknown field 111 of Point cannot be kept: it has another wire type",
    ],
    [
      "a field of a number that no schema has",
      "c2a30900",
      "unknown field 19000 of Point cannot be kept: number 19000",
    ],
  ])("refuses to keep %s", async (_, hex, problem) => {
    const data = file("unkept.bin", Buffer.from(hex, "hex"));
    await expect(loadDataset({ schema, data, unknown: "keep" })).rejects.toThrow(problem);
  });

  it("cuts integers to their type, unless it is strict", async () => {
    const proto = file("cut.proto", 'syntax = "proto3"; message Cut { int32 a = 1; bool b = 2; }');
    const data = file("cut.bin", Buffer.from("08feffffff0f1002", "hex"));
    expect((await loadDataset({ schema: proto, data })).values).toEqual([{ a: -2, b: true }]);
    await expect(loadDataset({ schema: proto, data, strict: true })).rejects.toThrow(
      "cut.bin: protobuf at a at byte 1: 4294967294 is outside int32",
    );
  });

  it("names its limit of values, which can be changed", async () => {
    const data = file("tags.bin", Buffer.from("5a0161".repeat(5), "hex"));
    await expect(loadDataset({ schema, data, maxValues: 8 })).rejects.toThrow(
      "more than 8 values, which --max-values raises",
    );
    expect((await loadDataset({ schema, data, maxValues: 9 })).values).toHaveLength(1);
  });

  it.each([
    ["cut.json", '{"id":', /cut\.json:1:7: unexpected end of JSON/],
    ["comma.txt", '{"id":1,}', /comma\.txt:1:9: /],
    ["latin.json", Buffer.from("7b0aefbfbd22c3a9e97d", "hex"), /latin\.json:2:4: not valid UTF-8/],
    ["latin.ndjson", Buffer.from("7b7d0a7be97d", "hex"), /latin\.ndjson:2:2: not valid UTF-8/],
    ["latin.txtpb", Buffer.from("\n# \xe9", "latin1"), /latin\.txtpb:2:3: not valid UTF-8/],
    ["empty.json", "[]", /empty.json: no data: expected at least one value/],
  ])("says what is wrong with %s", async (name, content, message) => {
    await expect(loadDataset({ schema, data: file(name, content) })).rejects.toThrow(message);
  });

  it("reads lines, messages after their lengths and protobuf text, packed or not", async () => {
    const points = [
      { id: 5, name: "abc", tags: [] },
      { id: 6, name: "", tags: ["x"] },
    ];
    const lines = '{"id":5,"name":"abc"}\n\n{"id":"6","tags":["x"]}\n';
    const parts = Buffer.from("07080512036162630508065a0178", "hex");
    const texts = ['id: 5 name: "abc"', "# a comment\nid: 6 tags: ['x']"];
    for (const pack of [(content: string | Buffer) => content, gzipSync]) {
      const gz = pack === gzipSync ? ".gz" : "";
      const ndjson = await loadDataset({ schema, data: file(`points.ndjson${gz}`, pack(lines)) });
      expect(ndjson).toMatchObject({ name: "points", values: points, fileBytes: (21 + 23) / 2 });
      expect(ndjson.documents).toEqual([
        { id: 5, name: "abc" },
        { id: "6", tags: ["x"] },
      ]);
      const messages = await loadDataset({ schema, data: file(`p.bin${gz}`, pack(parts)), delimited: true });
      expect(messages).toMatchObject({ values: points, fileBytes: 6 });
      const data = texts.map((text, index) => file(`${index}.txtpb${gz}`, pack(text)));
      const text = await loadDataset({ schema, data });
      expect(text).toMatchObject({ name: "0", values: points });
      expect(text.documents).toEqual([
        { id: "5", name: "abc" },
        { id: "6", tags: ["x"] },
      ]);
    }
  });

  it("takes a sample of many values, the same by its seed, and says so", async () => {
    const many = Array.from({ length: 500 }, (_, id) => ({ id }));
    const lines = file("many.ndjson", many.map((one) => JSON.stringify(one)).join("\n"));
    const list = file("many.json", JSON.stringify(many));
    for (const data of [lines, list]) {
      const some = await loadDataset({ schema, data, sample: 20, seed: 7 });
      expect(some.story).toMatch(/^20 Point of 500, sampled with seed 7, from many\./);
      expect(some.values).toHaveLength(20);
      expect(some.documents).toHaveLength(20);
      expect((await loadDataset({ schema, data, sample: 20, seed: 7 })).values).toEqual(some.values);
      expect((await loadDataset({ schema, data, sample: 20, seed: 8 })).values).not.toEqual(some.values);
    }
    expect((await loadDataset({ schema, data: lines })).values).toHaveLength(500);
  });

  it("keeps integers beyond 2^53, which documents have as text, and as numbers where they are floats", async () => {
    const wide = file(
      "wide.proto",
      'syntax = "proto3"; message W { uint64 u = 1; double d = 2; map<string, int64> m = 3; }',
    );
    const data = file(
      "wide.json",
      '{"u":18446744073709551615,"d":9007199254740993,"m":{"a":-9007199254740993}}',
    );
    const { values, documents, int64 } = await loadDataset({ schema: wide, data });
    expect(int64).toBe("bigint");
    expect(values).toEqual([{ u: 2n ** 64n - 1n, d: 2 ** 53, m: { a: -(2n ** 53n) - 1n } }]);
    expect(documents).toEqual([{ u: "18446744073709551615", d: 2 ** 53, m: { a: "-9007199254740993" } }]);
  });

  it("has documents by json_name and extension keys, and refuses other names", async () => {
    const named = file(
      "named.proto",
      'syntax = "proto2"; package n; message N { optional int32 a_b = 1 [json_name = "@other"]; extensions 5 to 9; }\n' +
        "extend N { optional string note = 5; }",
    );
    const load = (text: string) => loadDataset({ schema: named, data: file("named.json", text) });
    const { values } = await load('{"@other":1,"[n.note]":"x"}');
    expect(values).toEqual([{ a_b: 1, "n.note": "x" }]);
    expect((await load('{"a_b":1}')).values).toEqual([{ a_b: 1 }]);
    for (const key of ["aB", "n.note", "note", "[note]"]) {
      await expect(load(`{"${key}":1}`)).rejects.toThrow("n.N has no such field");
    }
    const binary = file("named.bin", Buffer.from("08012a0178", "hex"));
    expect((await loadDataset({ schema: named, data: binary })).documents).toEqual([
      { "@other": 1, "[n.note]": "x" },
    ]);
  });

  it("has no documents where no JSON stands for a value, and says why", async () => {
    const holder = file(
      "holder.proto",
      'syntax = "proto3"; import "google/protobuf/any.proto"; message H { google.protobuf.Any any = 1; } message I { int32 i = 1; }',
    );
    const load = (hex: string) =>
      loadDataset({ schema: holder, message: "H", data: file("held.bin", Buffer.from(hex, "hex")) });
    const held = (url: string, content: string): string => {
      const value = `12${(content.length / 2).toString(16).padStart(2, "0")}${content}`;
      const any = `0a${url.length.toString(16).padStart(2, "0")}${Buffer.from(url).toString("hex")}${value}`;
      return `0a${(any.length / 2).toString(16).padStart(2, "0")}${any}`;
    };
    expect((await load(held("x/I", "0805"))).documents).toEqual([{ any: { "@type": "x/I", i: 5 } }]);
    const unknown = await load(held("x/J", "0805"));
    expect(unknown).not.toHaveProperty("documents");
    expect(unknown.story).toMatch(/held\.bin: any: the schema has no message "x\/J"/);
    // Five in more bytes than it needs: the same message to a reader, and other bytes in the Any.
    const padded = await load(held("x/I", "088500"));
    expect(padded).not.toHaveProperty("documents");
    expect(padded.story).toContain("any.value: expected");
  });

  it.each<[string, string | Uint8Array, string]>([
    ["range.json", '{"id":1,\n "id2":2}', "range.json:2:8: id2: Point has no such field"],
    [
      "half.json",
      '[{"id":1},\n{"tags":["a","\\ud800"]}]',
      "half.json:2:14: tags[1]: half of a surrogate pair",
    ],
    ["wide.ndjson", '{"id":1}\n{"id":18446744073709551616}', "wide.ndjson:2:7: id: "],
    ["bad.ndjson", '{"id":1}\n{"id":}\n', "bad.ndjson:2:7: "],
    ["twice.ndjson", '{"id":1}\n{"id":1,"id":2}\n', 'twice.ndjson:2:9: the key "id" stands twice'],
    ["line.txtpb", "id: 1\n nme: 2", "line.txtpb:2:2: Point has no field nme, did you mean name?"],
    ["cut.gz", gzipSync('{"id":1}').subarray(0, 22), "cut.gz: gzip: unexpected end of file"],
    ["a.csv", "id,name\n1,a\n", "it looks like CSV"],
    ["a.tsv", "id\tname\n1\ta\n", "it looks like TSV"],
    ["a.xml", "<a>\n<b/></a>", "it looks like XML"],
    ["a.json", "id: 1\n", "it looks like protobuf text"],
    ["a.zst", Buffer.from("28b52ffd0458", "hex"), "it looks like Zstandard"],
    ["a.zip.json", Buffer.from("504b0304", "hex"), "it looks like a ZIP archive"],
    ["a.b64", "CAUSA2FiYwgFEgNhYmM=", "it looks like base64"],
    ["latin-1.json", Buffer.from('{"name":"caf\xe9"}', "latin1"), "it looks like text in Latin-1"],
    ["utf16.json", Buffer.from("\uFEFF{}", "utf16le"), "it looks like UTF-16"],
    ["unmarked.json", Buffer.from('{"id":1}', "utf16le"), "it looks like UTF-16"],
    ["big-endian.json", Buffer.from('{"id":1}', "utf16le").swap16(), "it looks like UTF-16"],
    ["utf32.json", Buffer.from("7b0000000a0000007d000000", "hex"), "it looks like UTF-32"],
    [
      "parts.bin",
      Buffer.from("07080512036162630508065a0178", "hex"),
      "it looks like protobuf messages after their lengths: --delimited",
    ],
    [
      "grpc.bin",
      Buffer.from("0000000005080512016100000000020806", "hex"),
      "it looks like messages of gRPC, each behind 5 bytes",
    ],
    ["big.bin", Buffer.from("000000020805", "hex"), "it looks like messages after lengths of 4 bytes"],
    ["little.bin", Buffer.from("020000000805", "hex"), "it looks like messages after lengths of 4 bytes"],
    ["examples.bin", Buffer.from("0200000000000000aaaaaaaa0805bbbbbbbb", "hex"), "it looks like TFRecord"],
    ["bare.json", '{ id: 1, name: "x" }', "it looks like JSON whose keys have no quotes"],
    ["notes", '// A comment.\n{"id":1}', "it looks like JSON with comments: call it .jsonc"],
    ["encoded.json", Buffer.from([8, 5, 18, 3, 97, 98, 99]), "it looks like binary data"],
    ["pretty.ndjson", '{\n"id":1\n}\n', "it looks like JSON: call it .json"],
    ["text.ndjson", 'id: 1\nname: "x"\n', "it looks like protobuf text"],
    ["json.txtpb", '{\n"id":1\n}\n', "it looks like JSON: call it .json"],
    ["lines.txtpb", '{"id":1}\n{"id":2}\n', "it looks like NDJSON: call it .ndjson"],
    ["schema.json", 'syntax = "proto3";\nmessage M { int32 a = 1; }', "it looks like a .proto schema"],
    ["schema.bin", "namespace a;\ntable M { a:int; }", "it looks like a .fbs schema"],
    ["schema.dat", "@0xdbb9ad1f14bf0b36;\nstruct M { a @0 :Int32; }", "it looks like a .capnp schema"],
    ["set.ndjson", SET, "it looks like a FileDescriptorSet, which is a schema"],
    ["names.txtpb", "id: 1\nname: foo\n", "it looks like YAML"],
    ["nested.txtpb", "point:\n  - id: 1\n", "it looks like YAML"],
    ["list.txtpb", "# Points.\n- id: 1\n- id: 2\n", "it looks like YAML"],
    ["openapi.json", "openapi: 3.0.0\ninfo:\n  title: x\n", "it looks like YAML"],
    ["wrong.txtpb", 'id: 1\nname: { a: FOO }\nb: "x: y"\n', "^(?!.*looks like)"],
    ["header.json", "#include <stdint.h>\nstruct M { int32_t a; };", "it looks like a C header"],
  ])("says where %s is wrong, or what it looks like", async (name, content, problem) => {
    const loaded = loadDataset({ schema, data: file(name, content) });
    await expect(loaded).rejects.toThrow(problem.startsWith("^") ? new RegExp(problem) : problem);
  });

  it.each([
    ["id.json", '{"id":1}', "it looks like JSON: call it .json"],
    ["pretty.json", '{\n  "id":1\n}', "it looks like JSON: call it .json"],
    ["lines.ndjson", '{"id":1}\n{"id":2}\n', "it looks like NDJSON: call it .ndjson"],
    ["a.txtpb", 'id: 1\nname: "x"\n', "it looks like protobuf text"],
    ["one.bin", Buffer.from([8, 5, 18, 3, 97, 98, 99]), "is it one message, without its length?"],
    ["fits.bin", Buffer.from([8, 1, 18, 5, 97, 98, 99, 100, 101]), "is it one message, without its length?"],
    // As messages after their lengths these are 10 and 8, most of them empty.
    ["grpc.bin", Buffer.from("0000000002080100000000020802", "hex"), "it looks like messages of gRPC"],
    [
      "big.bin",
      Buffer.from("000000020801000000020802", "hex"),
      "looks like messages after lengths of 4 bytes",
    ],
    ["later.bin", Buffer.from([2, 8, 1, 18, 3, 97]), "message 1 is cut: .*, got 3$"],
    ["text.bin", Buffer.from([8, 7, 18, 5, 104, 101, 108, 108, 111, 8, 7]), "without its length?"],
  ])("says what %s looks like that is no delimited messages", async (name, content, problem) => {
    const loaded = loadDataset({ schema, data: file(name, content), delimited: true });
    await expect(loaded).rejects.toThrow(problem.endsWith("$") ? new RegExp(problem) : problem);
  });

  it.each<[string, string | Uint8Array, string]>([
    ["json.proto", '{"id":1}', "json.proto:1:1: syntax error, .*; it looks like JSON"],
    ["tables.proto", "namespace a;\ntable M { a:int; }", "it looks like a .fbs schema"],
    ["message.fbs", 'syntax = "proto3";\nmessage M { int32 a = 1; }', "it looks like a .proto schema"],
    ["message.capnp", 'syntax = "proto3";\nmessage M { int32 a = 1; }', "it looks like a .proto schema"],
    ["message.txt", 'syntax = "proto3";\nmessage M { int32 a = 1; }', "it looks like a .proto schema"],
    ["id.h", "@0xdbb9ad1f14bf0b36;\nstruct M { a @0 :Int32; }", "it looks like a .capnp schema"],
    ["cut.desc", SET.subarray(0, 30), "a FileDescriptorSet that is cut off or damaged$"],
    ["cut.proto", SET.subarray(0, 30), "a FileDescriptorSet that is cut off or damaged$"],
    [
      "latin.fbs",
      Buffer.from("table M { a: int; } // caf\xe9", "latin1"),
      "latin.fbs:1:27: not valid UTF-8; it looks like text in Latin-1 or Windows-1252",
    ],
    ["wide.proto", Buffer.from("message M {}", "utf16le"), "it looks like UTF-16"],
    ["wrong.proto", 'syntax = "proto3";\n#define A\nmessage M { int32 a = }', "^(?!.*looks like)"],
    ["imports.proto", 'package a;\nimport "b.proto";\nenum E { A = }', "^(?!.*looks like)"],
  ])("says what the schema %s looks like, unless it is only wrong", (name, content, problem) => {
    expect(() => loadSchema(file(name, content))).toThrow(new RegExp(problem));
  });

  it("says when a file is missing", async () => {
    await expect(loadDataset({ schema, data: path.join(folder, "gone.json") })).rejects.toThrow(
      "gone.json: no such file",
    );
    await expect(loadDataset({ schema: path.join(folder, "gone.proto"), data: "-" })).rejects.toThrow(
      "gone.proto: no such file",
    );
    await expect(loadDataset({ schema: "thing.thrift", data: "-" })).rejects.toThrow(
      "expected a schema file that ends in .proto or .h",
    );
  });

  itWithRealData("loads real messages", async () => {
    for (const [name, message] of [
      ["google_message1", "bench.Message1"],
      ["google_message2", "bench.Message2"],
    ] as const) {
      const dataset = await loadDataset({
        schema: realData("messages.proto"),
        message,
        data: realData(`${name}.dat`),
      });
      expect(dataset.name).toBe(name);
      expect(dataset.values).toHaveLength(1);
    }
  });
});
