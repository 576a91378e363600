/** What a place is called is what its bytes are, and not what the schema expected there. */
import { describe, expect, it } from "vitest";
import type { Dataset } from "../../../src/model/dataset.ts";
import type { Anatomy } from "../../../src/model/region-table.ts";
import { avroRegions } from "../../../src/schema/regions/avro.ts";
import { bsonRegions } from "../../../src/schema/regions/bson.ts";
import { cborRegions } from "../../../src/schema/regions/cbor.ts";
import { erlangRecordRegions } from "../../../src/schema/regions/erlang-records.ts";
import { erlangRegions } from "../../../src/schema/regions/erlang-terms.ts";
import { msgpackRegions } from "../../../src/schema/regions/msgpack.ts";
import { v8Regions } from "../../../src/schema/regions/v8.ts";
import { datasetOf } from "../../codecs/dataset.ts";
import { of, schemaOf, single } from "../schema-of.ts";

const always = single("always");

function typesOf(read: (bytes: Uint8Array, dataset: Dataset) => Anatomy, dataset: Dataset, hex: string) {
  const { regions, problem } = read(Buffer.from(hex, "hex"), dataset);
  return { types: [...regions].map(({ type }) => type), problem: problem?.message };
}

describe("text of an Erlang record", () => {
  const dataset = datasetOf(schemaOf("p", [{ type: of("string"), repetition: always }]), []);
  // `term_to_binary({'M', Term})`, of which each case has the term.
  const head = "8368026400014d";

  it.each([
    ["an atom", "640009756e646566696e6564", "expected a list of characters, got a term with the tag 100"],
    ["a binary", "6d00000003616263", "expected a list of characters, got a term with the tag 109"],
    ["a list of atoms", "6c000000016400016a6a", "expected a character, got a term with the tag 100"],
    [
      "an improper list",
      "6c000000016161640001 61".replace(" ", ""),
      "expected the end of a list, got a term with the tag 100",
    ],
  ])("is refused where it is %s", (_, term, says) => {
    const { types, problem } = typesOf(erlangRecordRegions, dataset, head + term);
    expect(problem).toContain(says);
    if (!term.startsWith("6c")) expect(types).not.toContain("LIST_EXT");
  });
});

describe("an integer of Avro", () => {
  it.each([
    ["int32", "int"],
    ["uint32", "long"],
    ["fixed32", "long"],
    ["sfixed32", "int"],
    ["sint64", "long"],
  ] as const)("that is %s has the type %s, as in the schema", (scalar, type) => {
    const dataset = datasetOf(schemaOf("p", [{ type: of(scalar), repetition: always }]), []);
    expect(typesOf(avroRegions, dataset, "0e")).toEqual({ types: [type], problem: undefined });
  });
});

describe("a sound message that is not read is called so: one with", () => {
  it.each<[string, typeof bsonRegions, string, string, string]>([
    ["MinKey", bsonRegions, "08000000ff610000", "unsupported", "an element of type 0xff is not allowed"],
    ["a type that BSON lacks", bsonRegions, "0800000044610000", "corrupt", "an element of type 0x44"],
    ["undefined", cborRegions, "a16161f7", "unsupported", "at byte 3: undefined is not allowed"],
    ["a simple value", cborRegions, "a16161f820", "unsupported", "the simple value 32 is not allowed"],
    ["tagged bytes in chunks", cborRegions, "a16161c25f4101ff", "unsupported", "tagged bytes in chunks"],
    ["1,001 lists", msgpackRegions, "91".repeat(1001), "limit", "nested deeper than 1000 levels"],
    ["a long bigint", v8Regions, `ff0f5a12${"01".repeat(9)}`, "limit", "a bigint of 9 bytes is not allowed"],
    [
      "a long integer",
      erlangRegions,
      `836f0000040100${"01".repeat(1025)}`,
      "limit",
      "an integer of 1025 bytes",
    ],
  ])("%s", (_, read, hex, code, says) => {
    const { problem } = read(Buffer.from(hex, "hex"), datasetOf(schemaOf("", [{}]), []));
    expect(problem).toMatchObject({ code, message: expect.stringContaining(says) });
  });
});

it.each<[string, typeof bsonRegions, string, bigint]>([
  ["V8", v8Regions, `ff0f5a11${"ff".repeat(8)}`, -(2n ** 64n - 1n)],
  ["Erlang", erlangRegions, "836e0901000000000000000001", -(2n ** 64n)],
])("an integer of %s has its bytes from the lowest on", (_, read, hex, value) => {
  const { regions } = read(Buffer.from(hex, "hex"), datasetOf(schemaOf("", [{}]), []));
  expect([...regions].find(({ leaf }) => leaf)?.value).toBe(value);
});
