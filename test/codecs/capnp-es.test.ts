/** capnp-es beside capnp-ts, whose bytes are held to those of `capnp` by tests of its own. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { mapOf, of, schemaOf } from "../schema/schema-of.ts";
import { runs, SEED } from "../seed.ts";
import { dataset, ENUMS, field, list, message, optional, scalar, vector } from "./capnp-ts-fixture.ts";
import { datasetOf } from "./dataset.ts";

const registry = await Registry.open();
const bound = async (name: string, dataset: Dataset): Promise<Binding> =>
  (await registry.codec(name)).bind(dataset);

describe.each([
  ["capnp-es", "capnp-ts", "tellist.bin"],
  ["capnp-es:packed", "capnp-ts:packed", "tellist.packed"],
])("%s", (name, other, file) => {
  const values = [0, 1].map((index) => tellist.make(37, index));
  const book: Dataset = { name: "tellist", schema: tellist.schema, values, int64: "number" };

  it("has the bytes that capnp gives the address book, and reads it from many segments", async () => {
    const binding = await bound(name, book);
    expect(Buffer.compare(encodeValue(binding, values[0]!) as Uint8Array, vector(file))).toBe(0);
    const segments = vector(file.replace("tellist", "tellist-segments"));
    expect(decodeUntrusted(name, binding, book, segments)).toEqual(values[0]);
  });

  it("has the bytes of capnp-ts for random schemas, and each reads the other's", async () => {
    let carried = 0;
    for (const one of [ENUMS, ...fc.sample(datasets(), { numRuns: runs(100), seed: SEED })]) {
      const theirs = await bound(other, one).catch(() => undefined);
      if (theirs === undefined) continue;
      let ours: Binding;
      try {
        ours = await bound(name, one);
      } catch (error) {
        // A mark at the start of a text.
        expect(error).toBeInstanceOf(UnsupportedError);
        continue;
      }
      carried += 1;
      for (const value of one.values) {
        const bytes = encodeValue(theirs, value) as Uint8Array;
        expect(Buffer.compare(encodeValue(ours, value) as Uint8Array, bytes)).toBe(0);
        expect(decodeUntrusted(name, ours, one, bytes)).toEqual(value);
      }
    }
    expect(carried).toBeGreaterThan(runs(100) / 3);
  });

  it("refuses a text whose byte order mark it would take off, in values and in bytes", async () => {
    const schema = schemaOf("p", [
      { name: "text", type: of("string") },
      { name: "map", repetition: mapOf("string") },
    ]);
    for (const input of [{ text: "\ufeffa" }, { map: { "\ufeffa": 1 } }]) {
      const marked = datasetOf(schema, [input]);
      await expect(async () => bound(name, marked)).rejects.toThrow("capnp-es takes a byte order mark off");
      const bytes = encodeValue(await bound(other, marked), marked.values[0]!);
      const reader = await bound(name, { ...marked, values: [] });
      expect(() => reader.verify(bytes)).toThrow("capnp-es takes the byte order mark off a text");
    }
    // What is no text keeps its bytes.
    const data = datasetOf(schemaOf("p", [{ name: "data", type: of("bytes") }]), [
      { data: Buffer.from("\ufeffabcdefgh") },
    ]);
    const binding = await bound(name, data);
    expect(decodeUntrusted(name, binding, data, encodeValue(binding, data.values[0]!))).toEqual(
      data.values[0],
    );
  });
});

it("makes lists in lists, of every kind of element", async () => {
  const wrapper = (name: string, type: ReturnType<typeof scalar>) => ({
    name,
    fields: [field("l", type, list)],
  });
  const kinds = ["bool", "int8", "double", "string", "bytes"] as const;
  const carried = dataset([
    {
      name: "M",
      fields: [
        ...kinds.map((kind) => field(kind, message(kind), list)),
        field("deep", message("Deep"), list),
        field("one", message("string"), optional),
      ],
    },
    ...kinds.map((kind) => wrapper(kind, scalar(kind))),
    wrapper("Deep", message("int8")),
  ]);
  const bytes = new Uint8Array([1, 2, 3]);
  const value = {
    bool: [{ l: [true, false] }, { l: [] }],
    int8: [{ l: [1, -1] }],
    double: [{ l: [0.5] }],
    string: [{ l: ["", "ä"] }],
    bytes: [{ l: [bytes, new Uint8Array(0)] }],
    deep: [{ l: [{ l: [1] }, { l: [] }] }],
    one: { l: ["x"] },
  };
  const [ours, theirs] = [await bound("capnp-es", carried), await bound("capnp-ts", carried)];
  const encoded = encodeValue(ours, value) as Uint8Array;
  expect(Buffer.compare(encoded, encodeValue(theirs, value) as Uint8Array)).toBe(0);
  expect(decodeUntrusted("capnp-es", ours, carried, encoded)).toEqual(value);
});
