import { isUtf8 } from "node:buffer";
import { Budget, blobBytes, type CapnpLimits, listBytes, MAX_SEGMENTS, rulesOf, Trail } from "./limits.ts";
import { Pointers, readFrame, type Segment, type Target } from "./segments.ts";
import type {
  BlobShape,
  DataShape,
  ElementShape,
  FieldsShape,
  ListShape,
  StructShape,
  ValueShape,
} from "./shape.ts";

/**
 * Checks that bytes are one message in the standard stream framing, and that a reader which knows only this
 * shape reads all of it: nothing outside the bytes, nothing twice without bound, and nothing that it would
 * drop. Throws DecodeError with the byte offset and the field.
 *
 * - A struct may be shorter or longer than its shape, as after a change of the schema. What a longer one holds
 *   beyond its shape, and what lies between the fields, must be zero or null: it would be lost.
 * - A list must have elements of the size that its shape says. A list of structs where values are expected, and
 *   the reverse, are valid after certain changes of a schema, and refused.
 * - Text ends with NUL and is valid UTF-8. A null pointer is the default, unless the shape requires a target.
 * - Refused although readers take them: capabilities, empty segments, an offset in the tag of a double-far
 *   pointer, and the pointer word 0x8000000000000000, which capnp-ts takes for null.
 * - Of a union only the member that is there is looked at, and its number must be known.
 * - Not looked at: padding after the elements of a list, padding of the segment table, words that no pointer
 *   leads to, and whether the message is canonical.
 */
export function verifyCapnp(bytes: Uint8Array, root: StructShape, limits: CapnpLimits = {}): void {
  new Walk(bytes, limits).root(root);
}

/** Element sizes of list pointers (encoding specification, "Lists"). */
const SIZE_OF_BITS = { 1: 1, 8: 2, 16: 3, 32: 4, 64: 5 } as const;
const POINTERS = 6;
const STRUCTS = 7;
const SIZE_NAMES = ["no bits", "bits", "bytes", "2 bytes", "4 bytes", "8 bytes", "pointers", "structs"];

/** Where the two sections of a struct are. */
interface Content {
  readonly segment: Segment;
  /** Byte of the message at which the data section starts. */
  readonly start: number;
  readonly dataWords: number;
  readonly pointers: number;
}

/** One pass over a message, down every pointer. It makes no value. In it, `at` is the byte of a pointer. */
class Walk {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #segments: readonly Segment[];
  readonly #trail = new Trail();
  readonly #budget: Budget;
  readonly #pointers: Pointers;

  constructor(bytes: Uint8Array, limits: CapnpLimits) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#segments = readFrame(bytes, limits.segments ?? MAX_SEGMENTS);
    this.#budget = new Budget(limits, bytes.length, this.#trail);
    this.#pointers = new Pointers(this.#view, this.#segments, this.#trail);
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
    this.#knownBits(shape, start, dataWords);
    this.#fields(shape, content, depth);
    const firstPointer = start + 8 * dataWords;
    for (let index = shape.pointerCount ?? shape.pointers.length; index < content.pointers; index++) {
      const at = firstPointer + 8 * index;
      if (this.#pointers.follow(segment, at) === undefined) continue;
      this.#trail.fail(
        "pointer that the schema has no field for, its target would be lost",
        at,
        "unsupported",
      );
    }
  }

  /** Checks fields, and of each union the member that is there. */
  #fields(shape: FieldsShape, content: Content, depth: number): void {
    const { segment, start, dataWords } = content;
    for (const field of shape.data) {
      this.#trail.enter(field.name);
      this.#field(field, start, dataWords);
      this.#trail.leave();
    }
    for (const [place, field] of shape.pointers.entries()) {
      const index = field.index ?? place;
      const at = start + 8 * (dataWords + index);
      this.#trail.enter(field.name);
      const target = index < content.pointers ? this.#pointers.follow(segment, at) : undefined;
      if (target !== undefined) this.#target(field.target, target, at, depth);
      else if (field.required) this.#trail.fail("null, expected a struct", at);
      this.#trail.leave();
    }
    for (const { discriminant, members } of shape.unions ?? []) {
      const at = start + discriminant / 8;
      const tag = discriminant < 64 * dataWords ? this.#view.getUint16(at, true) : 0;
      const member = members.get(tag);
      if (member !== undefined) this.#fields(member, content, depth);
      else this.#trail.fail(`the union has no member ${tag}`, at, "unsupported");
    }
  }

  /** Checks that the data section that starts at byte `start` of the message has nothing that no field has. */
  #knownBits(shape: StructShape, start: number, dataWords: number): void {
    const { known } = rulesOf(shape);
    for (let half = 0; half < 2 * dataWords; half++) {
      const at = start + 4 * half;
      const unknown = this.#view.getUint32(at, true) & ~(known[half] ?? 0);
      if (unknown === 0) continue;
      this.#trail.fail("data that the schema has no field for, it would be lost", at, "unsupported");
    }
  }

  /** A field beyond the end of a shorter section is zero, and so must be one that its flag denies. */
  #field(field: DataShape, start: number, dataWords: number): void {
    const isInside = field.offset < 64 * dataWords;
    const at = start + (field.offset >>> 3);
    if (field.flag !== undefined && !this.#isSet(field.flag, start, dataWords)) {
      if (!isInside || this.#isZero(field, at)) return;
      this.#trail.fail("a value whose flag says that there is none", at);
    }
    if (isInside) this.#fixed(field, at);
    else if (field.values?.has(0) === false) this.#trail.fail("unknown enum value 0", start);
  }

  #isSet(bit: number, start: number, dataWords: number): boolean {
    return bit < 64 * dataWords && (this.#view.getUint8(start + (bit >>> 3)) & (1 << (bit & 7))) !== 0;
  }

  #isZero({ bits, offset }: DataShape, at: number): boolean {
    if (bits === 1) return (this.#view.getUint8(at) & (1 << (offset & 7))) === 0;
    for (let i = 0; i < bits / 8; i++) if (this.#view.getUint8(at + i) !== 0) return false;
    return true;
  }

  /** Checks a value of 16 bits or more, a field's or an element's, at byte `at` of the message. */
  #fixed({ bits, values, safe, zero = 0n }: ValueShape, at: number): void {
    if (values !== undefined) {
      const value = bits === 16 ? this.#view.getUint16(at, true) : this.#view.getInt32(at, true);
      if (!values.has(value)) this.#trail.fail(`unknown enum value ${value}`, at);
    }
    if (safe === undefined) return;
    const value =
      (safe === "signed" ? this.#view.getBigInt64(at, true) : this.#view.getBigUint64(at, true)) ^ zero;
    if (Number.isSafeInteger(Number(value))) return;
    this.#trail.fail(`${value} is beyond 2^53, expected a safe integer`, at, "unsupported");
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

  #list(element: ElementShape | ListShape, target: Target, at: number, depth: number): void {
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
      if (element.kind === "value") this.#fixed(element, here);
      else this.#element(element, target.segment, here, depth);
      this.#trail.leave();
    }
  }

  #element(shape: BlobShape | ListShape, segment: Segment, at: number, depth: number): void {
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
