import type { Binding, Encoded } from "../model/codec.ts";
import { UnsupportedError } from "../model/errors.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { decodeTrusted, encodeValue } from "./values/transcode.ts";

/**
 * Throws UnsupportedError, with the path, for a value that a library does not give back as it is. What such a library
 * loses depends on what stands beside it, so that only trying tells. Returns the binding, which says that it was tried.
 * @param library its name, for the error
 * @param whyNotRead the path and the reason, in words for a user, for what `build` made of a value that the library throws for
 */
export function refuseChanged(
  library: string,
  binding: Binding,
  values: readonly Value[],
  whyNotRead?: (built: unknown) => string,
): Binding {
  const proven = new WeakMap<object, Encoded>();
  for (const value of values) {
    const { bytes, difference } = thereAndBack(binding, value, whyNotRead);
    if (bytes === undefined)
      throw new UnsupportedError(`${library} does not give the value back: ${difference}`);
    if (typeof value === "object" && value !== null) proven.set(value, bytes);
  }
  return { ...binding, proven };
}

/** The bytes of a value that comes back as it is, or in what it does not. */
function thereAndBack(
  binding: Binding,
  value: Value,
  whyNotRead: ((built: unknown) => string) | undefined,
): { readonly bytes?: Encoded; readonly difference?: string } {
  try {
    const bytes = encodeValue(binding, value);
    const difference = firstDifference(value, decodeTrusted(binding, bytes));
    return difference === undefined ? { bytes } : { difference };
  } catch (error) {
    if (whyNotRead !== undefined) return { difference: whyNotRead(binding.build(value)) };
    // Some throw texts.
    return { difference: error instanceof Error ? error.message : String(error) };
  }
}
