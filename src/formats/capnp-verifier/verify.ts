import type { CapnpLimits } from "./limits.ts";
import type { StructShape } from "./shape.ts";
import { Walk } from "./walk.ts";

/**
 * Checks that bytes are one message in the standard stream framing, and that a reader which knows only this
 * shape reads all of it: nothing outside the bytes, nothing twice without bound, and nothing that it would
 * drop. Throws DecodeError with the byte offset and the field.
 *
 * - A struct may be shorter or longer than its shape, as after a change of the schema. What a longer one holds
 *   beyond its shape, and what lies between the fields, must be zero or null: it would be lost.
 * - A list must have elements of the size that its shape says. A list of structs where values are expected, and
 *   the reverse, are valid after certain changes of a schema, and refused.
 * - Text ends with NUL and is valid UTF-8. A null pointer is the default, unless the shape requires a target.
 * - Refused although readers take them: capabilities, empty segments, an offset in the tag of a double-far
 *   pointer, and the pointer word 0x8000000000000000, which capnp-ts takes for null.
 * - Not looked at: padding after the elements of a list, padding of the segment table, words that no pointer
 *   leads to, and whether the message is canonical.
 */
export function verifyCapnp(bytes: Uint8Array, root: StructShape, limits: CapnpLimits = {}): void {
  new Walk(bytes, limits).root(root);
}
