import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import { carriedBy } from "../../src/schema/values/documents.ts";
import { documentedDatasets } from "../arbitrary-documents.ts";
import { datasetFor, datasets } from "../arbitrary-schema.ts";
import { protoDatasets } from "../schema/arbitrary-proto.ts";
import { runs, SEED } from "../seed.ts";
import { expectVerifyHolds } from "./mutants.ts";

const RUNS = runs(60);
const registry = await Registry.open();
const codecs = await Promise.all((await registry.selectCodecs(["*"])).map((name) => registry.codec(name)));

const KINDS: readonly (readonly [kind: string, datasets: fc.Arbitrary<Dataset>])[] = [
  ["any schema", datasets()],
  ["any schema of protobuf's", protoDatasets("p")],
];

describe.each(codecs.map((codec) => [codec.name, codec] as const))("what %s lets pass", (_, codec) => {
  const documents = [["documents", documentedDatasets()] as const];
  it.each([...KINDS, ...(codec.schemaless === true ? documents : [])])(
    "is read without an error, and is a value of the schema: %s",
    async (_kind, arbitrary) => {
      const random = seededRandom(SEED);
      let passed = 0;
      await fc.assert(
        fc.asyncProperty(arbitrary, async (given) => {
          const dataset = carriedBy(codec, datasetFor(codec.name, given));
          try {
            passed += expectVerifyHolds(await codec.bind(dataset), dataset, random, 100);
          } catch (error) {
            if (!(error instanceof UnsupportedError)) throw error;
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
      expect(passed).toBeGreaterThan(RUNS);
    },
  );
});
