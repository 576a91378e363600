/** The same data with its 64-bit integers as numbers, as bigints and as decimal text. */
import type { Dataset } from "../model/dataset.ts";
import { UsageError } from "../model/errors.ts";
import {
  type Field,
  is64Bit,
  type MessageType,
  messageOf,
  reachableMessages,
  type Schema,
} from "../model/schema.ts";
import { isRecord, type RecordValue, type Value } from "../model/value.ts";
import { conform } from "../schema/values/conform.ts";
import { wellKnownOf } from "../schema/values/well-known.ts";

/**
 * The forms of a dataset, called `NAME as number` and so on. Without numbers where an integer is not safe. Throws UsageError
 * where it has no 64-bit integers.
 */
export function int64Forms(given: Dataset): Dataset[] {
  const { documents: _, bounds: __, ...dataset } = given;
  const { name, schema, values } = dataset;
  if (!reachableMessages(schema).some((message) => message.fields.some((field) => isLong(message, field))))
    throw new UsageError(`study int64: dataset "${name}" has no 64-bit integers`);
  const held = (int64: "number" | "bigint"): Dataset => ({
    ...dataset,
    name: `${name} as ${int64}`,
    values: values.map((value) => conform(schema, value, { form: "plain", int64 }).value),
    int64,
  });
  const asText = {
    ...dataset,
    name: `${name} as text`,
    schema: textSchema(schema),
    values: textValues(dataset),
  };
  return [...(dataset.int64 === "number" ? [held("number")] : []), held("bigint"), asText];
}

/** Whether a field holds 64-bit integers of the user's: those of a well-known type, such as a time, are a part of it. */
function isLong(message: MessageType, { type }: Field): boolean {
  return type.kind === "scalar" && is64Bit(type.scalar) && wellKnownOf(message) === undefined;
}

/** The layout that a header or a file prescribes is that of integers: a struct of C or FlatBuffers has no place for text. */
function textSchema({ header: _, language: __, ...schema }: Schema): Schema {
  const textField = (field: Field): Field => ({
    ...field,
    type: { kind: "scalar", scalar: "string" },
    // Text has no packed lists.
    repetition: field.repetition.kind === "list" ? { ...field.repetition, packed: false } : field.repetition,
    ...(field.default === undefined ? {} : { default: String(field.default) }),
  });
  const messages = Array.from(
    schema.messages,
    ([name, message]) =>
      [
        name,
        {
          ...message,
          fields: message.fields.map((field) => (isLong(message, field) ? textField(field) : field)),
        },
      ] as const,
  );
  return { ...schema, messages: new Map(messages) };
}

function textValues({ schema, values }: Dataset): Value[] {
  const inMessage = (message: MessageType, value: RecordValue): Value => {
    const entries = message.fields.flatMap((field): (readonly [string, Value])[] => {
      if (!Object.hasOwn(value, field.name)) return [];
      return [[field.name, inField(message, field, value[field.name]!)]];
    });
    return Object.fromEntries(entries);
  };
  const inField = (message: MessageType, field: Field, held: Value): Value => {
    const one = (value: Value): Value => {
      if (isLong(message, field)) return String(value);
      if (field.type.kind !== "message" || !isRecord(value)) return value;
      return inMessage(messageOf(schema, field.type.name), value);
    };
    switch (field.repetition.kind) {
      case "list":
        return (held as readonly Value[]).map(one);
      case "map":
        return Object.fromEntries(
          Object.entries(held as RecordValue).map(([key, value]) => [key, one(value)]),
        );
      case "one":
        return one(held);
    }
  };
  const root = messageOf(schema, schema.root);
  return values.map((value) => (isRecord(value) ? inMessage(root, value) : value));
}
