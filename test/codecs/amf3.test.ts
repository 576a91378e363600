import fc from "fast-check";
import { describe, expect, it } from "vitest";
import amf3 from "../../src/codecs/amf3.ts";
import { EcmaArray, encode, Traits, TypedObject, Vector, Xml } from "../../src/formats/amf3/index.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import type { Value } from "../../src/model/value.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { list, mapOf, of, ofMessage, schemaOf, single } from "../schema/schema-of.ts";
import { runs, SEED } from "../seed.ts";
import { expectCarried as carried, hardDataset, refusalOf } from "./carried.ts";
import { datasetOf } from "./dataset.ts";
import { expectVerifyHolds } from "./mutants.ts";

const expectCarried = (dataset: Dataset): Promise<void> => carried(amf3, dataset);
const failure = (dataset: Dataset, bytes: Uint8Array): Promise<string> => refusalOf(amf3, dataset, bytes);

describe("amf3", () => {
  it("carries what other formats find hard", async () => {
    await expectCarried(hardDataset(JSON.parse('{"__proto__": 1, "10": 3}')));
  });

  it("carries 64-bit integers as decimal text where they are bigints, and as numbers where they are not", async () => {
    const schema = schemaOf("p", [
      { type: of("uint64"), repetition: list },
      { type: of("int64") },
      { type: of("fixed64"), repetition: mapOf("uint64") },
    ]);
    const big = { f1: [0n, 1n, 2n ** 64n - 1n], f2: -(2n ** 63n), f3: { "18446744073709551615": 5n } };
    const dataset = datasetOf(schema, [big, { f1: [], f3: {} }], "bigint");
    await expectCarried(dataset);
    const bytes = encodeValue(await amf3.bind(dataset), dataset.values[0]!);
    expect(Buffer.from(bytes as Uint8Array).includes("18446744073709551615")).toBe(true);
    const safe = datasetOf(schema, [{ f1: [Number.MAX_SAFE_INTEGER], f2: -1, f3: {} }], "number");
    await expectCarried(safe);
    expect((await amf3.bind(safe)).direct).toEqual({ build: true, plain: true });
  });

  it("reads as bigints what a dataset without bigints has written", async () => {
    const schema = schemaOf("p", [
      { type: of("uint64"), repetition: list },
      { type: of("int64") },
      { type: of("fixed64"), repetition: mapOf("uint64") },
    ]);
    const written = datasetOf(
      schema,
      [{ f1: [0, 13_800_000_000, Number.MAX_SAFE_INTEGER], f2: -5, f3: { 7: 8 } }],
      "number",
    );
    const bytes = encodeValue(await amf3.bind(written), written.values[0]!);
    const dataset = datasetOf(schema, [], "bigint");
    expect(decodeUntrusted("amf3", await amf3.bind(dataset), dataset, bytes)).toEqual({
      f1: [0n, 13_800_000_000n, BigInt(Number.MAX_SAFE_INTEGER)],
      f2: -5n,
      f3: { 7: 8n },
    });
    const mixed = decodeUntrusted("amf3", await amf3.bind(dataset), dataset, encode({ f1: ["1", 2] }));
    expect(mixed).toMatchObject({ f1: [1n, 2n] });
  });

  it("says which key it cannot carry", () => {
    const schema = schemaOf("p", [
      { repetition: mapOf("string") },
      { type: ofMessage("p.M"), repetition: list },
    ]);
    const dataset = datasetOf(schema, [{ f2: [{}, { f1: { "": 1 } }] }]);
    expect(() => amf3.bind(dataset)).toThrow('f2[1].f1[""]: an empty name ends an object in AMF3');
  });

  it("carries messages as deep as any codec", async () => {
    const schema = schemaOf("p", [
      { type: ofMessage("p.M"), repetition: list },
      { type: of("bytes"), repetition: list },
    ]);
    let value: unknown = { f2: [new Uint8Array([1])] };
    for (let level = 1; level < 100; level++) value = { f1: [value] };
    await expectCarried(datasetOf(schema, [value]));
  });

  it("carries an object that is in a value twice", async () => {
    const schema = schemaOf("p", [{ type: ofMessage("p.M"), repetition: list }, { repetition: list }]);
    const shared: Value = { f1: [], f2: [1] };
    await expectCarried({
      name: "shared",
      schema,
      values: [{ f1: [shared, shared, { f1: [shared], f2: [] }], f2: [] }],
      int64: "number",
    });
  });

  describe("on bytes from outside", () => {
    const schema = schemaOf("p", [
      {},
      { repetition: list },
      { type: of("int64") },
      { type: ofMessage("p.M"), repetition: list },
      { repetition: mapOf("string") },
    ]);
    const dataset = datasetOf(schema, []);
    const bigints = datasetOf(schema, [], "bigint");

    it.each<[string, unknown, string]>([
      ["an unknown field", { f9: 1 }, "amf3 at f9: p.M has no such field, did you mean f1 or f2 or f3?"],
      ["another type", { f1: "a" }, 'amf3 at f1: expected an integer (int32), got "a"'],
      ["a list at the top", [1], "amf3: expected an object (p.M), got a list of 1"],
      ["null at the top", null, "amf3: expected an object (p.M), got null"],
      [
        "an object of a class",
        new TypedObject(new Traits("p.M", [], { dynamic: true })),
        "amf3: expected an object (p.M), got an object of the class TypedObject",
      ],
      ["a Map", { f5: new Map() }, "amf3 at f5: expected an object as a map, got a Map"],
      ["a vector", { f2: new Vector([1]) }, "amf3 at f2: expected a list, got an object of the class Vector"],
      [
        "an array with names",
        { f2: new EcmaArray([], { a: 1 }) },
        "amf3 at f2: expected a list, got an object of the class EcmaArray",
      ],
      [
        "XML",
        { f1: new Xml("<a/>") },
        "amf3 at f1: expected an integer (int32), got an object of the class Xml",
      ],
      ["null for a list", { f2: null }, "amf3 at f2: expected a list, got null"],
      ["null for a number", { f1: null }, "amf3 at f1: expected a value, got null"],
      ["a message that is none", { f4: [1] }, "amf3 at f4[0]: expected an object (p.M), got 1"],
    ])("refuses %s", async (_, value, says) => {
      expect(await failure(dataset, encode(value))).toBe(says);
      expect(await failure(bigints, encode(value))).toBe(says);
    });

    it.each<[unknown]>([
      ["1.5"],
      ["0x10"],
      [""],
      [" 1"],
      ["-"],
      ["01"],
      ["9".repeat(21)],
      [1.5],
      [2 ** 53],
      [true],
      [["5"]],
    ])("refuses %j as a bigint", async (text) => {
      expect(await failure(bigints, encode({ f3: text }))).toMatch(
        /^amf3 at f3: expected decimal text or a safe integer, got /,
      );
    });

    it("refuses a message in itself, and few bytes that stand for very many values", async () => {
      const cycle: Record<string, unknown> = {};
      cycle["f4"] = [cycle];
      expect(await failure(dataset, encode(cycle))).toMatch(/: nested deeper than 100 messages$/);
      let value: Value = { f4: [] };
      for (let i = 0; i < 30; i++) value = { f4: [value, value] };
      expect(await failure(dataset, encode(value))).toMatch(/: more than \d+ values$/);
    });

    it.each(["number", "bigint"] as const)(
      "reads without an error what it lets pass, with %ss",
      async (int64) => {
        const random = seededRandom(SEED);
        let passed = 0;
        const property = fc.asyncProperty(datasets(), async (random64) => {
          if (random64.int64 !== int64) return;
          try {
            passed += expectVerifyHolds(await amf3.bind(random64), random64, random, 100);
          } catch (error) {
            if (!(error instanceof UnsupportedError)) throw error;
          }
        });
        await fc.assert(property, { numRuns: runs(100), seed: SEED, endOnFailure: true });
        expect(passed).toBeGreaterThan(0.3 * runs(100));
      },
    );

    it("fills in what is implicit and absent", async () => {
      const implicit = schemaOf("p", [
        { repetition: single("implicit") },
        { type: of("uint64"), repetition: single("implicit") },
      ]);
      const numbers = datasetOf(implicit, []);
      expect(decodeUntrusted("amf3", await amf3.bind(numbers), numbers, encode({}))).toEqual({
        f1: 0,
        f2: 0,
      });
      const longs = datasetOf(implicit, [], "bigint");
      expect(decodeUntrusted("amf3", await amf3.bind(longs), longs, encode({}))).toEqual({ f1: 0, f2: 0n });
    });
  });
});
