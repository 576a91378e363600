import type { Schema } from "fast-json-stringify";
import { defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { numbered } from "../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  hasPresence,
  type MessageType,
  reachableMessages,
} from "../model/schema.ts";
import { bindJson, heldAs } from "../schema/json-binding.ts";
import { textPageCode } from "../schema/page-code.ts";

type Library = typeof import("fast-json-stringify")["default"];

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a dataset's values, as JSON holds them: what `required` lacks may be absent. */
function jsonSchema(dataset: Dataset): JsonSchema {
  const held = heldAs(dataset);
  const messages = reachableMessages(dataset.schema);
  const names = numbered(
    messages.map(({ name }) => name),
    "m",
  );
  const reference = (name: string): JsonSchema => ({ $ref: `#/definitions/${names.get(name)}` });
  const one = (type: FieldType): JsonSchema => {
    if (type.kind === "message") return reference(type.name);
    const as = held(type);
    if (as === "special") return {};
    if (as !== undefined) return { type: "string" };
    return { type: type.kind === "enum" ? "integer" : (JSON_TYPES[type.scalar] ?? "integer") };
  };
  const property = ({ type, repetition }: Field): JsonSchema => {
    if (repetition.kind === "list") return { type: "array", items: one(type) };
    return repetition.kind === "map" ? { type: "object", additionalProperties: one(type) } : one(type);
  };
  const definition = ({ fields }: MessageType): JsonSchema => {
    // The library drops a field by the name of one that every object inherits. It writes any type by JSON.stringify.
    if (fields.some(({ name }) => name in Object.prototype)) return {};
    return {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
      required: fields.filter((field) => !hasPresence(field)).map((field) => field.name),
    };
  };
  return {
    ...reference(dataset.schema.root),
    definitions: Object.fromEntries(
      messages.map((message) => [names.get(message.name), definition(message)]),
    ),
  };
}

const JSON_TYPES: Readonly<Record<string, "boolean" | "string" | "number">> = {
  bool: "boolean",
  string: "string",
  float: "number",
  double: "number",
};

export default defineCodec<Library>({
  format: "json",
  library: "fast-json-stringify",
  tried: "7.3.6",
  load: async () => (await import("fast-json-stringify")).default,
  traits: ["self-describing", "evolves", "needs-eval"],
  summary: "a function that it compiles of the schema as JSON Schema, to UTF-8 bytes; JSON.parse from them",
  bind: (dataset, build) => bindJson(dataset, build(jsonSchema(dataset) as unknown as Schema)),
  page: (dataset) =>
    textPageCode(
      'import build from "fast-json-stringify";',
      `build(${JSON.stringify(jsonSchema(dataset))})`,
      "JSON.parse",
    ),
});
