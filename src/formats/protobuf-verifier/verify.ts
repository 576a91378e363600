import type { ProtobufOptions, UnknownField } from "./options.ts";
import type { MessageShape } from "./shape.ts";
import { Walk } from "./walk.ts";

/**
 * Checks that bytes are a protobuf message of a shape, whole and with nothing in them that a reader would drop,
 * cut off or take for something else. Throws DecodeError with the offset and the field.
 *
 * Accepted as every protobuf reader must (encoding guide): fields in any order, padded varints, repeated
 * numbers packed or not, and a field or oneof given again, of which the last one counts and whose messages are
 * merged. Refused although readers take them: numbers outside their type, which would be truncated; strings
 * that are not UTF-8, also of proto2; unknown numbers of a closed enum; known fields of another wire type; and
 * a required field that is missing from one of several messages that would be merged.
 *
 * @returns the unknown fields that were skipped, in the order of the bytes
 */
export function verifyProtobuf(
  bytes: Uint8Array,
  shape: MessageShape,
  options: ProtobufOptions = {},
): readonly UnknownField[] {
  const walk = new Walk(bytes, options);
  walk.message(shape, bytes.length, 1);
  return walk.unknown;
}
