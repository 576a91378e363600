/** What a place is called is what its bytes are, and not what the schema expected there. */
import { describe, expect, it } from "vitest";
import type { Dataset } from "../../../src/model/dataset.ts";
import type { Anatomy } from "../../../src/model/region-table.ts";
import { avroRegions } from "../../../src/schema/regions/avro.ts";
import { erlangRecordRegions } from "../../../src/schema/regions/erlang-records.ts";
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
