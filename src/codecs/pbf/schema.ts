import { UnsupportedError } from "../../model/errors.ts";
import { numbered } from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  is64Bit,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import { isGroup, isPacked, oneofNames, oneofOf, protobufScalar } from "../../schema/layout/protobuf.ts";

/** A schema as pbf's compiler takes it from the parser of .proto files, and the root's name there. */
export interface ParsedSchema {
  readonly parsed: object;
  readonly root: string;
}

/**
 * Describes a schema to pbf. Types get names of our own; fields keep theirs. Throws UnsupportedError for what pbf loses:
 * it has no presence, but for bytes, messages and members of oneofs.
 */
export function parsedSchema(schema: Schema): ParsedSchema {
  const messages = reachableMessages(schema);
  const enums = reachableEnums(schema);
  const names = numbered(
    [...messages, ...enums].map(({ name }) => name),
    "T",
  );
  for (const { name, fields } of messages) {
    for (const field of fields) {
      const problem = problemOf(field);
      if (problem !== undefined) throw new UnsupportedError(`pbf: field ${name}.${field.name}: ${problem}`);
    }
  }
  const parsed = {
    syntax: 2,
    messages: messages.map((message) => describeMessage(message, names)),
    enums: enums.map(({ name, values }) => ({
      name: names.get(name)!,
      values: Object.fromEntries(values.map(({ number }, index) => [`V${index}`, { value: number }])),
    })),
  };
  return { parsed, root: names.get(schema.root)! };
}

/** Why pbf does not carry a field (5.1.2); undefined where it does. */
function problemOf(field: Field): string | undefined {
  const { name, type, repetition } = field;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name === "__proto__")
    return "it cannot have a field of that name";
  if (isGroup(field)) return "it does not read groups";
  if (repetition.kind === "map") {
    if (repetition.key === "bool") return "it writes any key that is a bool as false";
    return undefined;
  }
  if (repetition.kind === "list") return undefined;
  const { presence } = repetition;
  if (presence === "optional" && name in Object.prototype)
    return "where it is absent, it writes what every object inherits";
  if (holdsNothing(type) || oneofOf(field) !== undefined) return undefined;
  if (presence === "optional") return "it reads what is absent as 0 or empty";
  return presence === "required" ? "it leaves out what is required where that is 0 or empty" : undefined;
}

/** Whether pbf has a value, undefined, for a field of this type that is absent. */
function holdsNothing(type: FieldType): boolean {
  return type.kind === "message" || (type.kind === "scalar" && type.scalar === "bytes");
}

function describeMessage({ name, fields }: MessageType, names: ReadonlyMap<string, string>): object {
  const typeName = (type: FieldType): string =>
    type.kind === "scalar" ? protobufScalar(type.scalar) : names.get(type.name)!;
  const oneofs = oneofNames(fields);
  return {
    name: names.get(name)!,
    fields: fields.map((field) => {
      const { repetition, type } = field;
      const isMap = repetition.kind === "map";
      return {
        name: field.name,
        tag: field.number,
        type: isMap ? "map" : typeName(type),
        map: isMap ? { from: protobufScalar(repetition.key), to: typeName(type) } : null,
        oneof: oneofs.get(field) ?? null,
        required: false,
        repeated: repetition.kind === "list",
        options: isPacked(field) ? { packed: "true" } : {},
      };
    }),
  };
}

/** The schema whose numbers and texts may be left out of the bytes: pbf does so where they are 0 or empty. */
export function withoutPresence(schema: Schema): Schema {
  const implicit = (field: Field): Field => {
    const { type, repetition } = field;
    const changes =
      repetition.kind === "one" &&
      repetition.presence === "always" &&
      type.kind !== "message" &&
      oneofOf(field) === undefined;
    return changes ? { ...field, repetition: { kind: "one", presence: "implicit" } } : field;
  };
  const messages = Array.from(
    schema.messages,
    ([name, message]) => [name, { ...message, fields: message.fields.map(implicit) }] as const,
  );
  return { ...schema, messages: new Map(messages) };
}

/** Whether a schema has integers of 64 bits, keys of maps aside. */
export function hasLongs(schema: Schema): boolean {
  return reachableMessages(schema).some(({ fields }) =>
    fields.some(({ type }) => type.kind === "scalar" && is64Bit(type.scalar)),
  );
}
