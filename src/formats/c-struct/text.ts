import { indexOf, LONG, latin1Slice, utf8Slice, utf8Write } from "../bytes/native.ts";

/**
 * Bytes of the text in a `char` array, up to its NUL or its capacity: the length if all are known to be ASCII,
 * else its complement `~length`.
 */
export function scanText(view: DataView, bytes: Uint8Array, at: number, capacity: number): number {
  let high = 0;
  let i = 0;
  for (; i + 4 <= capacity && i < LONG; i += 4) {
    const word = view.getUint32(at + i, true);
    // The lowest set bit marks the first byte that is zero (Mycroft's test for a zero byte in a word).
    const zeros = (word - 0x01010101) & ~word & 0x80808080;
    if (zeros !== 0) {
      const first = zeros & -zeros;
      const length = i + ((31 - Math.clz32(first)) >>> 3);
      return (high | (word & 0x80808080 & (first - 1))) === 0 ? length : ~length;
    }
    high |= word & 0x80808080;
  }
  if (i + 4 <= capacity) {
    const end = indexOf.call(bytes, 0, at + i) - at;
    return ~(end >= 0 && end < capacity ? end : capacity);
  }
  for (; i < capacity; i++) {
    const byte = view.getUint8(at + i);
    if (byte === 0) break;
    high |= byte & 0x80;
  }
  return high === 0 ? i : ~i;
}

/** Text by what {@link scanText} said of it. */
export function sliceText(bytes: Uint8Array, at: number, scanned: number): string {
  return scanned < 0 ? utf8Slice.call(bytes, at, at + ~scanned) : latin1Slice.call(bytes, at, at + scanned);
}

/**
 * Writes text as UTF-8 into a `char` array of zeros. Returns whether it fits with its NUL; where it does not,
 * or is no text, part of it may have been written.
 */
export function writeText(bytes: Uint8Array, at: number, capacity: number, text: unknown): boolean {
  if (typeof text !== "string" || text.length >= capacity) return false;
  if (text.length >= LONG) return writeUnicode(bytes, at, capacity, text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return writeUnicode(bytes, at, capacity, text);
    if (code === 0) return false;
    bytes[at + i] = code;
  }
  return true;
}

function writeUnicode(bytes: Uint8Array, at: number, capacity: number, text: string): boolean {
  if (text.includes("\0") || !text.isWellFormed()) return false;
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (text.length * 3 >= capacity && Buffer.byteLength(text) >= capacity) return false;
  utf8Write.call(bytes, text, at, capacity - 1);
  return true;
}
