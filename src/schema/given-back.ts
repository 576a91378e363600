import type { Binding } from "../model/codec.ts";
import { UnsupportedError } from "../model/errors.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { decodeTrusted, encodeValue } from "./values/transcode.ts";

/**
 * Throws UnsupportedError, with the path, for a value that a library does not give back as it is. What such a library
 * loses depends on what stands beside it, so that only trying tells. @param library its name, for the error
 */
export function refuseChanged(library: string, binding: Binding, values: readonly Value[]): void {
  for (const value of values) {
    const difference = differenceOf(binding, value);
    if (difference !== undefined) {
      throw new UnsupportedError(`${library} does not give the value back: ${difference}`);
    }
  }
}

function differenceOf(binding: Binding, value: Value): string | undefined {
  try {
    return firstDifference(value, decodeTrusted(binding, encodeValue(binding, value)));
  } catch (error) {
    // Some throw texts.
    return error instanceof Error ? error.message : String(error);
  }
}
