/** Regions of messages that codecs write: random schemas, the built-in datasets, and damage. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../../src/catalog/dataset.ts";
import { Registry } from "../../../src/catalog/registry.ts";
import { bytesOf } from "../../../src/model/codec.ts";
import type { Dataset } from "../../../src/model/dataset.ts";
import { UnsupportedError } from "../../../src/model/errors.ts";
import { isRecord, type Value } from "../../../src/model/value.ts";
import { regionReader } from "../../../src/schema/regions/index.ts";
import { decodeTrusted, encodeValue } from "../../../src/schema/values/transcode.ts";
import { datasetFor, datasets } from "../../arbitrary-schema.ts";
import { mutants, runs, SEED } from "../../seed.ts";
import { expectTiles, expectWhole } from "./tiling.ts";

const registry = await Registry.open();

/** @param untyped whether the bytes hold what the library reads, of which the value of the schema is made afterwards */
async function encodedBy(name: string, given: Dataset, untyped: boolean) {
  const codec = await registry.codec(name);
  const dataset = datasetFor(name, given);
  const binding = await codec.bind(dataset);
  const read = regionReader(codec);
  if (typeof read === "string") throw new Error(read);
  return dataset.values.map((value) => {
    const bytes = bytesOf(encodeValue(binding, value), codec.format);
    const decoded = untyped ? asObjects(binding.read(bytes)) : decodeTrusted(binding, bytes);
    return { bytes, value: decoded, read: (given: Uint8Array) => read(given, dataset) };
  });
}

/** Maps as objects. */
function asObjects(value: unknown): Value {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, held]) => [String(key), asObjects(held)]));
  if (Array.isArray(value)) return value.map(asObjects);
  if (!isRecord(value)) return value as Value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, asObjects(held)]));
}

const DATASETS = ["tellist", "garden", "frame", "packet", "speed-small", "cloud:20"];

/**
 * Tests of a codec.
 * @param untyped as above
 * @param carried built-in datasets whose first value it takes
 */
export function describeRegions(name: string, untyped: boolean, carried = DATASETS): void {
  describe(`regions of ${name}`, () => {
    it("tile every message of a random schema, and hold each value once", async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(datasets(), async (dataset) => {
          try {
            for (const { bytes, value, read } of await encodedBy(name, dataset, untyped)) {
              expectWhole(bytes, read(bytes), value, untyped);
              count++;
            }
          } catch (error) {
            if (!(error instanceof UnsupportedError)) throw error;
          }
        }),
        { numRuns: runs(1000), seed: SEED, endOnFailure: true },
      );
      expect(count).toBeGreaterThan(50);
    });

    it.each(carried)("tile the first value of %s", async (dataset) => {
      const [first] = await encodedBy(name, await namedDataset(registry, dataset), untyped);
      const { bytes, value, read } = first!;
      expectWhole(bytes, read(bytes), value, untyped);
    });

    it("tile whatever is left of a damaged message", async () => {
      const [first] = await encodedBy(
        name,
        await namedDataset(registry, carried.includes("garden") ? "garden" : carried[0]!),
        untyped,
      );
      const { bytes, read } = first!;
      for (let length = 0; length < bytes.length; length += 1 + (length >> 4)) {
        const cut = bytes.slice(0, length);
        expectTiles(cut, read(cut));
      }
      await fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
          const changed = bytes.slice();
          changed[at] = byte;
          expectTiles(changed, read(changed));
        }),
        { numRuns: mutants(3000), seed: SEED },
      );
    });
  });
}
