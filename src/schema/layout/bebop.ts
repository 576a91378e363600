import { UnsupportedError } from "../../model/errors.ts";
import {
  type Field,
  type FieldType,
  type MessageType,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";

/** How a value lies in the bytes: in so many of them, or behind a length of four. */
export interface BebopScalar {
  /** End of the names of the view's methods: `readInt32`, `writeInt32`. */
  readonly method: string;
  /** Undefined for text and bytes. */
  readonly bytes?: number;
}

const SCALARS: Readonly<Record<Scalar, BebopScalar>> = {
  bool: { method: "Byte", bytes: 1 },
  // There is no signed byte.
  int8: { method: "Int16", bytes: 2 },
  uint8: { method: "Byte", bytes: 1 },
  int16: { method: "Int16", bytes: 2 },
  uint16: { method: "Uint16", bytes: 2 },
  int32: { method: "Int32", bytes: 4 },
  uint32: { method: "Uint32", bytes: 4 },
  int64: { method: "Int64", bytes: 8 },
  uint64: { method: "Uint64", bytes: 8 },
  sint32: { method: "Int32", bytes: 4 },
  sint64: { method: "Int64", bytes: 8 },
  fixed32: { method: "Uint32", bytes: 4 },
  fixed64: { method: "Uint64", bytes: 8 },
  sfixed32: { method: "Int32", bytes: 4 },
  sfixed64: { method: "Int64", bytes: 8 },
  float: { method: "Float32", bytes: 4 },
  double: { method: "Float64", bytes: 8 },
  string: { method: "String" },
  bytes: { method: "Bytes" },
};

/** The scalar that a type is: an enum is one of int32. Undefined for messages. */
export function bebopScalar(type: FieldType): BebopScalar | undefined {
  if (type.kind === "message") return undefined;
  return SCALARS[type.kind === "enum" ? "int32" : type.scalar];
}

/** A field of a Bebop `message`, and its index there. */
export interface BebopField {
  readonly field: Field;
  readonly index: number;
}

/**
 * The fields of a message by their indexes: their numbers, or where one is beyond 255 their places. Throws UnsupportedError
 * for more than 255 fields.
 */
export function bebopFields({ name, fields }: MessageType): readonly BebopField[] {
  if (fields.length > 255) throw new UnsupportedError(`${name}: a message of Bebop has at most 255 fields`);
  const areIndexes = fields.every(({ number }) => number <= 255);
  return fields
    .map((field, i) => ({ field, index: areIndexes ? field.number : i + 1 }))
    .toSorted((a, b) => a.index - b.index);
}

/** The fields of each message that the root leads to, by the message's name and their indexes. */
export function bebopIndexes(schema: Schema): ReadonlyMap<string, ReadonlyMap<number, Field>> {
  return new Map(
    reachableMessages(schema).map((message) => [
      message.name,
      new Map(bebopFields(message).map(({ field, index }) => [index, field])),
    ]),
  );
}
