import type { MessagePackOptions } from "./options.ts";
import { Walk } from "./walk.ts";

/**
 * Checks that bytes are one MessagePack value (github.com/msgpack/msgpack, spec.md), whole and unambiguous:
 * every length fits into the bytes that are there, text is UTF-8, keys are text and none stands twice. Numbers
 * and lengths may be written longer than they need to be. Extensions are refused, timestamps among them.
 * Throws DecodeError with the offset.
 */
export function verifyMessagePack(bytes: Uint8Array, options: MessagePackOptions = {}): void {
  new Walk(bytes, options).whole();
}
