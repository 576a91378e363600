import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import protobuf from "protobufjs";
import { afterAll, describe, expect, it } from "vitest";
import rawStruct from "../../src/codecs/raw-struct/index.ts";
import tellist from "../../src/datasets/tellist.ts";
import { compileStruct, parseHeader } from "../../src/formats/c-struct/index.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError, ValueError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import type { Int64Mode, Schema } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { readHeader } from "../../src/schema/read/header.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { conform } from "../../src/schema/values/conform.ts";
import {
  expectAccess,
  expectRoundTrips,
  expectSafeOnDamage,
  expectTruncationRefused,
} from "../codec-contract.ts";
import { randomHeader, randomValue } from "../formats/c-struct/random-header.ts";
import { itWithRealData, realData } from "../real-data.ts";
import { SEED } from "../seed.ts";

const TELLIST = path.join(import.meta.dirname, "../../schemas/tellist.h");
const codec = { name: "raw-struct", file: "", ...rawStruct, traits: [] };

const folder = mkdtempSync(path.join(tmpdir(), "raw-struct-"));
afterAll(() => rmSync(folder, { recursive: true }));

function datasetOf(schema: Schema, values: readonly Value[], int64: Int64Mode = "number"): Dataset {
  return { name: "test", schema, values, int64 };
}

async function bound(dataset: Dataset): Promise<Binding> {
  return rawStruct.bind(dataset);
}

/** A schema of a header's last struct. */
function headerSchema(text: string): Schema {
  const file = path.join(folder, "x.h");
  writeFileSync(file, text);
  return readHeader(file, parseHeader(text).structs.at(-1)?.name);
}

describe("the address book", () => {
  const values = [0, 1].map((index) => tellist.make(37, index));

  it("is the bytes of the published C header, 8 + 37 * 48", async () => {
    const derived = await bound(datasetOf(tellist.schema, values));
    const published = await bound(datasetOf(readHeader(TELLIST), []));
    for (const value of values) {
      const bytes = derived.write(derived.build(value)) as Uint8Array;
      expect(bytes).toHaveLength(1784);
      expect(published.write(published.build(value))).toEqual(bytes);
    }
  });

  it("needs no values, since its schema bounds everything", async () => {
    const binding = await bound(datasetOf(tellist.schema, []));
    expect(binding.write(binding.build(values[0]!))).toHaveLength(1784);
  });

  it("is refused by name where C cannot hold it", async () => {
    const binding = await bound(datasetOf(tellist.schema, values));
    const person = { id: 0, name: "x", age: 1, gender: 0, phone_num: 0 };
    const write = (change: object) => () =>
      binding.write(binding.build({ info: [person, { ...person, ...change }] }));
    expect(write({ name: "x".repeat(32) })).toThrow(
      "info[1].name: 33 bytes with the NUL, expected at most 32",
    );
    expect(write({ name: "a\0b" })).toThrow("info[1].name: a NUL inside a string, which would end it");
    expect(write({ age: 256 })).toThrow("info[1].age: 256 is outside uint8, expected 0 to 255");
    expect(write({ phone_num: -1 })).toThrow("info[1].phone_num: -1 is outside uint64");
    expect(write({ age: 256 })).toThrow(ValueError);
  });

  it("is refused as text", async () => {
    const binding = await bound(datasetOf(tellist.schema, values));
    expect(() => binding.verify("text")).toThrow(DecodeError);
  });
});

describe("a schema from a header", () => {
  it("is carried in that header's layout, whatever it is", async () => {
    const random = seededRandom(SEED);
    const header = randomHeader(random, 60);
    for (const struct of parseHeader(header).structs.filter(({ name }) => /^s\d+$/.test(name))) {
      const file = path.join(folder, "random.h");
      writeFileSync(file, header);
      const schema = readHeader(file, struct.name);
      const compiled = compileStruct(struct);
      const inputs = Array.from({ length: 3 }, () => randomValue(compiled.shape, random));
      const values = inputs.map((input) => conform(schema, input, { form: "plain", int64: "bigint" }).value);
      const dataset = datasetOf(schema, values, "bigint");
      const binding = await bound(dataset);
      expectRoundTrips(codec, binding, dataset);
      expectAccess(codec, binding, dataset);
      expectSafeOnDamage(codec, binding, dataset, { seed: SEED, mutants: 100 });
      expectTruncationRefused(codec, binding, dataset);
      values.forEach((value, i) => {
        expect(binding.write(binding.build(value))).toEqual(compiled.pack(inputs[i]));
      });
    }
  });

  it("has bounds that a value may break, and is refused by name", async () => {
    const schema = headerSchema("struct s { int x_count; short x[2]; unsigned char id[4]; };");
    const binding = await bound(datasetOf(schema, []));
    const id = new Uint8Array(4);
    expect(() => binding.write({ x: [1, 2, 3], id })).toThrow("x: 3 elements, expected at most 2");
    expect(() => binding.write({ x: [], id: new Uint8Array(3) })).toThrow("id: 3 bytes, expected exactly 4");
  });
});

describe("a dataset without values", () => {
  it("is unsupported where nothing bounds a field", async () => {
    const file = path.join(folder, "x.proto");
    writeFileSync(file, 'syntax = "proto3"; message A { string name = 1; }');
    await expect(bound(datasetOf(readProto(file), []))).rejects.toThrow(UnsupportedError);
    await expect(bound(datasetOf(readProto(file), []))).rejects.toThrow(
      "A.name: nothing bounds it, expected values to take a bound from, or a C header",
    );
  });
});

describe("a value as large as its dataset's", () => {
  it("is carried with keys, text and bytes at their bounds", async () => {
    const file = path.join(folder, "bounds.proto");
    writeFileSync(
      file,
      'syntax = "proto3"; message A { map<string, bytes> m = 1; repeated string s = 2; map<bool, A2> b = 3; } message A2 { bytes x = 1; }',
    );
    const schema = readProto(file, "A");
    const sizes = fc.sample(fc.tuple(fc.nat(40), fc.nat(40), fc.nat(5)), { seed: SEED, numRuns: 30 });
    for (const [text, bytes, count] of sizes) {
      const input = {
        m: Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`${i}${"é".repeat(text)}`, new Uint8Array(bytes).fill(i)]),
        ),
        s: Array.from({ length: count }, () => "日".repeat(text)),
        b: { true: { x: new Uint8Array(bytes) } },
      };
      const dataset = datasetOf(schema, [conform(schema, input, { form: "plain", int64: "number" }).value]);
      const binding = await bound(dataset);
      expectRoundTrips(codec, binding, dataset);
      expectAccess(codec, binding, dataset);
    }
  });
});

describe("real messages", () => {
  itWithRealData.each([
    ["Message1", "google_message1.dat", 512],
    ["Message2", "google_message2.dat", 345_624],
  ])("bench.%s in %s takes %d bytes", async (name, file, size) => {
    const proto = readFileSync(realData("messages.proto"), "utf8");
    const type = protobuf.parse(proto, { keepCase: true }).root.lookupType(`bench.${name}`);
    const schema = readProto(realData("messages.proto"), `bench.${name}`);
    const input = type.toObject(type.decode(readFileSync(realData(file))), { longs: String });
    const { value, int64 } = conform(schema, input, { form: "json", int64: "auto" });
    const dataset = datasetOf(schema, [value], int64);
    const binding = await bound(dataset);
    expect(binding.write(binding.build(value))).toHaveLength(size);
    expectRoundTrips(codec, binding, dataset);
    expectAccess(codec, binding, dataset);
    expectSafeOnDamage(codec, binding, dataset, { seed: SEED, mutants: 200 });
  });
});
