import { copyBytes } from "../bytes/copy.ts";
import type { TermReader } from "./reader.ts";
import { BitBinary } from "./terms.ts";

/** A bit binary; undefined, and nothing is read, where it is a whole number of bytes. */
export function readBitBinary(input: TermReader): BitBinary | undefined {
  const start = input.at;
  const length = input.length(1);
  const bits = input.uint8();
  input.need(length);
  if (bits > 8 || (bits === 0) !== (length === 0)) {
    input.fail(`expected 1 to 8 bits of the last byte, got ${bits} bits of ${length} bytes`, { at: start });
  }
  if (bits === 8 || length === 0) {
    input.at = start;
    return undefined;
  }
  const { at } = input;
  input.at = at + length;
  input.spend(length);
  const copy = copyBytes(input.bytes, at, at + length);
  // What is beyond the bits is no part of the term.
  copy[length - 1]! &= 0xff << (8 - bits);
  return new BitBinary(copy, bits);
}
