/** Schemaless codecs carry a user's own objects as they are. */
import fc from "fast-check";
import { Packr } from "msgpackr";
import { describe, expect, it } from "vitest";
import { loadDataset } from "../../src/catalog/load-dataset.ts";
import type { NamedCodec } from "../../src/catalog/registry.ts";
import { Registry } from "../../src/catalog/registry.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import type { OperationContext } from "../../src/model/operation.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { compileProbe, compileVisitor } from "../../src/schema/generate/visit.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { carriedBy } from "../../src/schema/values/documents.ts";
import { decodeTrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { documentedDatasets } from "../arbitrary-documents.ts";
import { expectAccess, expectRoundTrips, expectSafeOnDamage } from "../codec-contract.ts";
import { itWithRealData, realData } from "../real-data.ts";
import { list, mapOf, of, ofMessage, schemaOf } from "../schema/schema-of.ts";
import { runs, SEED } from "../seed.ts";

const registry = await Registry.open();
const all = await Promise.all((await registry.selectCodecs(["*"])).map((name) => registry.codec(name)));
const schemaless = all.filter((codec) => codec.schemaless === true);

it("are those whose bytes carry names and types", () => {
  expect(schemaless.map(({ name }) => name)).toEqual([
    "amf3",
    "bson",
    "cbor-x",
    "cbor-x:into",
    "cbor-x:records",
    "cborg",
    "devalue",
    "erlang-etf",
    "erlang-etf:z6",
    "erlang-etf:z9",
    "flexbuffers",
    "ion-js",
    "json",
    "json:string",
    "msgpack",
    "msgpackr",
    "msgpackr:into",
    "msgpackr:records",
    "msgpackr:bundle-strings",
    "python-pickle",
    "python-pickle:1",
    "python-pickle:2",
    "python-pickle:5",
    "seroval",
    "superjson",
    "v8",
  ]);
});

async function boundOrNot(codec: NamedCodec, dataset: Dataset): Promise<Binding | undefined> {
  try {
    return await codec.bind(dataset);
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

describe.each(schemaless.map((codec) => [codec.name, codec] as const))("%s", (_, codec) => {
  it("gives back the documents of random schemas, which mean the canonical values", async () => {
    const total = runs(300);
    let carried = 0;
    await fc.assert(
      fc.asyncProperty(documentedDatasets(), async (dataset) => {
        const own = carriedBy(codec, dataset);
        expect(own.values).toBe(dataset.documents);
        const binding = await boundOrNot(codec, own);
        if (binding === undefined) return;
        carried += 1;
        expect(binding.direct).toEqual({ build: true, plain: true });
        expectRoundTrips(codec, binding, own);
        expectAccess(codec, binding, own);
        expectSafeOnDamage(codec, binding, own, { seed: 2, mutants: 40 });
        const { schema, int64 } = dataset;
        for (const [index, document] of own.values.entries()) {
          const decoded = decodeTrusted(binding, encodeValue(binding, document));
          const meant = conform(schema, decoded, { form: "json", int64 }).value;
          expect(firstDifference(dataset.values[index], meant)).toBeUndefined();
        }
        await expectPartsSound(binding, own, dataset);
      }),
      { numRuns: total, seed: SEED },
    );
    expect(carried).toBeGreaterThan(total / 3);
  });
});

/** pick, update and reads go to the same place of a document as of the canonical value. */
async function expectPartsSound(binding: Binding, own: Dataset, dataset: Dataset): Promise<void> {
  const { schema, values } = own;
  const context: OperationContext = {
    schema,
    binding,
    values,
    canonical: dataset.values,
    encoded: values.map((value) => encodeValue(binding, value)),
    probe: compileProbe(schema),
    checksum: compileVisitor(schema, { long: "plain", text: binding.text }),
  };
  for (const name of ["encode", "decode", "access", "pick", "update", "reads:1:1"]) {
    try {
      const task = (await registry.definition("operations", name)).prepare(context);
      for (const [index, input] of task.inputs.entries()) {
        const result = task.run(input);
        task.check(result, index);
        expect(Number.isInteger(task.fold(result)), name).toBe(true);
      }
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
    }
  }
}

describe("of the order that has only what it needs", () => {
  const schema = schemaOf("shop", [
    { name: "id", type: of("string") },
    { name: "customer_id", type: of("int64") },
    { name: "items", type: ofMessage("shop.M"), repetition: list },
    { name: "labels", type: of("string"), repetition: mapOf("string") },
    { name: "signature", type: of("bytes") },
    { name: "sku", type: of("string") },
    { name: "quantity", type: of("int32") },
  ]);
  const order = { id: "o-5", items: [{ sku: "s5", quantity: 5 }] };
  const bytesOf = async (name: string, document: Value): Promise<Uint8Array> => {
    const codec = await registry.codec(name);
    const { value, int64 } = conform(schema, document, { form: "json", int64: "auto" });
    const dataset: Dataset = { name: "own", schema, values: [value], documents: [document], int64 };
    const carried = carriedBy(codec, dataset);
    return encodeValue(await codec.bind(carried), carried.values[0]!) as Uint8Array;
  };

  it("json writes the 48 bytes of JSON.stringify", async () => {
    expect(Buffer.from(await bytesOf("json", order)).toString()).toBe(JSON.stringify(order));
    expect(JSON.stringify(order)).toHaveLength(48);
  });

  it("msgpackr writes what its library does", async () => {
    const packr = new Packr({ useRecords: false, variableMapSize: true });
    expect(Buffer.from(await bytesOf("msgpackr", order))).toEqual(Buffer.from(packr.pack(order)));
  });

  it("protobufjs writes what it did", async () => {
    expect(Buffer.from(await bytesOf("protobufjs", order)).toString("hex")).toBe(
      "0a036f2d351a06320273353805",
    );
  });

  it.each<[string, Value, string]>([
    ["json", { id: "x", labels: { a: "-0" }, quantity: -0 }, "quantity: JSON.stringify writes -0 as 0"],
    ["msgpackr", { quantity: -0 }, "quantity: msgpackr writes -0 as 0"],
    ["msgpackr", { labels: { ["__proto__"]: "x" } }, "labels.__proto__: msgpackr reads this key as __proto_"],
    [
      "msgpackr:records",
      { labels: { __keys__: "x" } },
      "labels.__keys__: msgpackr cannot carry a field called __keys__",
    ],
    ["cbor-x", { quantity: -0 }, "quantity: cbor-x writes -0 as 0"],
    [
      "cbor-x",
      { labels: { ["__proto__"]: "x" } },
      "labels.__proto__: cbor-x cannot carry a field called __proto__",
    ],
    [
      "cbor-x:records",
      { labels: { __keys__: "x" } },
      "labels.__keys__: cbor-x cannot carry a field called __keys__",
    ],
    ["cborg", { quantity: -0 }, "quantity: cborg writes -0 as 0"],
    ["cborg", { id: "\ufeffa" }, "id: cborg drops the byte order mark of text"],
    ["bson", { labels: { $ref: "x" } }, 'labels["$ref"]: an object with this field is read as a DBRef'],
    ["bson", { labels: { "a\0b": "x" } }, 'labels["a\\u0000b"]: a name in BSON ends at a zero byte'],
    ["amf3", { labels: { "": "x" } }, 'labels[""]: an empty name ends an object in AMF3'],
  ])("%s refuses what it cannot carry of %j", async (name, document, reason) => {
    await expect(bytesOf(name, document)).rejects.toThrow(new UnsupportedError(reason));
  });

  it.each(schemaless.map(({ name }) => name))("%s keeps texts, nulls and names as they are", async (name) => {
    const document = {
      customerId: "9223372036854775807",
      signature: "aGk",
      items: [{ customer_id: "5" }, { customerId: 5, sku: null }],
      // superjson refuses the first key, which it says.
      labels: { [name === "superjson" ? "toString" : "constructor"]: "c", "2": "b", "1": "a" },
    };
    const codec = await registry.codec(name);
    const { value, int64 } = conform(schema, document, { form: "json", int64: "auto" });
    const own = carriedBy(codec, { name: "own", schema, values: [value], documents: [document], int64 });
    const binding = await codec.bind(own);
    expectRoundTrips(codec, binding, own);
    expectAccess(codec, binding, own);
  });
});

itWithRealData(
  "real messages come back from every schemaless codec as protobuf's JSON has them",
  async () => {
    for (const [name, message] of [
      ["google_message1", "bench.Message1"],
      ["google_message2", "bench.Message2"],
    ] as const) {
      const data = realData(`${name}.dat`);
      const dataset = await loadDataset({ schema: realData("messages.proto"), message, data });
      for (const codec of schemaless) {
        const own = carriedBy(codec, dataset);
        const binding = await boundOrNot(codec, own);
        // Integers of more than 32 bits stand beside texts there.
        if (binding === undefined && codec.name === "flexbuffers") continue;
        expectRoundTrips(codec, binding!, own);
        expectAccess(codec, binding!, own);
        await expectPartsSound(binding!, own, dataset);
      }
    }
  },
);
