import { calcsize } from "../../formats/python-struct/index.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import {
  enumInteger,
  enumOf,
  type Field,
  type FieldType,
  hasPresence,
  type MessageType,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { childPath } from "../../model/value.ts";
import { type Extent, measureExtents } from "../values/extents.ts";

/** A field of a message. Places are indexes into the values of the message's struct. */
export interface FieldLayout {
  readonly field: Field;
  /** What holds one value of it; undefined for a message, which is a struct of its own. */
  readonly slot: Slot | undefined;
  /** What holds a key of a map. */
  readonly keySlot: Slot | undefined;
  /** The place of the `?` that says whether it is there. */
  readonly flag: number | undefined;
  /** The place of the count of a list or map. */
  readonly count: number | undefined;
  /** The place of its value, or of the first of two; undefined where it follows the struct. */
  readonly place: number | undefined;
}

/** The struct of a message, and what follows it. */
export interface MessageLayout {
  readonly message: MessageType;
  readonly fields: readonly FieldLayout[];
  readonly struct: StructPlan;
}

/** By the names of the messages, the root first. */
export type Layouts = ReadonlyMap<string, MessageLayout>;

/** Largest struct. */
const MAX_STRUCT_BYTES = 2 ** 26;
/** Most values of one struct: each becomes an argument of a call. */
const MAX_VALUES = 5000;

/**
 * How the messages of a dataset become structs. The struct of a message has its scalars; a `?` before each that may be
 * absent and for each message that may be; and the count of each list and map. Lists, maps and messages follow the
 * struct, in the order of the fields. Text and bytes are bounded by the largest in the values, or by
 * {@link Field.capacity}. Throws UnsupportedError where there is nothing to take a bound from, and for a struct that is
 * too large.
 */
export function layoutOf(dataset: Pick<Dataset, "schema" | "values" | "bounds">): Layouts {
  const { schema, bounds: values = dataset.values } = dataset;
  const extents = measureExtents(schema, values);
  const bound = (message: MessageType, { name }: Field, extent: Extent | undefined): Extent => {
    if (extent !== undefined || values.length > 0) return extent ?? { least: 0, most: 0 };
    const path = childPath(message.name, name);
    throw new UnsupportedError(`${path}: bounded by the largest of the values, and there are none`);
  };
  const layouts = reachableMessages(schema).map((message): MessageLayout => {
    const struct = new StructPlan();
    const fields = message.fields.map((field): FieldLayout => {
      const { type, repetition, capacity } = field;
      const found = extents.get(field);
      const slot = slotOf(schema, type, capacity, () => bound(message, field, found?.value));
      if (repetition.kind !== "one") {
        const keyType = repetition.kind === "map" ? scalarType(repetition.key) : undefined;
        const keySlot =
          keyType && slotOf(schema, keyType, undefined, () => bound(message, field, found?.key));
        const isFixed = repetition.kind === "list" && repetition.length !== undefined;
        const count = isFixed ? undefined : struct.add("I");
        return { field, slot, keySlot, flag: undefined, count, place: undefined };
      }
      const flag = hasPresence(field) ? struct.add("?") : undefined;
      const place = slot === undefined ? undefined : struct.addSlot(slot);
      return { field, slot, keySlot: undefined, flag, count: undefined, place };
    });
    expectFits(message, struct, fields);
    return { message, fields, struct };
  });
  return new Map(layouts.map((layout) => [layout.message.name, layout]));
}

function scalarType(scalar: Scalar): FieldType {
  return { kind: "scalar", scalar };
}

function expectFits(message: MessageType, struct: StructPlan, fields: readonly FieldLayout[]): void {
  const slots = fields.flatMap(({ slot, keySlot }) => [slot, keySlot].filter((one) => one !== undefined));
  const bytes = Math.max(struct.size, ...slots.map((slot) => StructPlan.of(slot).size));
  if (bytes > MAX_STRUCT_BYTES) {
    throw new UnsupportedError(
      `${message.name}: ${inBytes(bytes)} as a struct, expected at most ${MAX_STRUCT_BYTES}`,
    );
  }
  if (struct.count > MAX_VALUES) {
    throw new UnsupportedError(
      `${message.name}: ${struct.count} values in a struct, expected at most ${MAX_VALUES}`,
    );
  }
}

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
    return { kind: "number", character: CHARACTERS[enumInteger(enumOf(schema, type.name))] };
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
  #size: number | undefined;

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
    this.#size ??= calcsize(this.format);
    return this.#size;
  }

  /** Adds a number that is no field's value. Returns its place. */
  add(character: "?" | "I"): number {
    this.#extend(character);
    this.count += 1;
    return this.count - 1;
  }

  /** Adds a slot. Returns its place, or the first of its two. */
  addSlot(slot: Slot): number {
    const first = this.count;
    this.#extend(formatOf(slot));
    this.count += slot.kind === "long" ? 2 : 1;
    if (slot.kind !== "number" && slot.holds === "string") this.text.push(this.count - 1);
    return first;
  }

  #extend(characters: string): void {
    this.#format += characters;
    this.#size = undefined;
  }
}
