import { type Binding, type CodecVariant, type Encoded, sameEncoded } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { VerificationError } from "../model/errors.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { compileVisitor } from "../schema/generate/visit.ts";
import { decodeTrusted, encodeValue } from "../schema/values/transcode.ts";

/** A binding that carried every value of its dataset, and what it made of them. */
export interface ProvenBinding {
  readonly binding: Binding;
  readonly values: readonly Value[];
  readonly encoded: readonly Encoded[];
  /** What `access` must return. */
  readonly checksum: (value: Value) => number;
  /** Milliseconds of binding, and of the first call of each operation that the proof makes use of. */
  readonly firstMs: { readonly bind: number } & Readonly<Record<"encode" | "decode" | "access", number>>;
}

/**
 * Binds a codec and proves it on every value before anything is timed: what comes back equals what went in,
 * `access` reads every field, and no result, encoded or decoded, is overwritten by a later call.
 * Throws UnsupportedError for what the codec says that it cannot carry, and VerificationError for data lost or changed.
 * @param now milliseconds of some clock
 * @param onLongStep is called between steps, after each second that they have taken
 */
export async function provenBinding(
  codec: Pick<CodecVariant, "bind">,
  dataset: Dataset,
  values: readonly Value[],
  now: () => number,
  onLongStep: () => void = () => {},
): Promise<ProvenBinding> {
  const before = now();
  const binding = await codec.bind(dataset);
  const bind = now() - before;
  const checksum = compileVisitor(dataset.schema, { long: "plain", text: binding.text });
  const firstMs = { bind, encode: 0, decode: 0, access: 0 };
  const step = everySecond(now, onLongStep);
  const first = <T>(operation: keyof typeof firstMs, index: number, call: () => T): T => {
    const from = now();
    const result = call();
    if (index === 0) firstMs[operation] = now() - from;
    return result;
  };
  const messages = values.map((value, index) => {
    const encoded = first("encode", index, () => encodeValue(binding, value));
    step();
    return { encoded, kept: typeof encoded === "string" ? encoded : new Uint8Array(encoded) };
  });
  if (!messages.every(({ encoded, kept }) => sameEncoded(encoded, kept))) {
    throw new VerificationError("an encoded message was overwritten by a later call");
  }
  const decoded = messages.map(({ encoded }, index) => {
    const result = first("decode", index, () => decodeTrusted(binding, encoded));
    step();
    expectEqual("round trip", values[index], result);
    step();
    const sum = first("access", index, () => binding.access(encoded));
    const expected = checksum(values[index]!);
    if (sum !== expected)
      throw new VerificationError(`access: expected the checksum ${expected}, got ${sum}`);
    step();
    return result;
  });
  decoded.forEach((result, index) => {
    step();
    expectEqual("a decoded value was overwritten by a later call", values[index], result);
  });
  return { binding, values, encoded: messages.map(({ encoded }) => encoded), checksum, firstMs };
}

/** Passes on calls, one a second at most. */
function everySecond(now: () => number, call: () => void): () => void {
  let last = now();
  return () => {
    if (now() - last < 1000) return;
    last = now();
    call();
  };
}

function expectEqual(what: string, expected: Value | undefined, result: Value): void {
  const difference = firstDifference(expected, result);
  if (difference !== undefined) throw new VerificationError(`${what}: ${difference}`);
}
