import type { NamedCodec } from "../catalog/registry.ts";
import { decodeTrusted, encodeValue } from "../catalog/transcode.ts";
import type { Binding, Encoded } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { VerificationError } from "../model/errors.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { compileVisitor } from "../schema/generate/visit.ts";

/** A binding that carried every value of its dataset, and what it made of them. */
export interface ProvenBinding {
  readonly binding: Binding;
  readonly values: readonly Value[];
  readonly encoded: readonly Encoded[];
  /** What `access` must return. */
  readonly checksum: (value: Value) => number;
}

/**
 * Binds a codec and proves it on every value before anything is timed: what comes back equals what went in,
 * `access` reads every field, and no result is overwritten by a later call.
 * Throws UnsupportedError for a declared hole and VerificationError for data lost or changed.
 */
export async function provenBinding(
  codec: NamedCodec,
  dataset: Dataset,
  values: readonly Value[],
): Promise<ProvenBinding> {
  const binding = await codec.bind(dataset);
  const checksum = compileVisitor(dataset.schema, { long: "plain", text: binding.text });
  const encoded: Encoded[] = [];
  const kept: Encoded[] = [];
  for (const value of values) {
    const bytes = encodeValue(binding, value);
    encoded.push(bytes);
    kept.push(copyOf(bytes));
  }
  values.forEach((value, index) => {
    const bytes = encoded[index]!;
    const difference = firstDifference(value, decodeTrusted(binding, bytes));
    if (difference !== undefined) throw new VerificationError(`round trip: ${difference}`);
    const sum = binding.access(bytes);
    const expected = checksum(value);
    if (sum !== expected)
      throw new VerificationError(`access: expected the checksum ${expected}, got ${sum}`);
  });
  encoded.forEach((bytes, index) => {
    if (!sameBytes(bytes, kept[index]!)) {
      throw new VerificationError("an encoded message was overwritten by a later call");
    }
  });
  return { binding, values, encoded, checksum };
}

function copyOf(bytes: Encoded): Encoded {
  return typeof bytes === "string" ? bytes : Buffer.from(bytes);
}

function sameBytes(a: Encoded, b: Encoded): boolean {
  return typeof a === "string" || typeof b === "string" ? a === b : Buffer.compare(a, b) === 0;
}
