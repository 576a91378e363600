/** What tests of one codec ask again and again. */
import { expect } from "vitest";
import type { CodecDefinition } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { firstDifference } from "../../src/model/value.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { list, mapOf, of, ofMessage, schemaOf } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

/** A dataset with what formats find hard: names of JavaScript's own, keys that look like numbers, floats that are special. */
export function hardDataset(map: object): Dataset {
  const schema = schemaOf("p", [
    { name: "__proto__", type: of("double") },
    { name: "constructor", type: of("string") },
    { name: "toJSON", type: of("bytes") },
    { name: "map", repetition: mapOf("string") },
    { name: "by", repetition: mapOf("uint32") },
    { name: "doubles", type: of("double"), repetition: list },
    { name: "self", type: ofMessage("p.M"), repetition: list },
  ]);
  const input = {
    ["__proto__"]: -0,
    constructor: "日本 \u{1f600}",
    toJSON: new Uint8Array([1, 2]),
    map,
    by: { 0: 1, 1000: 2, 4294967295: 3 },
    doubles: [0, -0, 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31],
    self: [{}, { by: { 5: 5 } }],
  };
  return datasetOf(schema, [input]);
}

/** Every value of a dataset comes back, with and without the checks for bytes from outside. */
export async function expectCarried(codec: CodecDefinition, dataset: Dataset): Promise<void> {
  const binding = await codec.bind(dataset);
  for (const value of dataset.values) {
    const bytes = encodeValue(binding, value);
    expect(firstDifference(value, decodeTrusted(binding, bytes))).toBeUndefined();
    expect(firstDifference(value, decodeUntrusted(codec.format, binding, dataset, bytes))).toBeUndefined();
  }
}

/** The text of the DecodeError that some bytes end in, or "accepted". */
export async function refusalOf(
  codec: CodecDefinition,
  dataset: Dataset,
  bytes: Uint8Array,
): Promise<string> {
  const binding = await codec.bind(dataset);
  try {
    decodeUntrusted(codec.format, binding, dataset, bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as Error).message;
  }
  return "accepted";
}
