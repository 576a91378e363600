import type { Dataset } from "../../model/dataset.ts";
import type { RegionRole } from "../../model/region.ts";
import { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  type Int64Mode,
  integerOf,
  is64Bit,
  messageOf,
  type Schema,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { Cursor } from "./cursor.ts";
import { type RegionId, RegionList } from "./region-list.ts";

/** Takes Avro's binary encoding of a schema's value apart (specification 1.11). What may be absent is a union with null. */
export function avroRegions(bytes: Uint8Array, { schema, int64 }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = new Place();
  const reader = new Reader(list, schema, int64);
  list.attempt(() => reader.whole(root));
  return list.finish(root);
}

/** Elements that take no bytes. */
const EMPTY_ITEMS = 200_000;

class Reader {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #schema: Schema;
  readonly #int64: Int64Mode;

  constructor(list: RegionList, schema: Schema, int64: Int64Mode) {
    this.#list = list;
    this.#cursor = new Cursor("avro", list);
    this.#schema = schema;
    this.#int64 = int64;
  }

  whole(place: Place): void {
    this.#record(this.#schema.root, place, 1);
    this.#cursor.expectEnd();
  }

  #record(name: string, place: Place, depth: number): void {
    this.#cursor.enter(depth);
    for (const field of messageOf(this.#schema, name).fields)
      this.#field(field, new Place(place, "field", field.name), depth);
  }

  #field({ type, repetition }: Field, place: Place, depth: number): void {
    if (repetition.kind === "list") {
      this.#blocks(place, (i) => this.#value(type, new Place(place, "element", i), depth + 1));
    } else if (repetition.kind === "map") {
      const known = new Map<string, Place>();
      this.#blocks(place, (i) => {
        const entry = new Place(place, "entry", "", i);
        this.#key(entry);
        const earlier = known.get(String(entry.step));
        if (earlier !== undefined) this.#list.replace(earlier);
        known.set(String(entry.step), entry);
        this.#value(type, entry, depth + 1);
      });
    } else if (repetition.presence !== "optional" || this.#isThere(place))
      this.#value(type, place, depth + 1);
  }

  /** The branch of a union with null. */
  #isThere(place: Place): boolean {
    const { value } = this.#long("presence", place, "branch");
    if (value !== 0n && value !== 1n) this.#cursor.fail(`branch ${value} of a union of two`);
    return value === 1n;
  }

  /** Elements in blocks, up to the empty one. A negative count has the size of its block behind it. */
  #blocks(place: Place, one: (index: number) => void): void {
    let index = 0;
    for (;;) {
      const role = this.#cursor.peek() === 0 ? "terminator" : "length";
      const { value } = this.#long(role, place, "count");
      if (value === 0n) return;
      if (value < 0n) this.#long("length", place, "bytes of the block");
      for (let left = value < 0n ? -value : value; left > 0n; left--) {
        if (index > this.#list.bytes.length + EMPTY_ITEMS)
          this.#cursor.fail("more elements than allowed", this.#cursor.at, "limit");
        one(index++);
      }
    }
  }

  #key(place: Place): void {
    const cursor: Cursor = this.#cursor;
    const { length, id } = this.#length(place);
    place.step = cursor.textAt(cursor.at, length);
    cursor.blob("text", length, place, id, true);
  }

  #value(type: FieldType, place: Place, depth: number): void {
    const cursor: Cursor = this.#cursor;
    if (type.kind === "message") {
      this.#record(type.name, place, depth);
      return;
    }
    if (type.kind === "enum") {
      const { values } = enumOf(this.#schema, type.name);
      const { value, id } = this.#long("payload", place, "enum");
      const symbol = values[Number(value)];
      if (symbol === undefined) cursor.fail(`symbol ${value} of ${values.length}`);
      this.#list.mark(id, symbol.number);
      return;
    }
    const { scalar } = type;
    if (scalar === "bool") {
      cursor.leaf(1, place, "boolean", cursor.peek() === 1);
    } else if (scalar === "float" || scalar === "double") {
      const size = scalar === "float" ? 4 : 8;
      cursor.need(size);
      const { view, at } = cursor;
      cursor.leaf(size, place, scalar, size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true));
    } else if (scalar === "string" || scalar === "bytes") {
      const { length, id } = this.#length(place);
      cursor.blob(scalar === "string" ? "text" : "bytes", length, place, id);
    } else {
      const { bits, signed } = integerOf(scalar)!;
      // What 32 bits with a sign do not hold.
      const name = bits === 64 || (bits === 32 && !signed) ? "long" : "int";
      const { value, id } = this.#long("payload", place, name);
      const held: Value = is64Bit(scalar) && this.#int64 === "bigint" ? value : Number(value);
      this.#list.mark(id, held);
    }
  }

  #length(place: Place): { readonly length: number; readonly id: RegionId } {
    const { value, id } = this.#long("length", place, "long");
    if (value < 0n) this.#cursor.fail(`a length of ${value}`);
    return { length: Number(value), id };
  }

  /** A number as a zigzag varint of at most ten bytes. */
  #long(role: RegionRole, place: Place, type: string): { readonly value: bigint; readonly id: RegionId } {
    const cursor: Cursor = this.#cursor;
    let bits = 0n;
    let size = 0;
    for (;;) {
      cursor.need(size + 1);
      const byte = cursor.view.getUint8(cursor.at + size);
      bits |= BigInt(byte & 0x7f) << BigInt(7 * size);
      size += 1;
      if (byte < 0x80) break;
      if (size === 10) cursor.fail("a number of more than ten bytes");
    }
    const value = (bits >> 1n) ^ -(bits & 1n);
    const shown = Number.isSafeInteger(Number(value)) ? Number(value) : value;
    return { value, id: cursor.take(role, size, place, type, shown) };
  }
}
