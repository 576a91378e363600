/** What tests of one codec ask again and again. */
import { expect } from "vitest";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/catalog/transcode.ts";
import type { CodecDefinition } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { firstDifference } from "../../src/model/value.ts";

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
