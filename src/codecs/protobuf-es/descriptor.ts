import { defined } from "../../model/defined.ts";
import { numbered } from "../../model/generated-code.ts";
import {
  type EnumType,
  type Field,
  type FieldType,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { identifiers } from "../../schema/identifiers.ts";
import {
  isGroup,
  isImplicit,
  isPacked,
  oneofOf,
  type ProtobufScalar,
  protobufScalar,
  protobufSyntax,
} from "../../schema/layout/protobuf.ts";
import { jsonName } from "../../schema/values/field-keys.ts";

/** A schema as a FileDescriptorProto, and the full name there of each message by its name in the schema. */
export interface DescribedFile {
  readonly file: object;
  readonly names: ReadonlyMap<string, string>;
}

const PACKAGE = "wirebench";

/** Edition 2023, which says by features what proto2 and proto3 keep apart (descriptor.proto, `Edition`). */
const EDITION = { syntax: "editions", edition: 1000 } as const;

/** descriptor.proto, `FeatureSet`. */
const PRESENCE = { implicit: 2, required: 3 } as const;
const CLOSED_ENUM = 2;
const EXPANDED = 2;
const UTF8 = { verify: 2, none: 3 } as const;
const DELIMITED = 2;

/** descriptor.proto, `FieldDescriptorProto`. */
const LABEL = { optional: 1, repeated: 3 } as const;
const MESSAGE = 11;
const ENUM = 14;
const SCALARS: Readonly<Record<ProtobufScalar, number>> = {
  double: 1,
  float: 2,
  int64: 3,
  uint64: 4,
  int32: 5,
  fixed64: 6,
  fixed32: 7,
  bool: 8,
  string: 9,
  bytes: 12,
  uint32: 13,
  sfixed32: 15,
  sfixed64: 16,
  sint32: 17,
  sint64: 18,
};

/**
 * Describes a schema to protobuf-es. Types get names of our own, so that none is one that it treats in a way of its own;
 * fields keep theirs, as far as they are identifiers that differ in lowerCamelCase.
 */
export function describeFile(schema: Schema): DescribedFile {
  const messages = reachableMessages(schema);
  const enums = reachableEnums(schema);
  const types = new Map([...nameAll(messages, "M"), ...nameAll(enums, "E")]);
  const utf8Validation = protobufSyntax(schema) === "proto3" ? UTF8.verify : UTF8.none;
  const file = {
    ...EDITION,
    name: `${PACKAGE}.proto`,
    package: PACKAGE,
    options: { features: { utf8Validation } },
    messageType: messages.map((message) => describeMessage(message, types)),
    enumType: enums.map((type) => describeEnum(type, types.get(type.name)!)),
  };
  return { file, names: new Map(Array.from(types, ([name, own]) => [name, `${PACKAGE}.${own}`])) };
}

type Names = ReadonlyMap<string, string>;

function nameAll(types: readonly { readonly name: string }[], prefix: string): Names {
  return numbered(
    types.map((type) => type.name),
    prefix,
  );
}

function describeEnum({ values, closed }: EnumType, name: string): object {
  // Where it is left out or left empty, an enum is its first value, and 0 to us.
  const numbers = new Set([0, ...values.map(({ number }) => number)]);
  return {
    name,
    value: Array.from(numbers, (number, index) => ({ name: `${name}_V${index}`, number })),
    options: { features: closed ? { enumType: CLOSED_ENUM } : {} },
  };
}

/** What every object inherits and protobuf-es does not rename: it would take the method for the message of such a field. */
const INHERITED = new Set(["hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString"]);

function describeMessage({ name, fields }: MessageType, types: Names): object {
  const oneofs = [...new Set(fields.map(oneofOf))].filter((oneof) => oneof !== undefined);
  const keys = [
    ...fields.map((field) => (INHERITED.has(jsonName(field.name)) ? `field ${field.number}` : field.name)),
    ...oneofs.map((_, index) => `oneof ${index}`),
  ];
  const names = identifiers(keys, { fold: jsonName });
  const entries: object[] = [];
  const own = types.get(name)!;
  const described = fields.map((field, index) => {
    const oneof = oneofs.indexOf(oneofOf(field) ?? "");
    const { repetition } = field;
    const about = { name: names.get(keys[index]!)!, number: field.number, jsonName: `f${index}` };
    if (repetition.kind === "map") {
      const entry = `Entry${index}`;
      entries.push(describeEntry(entry, repetition.key, field.type, types));
      const typeName = `.${PACKAGE}.${own}.${entry}`;
      return { ...about, type: MESSAGE, typeName, label: LABEL.repeated };
    }
    return defined({
      ...about,
      ...describeType(field.type, types),
      label: repetition.kind === "list" ? LABEL.repeated : LABEL.optional,
      oneofIndex: oneof < 0 ? undefined : oneof,
      options: { features: featuresOf(field) },
    });
  });
  const oneofDecl = oneofs.map((_, index) => ({ name: names.get(`oneof ${index}`)! }));
  return { name: own, field: described, oneofDecl, nestedType: entries };
}

function describeEntry(name: string, key: Scalar, value: FieldType, types: Names): object {
  const scalar: FieldType = { kind: "scalar", scalar: key };
  const field = [
    { name: "key", number: 1, label: LABEL.optional, ...describeType(scalar, types) },
    { name: "value", number: 2, label: LABEL.optional, ...describeType(value, types) },
  ];
  return { name, field, options: { mapEntry: true } };
}

function describeType(type: FieldType, types: Names): { readonly type: number; readonly typeName?: string } {
  if (type.kind === "scalar") return { type: SCALARS[protobufScalar(type.scalar)] };
  return { type: type.kind === "enum" ? ENUM : MESSAGE, typeName: `.${PACKAGE}.${types.get(type.name)!}` };
}

/** What a field has that is not the edition's default: explicit presence, packed lists, length prefixes. */
function featuresOf(field: Field): object {
  const { repetition } = field;
  const required = repetition.kind === "one" && repetition.presence === "required";
  return defined({
    messageEncoding: isGroup(field) ? DELIMITED : undefined,
    repeatedFieldEncoding: repetition.kind === "list" && !isPacked(field) ? EXPANDED : undefined,
    fieldPresence: isImplicit(field) ? PRESENCE.implicit : required ? PRESENCE.required : undefined,
  });
}
