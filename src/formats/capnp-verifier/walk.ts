import { isUtf8 } from "node:buffer";
import { Budget, blobBytes, listBytes } from "./budget.ts";
import { DataSections } from "./data-section.ts";
import { readFrame, type Segment } from "./frame.ts";
import { type CapnpLimits, MAX_SEGMENTS } from "./limits.ts";
import { Pointers, type Target } from "./pointer.ts";
import { rulesOf } from "./rules.ts";
import type { BlobShape, ElementShape, ListShape, StructShape } from "./shape.ts";
import { Trail } from "./trail.ts";

/** Where the two sections of a struct are. */
interface Content {
  readonly segment: Segment;
  /** Byte of the message at which the data section starts. */
  readonly start: number;
  readonly dataWords: number;
  readonly pointers: number;
}

/** One pass over a message, down every pointer. It makes no value. In it, `at` is the byte of a pointer. */
export class Walk {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #segments: readonly Segment[];
  readonly #trail = new Trail();
  readonly #budget: Budget;
  readonly #pointers: Pointers;
  readonly #data: DataSections;

  constructor(bytes: Uint8Array, limits: CapnpLimits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#segments = readFrame(bytes, limits.segments ?? MAX_SEGMENTS);
    this.#budget = new Budget(limits, this.#trail);
    this.#pointers = new Pointers(this.#view, this.#segments, this.#trail);
    this.#data = new DataSections(this.#view, this.#trail);
  }

  /** Walks the whole message. A null root is a struct of defaults. */
  root(shape: StructShape): void {
    const segment = this.#segments[0]!;
    const { start } = segment;
    this.#budget.words(1, start);
    const target = this.#pointers.follow(segment, start);
    if (target === undefined) this.#content(shape, { segment, start, dataWords: 0, pointers: 0 }, 1);
    else this.#struct(shape, target, start, 1);
  }

  #struct(shape: StructShape, target: Target, at: number, depth: number): void {
    this.#expectKind("struct", target, at);
    const content = contentAt(target.start, target.size, target.segment);
    const words = content.dataWords + content.pointers;
    this.#expectInside(target, words, at);
    this.#budget.words(words + target.padWords, at);
    this.#content(shape, content, depth);
  }

  #content(shape: StructShape, content: Content, depth: number): void {
    const { segment, start, dataWords } = content;
    this.#budget.nesting(depth, start);
    this.#budget.heap(rulesOf(shape).heapBytes, start);
    this.#data.check(shape, start, dataWords);
    const firstPointer = start + 8 * dataWords;
    for (const [index, field] of shape.pointers.entries()) {
      const at = firstPointer + 8 * index;
      this.#trail.enter(field.name);
      const target = index < content.pointers ? this.#pointers.follow(segment, at) : undefined;
      if (target !== undefined) this.#target(field.target, target, at, depth);
      else if (field.required) this.#trail.fail("null, expected a struct", at);
      this.#trail.leave();
    }
    for (let index = shape.pointers.length; index < content.pointers; index++) {
      const at = firstPointer + 8 * index;
      if (this.#pointers.follow(segment, at) === undefined) continue;
      this.#trail.fail(
        "pointer that the schema has no field for, its target would be lost",
        at,
        "unsupported",
      );
    }
  }

  #target(shape: ElementShape | ListShape, target: Target, at: number, depth: number): void {
    if (shape.kind === "struct") this.#struct(shape.shape, target, at, depth + 1);
    else if (shape.kind === "list") this.#list(shape.element, target, at, depth + 1);
    else if (shape.kind !== "value") this.#blob(shape, target, at);
  }

  #blob({ kind }: BlobShape, target: Target, at: number): void {
    const length = this.#flatList(SIZE_OF_BITS[8], 8, target, at);
    this.#budget.heap(blobBytes(kind, length), at);
    if (kind === "data") return;
    const { start } = target;
    const end = start + length;
    if (length === 0 || this.#bytes[end - 1] !== 0) this.#trail.fail("text does not end with NUL", end);
    if (!isUtf8(this.#bytes.subarray(start, end - 1))) this.#trail.fail("text is not valid UTF-8", start);
  }

  #list(element: ElementShape, target: Target, at: number, depth: number): void {
    this.#budget.nesting(depth, at);
    if (element.kind === "struct") {
      this.#structs(element, target, at, depth + 1);
      return;
    }
    const bits = element.kind === "value" ? element.bits : 64;
    const size = element.kind === "value" ? SIZE_OF_BITS[bits] : POINTERS;
    const count = this.#flatList(size, bits, target, at);
    this.#budget.heap(listBytes(element, count), at);
    if (element.kind === "value" && element.values === undefined && element.safe === undefined) return;
    for (let i = 0; i < count; i++) {
      const here = target.start + (i * bits) / 8;
      this.#trail.enter(i);
      if (element.kind === "value") this.#data.value(element, here);
      else this.#element(element, target.segment, here, depth);
      this.#trail.leave();
    }
  }

  #element(shape: BlobShape, segment: Segment, at: number, depth: number): void {
    const target = this.#pointers.follow(segment, at);
    if (target !== undefined) this.#target(shape, target, at, depth);
  }

  /** A list whose elements are not structs. Returns how many there are. */
  #flatList(size: number, bits: number, target: Target, at: number): number {
    this.#expectKind("list", target, at);
    this.#expectSize(size, target, at);
    const count = target.size >>> 3;
    const words = Math.ceil((count * bits) / 64);
    this.#expectInside(target, words, at);
    this.#budget.words(words + target.padWords, at);
    return count;
  }

  /** A list of structs: a tag with their number and size, and the structs (encoding specification, "Lists"). */
  #structs(
    element: Extract<ElementShape, { kind: "struct" }>,
    target: Target,
    at: number,
    depth: number,
  ): void {
    this.#expectKind("list", target, at);
    this.#expectSize(STRUCTS, target, at);
    const words = target.size >>> 3;
    this.#expectInside(target, words + 1, at);
    const { segment, start } = target;
    const tag = this.#view.getUint32(start, true);
    if ((tag & 3) !== 0) this.#trail.fail("tag of a list of structs is no struct", start);
    const count = tag >>> 2;
    const first = contentAt(start + 8, this.#view.getUint32(start + 4, true), segment);
    const elementWords = first.dataWords + first.pointers;
    if (count * elementWords !== words) {
      this.#trail.fail(`${count} structs of ${elementWords} words, expected ${words} words in all`, start);
    }
    this.#budget.words(1 + Math.max(words, count) + target.padWords, at);
    this.#budget.heap(listBytes(element, count), at);
    for (let i = 0; i < count; i++) {
      this.#trail.enter(i);
      this.#content(element.shape, { ...first, start: first.start + 8 * elementWords * i }, depth);
      this.#trail.leave();
    }
  }

  #expectKind(kind: Target["kind"], target: Target, at: number): void {
    if (target.kind !== kind) this.#trail.fail(`${target.kind}, expected a ${kind}`, at);
  }

  #expectSize(size: number, target: Target, at: number): void {
    const found = target.size & 7;
    if (found === size) return;
    this.#trail.fail(`list of ${SIZE_NAMES[found]}, expected one of ${SIZE_NAMES[size]}`, at, "unsupported");
  }

  #expectInside({ segment, start }: Target, words: number, at: number): void {
    if (start >= segment.start && start + 8 * words <= segment.end) return;
    this.#trail.fail("points outside its segment", at);
  }
}

/** @param size upper half of a struct pointer */
function contentAt(start: number, size: number, segment: Segment): Content {
  return { segment, start, dataWords: size & 0xffff, pointers: size >>> 16 };
}

/** Element sizes of list pointers (encoding specification, "Lists"). */
const SIZE_OF_BITS = { 1: 1, 8: 2, 16: 3, 32: 4, 64: 5 } as const;
const POINTERS = 6;
const STRUCTS = 7;
const SIZE_NAMES = ["no bits", "bits", "bytes", "2 bytes", "4 bytes", "8 bytes", "pointers", "structs"];
