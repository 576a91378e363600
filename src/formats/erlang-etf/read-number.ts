import type { TermReader } from "./reader.ts";

/**
 * An integer of `size` bytes after a sign, the lowest first: a number where that is exact. It may be longer than it
 * needs to be.
 */
export function readBig(input: TermReader, size: number): number | bigint {
  if (size > 8) return longBig(input, size);
  const negative = input.uint8() !== 0;
  input.need(size);
  const { at, bytes, view } = input;
  input.at = at + size;
  let low = 0;
  let high = 0;
  if (size >= 4) {
    low = view.getUint32(at, true);
    for (let i = size - 1; i >= 4; i--) high = high * 256 + bytes[at + i]!;
  } else for (let i = size - 1; i >= 0; i--) low = low * 256 + bytes[at + i]!;
  if (high < 2 ** 21) {
    const value = high * 2 ** 32 + low;
    return negative ? 0 - value : value;
  }
  const value = (BigInt(high) << 32n) | BigInt(low);
  return negative ? -value : value;
}

/** Bytes of memory for a byte of an integer: itself twice, and two digits. */
const BYTE_AS_DIGITS = 4;

function longBig(input: TermReader, size: number): number | bigint {
  const { maxIntegerBytes } = input.rules;
  if (size > maxIntegerBytes) {
    input.fail(`an integer of ${size} bytes, expected at most ${maxIntegerBytes}`, { code: "limit" });
  }
  const negative = input.uint8() !== 0;
  input.need(size);
  input.spend(BYTE_AS_DIGITS * size);
  const digits = Buffer.from(input.bytes.subarray(input.at, input.at + size))
    .reverse()
    .toString("hex");
  input.at += size;
  const value = BigInt(`0x${digits}`);
  const signed = negative ? -value : value;
  return value <= Number.MAX_SAFE_INTEGER ? Number(signed) : signed;
}

/** A float of eight bytes. Erlang has none that is not finite. */
export function readNewFloat(input: TermReader): number {
  input.need(8);
  const value = input.view.getFloat64(input.at);
  if (!Number.isFinite(value)) input.fail(`expected a finite float, got ${value}`);
  input.at += 8;
  return value;
}

/** Bytes of a float as text, NULs included. */
const TEXT_BYTES = 31;

/** What Erlang takes for such a text: a fraction is needed, an exponent is not. */
const FLOAT_TEXT = /^[+-]?\d+\.\d+(?:e[+-]?\d+)?$/i;

/** A float as text. */
export function readFloatText(input: TermReader): number {
  input.need(TEXT_BYTES);
  const { at, bytes } = input;
  const text = Buffer.from(bytes.subarray(at, at + TEXT_BYTES)).toString("latin1");
  const end = text.indexOf("\0");
  const number = end < 0 ? text : text.slice(0, end);
  const value = Number(number);
  if (!FLOAT_TEXT.test(number) || !Number.isFinite(value)) input.fail("expected a finite float as text");
  input.at += TEXT_BYTES;
  return value;
}
