/** What is read of protobuf bytes without protobufjs is what it reads of them: whole messages, merged ones and damaged ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import { bytesOf } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import { firstDifference } from "../../src/model/value.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { randomMutant } from "../mutate.ts";
import { runs, SEED } from "../seed.ts";

const RULES = { unknown: "skip" } as const;

/** Compares both readers; whether the bytes are a message. */
async function expectSame(dataset: Dataset, inputs: Iterable<Uint8Array>): Promise<number> {
  const own = { ...dataset, values: [], int64: "bigint" } as const;
  const binding = await protobufjs.bind(own);
  let accepted = 0;
  for (const bytes of inputs) {
    const refused = problemOf(() => binding.verify(bytes, RULES));
    if (refused !== undefined) {
      expect(problemOf(() => binding.load!(bytes, "auto", RULES))).toBe(refused);
      continue;
    }
    accepted += 1;
    const expected = decodeUntrusted("protobufjs", binding, own, bytes, RULES);
    for (const mode of ["auto", "bigint"] as const) {
      const { value, int64 } = binding.load!(bytes, mode, RULES);
      const canonical = conform(dataset.schema, expected, { form: "plain", int64 }).value;
      expect(firstDifference(canonical, value)).toBeUndefined();
      // Fields in the order of their declaration, and nothing of the constructor that made it.
      expect(JSON.stringify(value, texts)).toBe(JSON.stringify(canonical, texts));
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  }
  return accepted;
}

function problemOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

function texts(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : value;
}

describe("values read of protobuf bytes", () => {
  it("are those that protobufjs reads", async () => {
    let accepted = 0;
    const property = fc.asyncProperty(datasets(), fc.integer({ min: 1 }), async (dataset, seed) => {
      try {
        const binding = await protobufjs.bind(dataset);
        const written = dataset.values.map((value) =>
          Uint8Array.from(bytesOf(encodeValue(binding, value), "protobuf")),
        );
        const random = seededRandom(seed);
        const damaged = Array.from({ length: 20 }, () => randomMutant(written, random));
        // Messages after each other are one that is merged.
        const merged = written.flatMap((one) => written.map((other) => Buffer.concat([one, other])));
        accepted += await expectSame(dataset, [...written, ...merged, ...damaged]);
      } catch (error) {
        if (!(error instanceof UnsupportedError)) throw error;
      }
    });
    await fc.assert(property, { numRuns: runs(500), seed: SEED });
    expect(accepted).toBeGreaterThan(runs(500));
  });
});
