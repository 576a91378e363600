/** Small schemas in a few words. */
import type {
  EnumType,
  Field,
  FieldType,
  MessageType,
  Presence,
  Repetition,
  Scalar,
  Schema,
} from "../../src/model/schema.ts";

/** A schema of one message M in a package, and what else it takes. */
export function schemaOf(
  pkg: string,
  fields: readonly Partial<Field>[],
  more: { readonly enums?: readonly EnumType[]; readonly messages?: readonly MessageType[] } = {},
): Schema {
  const message = messageType(pkg === "" ? "M" : `${pkg}.M`, fields);
  return {
    package: pkg,
    root: message.name,
    messages: new Map([message, ...(more.messages ?? [])].map((one) => [one.name, one])),
    enums: new Map((more.enums ?? []).map((one) => [one.name, one])),
  };
}

/** A message of fields that are optional int32 where nothing else is said, numbered from 1. */
export function messageType(name: string, fields: readonly Partial<Field>[]): MessageType {
  return {
    name,
    fields: fields.map((field, i) => ({
      name: `f${i + 1}`,
      number: i + 1,
      type: { kind: "scalar", scalar: "int32" },
      repetition: single("optional"),
      ...field,
    })),
  };
}

/** An enum of values by name. */
export function enumType(name: string, values: Readonly<Record<string, number>>, closed = true): EnumType {
  const named = Object.entries(values).map(([label, number]) => ({ name: label, number }));
  return { name, values: named, bits: 32, closed };
}

/** One value. */
export function single(presence: Presence): Repetition {
  return { kind: "one", presence };
}

export const list: Repetition = { kind: "list", packed: false };
export const mapOf = (key: Scalar): Repetition => ({ kind: "map", key });
export const of = (scalar: Scalar): FieldType => ({ kind: "scalar", scalar });
export const ofMessage = (name: string): FieldType => ({ kind: "message", name });
export const ofEnum = (name: string): FieldType => ({ kind: "enum", name });
