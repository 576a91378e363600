import type { NamedCodec } from "../catalog/registry.ts";
import { decodeTrusted, encodeValue } from "../catalog/transcode.ts";
import { type Binding, type Encoded, sameEncoded } from "../model/codec.ts";
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
 * `access` reads every field, and no result, encoded or decoded, is overwritten by a later call.
 * Throws UnsupportedError for a declared hole and VerificationError for data lost or changed.
 */
export async function provenBinding(
  codec: NamedCodec,
  dataset: Dataset,
  values: readonly Value[],
): Promise<ProvenBinding> {
  const binding = await codec.bind(dataset);
  const checksum = compileVisitor(dataset.schema, { long: "plain", text: binding.text });
  const messages = values.map((value) => {
    const encoded = encodeValue(binding, value);
    return { encoded, kept: typeof encoded === "string" ? encoded : Buffer.from(encoded) };
  });
  if (!messages.every(({ encoded, kept }) => sameEncoded(encoded, kept))) {
    throw new VerificationError("an encoded message was overwritten by a later call");
  }
  const decoded = messages.map(({ encoded }, index) => {
    const result = decodeTrusted(binding, encoded);
    expectEqual("round trip", values[index], result);
    const [sum, expected] = [binding.access(encoded), checksum(values[index]!)];
    if (sum !== expected)
      throw new VerificationError(`access: expected the checksum ${expected}, got ${sum}`);
    return result;
  });
  decoded.forEach((result, index) => {
    expectEqual("a decoded value was overwritten by a later call", values[index], result);
  });
  return { binding, values, encoded: messages.map(({ encoded }) => encoded), checksum };
}

function expectEqual(what: string, expected: Value | undefined, result: Value): void {
  const difference = firstDifference(expected, result);
  if (difference !== undefined) throw new VerificationError(`${what}: ${difference}`);
}
