import type { Dataset } from "../../model/dataset.ts";
import {
  type Field,
  type FieldType,
  is64Bit,
  messageOf,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import { isRecord, type Value } from "../../model/value.ts";
import { assignField, compile, fieldOf, numbered, setOwn } from "../../schema/generate/code.ts";
import { base64, jsonNumber } from "../../schema/values/json-text.ts";

/** Conversions between a plain value and what JSON.stringify and JSON.parse carry. */
export interface JsonMapping {
  toJson(value: Value): unknown;
  fromJson(json: unknown): Value;
}

/**
 * Makes the conversions a dataset needs to go through JSON, or undefined where it needs none: bytes become
 * base64, bigints decimal strings, and floats that JSON cannot write become strings if the values hold any.
 */
export function compileJsonMapping(dataset: Dataset): JsonMapping | undefined {
  const mapped = (type: FieldType): Mapped | undefined => mappingOf(type, dataset);
  const messages = reachableMessages(dataset.schema);
  if (!messages.some((message) => message.fields.some((field) => mapped(field.type) !== undefined))) {
    return undefined;
  }
  return {
    toJson: compileCopier(dataset.schema, (type, value) => mapped(type)?.to(value)),
    fromJson: compileCopier(dataset.schema, (type, value) => mapped(type)?.from(value)),
  } as JsonMapping;
}

interface Mapped {
  to(value: string): string;
  from(value: string): string;
}

function mappingOf(type: FieldType, dataset: Dataset): Mapped | undefined {
  if (type.kind !== "scalar") return undefined;
  const { scalar } = type;
  if (scalar === "bytes") return { to: (v) => `base64(${v})`, from: (v) => `bytes(${v})` };
  if (is64Bit(scalar) && dataset.int64 === "bigint")
    return { to: (v) => `String(${v})`, from: (v) => `BigInt(${v})` };
  if ((scalar === "float" || scalar === "double") && mayHoldSpecials(dataset)) {
    return { to: (v) => `jsonNumber(${v})`, from: (v) => `Number(${v})` };
  }
  return undefined;
}

/** Whether a float may be NaN, infinite or -0. Without values to look at, it may. */
function mayHoldSpecials(dataset: Dataset): boolean {
  return dataset.values.length === 0 || dataset.values.some(holdsSpecial);
}

function holdsSpecial(value: Value): boolean {
  if (typeof value === "number") return typeof jsonNumber(value) === "string";
  if (Array.isArray(value)) return value.some(holdsSpecial);
  return isRecord(value) && Object.values(value).some(holdsSpecial);
}

/** Makes a function that copies a value field by field; `leaf` converts a scalar, or leaves it as it is. */
function compileCopier(
  schema: Schema,
  leaf: (type: FieldType, value: string) => string | undefined,
): (value: never) => unknown {
  const messages = reachableMessages(schema);
  const names = numbered(
    messages.map((message) => message.name),
    "copy",
  );
  const one = (type: FieldType, value: string): string =>
    type.kind === "message" ? `${names.get(type.name)}(${value})` : (leaf(type, value) ?? value);
  const functions = messages.map(
    (message) => `function ${names.get(message.name)}(m) {
  const o = {};
  let x;
${messageOf(schema, message.name)
  .fields.map((field) => copyField(field, one))
  .join("\n")}
  return o;
}`,
  );
  return compile(`${functions.join("\n")}\nreturn ${names.get(schema.root)};`, {
    base64,
    bytes,
    jsonNumber,
    setOwn,
  });
}

function copyField(field: Field, one: (type: FieldType, value: string) => string): string {
  const read = `  x = ${fieldOf("m", field.name)};`;
  switch (field.repetition.kind) {
    case "list":
      return `${read} ${assignField("o", field.name, `x.map((e) => ${one(field.type, "e")})`)}`;
    case "map":
      return `${read} { const c = {}; for (const k of Object.keys(x)) setOwn(c, k, ${one(field.type, "x[k]")}); ${assignField("o", field.name, "c")} }`;
    case "one":
      return field.repetition.presence === "optional"
        ? `${read} if (x !== undefined) { ${assignField("o", field.name, one(field.type, "x"))} }`
        : `${read} ${assignField("o", field.name, one(field.type, "x"))}`;
  }
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}
