import type { Mapping } from "../../model/codec.ts";
import { UnsupportedError } from "../../model/errors.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  hasPresence,
  type Int64Mode,
  integerOf,
  reachableEnums,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { emitAvro } from "../../schema/emit/avro.ts";
import { compileConversion, compileCopier } from "../../schema/generate/copy.ts";
import { identifiers } from "../../schema/identifiers.ts";

/** A schema as avsc takes it. */
export type AvroSchema = string | object;

/**
 * The Avro schema of canonical values: the printed one, but that every message in place is a record, which changes no byte.
 * Throws UnsupportedError for a name that values cannot have.
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
  const plain = messages.map(({ name, fields }) => [name, { name, fields }] as const);
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

/** What avsc holds a long in. */
export type Longs = "number" | "bigint";

/**
 * The mapping between plain values and what avsc takes and gives. It takes Buffers only for bytes, names for enums, and
 * undefined or null for what is absent, which it gives as null.
 */
export function compileAvroMapping(schema: Schema, int64: Int64Mode, longs: Longs): Mapping | undefined {
  const symbols = new Map(reachableEnums(schema).map((type, index) => [type.name, `s${index}`]));
  const tables = reachableEnums(schema).map(
    ({ name }, index) => [`s${index}`, tableOf(schema, name)] as const,
  );
  const enums = (way: "to" | "from"): Record<string, unknown> => ({
    asBuffer: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    ...Object.fromEntries(tables.map(([name, table]) => [name, table[way]])),
  });
  const isBig = (type: FieldType): boolean => longs === "bigint" && isNumberAsLong(type, int64);
  const to = compileConversion<Value, unknown>(schema, {
    leaf: (type, value) => {
      // A number without a name stays, and is refused: undefined would be written as the null of a union.
      if (type.kind === "enum") return `(${symbols.get(type.name)}[${value}] ?? ${value})`;
      if (type.kind === "scalar" && type.scalar === "bytes") return `asBuffer(${value})`;
      return isBig(type) ? `BigInt(${value})` : undefined;
    },
    scope: enums("to"),
  });
  const hasNull = reachableMessages(schema).some(({ fields }) => fields.some(hasPresence));
  const rules = {
    leaf: (type: FieldType, value: string): string | undefined => {
      if (type.kind === "enum") return `${symbols.get(type.name)}[${value}]`;
      return isBig(type) ? `Number(${value})` : undefined;
    },
    ...(hasNull && { absent: "null or undefined" as const }),
    scope: enums("from"),
  };
  const from = hasNull
    ? compileCopier<unknown, Value>(schema, rules)
    : compileConversion<unknown, Value>(schema, rules);
  if (to === undefined && from === undefined) return undefined;
  return { ...(to && { to }), ...(from && { from }) };
}

/** Whether a plain number is a long in Avro: what 32 bits with a sign do not hold. */
function isNumberAsLong(type: FieldType, int64: Int64Mode): boolean {
  const integer = type.kind === "scalar" ? integerOf(type.scalar) : undefined;
  if (integer === undefined) return false;
  return integer.bits === 64 ? int64 === "number" : integer.bits === 32 && !integer.signed;
}

/**
 * An enum's symbols by number, the first of those that share one, and its numbers by symbol. They are objects: a `Map` takes
 * longer, three hundredths of an encode of the address book. avsc gives symbols of the schema only.
 */
function tableOf(
  schema: Schema,
  name: string,
): { readonly to: Readonly<Record<number, string>>; readonly from: Readonly<Record<string, number>> } {
  const { values } = enumOf(schema, name);
  const names = identifiers(values.map((value) => value.name));
  const to: Record<number, string> = Object.create(null);
  for (const value of values) to[value.number] ??= names.get(value.name)!;
  return { to, from: Object.fromEntries(values.map((value) => [names.get(value.name)!, value.number])) };
}
