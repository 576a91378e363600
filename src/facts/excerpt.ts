/** The part of a user's data that facts are found on: a small value of every shape that the first one has. */
import type { Dataset } from "../model/dataset.ts";
import { type MessageType, messageOf, type Schema } from "../model/schema.ts";
import { isRecord, type RecordValue, type Value, walk } from "../model/value.ts";

/** Most values, with all that they hold, that are given whole: what comes back of the first of many tells that of all. */
const MOST_VALUES = 1000;

/** Most characters or bytes of one text. */
const MOST_UNITS = 4096;

/** Elements of a list, and entries of a map, that are left of a larger value. */
const LEFT = 3;

/**
 * A dataset with its first value only, and of that an excerpt where it is large. A question must not take longer for more. What a
 * layout takes of the data, such as the lengths of texts, it takes of all values still.
 */
export function excerptOf({ name, schema, values, bounds = values, int64 }: Dataset): Dataset {
  return { name, schema, values: values.slice(0, 1).map((value) => excerpt(schema, value)), bounds, int64 };
}

function excerpt(schema: Schema, root: Value): Value {
  let count = 0;
  let longest = 0;
  walk(root, (value) => {
    count += 1;
    if (typeof value === "string" || value instanceof Uint8Array) longest = Math.max(longest, value.length);
  });
  if (count <= MOST_VALUES && longest <= MOST_UNITS) return root;
  const left = count > MOST_VALUES ? LEFT : Number.POSITIVE_INFINITY;
  const inMessage = (type: MessageType, message: RecordValue): RecordValue =>
    Object.fromEntries(
      type.fields
        .filter(({ name }) => Object.hasOwn(message, name))
        .map((field) => {
          const held = message[field.name]!;
          const { type: of, repetition, jsonText } = field;
          const one = (item: Value): Value => {
            if (of.kind === "message" && isRecord(item)) return inMessage(messageOf(schema, of.name), item);
            if (jsonText === true) return item;
            // Not between the halves of a character.
            if (typeof item === "string") return item.slice(0, MOST_UNITS).replace(/[\ud800-\udbff]$/, "");
            return item instanceof Uint8Array ? item.slice(0, MOST_UNITS) : item;
          };
          if (Array.isArray(held)) {
            const most = repetition.kind === "list" && repetition.length !== undefined ? held.length : left;
            return [field.name, (held as Value[]).slice(0, most).map(one)];
          }
          if (repetition.kind !== "map" || !isRecord(held)) return [field.name, one(held)];
          const entries = Object.entries(held).slice(0, left);
          return [field.name, Object.fromEntries(entries.map(([key, item]) => [key, one(item)]))];
        }),
    );
  return isRecord(root) ? inMessage(messageOf(schema, schema.root), root) : root;
}
