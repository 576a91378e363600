/** Schemas in code, as datasets declare them. */
import type { EnumType, Field, FieldType, MessageType, Repetition, Scalar, Schema } from "../model/schema.ts";

/** A field that every value has. */
export const always = { kind: "one", presence: "always" } as const;

/** A field that a value may lack. */
export const optional = { kind: "one", presence: "optional" } as const;

/** A list whose elements have a tag each in protobuf, as its proto2 writes them. */
export const list = { kind: "list", packed: false } as const;

/** A list whose numbers share a tag in protobuf, as its proto3 writes them. */
export const packedList = { kind: "list", packed: true } as const;

/** A map with keys of text. */
export const textMap = { kind: "map", key: "string" } as const;

/**
 * A field.
 * @param number protobuf's field number
 * @param type a scalar, or the message or enum that a value is of
 */
export function field(
  number: number,
  name: string,
  type: Scalar | MessageType | EnumType,
  repetition: Repetition,
): Field {
  return { name, number, type: typeOf(type), repetition };
}

function typeOf(type: Scalar | MessageType | EnumType): FieldType {
  if (typeof type === "string") return { kind: "scalar", scalar: type };
  return { kind: "fields" in type ? "message" : "enum", name: type.name };
}

/** A schema of the types that its root needs, the root first. Names are full: `package.Name`. */
export function schemaOf(
  packageName: string,
  [root, ...others]: readonly [MessageType, ...MessageType[]],
  enums: readonly EnumType[] = [],
): Schema {
  return {
    package: packageName,
    root: root.name,
    messages: new Map([root, ...others].map((message) => [message.name, message])),
    enums: new Map(enums.map((type) => [type.name, type])),
  };
}
