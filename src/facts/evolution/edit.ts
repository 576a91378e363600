/** A schema and its values changed together: the same edit at every message of a type. */
import type { Int64Mode } from "../../model/schema.ts";
import {
  type Field,
  is64Bit,
  type MessageType,
  messageOf,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { isRecord, type RecordValue, type Value } from "../../model/value.ts";
import { conform } from "../../schema/values/conform.ts";

/** What a field is that need not be there: with presence, or without where a codec has none. */
export type Absence = "optional" | "implicit";

/** A schema with a value of it: what one version of a program knows, and writes. */
export interface Version {
  readonly schema: Schema;
  readonly value: Value;
}

/**
 * A version of canonical form; undefined where the value does not fit the schema, so that no program could write it.
 */
export function versionOf(schema: Schema, value: unknown, int64: Int64Mode): Version | undefined {
  try {
    return { schema, value: conform(schema, value, { form: "plain", int64 }).value };
  } catch {
    return undefined;
  }
}

/**
 * A schema whose fields that every value of the data has, although it says optional, may be absent. Adapters rely on such fields;
 * programs of other versions, and damaged bytes, lack them.
 * @param absence what they are
 */
export function loosened(schema: Schema, absence: Absence): Schema {
  const loose = (field: Field): Field =>
    field.repetition.kind === "one" && field.repetition.presence === "always"
      ? {
          ...field,
          // What has a default of its own is never absent to a reader.
          repetition: {
            kind: "one",
            presence:
              field.type.kind === "message" ? "optional" : field.default === undefined ? absence : "implicit",
          },
        }
      : field;
  const messages = Array.from(
    schema.messages,
    ([name, type]) =>
      [name, type.form === "struct" ? type : { ...type, fields: type.fields.map(loose) }] as const,
  );
  return { ...schema, messages: new Map(messages) };
}

/** A schema with other fields in one of its messages. */
export function withFields(
  schema: Schema,
  name: string,
  edit: (fields: readonly Field[]) => readonly Field[],
): Schema {
  const type = messageOf(schema, name);
  return { ...schema, messages: new Map(schema.messages).set(name, { ...type, fields: edit(type.fields) }) };
}

/** The fields with another in place of one. */
export function replaced(field: Field, by: Partial<Field>): (fields: readonly Field[]) => Field[] {
  return (fields) => fields.map((one) => (one.name === field.name ? { ...one, ...by } : one));
}

/** A value with every message of a type edited, also those within others of it. */
export function editMessages(
  schema: Schema,
  value: Value,
  name: string,
  edit: (message: RecordValue) => Record<string, unknown>,
): unknown {
  const inMessage = (type: MessageType, message: RecordValue): unknown => {
    const inner: Record<string, Value> = { ...message };
    for (const field of type.fields) {
      const held = message[field.name];
      if (field.type.kind !== "message" || held === undefined || !Object.hasOwn(message, field.name))
        continue;
      const of = messageOf(schema, field.type.name);
      const one = (item: Value): Value => (isRecord(item) ? (inMessage(of, item) as Value) : item);
      if (Array.isArray(held)) inner[field.name] = (held as Value[]).map(one);
      else if (field.repetition.kind === "map" && isRecord(held))
        inner[field.name] = Object.fromEntries(Object.entries(held).map(([key, item]) => [key, one(item)]));
      else inner[field.name] = one(held);
    }
    return type.name === name ? edit(inner) : inner;
  };
  return isRecord(value) ? inMessage(messageOf(schema, schema.root), value) : value;
}

/** A message without a field. */
export function without(message: RecordValue, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(message).filter(([key]) => key !== name));
}

/** An integer as a field of that scalar holds it, a number or a bigint. */
export function integerAs(scalar: Scalar, value: number | bigint, int64: Int64Mode): number | bigint {
  return is64Bit(scalar) && int64 === "bigint" ? BigInt(value) : Number(value);
}
