import { calcsize } from "../../formats/python-struct/index.ts";
import { enumOf, type FieldType, type Scalar, type Schema } from "../../model/schema.ts";
import type { Extent } from "../../schema/values/extents.ts";

/** How one scalar stands in a format. */
export type Slot =
  | { readonly kind: "number"; readonly character: string }
  /** Text or bytes: always of one length, as `8s`; behind a byte with the length, as `9p`; or behind four, as `I300s`. */
  | {
      readonly kind: "fixed" | "short" | "long";
      readonly bytes: number;
      readonly holds: "string" | "bytes";
    };

/** The most that a `p` holds. */
const MAX_SHORT = 255;

/** Characters of numbers; those of `>`, whose sizes are the same everywhere. */
const CHARACTERS: Readonly<Record<Exclude<Scalar, "string" | "bytes">, string>> = {
  bool: "?",
  int8: "b",
  uint8: "B",
  int16: "h",
  uint16: "H",
  int32: "i",
  sint32: "i",
  sfixed32: "i",
  uint32: "I",
  fixed32: "I",
  int64: "q",
  sint64: "q",
  sfixed64: "q",
  uint64: "Q",
  fixed64: "Q",
  float: "f",
  double: "d",
};

/** The slot of one value of a type; undefined for a message. `bound` tells what text and bytes take. */
export function slotOf(
  schema: Schema,
  type: FieldType,
  capacity: number | undefined,
  bound: () => Extent,
): Slot | undefined {
  if (type.kind === "message") return undefined;
  if (type.kind === "enum") {
    return { kind: "number", character: enumOf(schema, type.name).bits === 8 ? "b" : "i" };
  }
  const { scalar } = type;
  if (scalar !== "string" && scalar !== "bytes") return { kind: "number", character: CHARACTERS[scalar] };
  // The capacity of text has room for a NUL.
  const room = capacity === undefined ? undefined : capacity - (scalar === "string" ? 1 : 0);
  const { least, most } = room === undefined ? bound() : { least: 0, most: room };
  const kind = least === most && most > 0 ? "fixed" : most <= MAX_SHORT ? "short" : "long";
  return { kind, bytes: most, holds: scalar };
}

function formatOf(slot: Slot): string {
  switch (slot.kind) {
    case "number":
      return slot.character;
    case "fixed":
      return `${slot.bytes}s`;
    case "short":
      return `${slot.bytes + 1}p`;
    case "long":
      return `I${slot.bytes}s`;
  }
}

/** A struct as it is put together. */
export class StructPlan {
  /** Values so far. */
  count = 0;
  /** Which of them are text. */
  readonly text: number[] = [];
  #format = ">";

  /** The struct of one slot. */
  static of(slot: Slot): StructPlan {
    const plan = new StructPlan();
    plan.addSlot(slot);
    return plan;
  }

  /** The format, which has at least a byte: no message costs nothing. */
  get format(): string {
    return this.#format === ">" ? ">x" : this.#format;
  }

  get size(): number {
    return calcsize(this.format);
  }

  /** Adds a number that is no field's value. Returns its place. */
  add(character: "?" | "I"): number {
    this.#format += character;
    this.count += 1;
    return this.count - 1;
  }

  /** Adds a slot. Returns its place, or the first of its two. */
  addSlot(slot: Slot): number {
    const first = this.count;
    this.#format += formatOf(slot);
    this.count += slot.kind === "long" ? 2 : 1;
    if (slot.kind !== "number" && slot.holds === "string") this.text.push(this.count - 1);
    return first;
  }
}
