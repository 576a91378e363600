import { UsageError } from "../../model/errors.ts";
import type { EnumType, Field, FieldType, MessageType, Repetition, Schema } from "../../model/schema.ts";
import { jsonName } from "../values/field-keys.ts";
import type { DraftField, DraftMessage, DraftType } from "./draft.ts";
import { isIdentifier } from "./kinds.ts";

/** A schema of drafted messages, all named after their keys; those that were seen earlier keep their names. */
export function namedSchema(root: DraftMessage): Schema {
  const all = [...reached(root)];
  const names = new Map<DraftMessage, string>();
  const taken = new Set<string>();
  const byAge = all.filter((message) => message !== root).sort((a, b) => a.order - b.order);
  for (const message of [root, ...byAge]) names.set(message, distinct(typeName(message.key), taken, folded));
  const enums = new Map<string, EnumType>();
  const messages = all.map((message) => messageType(message, names, enums));
  const isTimed = messages.some(({ fields }) => fields.some(({ type }) => isTimestamp(type)));
  const known = isTimed ? [...messages, TIMESTAMP] : messages;
  return {
    package: "",
    root: names.get(root)!,
    messages: new Map(known.map((message) => [message.name, message])),
    enums,
    isProto3: true,
  };
}

/** Every message that a field leads to, the root first. */
function reached(root: DraftMessage): ReadonlySet<DraftMessage> {
  const found = new Set([root]);
  for (const { fields } of found)
    for (const { type } of fields) if (type.kind === "message") found.add(type.message);
  return found;
}

function messageType(
  message: DraftMessage,
  names: ReadonlyMap<DraftMessage, string>,
  enums: Map<string, EnumType>,
): MessageType {
  const name = names.get(message)!;
  const taken = new Set<string>();
  const fields = message.fields.map((field): Field => {
    const own = distinct(fieldName(field), taken, folded);
    const isKept = message.inPlace || jsonName(own) === field.key;
    return {
      name: own,
      ...(isKept ? {} : { jsonName: field.key }),
      number: field.number,
      type: typeOf(field, `${name}.${typeName(field.key)}`, names, enums),
      repetition: packable(field),
      ...(field.isOneof ? { oneof: "kind" } : {}),
      ...(field.type.kind === "scalar" && field.type.jsonText === true ? { jsonText: true } : {}),
      ...(field.comment === "" ? {} : { comment: field.comment }),
    };
  });
  return {
    name,
    fields,
    ...(message.inPlace ? { inPlace: true } : {}),
    ...(message.nullKeys.length === 0 ? {} : { nullKeys: message.nullKeys }),
    ...(message.comment === "" ? {} : { comment: message.comment }),
  };
}

function packable({ type, repetition }: DraftField): Repetition {
  if (repetition.kind !== "list") return repetition;
  const isText = type.kind === "scalar" && (type.scalar === "string" || type.scalar === "bytes");
  return { kind: "list", packed: (type.kind === "scalar" && !isText) || type.kind === "enum" };
}

function typeOf(
  { type }: Pick<DraftField, "type">,
  enumName: string,
  names: ReadonlyMap<DraftMessage, string>,
  enums: Map<string, EnumType>,
): FieldType {
  switch (type.kind) {
    case "scalar":
      return { kind: "scalar", scalar: type.scalar };
    case "message":
      return { kind: "message", name: names.get(type.message)! };
    case "timestamp":
      return { kind: "message", name: TIMESTAMP.name };
    case "enum":
      enums.set(enumName, enumType(enumName, type));
      return { kind: "enum", name: enumName };
  }
}

/** Its values are named as in the documents, by first appearance; 0 is none of them, as is the custom. */
function enumType(name: string, { texts }: Extract<DraftType, { kind: "enum" }>): EnumType {
  const odd = texts.find((text) => !isIdentifier(text));
  if (odd !== undefined)
    throw new UsageError(`hint enum: ${name}: ${JSON.stringify(odd)} cannot be the name of a value`);
  const none = distinct("UNSPECIFIED", new Set(texts.map(folded)), folded);
  const values = [none, ...texts].map((text, number) => ({ name: text, number }));
  return { name, values, bits: 32, closed: false };
}

const TIMESTAMP: MessageType = {
  name: "google.protobuf.Timestamp",
  fields: [
    {
      name: "seconds",
      number: 1,
      type: { kind: "scalar", scalar: "int64" },
      repetition: { kind: "one", presence: "implicit" },
    },
    {
      name: "nanos",
      number: 2,
      type: { kind: "scalar", scalar: "int32" },
      repetition: { kind: "one", presence: "implicit" },
    },
  ],
};

function isTimestamp(type: FieldType): boolean {
  return type.kind === "message" && type.name === TIMESTAMP.name;
}

/** `first_name` of `first name`; a key without a letter is called by its number. */
function fieldName({ key, number }: DraftField): string {
  if (isIdentifier(key)) return key;
  const name = words(key).join("_");
  if (name === "") return `field_${number}`;
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/** `PhoneNumber` of `phone-number`. */
function typeName(key: string): string {
  const name = words(key)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  if (name === "") return "Item";
  return /^[0-9]/.test(name) ? `N${name}` : name;
}

function words(key: string): string[] {
  return key.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
}

/** What must differ: protobuf compares names without case and underscores. */
function folded(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function distinct(name: string, taken: Set<string>, fold: (name: string) => string): string {
  let candidate = name;
  for (let i = 2; taken.has(fold(candidate)); i++) candidate = `${name}_${i}`;
  taken.add(fold(candidate));
  return candidate;
}
