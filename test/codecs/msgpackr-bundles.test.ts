/** The variant `msgpackr:bundle-strings`: texts apart from their values. */
import { Packr } from "msgpackr";
import { describe, expect, it } from "vitest";
import codec from "../../src/codecs/msgpackr.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { list, of, schemaOf } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

const bind = (dataset: Dataset): Binding => codec.variants!["bundle-strings"]!.bind(dataset) as Binding;
const texts = (values: readonly string[]): Dataset =>
  datasetOf(schemaOf("p", [{ name: "t", type: of("string"), repetition: list }]), [{ t: values }]);

describe("bundled texts of msgpackr", () => {
  it("are what a Packr with bundleStrings writes", () => {
    const values = [0, 1].map((index) => tellist.make(3, index));
    const dataset: Dataset = { name: "tellist", schema: tellist.schema, values, int64: "number" };
    const binding = bind(dataset);
    const bytes = encodeValue(binding, values[0]!) as Uint8Array;
    expect(Buffer.compare(new Packr({ bundleStrings: true }).pack(values[0]), bytes)).toBe(0);
    expect(decodeUntrusted("msgpackr", binding, dataset, bytes)).toEqual(values[0]);
  });

  it("come back, in as many bundles as they take", () => {
    const dataset = texts(
      Array.from({ length: 300 }, (_, i) => `${i} ${i % 5 ? "text" : "Wörter"} `.repeat(i)),
    );
    const binding = bind(dataset);
    const bytes = encodeValue(binding, dataset.values[0]!);
    expect(decodeTrusted(binding, bytes)).toEqual(dataset.values[0]);
    expect(decodeUntrusted("msgpackr", binding, dataset, bytes)).toEqual(dataset.values[0]);
  });

  it.each([
    // msgpackr 2.1.3 has 16 bits for the bytes of a bundle, in which up to 25,855 units may be.
    [
      "too long for a bundle",
      Array.from({ length: 30 }, () => "漢".repeat(1000)),
      "does not give the value back",
    ],
    ["with a byte order mark", ["\ufeffabc"], "drops the byte order mark of a text that begins a bundle"],
  ])("are refused where they are %s", (_, values, says) => {
    expect(() => bind(texts(values))).toThrow(says);
  });

  it("may be short with a byte order mark", () => {
    expect(() => bind(texts(["\ufeffab"]))).not.toThrow();
  });
});
