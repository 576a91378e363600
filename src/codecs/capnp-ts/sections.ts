import type { CapnpElement, CapnpSlot } from "../../schema/layout/capnp.ts";
import { type DataType, getData, zeroOf } from "./calls.ts";

/**
 * The expressions that read fields of the struct `s`. Where sections may end early, because the writer's schema
 * is older, its size is in `z` and what lies beyond them is zero or null.
 */
export class SectionReads {
  /** Whether sections may be shorter than the layout says. */
  readonly older: boolean;

  constructor(older: boolean) {
    this.older = older;
  }

  /** Parameters and arguments of a function that reads fields. */
  get struct(): string {
    return this.older ? "s, z" : "s";
  }

  /** The statement that a function with `s` alone begins with. */
  get size(): string {
    return this.older ? "const z = getSize(s); " : "";
  }

  /** A field of the data section. */
  data({ offset }: CapnpSlot, type: DataType): string {
    const read = getData(type, offset, "s");
    if (!this.older) return read;
    return `(${Math.ceil((offset + type.bits) / 8)} <= z.dataByteLength ? ${read} : ${zeroOf(type)})`;
  }

  /** Whether a pointer is not null. */
  isPresent({ offset }: CapnpSlot): string {
    const read = `!Struct.isNull(Struct.getPointer(${offset}, s))`;
    return this.older ? `(${offset} < z.pointerLength && ${read})` : read;
  }

  /** An expression that is only reached when the pointer section has the field. */
  pointer({ offset }: CapnpSlot, read: string, absent: string): string {
    return this.older ? `(${offset} < z.pointerLength ? ${read} : ${absent})` : read;
  }
}

/** Whether fields of this type lie in the data section. */
export function isData(type: CapnpSlot["type"] | CapnpElement): type is DataType {
  return "bits" in type;
}
