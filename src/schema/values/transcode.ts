import type { Binding, Encoded } from "../../model/codec.ts";
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

/**
 * {@link encodeValue} for a value that was not proven before: what is returned decodes to the value. Throws
 * WirebenchError when the codec cannot carry it.
 */
export function encodeProven(codec: string, binding: Binding, value: Value): Encoded {
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
export function decodeUntrusted(codec: string, binding: Binding, dataset: Dataset, bytes: Encoded): Value {
  const { schema, int64 } = dataset;
  try {
    binding.verify(bytes);
    const value = decodeTrusted(binding, bytes);
    if (schema.documents === undefined)
      return conform(schema, value, { form: "plain", int64, most: MAX_DECODED_VALUES }).value;
    conform(schema, value, { form: "json", int64: "auto", most: MAX_DECODED_VALUES });
    return value;
  } catch (error) {
    if (error instanceof DecodeError) throw error;
    if (error instanceof ValueError) {
      throw new DecodeError(codec, error.problem, { path: error.path, cause: error });
    }
    if (error instanceof WirebenchError) throw error;
    // A library's own complaint: it knows what is wrong, if not where.
    throw new DecodeError(codec, textOf(error), { cause: error });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
