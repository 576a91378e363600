import { UnsupportedError } from "../../model/errors.ts";
import { type Field, reachableMessages, type Scalar, type Schema } from "../../model/schema.ts";
import { emitAvro } from "../../schema/emit/avro.ts";
import { identifiers } from "../../schema/identifiers.ts";

/** A schema as avsc takes it. */
export type AvroSchema = string | object;

/**
 * The Avro schema of canonical values: what the printed one says, but that messages in place are records, and 64-bit
 * integers without a sign are longs. Throws UnsupportedError for a name that values cannot have.
 */
export function avroSchema(schema: Schema): AvroSchema {
  const messages = reachableMessages(schema);
  for (const { name, fields } of messages) {
    const known = identifiers(fields.map((field) => field.name));
    for (const field of fields) {
      const problem = problemOf(field, known.get(field.name));
      if (problem !== undefined) throw new UnsupportedError(`avsc: field ${name}.${field.name}: ${problem}`);
    }
  }
  const plain = messages.map(({ name, fields }) => [name, { name, fields: fields.map(asLong) }] as const);
  return JSON.parse(emitAvro({ ...schema, messages: new Map(plain) })) as AvroSchema;
}

function problemOf({ name, repetition }: Field, identifier: string | undefined): string | undefined {
  if (identifier !== name) return "a name in Avro has letters, digits and underscores only";
  if (name === "__proto__") return "it would set the prototype of the record that avsc reads";
  const isAbsent = repetition.kind === "one" && repetition.presence === "optional";
  if (isAbsent && name in Object.prototype)
    return "where it is absent, avsc writes what every object inherits";
  return undefined;
}

const SIGNED: Partial<Record<Scalar, Scalar>> = { uint64: "int64", fixed64: "int64" };

function asLong(field: Field): Field {
  const { type } = field;
  if (type.kind !== "scalar") return field;
  return { ...field, type: { kind: "scalar", scalar: SIGNED[type.scalar] ?? type.scalar } };
}
