import type { Binding } from "../model/codec.ts";
import { UnsupportedError } from "../model/errors.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { decodeTrusted, encodeValue } from "./values/transcode.ts";

/**
 * Throws UnsupportedError, with the path, for a value that a library does not give back as it is. What such a library
 * loses depends on what stands beside it, so that only trying tells. Returns the binding, which says that it was tried. @param library its name, for the error
 * @param whyNotRead the path and the reason, in words for a user, for what `build` made of a value that the library throws for
 */
export function refuseChanged(
  library: string,
  binding: Binding,
  values: readonly Value[],
  whyNotRead?: (built: unknown) => string,
): Binding {
  const proven = new WeakSet<object>();
  for (const value of values) {
    const difference = differenceOf(binding, value, whyNotRead);
    if (difference !== undefined) {
      throw new UnsupportedError(`${library} does not give the value back: ${difference}`);
    }
    if (typeof value === "object" && value !== null) proven.add(value);
  }
  return { ...binding, proven };
}

function differenceOf(
  binding: Binding,
  value: Value,
  whyNotRead: ((built: unknown) => string) | undefined,
): string | undefined {
  try {
    return firstDifference(value, decodeTrusted(binding, encodeValue(binding, value)));
  } catch (error) {
    if (whyNotRead !== undefined) return whyNotRead(binding.build(value));
    // Some throw texts.
    return error instanceof Error ? error.message : String(error);
  }
}
