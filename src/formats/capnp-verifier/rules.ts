import { OBJECT_BYTES, POINTER_BYTES, valueBytes } from "./budget.ts";
import type { StructShape } from "./shape.ts";

/** What is worked out once from a shape. */
export interface StructRules {
  /** Bits that fields have, as 32-bit halves of the words of the data section. */
  readonly known: Uint32Array;
  /** See {@link CapnpLimits.heapBytes}. */
  readonly heapBytes: number;
}

const cache = new WeakMap<StructShape, StructRules>();

/** The rules of a shape. */
export function rulesOf(shape: StructShape): StructRules {
  const cached = cache.get(shape);
  if (cached !== undefined) return cached;
  const known = new Uint32Array(2 * shape.dataWords);
  let heapBytes = OBJECT_BYTES + shape.pointers.length * POINTER_BYTES;
  for (const field of shape.data) {
    mark(known, field.offset, field.bits);
    if (field.flag !== undefined) mark(known, field.flag, 1);
    heapBytes += valueBytes(field);
  }
  const rules = { known, heapBytes };
  cache.set(shape, rules);
  return rules;
}

function mark(known: Uint32Array, offset: number, bits: number): void {
  for (let bit = offset; bit < offset + bits; bit += 32) {
    const mask = bits >= 32 ? 0xffff_ffff : 2 ** bits - 1;
    known[bit >>> 5] = known[bit >>> 5]! | (mask << (bit & 31));
  }
}
