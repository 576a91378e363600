import { utf8Size } from "../../formats/bytes/portable.ts";

/** Bytes as text, without its byte order mark; undefined when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes that are decoded at once. */
const STEP = 2 ** 16;

/** What a decoder puts in place of bytes that are no character; it is a character too. */
const REPLACEMENT = { text: "\uFFFD", bytes: [0xef, 0xbf, 0xbd] };

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** How many bytes are UTF-8 before the first that are none. */
export function lengthOfText(bytes: Uint8Array): number {
  let length = 0;
  while (length < bytes.length) {
    const step = lengthOfStart(bytes.subarray(length, length + STEP));
    // A character that the step cuts off is the first of the next one.
    if (step === 0) break;
    length += step;
  }
  return length;
}

/** {@link lengthOfText} of some bytes, which may end within a character. */
function lengthOfStart(bytes: Uint8Array): number {
  const text = lenient.decode(bytes);
  let length = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT.text); at >= 0; at = text.indexOf(REPLACEMENT.text, from)) {
    length += utf8Size(text.slice(from, at));
    if (REPLACEMENT.bytes.some((byte, i) => bytes[length + i] !== byte)) return length;
    length += REPLACEMENT.bytes.length;
    from = at + 1;
  }
  return bytes.length;
}

/** Line and column of the first byte that is no UTF-8, both from 1, the column in UTF-16 units. */
export function placeOfNoText(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const before = textOf(bytes.subarray(0, lengthOfText(bytes))) ?? "";
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}
