import { type CapnpLimits, MAX_NESTING, MAX_TRAVERSAL_WORDS } from "./limits.ts";
import type { ElementShape, ListShape, ValueShape } from "./shape.ts";
import type { Trail } from "./trail.ts";

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
