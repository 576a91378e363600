import { type Field, integerOf, messageOf, type Scalar, type Schema } from "../../model/schema.ts";
import type { RecordValue, Value } from "../../model/value.ts";

/**
 * What a value holds, in bytes and whatever the format: its numbers at their width, its texts as UTF-8, its byte
 * fields. Sizes of messages are compared by it.
 */
export function contentBytes(schema: Schema, value: Value, message = schema.root): number {
  const record = value as RecordValue;
  return messageOf(schema, message).fields.reduce((sum, field) => {
    const held = Object.hasOwn(record, field.name) ? record[field.name]! : undefined;
    return held === undefined ? sum : sum + fieldBytes(schema, field, held);
  }, 0);
}

function fieldBytes(schema: Schema, field: Field, held: Value): number {
  const { repetition } = field;
  if (repetition.kind === "one") return valueBytes(schema, field, held);
  if (repetition.kind === "list")
    return sum((held as readonly Value[]).map((item) => valueBytes(schema, field, item)));
  return sum(
    Object.entries(held as RecordValue).map(
      ([key, item]) => keyBytes(repetition.key, key) + valueBytes(schema, field, item),
    ),
  );
}

function valueBytes(schema: Schema, { type }: Field, value: Value): number {
  if (type.kind === "message") return contentBytes(schema, value, type.name);
  if (type.kind === "enum") return 4;
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : width(type.scalar);
}

function keyBytes(scalar: Scalar, key: string): number {
  return scalar === "string" ? Buffer.byteLength(key) : width(scalar);
}

function width(scalar: Scalar): number {
  if (scalar === "double") return 8;
  if (scalar === "float") return 4;
  return (integerOf(scalar)?.bits ?? 8) / 8;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
