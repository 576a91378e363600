/** Damaged bytes of the built-in datasets, by way of the checks for bytes from outside. */
import { describe, expect, it } from "vitest";
import pythonStruct from "../../src/codecs/python-struct/index.ts";
import garden from "../../src/datasets/garden.ts";
import packetSmall from "../../src/datasets/packet-small.ts";
import speedLarge from "../../src/datasets/speed-large.ts";
import speedSmall from "../../src/datasets/speed-small.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset, DatasetDefinition } from "../../src/model/dataset.ts";
import type { Value } from "../../src/model/value.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { expectSafe } from "../hostile.ts";
import { mutants, SEED } from "../seed.ts";

const TARGETS: readonly (readonly [
  name: string,
  DatasetDefinition,
  size: number,
  Dataset["int64"],
  share: number,
])[] = [
  ["garden", garden, 1, "number", 0.2],
  ["packet-small", packetSmall, 1, "number", 0.2],
  ["tellist", tellist, 2, "number", 0.3],
  ["speed-small", speedSmall, 1, "bigint", 0.25],
  ["speed-large", speedLarge, 3, "bigint", 0.05],
];

describe("python-struct", () => {
  it.each(TARGETS)("is safe on damaged bytes of %s", (name, { schema, make }, size, int64, share) => {
    const dataset: Dataset = { name, schema, values: [0, 1, 2].map((index) => make(size, index)), int64 };
    const binding = pythonStruct.bind(dataset) as Binding;
    const encode = (value: Value): Uint8Array => encodeValue(binding, value) as Uint8Array;
    const verdicts = expectSafe<Value>(
      {
        decode: (bytes) => decodeUntrusted("python-struct", binding, dataset, bytes),
        encode,
        vectors: dataset.values.map(encode),
      },
      { mutants: Math.ceil(share * mutants(100_000)), seed: SEED },
    );
    const enough = mutants(100_000) / 1000;
    expect(verdicts.accepted).toBeGreaterThan(enough);
    expect(verdicts.refused).toBeGreaterThan(enough);
  });
});
