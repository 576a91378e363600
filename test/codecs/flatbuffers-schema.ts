/** Small schemas, for tests of one thing. */
import type { EnumType, Field, MessageType, Repetition, Scalar, Schema } from "../../src/model/schema.ts";

export const optional = { kind: "one", presence: "optional" } as const;
export const required = { kind: "one", presence: "required" } as const;
export const always = { kind: "one", presence: "always" } as const;
export const implicit = { kind: "one", presence: "implicit" } as const;
export const list = { kind: "list", packed: false } as const;

/** A map with keys of that type. */
export function mapBy(key: Scalar): Repetition {
  return { kind: "map", key };
}

/** The type of a field that holds a message. */
export function message(name: string): Field["type"] {
  return { kind: "message", name };
}

/** One field; its number is of no use to FlatBuffers. */
export function field(name: string, type: Scalar | Field["type"], repetition: Repetition = always): Field {
  return {
    name,
    number: 1,
    type: typeof type === "string" ? { kind: "scalar", scalar: type } : type,
    repetition,
  };
}

/** An enum that refuses other numbers. */
export function enumType(name: string, values: readonly [string, number][], bits: 8 | 32 = 32): EnumType {
  return { name, values: values.map(([label, number]) => ({ name: label, number })), bits, closed: true };
}

/** A schema whose root is `test.Root` with these fields. */
export function schemaOf(
  fields: readonly Field[],
  others: readonly MessageType[] = [],
  enums: readonly EnumType[] = [],
): Schema {
  const messages = [{ name: "test.Root", fields }, ...others];
  return {
    package: "test",
    root: "test.Root",
    messages: new Map(messages.map((one) => [one.name, one])),
    enums: new Map(enums.map((type) => [type.name, type])),
  };
}
