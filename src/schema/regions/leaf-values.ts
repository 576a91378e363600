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

/** The bytes from `start` to `end` as text. */
export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return textOf(bytes.subarray(start, end));
}

/** Text, in which each wrong byte is U+FFFD. */
export function textOf(part: Uint8Array): string {
  return Buffer.from(part.buffer, part.byteOffset, part.length).toString("utf8");
}
