/** Text to UTF-8 and back, strictly: what is no text is told, never replaced. */
import { isUtf8 } from "node:buffer";
import { LONG, latin1Slice, utf8Slice, utf8Write } from "./native.ts";

/** Most bytes of UTF-8 that one UTF-16 unit takes. */
export const UTF8_PER_UNIT = 3;

/**
 * Writes text as UTF-8 and returns how many bytes it took, or -1 for a lone surrogate, which has no UTF-8. Part of it
 * may have been written then.
 * @param at where; {@link UTF8_PER_UNIT} bytes must be free there for each unit of the text
 */
export function writeUtf8(bytes: Uint8Array, at: number, text: string): number {
  const { length } = text;
  if (length >= LONG) return writeUnicode(bytes, at, text);
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return writeUnicode(bytes, at, text);
    bytes[at + i] = code;
  }
  return length;
}

function writeUnicode(bytes: Uint8Array, at: number, text: string): number {
  if (!text.isWellFormed()) return -1;
  return utf8Write.call(bytes, text, at, text.length * UTF8_PER_UNIT);
}

/** Text of the UTF-8 from `start` to `end`, or undefined where it is none. A byte order mark is a character. */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start < LONG) {
    let high = 0;
    for (let i = start; i < end; i++) high |= bytes[i]!;
    if (high < 0x80) return latin1Slice.call(bytes, start, end);
  }
  const text = utf8Slice.call(bytes, start, end);
  // Node replaces what is not UTF-8 with this character, which may also be there by right.
  return text.includes("\uFFFD") && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}
