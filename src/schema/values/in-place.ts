/**
 * Messages that documents hold in place: where the schema has a message of one set field, a document has what that field
 * holds. A list in a list, a value of several kinds and a null in a list have no other form in a schema.
 */
import { type Field, type MessageType, messageOf, type Schema } from "../../model/schema.ts";

/** What a value is to JSON, null aside. */
type Kind = "text" | "number" | "bool" | "list" | "object";

const TESTS: Readonly<Record<Kind, (value: string) => string>> = {
  text: (value) => `typeof ${value} === "string"`,
  number: (value) => `typeof ${value} === "number"`,
  bool: (value) => `typeof ${value} === "boolean"`,
  list: (value) => `Array.isArray(${value})`,
  object: (value) => `typeof ${value} === "object" && !Array.isArray(${value})`,
};

/** The field of a message in place that a document's value is held by; undefined for null and for what none takes. */
export function heldField(schema: Schema, { fields }: MessageType, value: unknown): Field | undefined {
  if (value === null || value === undefined) return undefined;
  if (fields.length === 1) return fields[0];
  const kind = kindOf(value);
  return (
    fields.find((field) => kindsHeld(schema, field).includes(kind)) ??
    fields.find(isAny) ??
    // The text of a number that JSON cannot write.
    (kind === "text" ? fields.find((field) => kindsHeld(schema, field).includes("number")) : undefined)
  );
}

/** The expression of whether a value that is not null is held by a field of a message in place. */
export function heldTest(schema: Schema, { fields }: MessageType, field: Field, value: string): string {
  if (fields.length === 1) return "true";
  const anyOf = (kinds: readonly Kind[]): string =>
    kinds.map((kind) => `(${TESTS[kind](value)})`).join(" || ") || "false";
  const own = kindsHeld(schema, field);
  const others = fields.filter((other) => other !== field).flatMap((other) => kindsHeld(schema, other));
  if (isAny(field)) return `!(${anyOf(others)})`;
  const isTextToo = own.includes("number") && !others.includes("text") && !fields.some(isAny);
  return anyOf(isTextToo ? [...own, "text"] : own);
}

/** Whether a field takes what no other of its message does. */
function isAny({ jsonText, repetition }: Field): boolean {
  return jsonText === true && repetition.kind === "one";
}

/** What a message in place takes, for errors. */
export function heldNames({ fields }: MessageType): string {
  return fields.map(({ name }) => name).join(" or ");
}

function kindOf(value: unknown): Kind {
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "string":
      return "text";
    case "boolean":
      return "bool";
    case "object":
      return "object";
    default:
      return "number";
  }
}

function kindsHeld(schema: Schema, { type, repetition, jsonText }: Field): readonly Kind[] {
  if (repetition.kind === "list") return ["list"];
  if (repetition.kind === "map") return ["object"];
  if (jsonText === true) return [];
  if (type.kind === "enum") return ["text"];
  if (type.kind === "message") {
    const message = messageOf(schema, type.name);
    if (message.inPlace !== true) return ["object"];
    return message.fields.flatMap((field) => kindsHeld(schema, field));
  }
  if (type.scalar === "bool") return ["bool"];
  return type.scalar === "string" || type.scalar === "bytes" ? ["text"] : ["number"];
}
