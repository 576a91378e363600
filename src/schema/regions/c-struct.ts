import {
  describeStruct,
  entryOf,
  type FieldShape,
  type Integer,
  type Shape,
  type StructShape,
} from "../../formats/c-struct/shape.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { Place, type RegionRole } from "../../model/region.ts";
import { type Anatomy, BYTES, TEXT } from "../../model/region-table.ts";
import type { Int64Mode } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { cStruct } from "../layout/c.ts";
import { textAt } from "./leaf-values.ts";
import { type RegionId, RegionList } from "./region-list.ts";

/** Takes the bytes of a C struct apart. What is not there, such as the rest of an array, is padding. */
export function cStructRegions(bytes: Uint8Array, dataset: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = new Place();
  const reader = new Reader(list, dataset.int64);
  list.attempt(() => reader.struct(describeStruct(cStruct(dataset)), 0, root));
  return list.finish(root);
}

class Reader {
  readonly #list: RegionList;
  readonly #view: DataView;
  readonly #int64: Int64Mode;

  constructor(list: RegionList, int64: Int64Mode) {
    const { buffer, byteOffset, length } = list.bytes;
    this.#list = list;
    this.#view = new DataView(buffer, byteOffset, length);
    this.#int64 = int64;
  }

  struct(struct: StructShape, at: number, place: Place): void {
    this.#gaps(struct, at, place);
    for (const field of struct.fields) this.#field(struct, field, at, new Place(place, "field", field.key));
  }

  #gaps({ gaps }: StructShape, at: number, place: Place): void {
    for (const [start, end] of gaps) this.#rest(at + start, at + end, place, "padding");
  }

  #field(struct: StructShape, field: FieldShape, at: number, place: Place): void {
    const { offset, stride, element, repeat } = field;
    const start = at + offset;
    if (repeat.kind === "one") {
      const { flag } = repeat;
      if (flag !== undefined)
        this.#part("presence", at + flag, 1, place, "bool", this.#byte(at + flag) !== 0);
      if (flag === undefined || this.#byte(at + flag) !== 0) this.#one(element, start, stride, place);
      else this.#rest(start, start + stride, place, "absent");
      return;
    }
    if (repeat.kind === "fixed") {
      for (let i = 0; i < repeat.length; i++)
        this.#one(element, start + i * stride, stride, new Place(place, "element", i));
      return;
    }
    const countAt = at + repeat.count.offset;
    const count = Number(this.#integer(repeat.count, countAt, "bigint"));
    const counter = this.#part("length", countAt, repeat.count.bits / 8, place, nameOf(repeat.count), count);
    if (count < 0 || count > repeat.max)
      this.#fail(countAt, `${count} elements, expected 0 to ${repeat.max}`);
    const end = start + count * stride;
    if (repeat.as === "bytes") this.#blob(start, end, place, counter);
    else {
      this.#need(start, count * stride);
      for (let i = 0; i < count; i++) {
        const each = start + i * stride;
        if (repeat.as === "map") this.#entry(element, each, new Place(place, "entry", "", i));
        else this.#one(element, each, stride, new Place(place, "element", i));
      }
    }
    const last = field === struct.flexible ? at + struct.size : start + repeat.bound * stride;
    this.#rest(end, last, place, "rest of the array");
  }

  #entry(element: Shape, at: number, place: Place): void {
    const { struct, key, value } = entryOf(element);
    this.#gaps(struct, at, place);
    const start = at + key.offset;
    if (key.element.kind === "text") {
      const end = this.#textEnd(start, key.element.capacity);
      place.step = textAt(this.#list.bytes, start, end);
      this.#list.add("key", start, end, place, "char[]", place.step);
      this.#list.add("terminator", end, end + 1, place, "NUL");
      this.#rest(end + 1, start + key.element.capacity, place, "rest of the text");
    } else {
      const held =
        key.element.kind === "integer"
          ? this.#integer(key.element, start, "bigint")
          : this.#byte(start) !== 0;
      place.step = String(held);
      this.#part("key", start, key.stride, place, nameOf(key.element), place.step);
    }
    this.#field(struct, value, at, place);
  }

  #one(shape: Shape, at: number, size: number, place: Place): void {
    switch (shape.kind) {
      case "struct":
        this.struct(shape.struct, at, place);
        break;
      case "text":
        this.#text(at, shape.capacity, place);
        break;
      case "bytes":
        this.#bytes(shape, at, size, place);
        break;
      default:
        this.#part("payload", at, size, place, nameOf(shape), this.#scalar(shape, at), true);
    }
  }

  #scalar(shape: Extract<Shape, { kind: "integer" | "bool" | "float" }>, at: number): Value {
    if (shape.kind === "integer") return this.#integer(shape, at, this.#int64);
    if (shape.kind === "bool") return this.#byte(at) !== 0;
    this.#need(at, shape.bits / 8);
    return shape.bits === 32 ? this.#view.getFloat32(at, true) : this.#view.getFloat64(at, true);
  }

  #text(at: number, capacity: number, place: Place): void {
    const end = this.#textEnd(at, capacity);
    this.#list.leaf("payload", at, end, place, "char[]", TEXT);
    const terminator = this.#list.add("terminator", end, end + 1, place, "NUL");
    if (end === at) this.#list.mark(terminator, "");
    this.#rest(end + 1, at + capacity, place, "rest of the text");
  }

  #textEnd(at: number, capacity: number): number {
    this.#need(at, capacity);
    const length = this.#list.bytes.subarray(at, at + capacity).indexOf(0);
    if (length < 0) this.#fail(at, `no NUL in a char[${capacity}]`);
    return at + length;
  }

  #bytes(shape: Extract<Shape, { kind: "bytes" }>, at: number, size: number, place: Place): void {
    const { data, capacity } = shape;
    const start = at + data;
    if (shape.size === undefined) {
      this.#need(start, capacity);
      this.#blob(start, start + capacity, place, undefined);
      return;
    }
    const length = Number(this.#integer(shape.size, at, "bigint"));
    const counter = this.#part("length", at, shape.size.bits / 8, place, nameOf(shape.size), length);
    if (length < 0 || length > capacity) this.#fail(at, `${inBytes(length)}, expected 0 to ${capacity}`);
    this.#rest(at + shape.size.bits / 8, start, place, "padding");
    this.#blob(start, start + length, place, counter);
    this.#rest(start + length, at + size, place, "rest of the bytes");
  }

  /** @param counter what says that there are none */
  #blob(start: number, end: number, place: Place, counter: RegionId | undefined): void {
    this.#need(start, end - start);
    if (end > start) this.#list.leaf("payload", start, end, place, "uint8_t[]", BYTES);
    else if (counter === undefined) this.#list.default(place, new Uint8Array(0));
    else this.#list.mark(counter, new Uint8Array(0));
  }

  #part(
    role: RegionRole,
    at: number,
    size: number,
    place: Place,
    type: string,
    value: Value,
    isLeaf = false,
  ): RegionId {
    this.#need(at, size);
    return this.#list.add(role, at, at + size, place, type, value, isLeaf);
  }

  /** Bytes that are to be zero. */
  #rest(start: number, end: number, place: Place, type: string): void {
    const stop = Math.min(end, this.#list.bytes.length);
    if (stop > start) this.#list.add("padding", start, stop, place, type);
  }

  #integer({ bits, signed }: Integer, at: number, int64: Int64Mode): number | bigint {
    this.#need(at, bits / 8);
    const sign = signed ? "Int" : "Uint";
    if (bits !== 64)
      return bits === 8 ? this.#view[`get${sign}8`](at) : this.#view[`get${sign}${bits}`](at, true);
    const value = this.#view[`getBig${sign}64`](at, true);
    return int64 === "bigint" ? value : Number(value);
  }

  #byte(at: number): number {
    this.#need(at, 1);
    return this.#view.getUint8(at);
  }

  #need(at: number, size: number): void {
    const { byteLength } = this.#view;
    if (at + size > byteLength)
      this.#fail(byteLength, `${inBytes(byteLength)}, expected at least ${at + size}`);
  }

  #fail(offset: number, problem: string): never {
    throw new DecodeError("c-struct", problem, { offset });
  }
}

/** The type as C has it. */
function nameOf(shape: Shape): string {
  if (shape.kind === "integer") return `${shape.signed ? "int" : "uint"}${shape.bits}_t`;
  if (shape.kind === "float") return shape.bits === 32 ? "float" : "double";
  return shape.kind;
}
