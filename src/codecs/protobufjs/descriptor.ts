import type protobuf from "protobufjs";
import { defined } from "../../model/defined.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { numbered } from "../../model/generated-code.ts";
import {
  type EnumType,
  type Field,
  type FieldType,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import {
  isGroup,
  isImplicit,
  isPacked,
  oneofNames,
  protobufScalar,
  protobufSyntax,
} from "../../schema/layout/protobuf.ts";

/** A schema as the reflection of protobufjs takes it, and the name of its root there. */
export interface Descriptor {
  readonly namespace: protobuf.INamespace;
  readonly root: string;
}

/**
 * Describes a schema to protobufjs. Types get names of our own, which no value shows; fields keep theirs, which
 * are the keys of values. All else is said in edition features, so that one message may mix what proto2 and
 * proto3 keep apart, and once more as versions before 7.5 read it, which know no editions. Throws UnsupportedError for a
 * name that protobufjs cannot handle.
 */
export function describeSchema(schema: Schema): Descriptor {
  const messages = reachableMessages(schema);
  const enums = reachableEnums(schema);
  const names = new Map([...nameAll(messages, "M"), ...nameAll(enums, "E")]);
  // Only proto3 asks a reader for valid UTF-8, and protobufjs then reads text in another way.
  const features = { utf8_validation: protobufSyntax(schema) === "proto3" ? "VERIFY" : "NONE" };
  const groups = groupsIn(messages);
  const nested: Record<string, protobuf.IType | protobuf.IEnum> = {};
  for (const type of enums) nested[names.get(type.name)!] = describeEnum(type);
  for (const message of messages) {
    const group = groups.has(message.name) ? { group: true } : {};
    nested[names.get(message.name)!] = {
      ...describeMessage(message, names),
      ...group,
      options: { features },
    };
  }
  return { namespace: { nested }, root: names.get(schema.root)! };
}

type Names = ReadonlyMap<string, string>;

/** The messages that are groups. Versions before 7.5 take each to be one, or not, wherever it stands. */
function groupsIn(messages: readonly MessageType[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap(({ fields }) => fields.filter(isGroup)).map(({ type }) => messageName(type)),
  );
}

/**
 * Throws UnsupportedError for what versions before 7.5 cannot be told of a schema: a message that is a group in one place, and
 * none in another.
 */
export function refuseMixedGroups(schema: Schema): void {
  const messages = reachableMessages(schema);
  const groups = groupsIn(messages);
  for (const { name, fields } of messages)
    for (const field of fields) {
      if (isGroup(field) || field.repetition.kind === "map" || !groups.has(messageName(field.type))) continue;
      throw new UnsupportedError(
        `protobufjs before 7.5: field ${name}.${field.name}: a message that is a group elsewhere`,
      );
    }
}

function messageName(type: FieldType): string {
  return type.kind === "message" ? type.name : "";
}

/** Protobuf's newest edition that says everything a schema can say by features. */
const EDITION = "2023";

function nameAll(types: readonly { readonly name: string }[], prefix: string): Names {
  return numbered(
    types.map((type) => type.name),
    prefix,
  );
}

function describeEnum({ values, closed }: EnumType): protobuf.IEnum {
  return {
    edition: EDITION,
    options: { features: { enum_type: closed ? "CLOSED" : "OPEN" } },
    values: Object.fromEntries(values.map(({ number }, i) => [`V${i}`, number])),
  };
}

/**
 * A field that no value has, for a message without fields: protobufjs does not find the end of an unknown group in one
 * (8.8.1, `decoder`). Its number is the highest, which no one uses.
 */
const NO_FIELDS: Record<string, protobuf.IField> = { none: { id: 536_870_911, type: "bool" } };

function describeMessage({ name, fields }: MessageType, names: Names): protobuf.IType {
  for (const field of fields) refuseName(name, field.name);
  if (fields.length === 0) return { edition: EDITION, fields: NO_FIELDS };
  return {
    edition: EDITION,
    fields: Object.fromEntries(fields.map((field) => [field.name, describeField(field, names)])),
    oneofs: describeOneofs(fields),
  };
}

/**
 * `$` starts protobufjs's own properties, a field `__proto__` is left out in silence, and a name that starts
 * with a digit makes its generated code a syntax error (protobufjs 8.8.1, `util.safeProp`).
 */
function refuseName(message: string, name: string): void {
  if (name !== "__proto__" && !/^\$|^\d[\w$]*$/.test(name)) return;
  throw new UnsupportedError(`protobufjs: field ${message}.${name}: it cannot have a field of that name`);
}

function describeOneofs(fields: readonly Field[]): Record<string, protobuf.IOneOf> {
  const result: Record<string, { oneof: string[] }> = {};
  for (const [field, name] of oneofNames(fields)) {
    result[name] ??= { oneof: [] };
    result[name].oneof.push(field.name);
  }
  return result;
}

function describeField(field: Field, names: Names): protobuf.IField | protobuf.IMapField {
  const { number: id, type: of, repetition } = field;
  const type = of.kind === "scalar" ? protobufScalar(of.scalar) : names.get(of.name)!;
  if (repetition.kind === "map") return { id, type, keyType: protobufScalar(repetition.key) };
  const options = defined({
    packed: repetition.kind === "list" && !isPacked(field) ? false : undefined,
    features: featuresOf(field),
    // An implicit field is left out at its default, which protobufjs takes to be an enum's first value.
    default: isImplicit(field) && of.kind === "enum" ? 0 : undefined,
  });
  return defined({ id, type, options, rule: ruleOf(field) });
}

function ruleOf({ repetition }: Field): string | undefined {
  if (repetition.kind === "list") return "repeated";
  return repetition.kind === "one" && repetition.presence === "required" ? "required" : undefined;
}

/** What a field has that is not the edition's default: explicit presence, packed lists, length prefixes. */
function featuresOf(field: Field): Record<string, string> {
  const features: Record<string, string> = {};
  if (isGroup(field)) features["message_encoding"] = "DELIMITED";
  if (field.repetition.kind === "list" && !isPacked(field)) features["repeated_field_encoding"] = "EXPANDED";
  if (isImplicit(field)) features["field_presence"] = "IMPLICIT";
  if (ruleOf(field) === "required") features["field_presence"] = "LEGACY_REQUIRED";
  return features;
}
