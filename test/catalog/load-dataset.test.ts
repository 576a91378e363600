import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ownDataset } from "../../src/catalog/dataset.ts";
import { datasetHash } from "../../src/catalog/dataset-hash.ts";
import { loadDataset } from "../../src/catalog/load-dataset.ts";
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

  it("holds all 64-bit integers as bigints when one of them needs it", async () => {
    const data = file("big.json", '[{"id":1},{"id":"18446744073709551615"}]');
    const { int64, values } = await loadDataset({ schema, data });
    expect(int64).toBe("bigint");
    expect(values).toMatchObject([{ id: 1n }, { id: 18446744073709551615n }]);
  });

  it("refuses such an integer when numbers are asked for", async () => {
    const data = file("big.json", '{"id":"9007199254740993"}');
    await expect(loadDataset({ schema, data, int64: "number" })).rejects.toThrow(
      "big.json: id: 9007199254740993 is beyond 2^53",
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
    await expect(loadDataset({ schema, data })).rejects.toThrow(/unknown\.bin: protobuf.* at byte 2: .*111/);
  });

  it.each([
    ["cut.json", '{"id":', /cut\.json:1:7: unexpected end of JSON/],
    ["comma.txt", '{"id":1,}', /comma\.txt:1:9: /],
    ["latin.json", Buffer.from([0x7b, 0xe9, 0x7d]), /latin\.json: not valid UTF-8/],
    ["empty.json", "[]", /no data: expected at least one value/],
  ])("says what is wrong with %s", async (name, content, message) => {
    await expect(loadDataset({ schema, data: file(name, content) })).rejects.toThrow(message);
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
