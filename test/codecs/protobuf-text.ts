/** Protobuf's text format, from which `protoc --encode` makes bytes. */
import { type Field, messageOf, type Schema } from "../../src/model/schema.ts";
import { isRecord, type Value } from "../../src/model/value.ts";
import { isGroup, isImplicit } from "../../src/schema/layout/protobuf.ts";

/** A value of a message in text format. What implicit presence leaves out of the bytes is left out here. */
export function protobufText(schema: Schema, name: string, value: Value): string {
  const lines = messageOf(schema, name).fields.flatMap((field) => fieldText(schema, field, value));
  return lines.join("\n");
}

function fieldText(schema: Schema, field: Field, message: Value): string[] {
  const value = isRecord(message) && Object.hasOwn(message, field.name) ? message[field.name] : undefined;
  if (value === undefined || (isImplicit(field) && isZero(value))) return [];
  // A group goes by the name of its type.
  const name = isGroup(field) ? field.name.charAt(0).toUpperCase() + field.name.slice(1) : field.name;
  const { repetition } = field;
  if (repetition.kind === "list") {
    return (value as readonly Value[]).map((item) => `${name} ${one(schema, field, item)}`);
  }
  if (repetition.kind === "map") {
    const quote = repetition.key === "string" ? quoted : (key: string): string => key;
    return Object.entries(value as Readonly<Record<string, Value>>).map(
      ([key, item]) => `${name} { key: ${quote(key)} value ${one(schema, field, item)} }`,
    );
  }
  return [`${name} ${one(schema, field, value)}`];
}

function one(schema: Schema, { type }: Field, value: Value): string {
  if (type.kind === "message") return `{\n${protobufText(schema, type.name, value)}\n}`;
  if (typeof value === "string") return `: ${quoted(value)}`;
  if (value instanceof Uint8Array) return `: ${escaped(value)}`;
  return `: ${typeof value === "number" ? numberText(value) : String(value)}`;
}

function isZero(value: Value): boolean {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length === 0;
  return value === false || value === 0n || Object.is(value, 0);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

function quoted(text: string): string {
  return escaped(Buffer.from(text));
}

function escaped(bytes: Uint8Array): string {
  return `"${Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;
}
