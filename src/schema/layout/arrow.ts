import { UnsupportedError } from "../../model/errors.ts";
import {
  enumInteger,
  enumOf,
  type Field,
  type FieldType,
  hasPresence,
  integerOf,
  type MessageType,
  messageOf,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";

/** A type of Arrow that a field becomes, by the name that the library gives it. */
export type ArrowType =
  | { readonly kind: "Struct"; readonly fields: readonly ArrowField[] }
  | { readonly kind: "List"; readonly item: ArrowType }
  | { readonly kind: "Map"; readonly key: ArrowType; readonly value: ArrowType }
  | { readonly kind: "Utf8" | "Binary" | "Bool" }
  | { readonly kind: ArrowNumber };

/** A type of numbers of one width. */
export type ArrowNumber = `${"Int" | "Uint"}${8 | 16 | 32 | 64}` | "Float32" | "Float64";

/** A column of a table, or of a struct. */
export interface ArrowField {
  readonly name: string;
  readonly type: ArrowType;
  /** Whether rows of it may be absent. */
  readonly nullable: boolean;
}

/** The list that a table is, and what a row of it is. Throws UnsupportedError where the root has anything else. */
export function tableOf(schema: Schema): { readonly list: string; readonly row: MessageType } {
  const { name, fields } = messageOf(schema, schema.root);
  const [field] = fields;
  if (field?.type.kind !== "message" || field.repetition.kind !== "list" || fields.length > 1)
    throw new UnsupportedError(`apache-arrow: ${name} is no table: a list of messages, and nothing else`);
  return { list: field.name, row: messageOf(schema, field.type.name) };
}

/**
 * The columns of a message. Throws UnsupportedError for one that is within itself, and for one without fields, which no buffer
 * holds.
 * @param around the messages that it is in
 */
export function arrowFields(
  schema: Schema,
  { name, fields }: MessageType,
  around: readonly string[] = [],
): ArrowField[] {
  if (around.includes(name)) throw new UnsupportedError(`apache-arrow: ${name} is within itself`);
  if (fields.length === 0) throw new UnsupportedError(`apache-arrow: ${name} has no field, so no column`);
  return fields.map((field) => ({
    name: field.name,
    type: fieldType(schema, field, [...around, name]),
    nullable: hasPresence(field),
  }));
}

function fieldType(schema: Schema, { type, repetition }: Field, around: readonly string[]): ArrowType {
  const one = valueType(schema, type, around);
  switch (repetition.kind) {
    case "one":
      return one;
    case "list":
      return { kind: "List", item: one };
    case "map":
      return { kind: "Map", key: scalarType(repetition.key), value: one };
  }
}

function valueType(schema: Schema, type: FieldType, around: readonly string[]): ArrowType {
  switch (type.kind) {
    case "message":
      return { kind: "Struct", fields: arrowFields(schema, messageOf(schema, type.name), around) };
    case "enum":
      return scalarType(enumInteger(enumOf(schema, type.name)));
    case "scalar":
      return scalarType(type.scalar);
  }
}

function scalarType(scalar: Scalar): ArrowType {
  const integer = integerOf(scalar);
  if (integer !== undefined) return { kind: `${integer.signed ? "Int" : "Uint"}${integer.bits}` };
  return { kind: OTHERS[scalar]! };
}

const OTHERS: Partial<Record<Scalar, "Bool" | "Utf8" | "Binary" | "Float32" | "Float64">> = {
  bool: "Bool",
  string: "Utf8",
  bytes: "Binary",
  float: "Float32",
  double: "Float64",
};
