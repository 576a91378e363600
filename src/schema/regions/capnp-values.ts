/** Values of Cap'n Proto's data sections. */
import type { Place, RegionBit } from "../../model/region.ts";
import type { CapnpElement } from "../layout/capnp.ts";
import type { RegionList } from "./region-list.ts";

/** What a field of the data section is. */
export type DataType = Extract<CapnpElement, { bits: unknown }>;

/** The value of 8 bits or more at a byte, which must be inside. */
export function rawOf(view: DataView, at: number, type: DataType): number | bigint {
  switch (type.kind === "enum" ? "UInt16" : type.name) {
    case "Int8":
      return view.getInt8(at);
    case "UInt8":
      return view.getUint8(at);
    case "Int16":
      return view.getInt16(at, true);
    case "UInt16":
      return view.getUint16(at, true);
    case "Int32":
      return view.getInt32(at, true);
    case "UInt32":
      return view.getUint32(at, true);
    case "Int64":
      return view.getBigInt64(at, true);
    case "UInt64":
      return view.getBigUint64(at, true);
    case "Float32":
      return view.getFloat32(at, true);
    default:
      return view.getFloat64(at, true);
  }
}

const scratch = new DataView(new ArrayBuffer(16));

/**
 * A value by the bits of its default, against which it is stored (encoding specification, "Default Values"). They are taken as bytes:
 * those of a float may be a NaN that is another once it was read.
 * @param at first byte of what is stored; undefined where the message ends before it, which says the default
 */
export function storedValue(
  view: DataView,
  at: number | undefined,
  zero: number | bigint | boolean | undefined,
  type: DataType,
): number | bigint {
  if (zero === undefined || typeof zero === "boolean") return at === undefined ? 0 : rawOf(view, at, type);
  put(8, zero, type);
  for (let i = 0; i < type.bits / 8; i++) {
    const stored = at === undefined ? 0 : view.getUint8(at + i);
    scratch.setUint8(i, stored ^ scratch.getUint8(8 + i));
  }
  return rawOf(scratch, 0, type);
}

function put(at: number, value: number | bigint, type: DataType): void {
  const name = type.kind === "enum" ? "UInt16" : type.name;
  if (name === "Float32") scratch.setFloat32(at, Number(value), true);
  else if (name === "Float64") scratch.setFloat64(at, Number(value), true);
  else if (type.bits === 64) scratch.setBigInt64(at, BigInt.asIntN(64, BigInt(value)), true);
  else scratch.setInt32(at, Number(value), true);
}

/** Fields of one bit, which share bytes. */
export class Bits {
  readonly #list: RegionList;
  readonly #place: Place;
  readonly #bytes = new Map<number, RegionBit[]>();

  constructor(list: RegionList, place: Place) {
    this.#list = list;
    this.#place = place;
  }

  note(at: number, bit: RegionBit): void {
    const known = this.#bytes.get(at);
    if (known === undefined) this.#bytes.set(at, [bit]);
    else known.push(bit);
  }

  /** Adds the bytes to the list, each as one region. */
  add(): void {
    for (const [at, bits] of this.#bytes) {
      const isKey = bits.every(({ place }) => place.kind === "entry");
      const role = bits.some(({ leaf }) => leaf) ? "payload" : isKey ? "key" : "presence";
      const place = bits.every((bit) => bit.place === bits[0]!.place) ? bits[0]!.place : this.#place;
      this.#list.bits(role, at, place, bits);
    }
  }
}
