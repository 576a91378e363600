import { utf8Size } from "../../formats/bytes/portable.ts";

/** Bytes as text, without its byte order mark; undefined when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes that are decoded at once, and those of the longest character: below that no length is left out. */
const STEP = { first: 2 ** 16, character: 4 };

/** How many bytes are UTF-8 before the first that are none. */
export function lengthOfText(bytes: Uint8Array): number {
  let length = 0;
  for (let step = STEP.first; step >= 1; ) {
    const text = startOf(bytes.subarray(length, length + step));
    if (text !== "") length += utf8Size(text);
    else step = step > STEP.character ? step / 2 : step - 1;
  }
  return length;
}

/** The characters of bytes that may end within one; none where any is wrong. */
function startOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return "";
  }
}

/** Line and column of the first byte that is no UTF-8, both from 1, the column in UTF-16 units. */
export function placeOfNoText(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const before = textOf(bytes.subarray(0, lengthOfText(bytes))) ?? "";
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}
