import { parseFormat } from "./format.ts";
import type { StructValue } from "./options.ts";
import { compileFormat, type Struct } from "./struct.ts";

/** Formats that are kept compiled, as many as CPython keeps (Modules/_struct.c, MAXCACHE). */
const MOST_KEPT = 100;

const kept = new Map<string, Struct>();

/** The one that was used last: most programs use it again, and to compare is faster than to look up. */
let last = compileFormat("");

/** A format with the usual options, compiled when it is first met. */
function compiled(format: string): Struct {
  if (format !== last.format) last = kept.get(format) ?? keep(compileFormat(format));
  return last;
}

function keep(struct: Struct): Struct {
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(struct.format, struct);
  return struct;
}

/** Bytes of a struct. Throws SchemaError as {@link compileFormat} does, but for its limits. */
export function calcsize(format: string): number {
  return parseFormat(format).size;
}

/** {@link Struct.pack} of a format. A program that packs often compiles the format itself: this has to look it up. */
export function pack(format: string, ...values: readonly StructValue[]): Uint8Array {
  return compiled(format).pack(...values);
}

/** {@link Struct.packInto} of a format. */
export function packInto(
  format: string,
  bytes: Uint8Array,
  offset: number,
  ...values: readonly StructValue[]
): void {
  compiled(format).packInto(bytes, offset, ...values);
}

/** {@link Struct.unpack} of a format. */
export function unpack(format: string, bytes: Uint8Array): StructValue[] {
  return compiled(format).unpack(bytes);
}

/** {@link Struct.unpackFrom} of a format. */
export function unpackFrom(format: string, bytes: Uint8Array, offset = 0): StructValue[] {
  return compiled(format).unpackFrom(bytes, offset);
}

/** {@link Struct.iterUnpack} of a format. */
export function iterUnpack(format: string, bytes: Uint8Array): IterableIterator<StructValue[]> {
  return compiled(format).iterUnpack(bytes);
}
