/** Bytes as text, without its byte order mark; undefined when they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Line and column of the first byte that is no UTF-8, both from 1, the column in UTF-16 units. */
export function placeOfNoText(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  let end = 0;
  let offset = 0;
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, end)) {
    offset += Buffer.byteLength(text.slice(end, at));
    end = at;
    const [first, second, third] = bytes.subarray(offset, offset + 3);
    if (first !== 0xef || second !== 0xbf || third !== 0xbd) break;
    offset += 3;
    end += 1;
  }
  const before = text.slice(0, end).replace(/^\uFEFF/, "");
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}

/** What stands in decoded text for bytes that are no UTF-8, and which may also be in the bytes. */
const REPLACEMENT = "\uFFFD";
