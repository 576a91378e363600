import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import { datasets } from "../arbitrary-schema.ts";
import { runs, SEED } from "../seed.ts";
import { expectVerifyHolds } from "./mutants.ts";

const RUNS = runs(60);
const registry = await Registry.open();

describe.each(["erlang-etf", "erlang-etf:z6", "erlang-etf:record", "erlang-etf:record-z6"])(
  "what the check of %s lets pass",
  (name) => {
    it("is read without an error", async () => {
      const codec = await registry.codec(name);
      const random = seededRandom(SEED);
      let passed = 0;
      await fc.assert(
        fc.asyncProperty(datasets(), async (dataset) => {
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
