/** Text to UTF-8 and back, strictly: bytes that are not text are refused, never replaced. */
import { isUtf8 } from "node:buffer";
import { LONG, latin1Slice, utf8Slice, utf8Write } from "./native.ts";
import { utf8Size } from "./portable.ts";

const code = String.fromCharCode;

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
    if (code > 0x7f) return writeShort(bytes, at, text, i);
    bytes[at + i] = code;
  }
  return length;
}

/** {@link writeUtf8} from a unit on, before which all are ASCII and written. */
function writeShort(bytes: Uint8Array, at: number, text: string, from: number): number {
  let to = at + from;
  for (let i = from; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[to++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[to++] = 0xc0 | (code >> 6);
    } else {
      if ((code & 0xf800) === 0xd800) {
        // A surrogate is half a character: a high one, and a low one after it.
        const low = text.charCodeAt(++i);
        if (code > 0xdbff || (low & 0xfc00) !== 0xdc00) return -1;
        code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
        bytes[to++] = 0xf0 | (code >> 18);
        bytes[to++] = 0x80 | ((code >> 12) & 0x3f);
      } else bytes[to++] = 0xe0 | (code >> 12);
      bytes[to++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[to++] = 0x80 | (code & 0x3f);
  }
  return to - at;
}

function writeUnicode(bytes: Uint8Array, at: number, text: string): number {
  if (!text.isWellFormed()) return -1;
  return utf8Write.call(bytes, text, at, text.length * UTF8_PER_UNIT);
}

/**
 * {@link writeUtf8} where only `room` bytes are free. For text that takes more it returns how many it would take; no
 * byte beyond the room is written.
 */
export function writeUtf8Within(bytes: Uint8Array, at: number, room: number, text: string): number {
  const { length } = text;
  if (length * UTF8_PER_UNIT <= room) return writeUtf8(bytes, at, text);
  if (length < LONG && length <= room) {
    let i = 0;
    for (let code = 0; i < length; i++) {
      code = text.charCodeAt(i);
      if (code > 0x7f) break;
      bytes[at + i] = code;
    }
    if (i === length) return length;
  }
  if (!text.isWellFormed()) return -1;
  const size = utf8Size(text);
  if (size <= room) utf8Write.call(bytes, text, at, size);
  return size;
}

/** Bytes of UTF-8 that text takes; a lone surrogate counts as three. */
export function utf8Length(text: string): number {
  const { length } = text;
  if (length >= LONG) return utf8Size(text);
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) > 0x7f) return utf8Size(text);
  return length;
}

/** Text of the UTF-8 from `start` to `end`, or undefined where it is none. A byte order mark is a character. */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start < LONG) {
    if (isAscii(bytes, start, end)) return latin1Slice.call(bytes, start, end);
    const few = end - start <= FEW_BYTES ? readFew(bytes, start, end) : undefined;
    if (few !== undefined) return few;
  }
  const text = utf8Slice.call(bytes, start, end);
  // Node replaces what is not UTF-8 with this character, which may also be there by right.
  return text.includes("\uFFFD") && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}

/** Whether bytes are all ASCII. Text of another script ends it at its first byte. */
function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}

/** Most bytes that {@link readFew} may make text of. */
const FEW_BYTES = 18;

/** The units of such a text. */
const units = new Uint16Array(FEW_BYTES);

/**
 * Text of up to six units, none of which is half of a character; undefined for any other, and for what is no UTF-8.
 * Node's own conversion takes three times as long for a word of Chinese (measured on Node 20).
 */
function readFew(bytes: Uint8Array, start: number, end: number): string | undefined {
  let count = 0;
  for (let i = start; i < end; count++) {
    let unit = bytes[i++]!;
    if (unit >= 0x80) {
      const second = i < end ? bytes[i++]! : 0;
      if (unit < 0xc2 || unit >= 0xf0 || (second & 0xc0) !== 0x80) return undefined;
      if (unit < 0xe0) unit = ((unit & 0x1f) << 6) | (second & 0x3f);
      else {
        const third = i < end ? bytes[i++]! : 0;
        unit = ((unit & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
        if ((third & 0xc0) !== 0x80 || unit < 0x800 || (unit & 0xf800) === 0xd800) return undefined;
      }
    }
    units[count] = unit;
  }
  const u = units;
  switch (count) {
    case 1:
      return code(u[0]!);
    case 2:
      return code(u[0]!, u[1]!);
    case 3:
      return code(u[0]!, u[1]!, u[2]!);
    case 4:
      return code(u[0]!, u[1]!, u[2]!, u[3]!);
    case 5:
      return code(u[0]!, u[1]!, u[2]!, u[3]!, u[4]!);
    default:
      return count === 6 ? code(u[0]!, u[1]!, u[2]!, u[3]!, u[4]!, u[5]!) : undefined;
  }
}

/** Longest text that {@link readShortText} makes. */
export const SHORT_TEXT = 16;

/**
 * Text of up to {@link SHORT_TEXT} bytes from `p`, or undefined where they are not all ASCII. Node's own conversions
 * take three times as long for so few (measured on Node 20, for seven: 33 against 11 ns).
 */
export function readShortText(b: Uint8Array, p: number, length: number): string | undefined {
  return isAscii(b, p, p + length) ? fromCodes(b, p, length) : undefined;
}

function fromCodes(b: Uint8Array, p: number, length: number): string | undefined {
  switch (length) {
    case 0:
      return "";
    case 1:
      return code(b[p]!);
    case 2:
      return code(b[p]!, b[p + 1]!);
    case 3:
      return code(b[p]!, b[p + 1]!, b[p + 2]!);
    case 4:
      return code(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!);
    case 5:
      return code(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!);
    case 6:
      return code(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!);
    case 7:
      return code(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!);
    case 8:
      return code(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!);
    default:
      return length <= SHORT_TEXT ? fromCodes(b, p, 8)! + fromCodes(b, p + 8, length - 8)! : undefined;
  }
}
