import { depthOf, type EncodeOptions } from "./options.ts";
import { AmfOutput } from "./output.ts";
import { Refusal } from "./refusal.ts";
import { Writer } from "./writer.ts";

/**
 * A value as AMF3. An object that is there twice becomes a reference, and may contain itself. The types are those of
 * `decode`; besides, a bigint that is a safe integer is written as the number.
 *
 * Throws ValueError, with the path, for what AMF3 cannot hold, among it a bigint beyond 2^53, text with a lone
 * surrogate, an empty name, a list with holes and an object of a class that is not known here; and for what cannot be
 * read, with the error of the getter as its cause. Throws UsageError for a depth that makes no sense.
 */
export function encode(value: unknown, options: EncodeOptions = {}): Uint8Array {
  const depth = depthOf(options);
  const output = new AmfOutput();
  try {
    new Writer(output, depth).value(value, 1);
  } catch (error) {
    output.release();
    throw Refusal.of(error).toValueError();
  }
  return output.finish();
}
