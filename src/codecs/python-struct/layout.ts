import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import {
  type Field,
  type FieldType,
  hasPresence,
  type MessageType,
  reachableMessages,
  type Scalar,
} from "../../model/schema.ts";
import { childPath } from "../../model/value.ts";
import { type Extent, measureExtents } from "../../schema/values/extents.ts";
import { type Slot, StructPlan, slotOf } from "./slot.ts";

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
export function layoutOf(dataset: Pick<Dataset, "schema" | "values">): Layouts {
  const { schema, values } = dataset;
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
      `${message.name}: ${bytes} bytes as a struct, expected at most ${MAX_STRUCT_BYTES}`,
    );
  }
  if (struct.count > MAX_VALUES) {
    throw new UnsupportedError(
      `${message.name}: ${struct.count} values in a struct, expected at most ${MAX_VALUES}`,
    );
  }
}
