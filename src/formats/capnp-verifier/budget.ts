import type { Trail } from "./segments.ts";
import {
  type CapnpLimits,
  type ElementShape,
  type ListShape,
  MAX_NESTING,
  MAX_TRAVERSAL_WORDS,
  type StructShape,
  type ValueShape,
} from "./shape.ts";

/** What a walk may still spend. Every method throws DecodeError when that is not enough. */
export class Budget {
  readonly #trail: Trail;
  readonly #nesting: number;
  #words: number;
  #heapBytes: number;

  constructor(limits: CapnpLimits, trail: Trail) {
    this.#trail = trail;
    this.#nesting = limits.nesting ?? MAX_NESTING;
    this.#words = limits.traversalWords ?? MAX_TRAVERSAL_WORDS;
    this.#heapBytes = limits.heapBytes ?? Number.POSITIVE_INFINITY;
  }

  /** @param at byte of the message that the error names */
  words(count: number, at: number): void {
    this.#words -= count;
    if (this.#words < 0) this.#trail.fail("more words to visit than the limit allows", at, "limit");
  }

  /** See {@link CapnpLimits.heapBytes}. */
  heap(bytes: number, at: number): void {
    this.#heapBytes -= bytes;
    if (this.#heapBytes < 0) this.#trail.fail("becomes a value larger than the limit allows", at, "limit");
  }

  nesting(depth: number, at: number): void {
    if (depth > this.#nesting) this.#trail.fail(`nested deeper than ${this.#nesting} pointers`, at, "limit");
  }
}

/** Heap of an object without properties (V8 11.3, x64). */
export const OBJECT_BYTES = 56;

/** Heap of a property that holds a pointer's target, at least the empty object that stands for null. */
export const POINTER_BYTES = 8 + OBJECT_BYTES;

/** Heap of a property or element of fixed width: a slot, and a box for what may be a float or a bigint. */
export function valueBytes({ bits }: ValueShape): number {
  if (bits < 32) return 8;
  return bits === 32 ? 24 : 32;
}

/** Heap of a list without what its elements point to. */
export function listBytes(element: ElementShape | ListShape, count: number): number {
  return 32 + count * (element.kind === "value" ? valueBytes(element) : 8);
}

/** Heap of a text, put together from its characters as capnp-ts does, or of a view of data. */
export function blobBytes(kind: "text" | "data", bytes: number): number {
  return kind === "text" ? 40 + 32 * bytes : 200;
}

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
