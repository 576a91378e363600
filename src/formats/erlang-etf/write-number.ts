import * as tags from "./tags.ts";
import type { TermWriter } from "./writer.ts";

/** Writes an integer where the number is one that is exact, and else a float. -0 is a float. */
export function writeNumber(writer: TermWriter, value: number): void {
  const { out } = writer;
  out.reserve(11);
  const { at, bytes } = out;
  if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
    if (value >= 0 && value <= 255) {
      bytes[at] = tags.SMALL_INTEGER;
      bytes[at + 1] = value;
      out.at = at + 2;
    } else {
      bytes[at] = tags.INTEGER;
      out.view.setInt32(at + 1, value);
      out.at = at + 5;
    }
  } else if (Number.isSafeInteger(value) && value !== 0) out.at = putSafe(bytes, out.view, at, value);
  else writeFloat(writer, value);
}

/**
 * Writes an exact integer that is not small where 11 bytes are free, and gives back where it ends; -1, and nothing is
 * written, for any other number. {@link writeNumber} does not share this: lists of numbers got a tenth slower, as they
 * did by an exported constant for the 11 (measured on Node 20).
 */
export function putInteger(bytes: Uint8Array, view: DataView, at: number, value: number): number {
  if ((value | 0) === value && !Object.is(value, -0)) {
    bytes[at] = tags.INTEGER;
    view.setInt32(at + 1, value);
    return at + 5;
  }
  return Number.isSafeInteger(value) && value !== 0 ? putSafe(bytes, view, at, value) : -1;
}

/** An integer of more than 31 bits, the lowest byte first: 8 bytes are written, the last for nothing. */
function putSafe(bytes: Uint8Array, view: DataView, at: number, value: number): number {
  const size = value < 0 ? -value : value;
  const high = (size * 2 ** -32) | 0;
  const length = high < 0x100 ? (high === 0 ? 4 : 5) : high < 0x10000 ? 6 : 7;
  bytes[at] = tags.SMALL_BIG;
  bytes[at + 1] = length;
  bytes[at + 2] = value < 0 ? 1 : 0;
  view.setUint32(at + 3, size >>> 0, true);
  view.setUint32(at + 7, high, true);
  return at + 3 + length;
}

/** Writes a float, in the form of the minor version. Erlang has none that is not finite. */
export function writeFloat(writer: TermWriter, value: number): void {
  const { out } = writer;
  if (!Number.isFinite(value)) writer.refuse(`expected a finite number, got ${value}`);
  if (writer.rules.minorVersion === 0) {
    writeFloatText(writer, value);
    return;
  }
  out.reserve(9);
  out.bytes[out.at] = tags.NEW_FLOAT;
  out.view.setFloat64(out.at + 1, value);
  out.at += 9;
}

/** `%.20e` in 31 bytes. */
function writeFloatText({ out }: TermWriter, value: number): void {
  const [mantissa = "", exponent = ""] = twentyDigits(Math.abs(value)).split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const power = exponent.slice(1).padStart(2, "0");
  const text = `${sign}${mantissa}e${exponent.slice(0, 1)}${power}`;
  out.reserve(32);
  const { at, bytes } = out;
  bytes.fill(0, at + 1, at + 32);
  bytes[at] = tags.FLOAT;
  for (let i = 0; i < text.length; i++) bytes[at + 1 + i] = text.charCodeAt(i);
  out.at = at + 32;
}

/** JavaScript rounds a half up, C to the even digit. A double that is just halfway has one digit more than is kept. */
function twentyDigits(value: number): string {
  const more = value.toExponential(100);
  const isHalf = /^\d\.\d{20}50*e/.test(more);
  const down = `${more.slice(0, 22)}${more.slice(more.indexOf("e"))}`;
  return isHalf && Number(down[21]) % 2 === 0 ? down : value.toExponential(20);
}

/** Writes an integer of any size in as few bytes as Erlang does. */
export function writeBigInt(writer: TermWriter, value: bigint): void {
  const { out } = writer;
  if (value >= -0x80000000n && value <= 0x7fffffffn) {
    writeNumber(writer, Number(value));
    return;
  }
  const size = value < 0n ? -value : value;
  const hex = size.toString(16);
  const length = (hex.length + 1) >> 1;
  out.reserve(6 + length);
  const { bytes, view } = out;
  let { at } = out;
  if (length <= 255) {
    bytes[at++] = tags.SMALL_BIG;
    bytes[at++] = length;
  } else {
    bytes[at++] = tags.LARGE_BIG;
    view.setUint32(at, length);
    at += 4;
  }
  bytes[at++] = value < 0n ? 1 : 0;
  bytes.set(Buffer.from(hex.padStart(2 * length, "0"), "hex").reverse(), at);
  out.at = at + length;
}
