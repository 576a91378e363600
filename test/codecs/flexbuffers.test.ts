/** What the library of FlexBuffers does not give back is refused with its place, in words of its user. */
import { describe, expect, it } from "vitest";
import codec from "../../src/codecs/flexbuffers.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { RecordValue, Value } from "../../src/model/value.ts";
import { decodeTrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { list, of, schemaOf } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

const schema = schemaOf("point", [
  { name: "at", type: of("double") },
  { name: "big", type: of("int64") },
  { name: "name", type: of("string") },
  { name: "tags", type: of("string"), repetition: list },
  { name: "lengths", type: of("double"), repetition: list },
]);

const EMPTY = { at: 1, big: 1, name: "", tags: [], lengths: [] } as const;

function bind(value: RecordValue): Binding {
  return codec.bind(datasetOf(schema, [{ ...EMPTY, ...value }])) as Binding;
}

describe("flexbuffers", () => {
  it.each<[string, RecordValue, string]>([
    [
      "texts beside a double",
      { at: 1.1 },
      "value: texts, lists and messages beside a number of 64 bits, 1.1,",
    ],
    [
      "texts beside 2^33",
      { big: 2 ** 33 },
      "value: texts, lists and messages beside a number of 64 bits, 8589934592,",
    ],
    ["a long text of a list", { tags: ["a".repeat(256)] }, "tags: a list of texts with one of more than 255"],
  ])("refuses %s", (_, value, says) => {
    expect(() => bind(value)).toThrow(`flexbuffers does not give the value back: ${says}`);
  });

  it.each<[string, RecordValue]>([
    ["doubles in a list of their own", { lengths: [1.1, 0.1] }],
    ["a text of 255 bytes in a list", { tags: ["a".repeat(255)] }],
    ["numbers of 32 bits", { big: 2 ** 31 - 1, at: 0.5 }],
  ])("gives back %s", (_, value) => {
    const binding = bind(value);
    const given: Value = { ...EMPTY, ...value };
    expect(decodeTrusted(binding, encodeValue(binding, given))).toEqual(given);
  });
});
