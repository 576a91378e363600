import type { V8Options } from "./options.ts";
import { Walk } from "./walk.ts";

/**
 * Checks that bytes are what `v8.serialize` of Node.js 20, 22 or 24 makes of plain data: null, booleans, numbers,
 * bigints of 64 bits, text, lists without holes, objects, and bytes in a Uint8Array or Buffer. An object that is
 * there twice may be a reference, as long as none contains itself. All else is refused by name: `v8.deserialize`
 * is not made for bytes from outside. Throws DecodeError with the offset.
 */
export function verifyV8(bytes: Uint8Array, options: V8Options = {}): void {
  new Walk(bytes, options).whole();
}
