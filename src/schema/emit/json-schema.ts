import {
  enumOf,
  type Field,
  type FieldType,
  integerOf,
  type MessageType,
  messageOf,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { FieldsByKey } from "../values/field-keys.ts";

type Json = { readonly [key: string]: unknown };

/**
 * The JSON Schema (draft 2020-12) of a schema's documents. A field that a reader can do without may be missing or null.
 * @param areComplete whether documents have every field that always has a value, as those that a schema is inferred from
 */
export function emitJsonSchema(schema: Schema, areComplete = false): string {
  const messages = reachableMessages(schema);
  const definitions = messages.map(({ name, ...message }) => [
    name,
    messageSchema(schema, { name, ...message }, areComplete),
  ]);
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $ref: referenceTo(schema.root),
    $defs: Object.fromEntries(definitions) as Json,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function messageSchema(schema: Schema, message: MessageType, areComplete: boolean): Json {
  const { fields, comment, inPlace, nullKeys = [] } = message;
  const described = comment === undefined ? {} : { description: comment };
  if (inPlace === true) {
    return { ...described, anyOf: [...fields.map((field) => contentSchema(schema, field)), NULL] };
  }
  const isRequired = ({ repetition }: Field): boolean =>
    repetition.kind === "one" &&
    (repetition.presence === "required" || (areComplete && repetition.presence === "implicit"));
  const keys = new FieldsByKey("json").printed(message);
  const properties = fields.map((field, i): [string, Json] => {
    const content = contentSchema(schema, field);
    const own = field.comment === undefined ? {} : { description: field.comment };
    return [keys[i]!, isRequired(field) ? { ...own, ...content } : { ...own, anyOf: [content, NULL] }];
  });
  const nulls = nullKeys.map((key): [string, Json] => [key, NULL]);
  const required = keys.filter((_, i) => isRequired(fields[i]!));
  return {
    ...described,
    type: "object",
    // fromEntries defines fields, so that a key `__proto__` stays a key.
    properties: Object.fromEntries([...properties, ...nulls]) as Json,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function contentSchema(schema: Schema, { type, repetition, jsonText }: Field): Json {
  const one = jsonText === true ? {} : typeSchema(schema, type);
  if (repetition.kind === "list") return { type: "array", items: one };
  return repetition.kind === "map" ? { type: "object", additionalProperties: one } : one;
}

function typeSchema(schema: Schema, type: FieldType): Json {
  if (type.kind === "message") {
    const { name } = messageOf(schema, type.name);
    return name === "google.protobuf.Timestamp"
      ? { type: "string", format: "date-time" }
      : { $ref: referenceTo(name) };
  }
  if (type.kind === "scalar") return scalarSchema(type.scalar);
  return { enum: enumOf(schema, type.name).values.flatMap(({ name, number }) => [name, number]) };
}

function scalarSchema(scalar: Scalar): Json {
  switch (scalar) {
    case "bool":
      return { type: "boolean" };
    case "string":
      return { type: "string" };
    case "bytes":
      return { type: "string", contentEncoding: "base64" };
    case "float":
    case "double":
      return { type: ["number", "string"] };
    default: {
      const { bits, signed } = integerOf(scalar)!;
      if (bits === 64) return { type: ["integer", "string"] };
      const [minimum, maximum] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
      return { type: "integer", minimum, maximum };
    }
  }
}

function referenceTo(name: string): string {
  return `#/$defs/${name}`;
}

const NULL: Json = { type: "null" };
