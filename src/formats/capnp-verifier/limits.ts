import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import { pathText } from "../../model/value.ts";
import type { ElementShape, FieldsShape, ListShape, StructShape, ValueShape } from "./shape.ts";

/**
 * What a message may ask of its reader. The defaults of the first two are the C++ library's
 * (capnp/serialize.c++, and `ReaderOptions` of capnp/message.h).
 */
export interface CapnpLimits {
  /** Segments; 511. */
  readonly segments?: number;
  /** Pointers to structs and lists, and elements that are structs, one inside another, the root counted; 64. */
  readonly nesting?: number;
  /**
   * Words that may be visited, each as often as pointers lead to it, and one for an element without content; 1 Mi, and
   * eight for each word of the message. What is shared by many pointers, or goes in circles, ends here. (The C++
   * library's is 8 Mi, whatever the message: too much for a small one, and less than an honest large one takes.)
   */
  readonly traversalWords?: number;
  /**
   * Bytes of heap that all of it may take as plain JavaScript values, by an estimate that is rather high. One
   * bit becomes a property or element of 8 bytes, so that few bytes with a million bools are a large value.
   * Without it there is no such limit.
   */
  readonly heapBytes?: number;
}

/** What a packed message may unpack to. */
export interface UnpackLimits {
  /** Bytes; 64 MiB, as many as the C++ library reads by default. Two packed bytes can stand for 2048. */
  readonly unpackedBytes?: number;
  /** As in {@link CapnpLimits}. */
  readonly segments?: number;
}

/** Default of {@link CapnpLimits.segments}. */
export const MAX_SEGMENTS = 511;
/** Default of {@link CapnpLimits.nesting}. */
const MAX_NESTING = 64;
/** Default of {@link CapnpLimits.traversalWords}: of any message, and beyond that for each of its words. */
const TRAVERSAL_WORDS = 2 ** 20;
const TRAVERSALS = 8;
/** Default of {@link UnpackLimits.unpackedBytes}. */
export const MAX_UNPACKED_BYTES = 64 * 2 ** 20;

/** Where in the value a walk is, for the errors that it throws. */
export class Trail {
  readonly #steps: (string | number)[] = [];

  /** Goes to a field or an element of what it is at. */
  enter(step: string | number): void {
    this.#steps.push(step);
  }

  /** Goes back. */
  leave(): void {
    this.#steps.pop();
  }

  /** @param offset byte of the message */
  fail(problem: string, offset: number, code: DecodeProblem = "corrupt"): never {
    throw new DecodeError("capnp", problem, { code, offset, path: pathText(this.#steps) });
  }
}

/** What a walk may still spend. Every method throws DecodeError when that is not enough. */
export class Budget {
  readonly #trail: Trail;
  readonly #nesting: number;
  #words: number;
  #heapBytes: number;

  /** @param bytes of the message */
  constructor(limits: CapnpLimits, bytes: number, trail: Trail) {
    this.#trail = trail;
    this.#nesting = limits.nesting ?? MAX_NESTING;
    this.#words = limits.traversalWords ?? TRAVERSAL_WORDS + TRAVERSALS * Math.ceil(bytes / 8);
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
const OBJECT_BYTES = 56;

/** Heap of a property that holds a pointer's target, at least the empty object that stands for null. */
const POINTER_BYTES = 8 + OBJECT_BYTES;

/** Heap of a property or element of fixed width: a slot, and a box for what may be a float or a bigint. */
function valueBytes({ bits }: ValueShape): number {
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
interface StructRules {
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
  const rules = { known, heapBytes: OBJECT_BYTES + markFields(shape, known) };
  cache.set(shape, rules);
  return rules;
}

/** Marks the bits of fields. Returns the heap that they take, of a union's members that of the largest. */
function markFields({ data, pointers, unions = [] }: FieldsShape, known: Uint32Array): number {
  let heapBytes = pointers.length * POINTER_BYTES;
  for (const field of data) {
    mark(known, field.offset, field.bits);
    if (field.flag !== undefined) mark(known, field.flag, 1);
    heapBytes += valueBytes(field);
  }
  for (const { discriminant, members } of unions) {
    mark(known, discriminant, 16);
    heapBytes += Math.max(
      ...Array.from(members.values(), (member) => OBJECT_BYTES + markFields(member, known)),
    );
  }
  return heapBytes;
}

function mark(known: Uint32Array, offset: number, bits: number): void {
  for (let bit = offset; bit < offset + bits; bit += 32) {
    const mask = bits >= 32 ? 0xffff_ffff : 2 ** bits - 1;
    known[bit >>> 5] = known[bit >>> 5]! | (mask << (bit & 31));
  }
}
