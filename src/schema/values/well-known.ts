/**
 * The messages of `google/protobuf/*.proto` that have a JSON form of their own (language guide, "JSON Mapping"): what the
 * form of each stands for, as the fields of the message.
 */
import { ValueError } from "../../model/errors.ts";
import type { Field, FieldType, MessageType, Schema } from "../../model/schema.ts";
import { isRecord, show, type Value } from "../../model/value.ts";
import { durationOf, pathsOf, timestampOf } from "./well-known-text.ts";

/** Which form a message has in JSON: that of its one field for `wrapper`, else that of its name. */
export type WellKnown =
  | "any"
  | "duration"
  | "field mask"
  | "list"
  | "struct"
  | "timestamp"
  | "value"
  | "wrapper";

const KINDS: ReadonlyMap<string, WellKnown> = new Map([
  ["Any", "any"],
  ["Duration", "duration"],
  ["FieldMask", "field mask"],
  ["ListValue", "list"],
  ["Struct", "struct"],
  ["Timestamp", "timestamp"],
  ["Value", "value"],
  ...["Bool", "Int32", "Int64", "UInt32", "UInt64", "Float", "Double", "String", "Bytes"].map(
    (name): [string, WellKnown] => [`${name}Value`, "wrapper"],
  ),
]);

const PACKAGE = "google.protobuf.";

/** How many fields each has, numbered from 1. */
const FIELDS: Readonly<Record<WellKnown, number>> = {
  any: 2,
  duration: 2,
  "field mask": 1,
  list: 1,
  struct: 1,
  timestamp: 2,
  value: 6,
  wrapper: 1,
};

/** The form of a message in JSON; undefined for one that is an object of its fields there. */
export function wellKnownOf({ name, fields }: MessageType): WellKnown | undefined {
  if (!name.startsWith(PACKAGE)) return undefined;
  const kind = KINDS.get(name.slice(PACKAGE.length));
  if (kind === undefined) return undefined;
  // Somebody may have a message of that name and of other fields.
  const has = (number: number): boolean => fields.some((field) => field.number === number);
  return Array.from({ length: FIELDS[kind] }, (_, i) => i + 1).every(has) ? kind : undefined;
}

/** Whether JSON's null is a value of a type, and does not stand for absence. */
export function takesNull(type: FieldType): boolean {
  return type.kind !== "scalar" && (type.name === `${PACKAGE}Value` || isNullValue(type.name));
}

/** Whether it is the enum whose only value is null in JSON. */
export function isNullValue(enumName: string): boolean {
  return enumName === `${PACKAGE}NullValue`;
}

/** The field of a number: files that declare these messages differ in the names (`number_value`, `numberValue`). */
export function fieldOfNumber({ name, fields }: MessageType, number: number): Field {
  const found = fields.find((field) => field.number === number);
  if (found === undefined) throw new Error(`${name} has no field ${number}`);
  return found;
}

/** Fields of {@link WellKnown} `value`, by their numbers in struct.proto. */
export const VALUE = { null: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;

/**
 * The fields of a message, given its form in JSON. What is in a struct, list or value keeps its form. Throws ValueError
 * without a path.
 */
export function fieldsOfForm(
  type: MessageType,
  kind: Exclude<WellKnown, "any">,
  given: unknown,
): Readonly<Record<string, unknown>> {
  const fields = (...values: readonly unknown[]): Record<string, unknown> =>
    Object.fromEntries(values.map((value, index) => [fieldOfNumber(type, index + 1).name, value]));
  switch (kind) {
    case "wrapper":
      if (given === null) throw mismatch(type, "a value", given);
      return fields(given);
    case "timestamp":
    case "duration": {
      const read = kind === "timestamp" ? timestampOf : durationOf;
      const { seconds, nanos } = read(text(type, given));
      return fields(seconds, nanos);
    }
    case "field mask":
      return fields(pathsOf(text(type, given)));
    case "list":
      if (!Array.isArray(given)) throw mismatch(type, "a list", given);
      return fields(given);
    case "struct":
      if (!isRecord(given)) throw mismatch(type, "an object", given);
      return fields(given);
    case "value": {
      const { number, value } = valueField(type, given);
      return { [fieldOfNumber(type, number).name]: value };
    }
  }
}

/** What stands in JSON for a message of any type. */
export interface AnyForm {
  readonly url: string;
  /** The type of the message; undefined for none, which is empty. */
  readonly held: MessageType | undefined;
  /** The message in its own form. */
  readonly content: unknown;
}

/** Divides the form of `google.protobuf.Any`. Throws ValueError without a path. */
export function anyForm(schema: Schema, given: Readonly<Record<string, unknown>>): AnyForm {
  const { "@type": url, ...content } = given;
  if (url === undefined && Object.keys(content).length === 0) return { url: "", held: undefined, content };
  if (typeof url !== "string")
    throw new ValueError("", `expected the type of the message as "@type", got ${show(url)}`);
  const held = typeOfUrl(schema, url);
  if (wellKnownOf(held) === undefined) return { url, held, content };
  // What has a form of its own stands beside its type.
  const { value, ...rest } = content;
  const [more] = Object.keys(rest);
  if (more !== undefined)
    throw new ValueError("", `${held.name} stands under "value", got ${show(more)} too`);
  if (value === undefined) throw new ValueError("", `${held.name} stands under "value", which is missing`);
  return { url, held, content: value };
}

/** The type that a type URL names after its last slash. Throws ValueError without a path. */
export function typeOfUrl(schema: Schema, url: string): MessageType {
  const held = schema.messages.get(url.slice(url.lastIndexOf("/") + 1));
  if (held !== undefined) return held;
  throw new ValueError("", `the schema has no message ${show(url)}: its file is to be imported`);
}

/** The fields of `google.protobuf.Any`. */
export function anyFields(
  type: MessageType,
  url: string,
  bytes: Uint8Array,
): Readonly<Record<string, unknown>> {
  return { [fieldOfNumber(type, 1).name]: url, [fieldOfNumber(type, 2).name]: bytes };
}

function text(type: MessageType, given: unknown): string {
  if (typeof given === "string") return given;
  throw mismatch(type, "text", given);
}

/** Which field of `google.protobuf.Value` holds what stands in JSON. */
function valueField(type: MessageType, given: unknown): { readonly number: number; readonly value: unknown } {
  if (given === null) return { number: VALUE.null, value: 0 };
  if (typeof given === "number" || typeof given === "bigint") {
    const value = Number(given);
    if (!Number.isFinite(value)) throw new ValueError("", "a number outside the range of a double");
    return { number: VALUE.number, value };
  }
  if (typeof given === "string") return { number: VALUE.string, value: given };
  if (typeof given === "boolean") return { number: VALUE.bool, value: given };
  if (Array.isArray(given)) return { number: VALUE.list, value: given };
  if (isRecord(given)) return { number: VALUE.struct, value: given };
  throw mismatch(type, "what JSON holds", given);
}

function mismatch({ name }: MessageType, expected: string, given: unknown): ValueError {
  return new ValueError("", `expected ${expected} (${name}), got ${show(given as Value)}`);
}
