import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import { datasets } from "../arbitrary-schema.ts";
import { protoDatasets } from "../schema/arbitrary-proto.ts";
import { runs, SEED } from "../seed.ts";
import { expectVerifyHolds } from "./mutants.ts";

const RUNS = runs(60);
const registry = await Registry.open();

describe.each(["protobufjs", "msgpackr", "msgpackr:records", "v8"])(
  "what the verifier of %s lets pass",
  (name) => {
    it.each([
      ["any", datasets()],
      ["protobuf's own", protoDatasets("p")],
    ])("is read without an error, in schemas of %s kind", async (_, arbitrary) => {
      const codec = await registry.codec(name);
      const random = seededRandom(SEED);
      let passed = 0;
      await fc.assert(
        fc.asyncProperty(arbitrary, async (dataset) => {
          try {
            passed += expectVerifyHolds(await codec.bind(dataset), dataset, random, 100);
          } catch (error) {
            if (!(error instanceof UnsupportedError)) throw error;
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
      expect(passed).toBeGreaterThan(RUNS);
    });
  },
);
