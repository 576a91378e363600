/** Values of single fields, as plain values hold them. */

import { BYTES, type Held, TEXT } from "../../model/region-table.ts";
import type { FieldType, Int64Mode } from "../../model/schema.ts";
import { is64Bit } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";

/** What a reader has where a field is implicit and not written. */
export function zeroOf(type: FieldType, int64: Int64Mode): Value {
  if (type.kind !== "scalar") return 0;
  switch (type.scalar) {
    case "bool":
      return false;
    case "string":
      return "";
    case "bytes":
      return new Uint8Array(0);
    default:
      return is64Bit(type.scalar) && int64 === "bigint" ? 0n : 0;
  }
}

/** How a region's bytes are the value of its place. */
export function heldAs(kind: string): Held {
  return kind === "bytes" || kind === "data" ? BYTES : TEXT;
}

/** The unsigned integer in bytes of which the lowest is the first: by hex, as shifts take time by the square of their number. */
export function integerAt(bytes: Uint8Array, start: number, end: number): bigint {
  const hex = Buffer.from(bytes.subarray(start, end)).reverse().toString("hex");
  return hex === "" ? 0n : BigInt(`0x${hex}`);
}

/** Messages as Node's buffers, of which texts are made without a view for each. */
const buffers = new WeakMap<Uint8Array, Buffer>();

/** The bytes from `start` to `end` as text, in which each byte that is wrong in UTF-8 is U+FFFD. */
export function textAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  encoding: "utf8" | "latin1" = "utf8",
): string {
  let buffer = buffers.get(bytes);
  if (buffer === undefined) {
    buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    buffers.set(bytes, buffer);
  }
  return buffer.toString(encoding, start, end);
}
