import { isUtf8 } from "node:buffer";
import { DecodeError, type DecodeProblem } from "../../model/errors.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { pathText } from "../../model/value.ts";
import {
  type Counted,
  entryOf,
  type FieldShape,
  type Integer,
  type Shape,
  type StructShape,
} from "./shape.ts";
import { scanText } from "./text.ts";

/** Name of the format in errors. */
const FORMAT = "c-struct";

/**
 * Throws DecodeError, with offset and path, unless bytes are exactly what packing some value gives: the length
 * that the count asks for, counts within their bounds, flags and bools 0 or 1, text with a NUL and in UTF-8, no
 * map key twice, and zero in padding, after the ends of text, bytes and lists, and in absent members. With
 * `int64` "number", 64-bit integers must be safe.
 */
export function verifyStruct(root: StructShape, bytes: Uint8Array, int64: Int64Mode): void {
  new Verifier(bytes, int64).message(root);
}

class Verifier {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #int64: Int64Mode;
  readonly #path: (string | number)[] = [];

  constructor(bytes: Uint8Array, int64: Int64Mode) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#int64 = int64;
  }

  message(root: StructShape): void {
    const { length } = this.#bytes;
    const { size, flexible } = root;
    let end = size;
    if (length >= size && flexible !== undefined) {
      const { offset, stride, repeat } = flexible;
      this.#path.push(flexible.key);
      end = Math.max(size, offset + stride * this.#count(repeat, 0));
      this.#path.pop();
    }
    if (length < end) throw this.#error(length, `${length} bytes, expected ${end}`, "truncated");
    if (length > end) throw this.#error(end, `${length} bytes, expected ${end}`);
    this.#struct(root, 0);
  }

  #struct(struct: StructShape, at: number): void {
    this.#fields(struct, struct.fields, at);
  }

  #fields(struct: StructShape, fields: readonly FieldShape[], at: number): void {
    for (const [start, end] of struct.gaps) this.#zeros(at + start, at + end, "padding");
    for (const field of fields) {
      this.#path.push(field.key);
      if (field.repeat.kind === "one") this.#single(field, field.repeat.flag, at);
      else this.#array(struct, field, at);
      this.#path.pop();
    }
  }

  #single({ offset, stride, element }: FieldShape, flag: number | undefined, at: number): void {
    const start = at + offset;
    if (flag === undefined || this.#bool(at + flag)) this.#one(element, start, stride);
    else this.#zeros(start, start + stride, "absent member");
  }

  #array(struct: StructShape, field: FieldShape, at: number): void {
    const { offset, stride, element, repeat } = field;
    if (repeat.kind === "one") return;
    const start = at + offset;
    const count = repeat.kind === "fixed" ? repeat.length : this.#count(repeat, at);
    const end = start + count * stride;
    if (repeat.kind === "counted") {
      const isFlexible = field === struct.flexible;
      this.#zeros(end, isFlexible ? at + struct.size : start + repeat.bound * stride, "rest of the array");
      if (repeat.as === "bytes") return;
      if (repeat.as === "map") {
        this.#entries(element, start, stride, count);
        return;
      }
    }
    for (let i = 0; i < count; i++) {
      this.#path.push(i);
      this.#one(element, start + i * stride, stride);
      this.#path.pop();
    }
  }

  /** The entries of a map. Their integer keys are text in a value, which holds them all. */
  #entries(entry: Shape, start: number, stride: number, count: number): void {
    const { struct, key, value } = entryOf(entry);
    const checked = key.element.kind === "integer" ? [value] : [key, value];
    const seen = new Set<string>();
    for (let i = 0; i < count; i++) {
      const at = start + i * stride;
      this.#path.push(i);
      this.#fields(struct, checked, at);
      // Equal keys have equal bytes, now that what follows text is known to be zero.
      const bytes = this.#bytes.toString("latin1", at + key.offset, at + key.offset + key.stride);
      if (seen.has(bytes)) throw this.#error(at + key.offset, "a key that stands twice");
      seen.add(bytes);
      this.#path.pop();
    }
  }

  #one(shape: Shape, at: number, size: number): void {
    switch (shape.kind) {
      case "struct":
        this.#struct(shape.struct, at);
        break;
      case "bool":
        this.#bool(at);
        break;
      case "text":
        this.#text(at, shape.capacity);
        break;
      case "bytes":
        if (shape.size !== undefined) {
          const length = this.#length(shape.size, at, shape.capacity, "bytes");
          this.#zeros(at + shape.data + length, at + size, "rest of the bytes");
        }
        break;
      case "integer":
        if (shape.bits === 64 && this.#int64 === "number") this.#safe(at, shape.signed);
        break;
      case "float":
        break;
    }
  }

  #count({ count, max }: Counted, at: number): number {
    return this.#length(count, at + count.offset, max, "elements");
  }

  #length({ bits, signed }: Integer, at: number, max: number, what: string): number {
    const view = this.#view;
    const sign = signed ? "Int" : "Uint";
    const length =
      bits === 64 ? Number(view[`getBig${sign}64`](at, true)) : view[`get${sign}${bits}`](at, true);
    if (length >= 0 && length <= max) return length;
    throw this.#error(at, `${length} ${what}, expected 0 to ${max}`);
  }

  #bool(at: number): boolean {
    const byte = this.#bytes[at]!;
    if (byte > 1) throw this.#error(at, `a bool of ${byte}, expected 0 or 1`);
    return byte === 1;
  }

  #text(at: number, capacity: number): void {
    const scanned = scanText(this.#view, this.#bytes, at, capacity);
    const length = scanned < 0 ? ~scanned : scanned;
    if (length === capacity) throw this.#error(at, `no NUL in a char[${capacity}]`);
    this.#zeros(at + length, at + capacity, "rest of the text");
    const isText = scanned >= 0 || isUtf8(this.#bytes.subarray(at, at + length));
    if (!isText) throw this.#error(at, "not valid UTF-8");
  }

  #safe(at: number, signed: boolean): void {
    const low = this.#view.getUint32(at, true);
    const high = signed ? this.#view.getInt32(at + 4, true) : this.#view.getUint32(at + 4, true);
    if (Number.isSafeInteger(low + high * 2 ** 32)) return;
    throw this.#error(at, "a 64-bit integer beyond 2^53, expected a safe one");
  }

  #zeros(start: number, end: number, what: string): void {
    for (let at = start; at < end; at++) {
      if (this.#bytes[at] !== 0) throw this.#error(at, `${what} is not zero`);
    }
  }

  #error(offset: number, problem: string, code: DecodeProblem = "corrupt"): DecodeError {
    return new DecodeError(FORMAT, problem, { path: pathText(this.#path), offset, code });
  }
}
