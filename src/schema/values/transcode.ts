import type { Binding, ByteRules, Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError, ValueError, VerificationError, WirebenchError } from "../../model/errors.ts";
import { firstDifference, type Value } from "../../model/value.ts";
import { conform, MAX_DECODED_VALUES } from "./conform.ts";

/** A value of the binding's schema as bytes, or as a string for a codec whose output is one. */
export function encodeValue(binding: Binding, value: Value): Encoded {
  return binding.write(binding.build(value));
}

/** Bytes that the same binding made, as a plain value. Bytes from outside go through {@link decodeUntrusted}. */
export function decodeTrusted(binding: Binding, bytes: Encoded): Value {
  return binding.plain(binding.read(bytes));
}

/** The bytes of a value that a binding has given back, in memory of their own. */
function provenBytes({ proven }: Binding, value: Value): Encoded | undefined {
  const bytes = typeof value === "object" && value !== null ? proven?.get(value) : undefined;
  return typeof bytes === "object" ? new Uint8Array(bytes) : bytes;
}

/**
 * {@link encodeValue} for a value that was not proven before: what is returned decodes to the value. Throws
 * WirebenchError when the codec cannot carry it.
 */
export function encodeProven(codec: string, binding: Binding, value: Value): Encoded {
  const known = provenBytes(binding, value);
  if (known !== undefined) return known;
  let bytes: Encoded;
  let difference: string | undefined;
  try {
    bytes = encodeValue(binding, value);
    difference = firstDifference(value, decodeTrusted(binding, bytes));
  } catch (error) {
    if (error instanceof WirebenchError) throw error;
    throw new VerificationError(`${codec}: ${textOf(error)}`, { cause: error });
  }
  if (difference !== undefined)
    throw new VerificationError(`${codec} does not carry the value: ${difference}`);
  return bytes;
}

/**
 * Bytes from anywhere as a plain value that fits the schema, or as the document that they are. Throws DecodeError, and nothing else, when they
 * are not a well-formed message: never a value that is short, and never a value of another shape.
 */
export function decodeUntrusted(
  codec: string,
  binding: Binding,
  dataset: Dataset,
  bytes: Encoded,
  rules: ByteRules = {},
): Value {
  return readOutside(codec, () => {
    const decision = decisions.get(binding.verify);
    if (decision?.read === binding.read && decision.plain === binding.plain && decision.dataset === dataset)
      return decision.decode(bytes, rules);
    binding.verify(bytes, rules);
    return conformDecoded(codec, dataset, decodeTrusted(binding, bytes), rules);
  });
}

/**
 * What bytes were decoded to, in the canonical form of the schema, or the document that it is. Throws DecodeError where
 * it is of another shape. @param format wire format or codec, for the error
 */
export function conformDecoded(
  format: string,
  { schema, int64 }: Dataset,
  value: Value,
  { maxValues: most = MAX_DECODED_VALUES }: ByteRules = {},
): Value {
  try {
    if (schema.documents === undefined) return conform(schema, value, { form: "plain", int64, most }).value;
    conform(schema, value, { form: "json", int64: "auto", most });
    return value;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new DecodeError(format, error.problem, { path: error.path, cause: error });
  }
}

/** What a binding's `verify` finds out of bytes that it lets pass: their value. */
interface Decision extends Pick<Binding, "read" | "plain"> {
  readonly dataset: Dataset;
  decode(bytes: Encoded, rules?: ByteRules): Value;
}

/** By the `verify` of bindings that {@link deciding} made: whoever wants the value too decodes once. */
const decisions = new WeakMap<Binding["verify"], Decision>();

/**
 * A binding whose `verify` decides alone: it also takes what it let pass through `read` and `plain`, and refuses what is
 * no value of the schema. @param format wire format, for errors
 */
export function deciding<Built, Parsed>(
  format: string,
  dataset: Dataset,
  binding: Binding<Built, Parsed>,
): Binding<Built, Parsed> {
  const decode = (bytes: Encoded, rules?: ByteRules): Value => {
    binding.verify(bytes, rules);
    const value = readOutside(format, () => binding.plain(binding.read(bytes)));
    return conformDecoded(format, dataset, value, rules);
  };
  const verify: Binding["verify"] = (bytes, rules) => void decode(bytes, rules);
  const { read, plain } = binding as Binding;
  decisions.set(verify, { read, plain, dataset, decode });
  return { ...binding, verify };
}

/** What a library reads of bytes from outside. Its complaint becomes a DecodeError: it knows what is wrong, if not where. */
export function readOutside<Read>(format: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof WirebenchError) throw error;
    throw new DecodeError(format, textOf(error), { cause: error });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
