/** Libraries of protobuf read each other's bytes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import { firstDifference } from "../../src/model/value.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { mapOf, of, schemaOf, single } from "../schema/schema-of.ts";
import { runs, SEED } from "../seed.ts";

const registry = await Registry.open();
const reference = await registry.codec("protobufjs");
const names = await registry.selectCodecs(["@protobuf"]);

describe.each(names.filter((name) => name !== reference.name))("%s and protobufjs", (name) => {
  it("decode each other's bytes", async () => {
    const total = runs(300);
    const codec = await registry.codec(name);
    let carried = 0;
    await fc.assert(
      fc.asyncProperty(datasets(), async (dataset) => {
        const [theirs, ours] = await Promise.all(
          [codec, reference].map(async (one) => {
            try {
              return await one.bind(dataset);
            } catch (error) {
              if (error instanceof UnsupportedError) return undefined;
              throw error;
            }
          }),
        );
        if (theirs === undefined || ours === undefined) return;
        carried += 1;
        for (const value of dataset.values) {
          for (const [from, to] of [
            [theirs, ours],
            [ours, theirs],
          ] as const) {
            const read = decodeUntrusted("protobuf", to, dataset, encodeValue(from, value));
            expect(firstDifference(value, read)).toBeUndefined();
          }
        }
      }),
      { numRuns: total, seed: SEED },
    );
    expect(carried).toBeGreaterThan(total / 6);
  });
});

describe("pbf", () => {
  const schema = schemaOf("p", [{ type: of("int64"), repetition: single("implicit") }]);
  const dataset = { name: "d", schema, values: [], int64: "bigint" } as const;

  it("reads 64-bit integers of messages, whose size nothing tells before, and refuses what it would round", async () => {
    const binding = await (await registry.codec("pbf")).bind(dataset);
    const read = (hex: string) => decodeUntrusted("protobuf", binding, dataset, Buffer.from(hex, "hex"));
    expect(read("0805")).toEqual({ f1: 5n });
    expect(() => read("08ffffffffffffffff7f")).toThrow(DecodeError);
    const given = { ...dataset, values: [{ f1: 5n }] };
    await expect(async () => (await registry.codec("pbf")).bind(given)).rejects.toThrow(UnsupportedError);
  });
});

describe.each(["protobuf-ts", "google-protobuf"])("%s", (name) => {
  const schema = schemaOf("p", [{}, { type: of("bool"), repetition: mapOf("string") }]);
  const dataset = { name: "d", schema, values: [], int64: "number" } as const;

  it.each([
    ["a field of another wire type, which it would read as its own", "0d 01000000"],
    ["the key __proto__, which it loses", "12 0d 0a 09 5f5f70726f746f5f5f 10 01"],
  ])("refuses %s", async (_, hex) => {
    const binding = await (await registry.codec(name)).bind(dataset);
    const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
    expect(() => binding.verify(bytes, { unknown: "skip" })).toThrow(DecodeError);
  });

  it("leaves out a field that the schema lacks", async () => {
    const binding = await (await registry.codec(name)).bind(dataset);
    const value = decodeUntrusted("protobuf", binding, dataset, Buffer.from("08011805", "hex"), {
      unknown: "skip",
    });
    expect(value).toEqual({ f1: 1, f2: {} });
  });

  it("gives back the text __proto__ beside the keys of a map", async () => {
    const texts = schemaOf("p", [
      { type: of("string") },
      { type: of("string"), repetition: mapOf("string") },
    ]);
    const value = { f1: "__proto__", f2: { a: "__proto__" } };
    const given = { ...dataset, schema: texts, values: [value] };
    const binding = await (await registry.codec(name)).bind(given);
    expect(decodeUntrusted("protobuf", binding, given, encodeValue(binding, value))).toEqual(value);
  });

  it("says what it cannot carry, with its path", async () => {
    const bind = async () =>
      (await registry.codec(name)).bind({ ...dataset, values: [{ f2: { ["__proto__"]: true } }] });
    await expect(bind()).rejects.toThrow(/does not give the value back: f2/);
  });
});
