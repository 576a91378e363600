import { UnsupportedError } from "../../model/errors.ts";
import {
  type Field,
  type FieldType,
  type MessageType,
  messageOf,
  reachableEnums,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";

/** Highest field number, and the range kept for implementations (language guide, "Assigning Field Numbers"). */
const MAX_FIELD_NUMBER = 536_870_911;
const RESERVED_NUMBERS = { from: 19_000, to: 19_999 };

/** Why protobuf does not allow a field number; undefined where it does. */
export function fieldNumberProblem(number: number): string | undefined {
  const { from, to } = RESERVED_NUMBERS;
  const allowed = Number.isInteger(number) && number >= 1 && number <= MAX_FIELD_NUMBER;
  if (allowed && (number < from || number > to)) return undefined;
  return `number ${number} is not allowed, expected 1 to ${MAX_FIELD_NUMBER} outside ${from} to ${to}`;
}

/** Protobuf's scalar types: the narrow integers are 32 bits wide there. */
export type ProtobufScalar = Exclude<Scalar, "int8" | "uint8" | "int16" | "uint16">;

/** The type that holds a scalar in protobuf. On the wire it is the same varint. */
export function protobufScalar(scalar: Scalar): ProtobufScalar {
  switch (scalar) {
    case "int8":
    case "int16":
      return "int32";
    case "uint8":
    case "uint16":
      return "uint32";
    default:
      return scalar;
  }
}

/** The name that protoc gives the entry type of a map field: `PhoneNumEntry` for `phone_num`. */
export function mapEntryName(field: string): string {
  return `${field.replace(/(?:^|_+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

/** Whether lists of this type may be packed: all numbers, and no strings, bytes or messages. */
export function isPackable(type: FieldType): boolean {
  return (
    type.kind === "enum" || (type.kind === "scalar" && type.scalar !== "string" && type.scalar !== "bytes")
  );
}

/** Whether a list is packed on the wire. */
export function isPacked({ type, repetition }: Field): boolean {
  return repetition.kind === "list" && repetition.packed && isPackable(type);
}

/** Whether a field is between a start tag and an end tag. */
export function isGroup({ type, repetition, group }: Field): boolean {
  return group === true && type.kind === "message" && repetition.kind !== "map";
}

/** The oneof that a field is a member of. Its members are single values that can be absent. */
export function oneofOf({ oneof, repetition }: Field): string | undefined {
  if (repetition.kind !== "one") return undefined;
  return repetition.presence === "optional" || repetition.presence === "always" ? oneof : undefined;
}

/** Names for a message's oneofs that no field of it has, by their members. */
export function oneofNames(fields: readonly Field[]): ReadonlyMap<Field, string> {
  const taken = new Set(fields.map(({ name }) => name));
  const oneofs = [...new Set(fields.map(oneofOf))].filter((oneof) => oneof !== undefined);
  const names = oneofs.map((oneof, i) => {
    let name = `oneof${i}`;
    while (taken.has(name)) name += "_";
    return [oneof, name] as const;
  });
  const byOneof = new Map(names);
  return new Map(
    fields.flatMap((field) => {
      const name = byOneof.get(oneofOf(field) ?? "");
      return oneofOf(field) === undefined || name === undefined ? [] : [[field, name] as const];
    }),
  );
}

/** Whether a field is left out of the bytes when it is zero or empty. A message never is. */
export function isImplicit({ type, repetition }: Field): boolean {
  return repetition.kind === "one" && repetition.presence === "implicit" && type.kind !== "message";
}

/**
 * The syntax whose meaning a schema has. Only proto3 has implicit presence and open enums; only proto2 has
 * required fields, groups, defaults and closed enums. A schema with some of both, as editions allow, is neither,
 * and counts as proto2, unless a group contains itself: only editions can say that, and count as 2023.
 */
export function protobufSyntax(schema: Schema): "proto2" | "proto3" | "2023" {
  const messages = reachableMessages(schema);
  if (hasEndlessGroups(schema, messages)) return "2023";
  const fields = messages.flatMap((message) => message.fields);
  const enums = reachableEnums(schema);
  const onlyProto2 =
    enums.some((type) => type.closed || type.values[0]?.number !== 0) ||
    fields.some((field) => isRequired(field) || isGroup(field) || field.default !== undefined);
  if (onlyProto2) return "proto2";
  return fields.some(isImplicit) || enums.length > 0 || schema.isProto3 === true ? "proto3" : "proto2";
}

/** Whether a list of numbers is packed where a .proto file of the schema does not say so. */
export function packsLists(schema: Schema): boolean {
  return schema.packsLists ?? protobufSyntax(schema) !== "proto2";
}

/** Most types of groups that are printed in place. */
const MAX_GROUPS = 10_000;

/** Whether types of groups cannot be written in place, one for each field: a group contains itself, or too many do. */
function hasEndlessGroups(schema: Schema, messages: readonly MessageType[]): boolean {
  const counts = new Map<string, number>();
  const count = (name: string): number => {
    const known = counts.get(name);
    if (known !== undefined) return known;
    counts.set(name, Number.POSITIVE_INFINITY);
    const inside = messageOf(schema, name).fields.map((field) =>
      field.type.kind === "message" && isGroup(field) ? 1 + count(field.type.name) : 0,
    );
    const total = inside.reduce((sum, one) => sum + one, 0);
    counts.set(name, total);
    return total;
  };
  return messages.some(({ name }) => count(name) > MAX_GROUPS);
}

function isRequired({ repetition }: Field): boolean {
  return repetition.kind === "one" && repetition.presence === "required";
}

/** Throws UnsupportedError with the reason where protobuf cannot carry a schema. */
export function checkProtobuf(schema: Schema): void {
  for (const message of reachableMessages(schema)) {
    const numbers = new Set<number>();
    for (const field of message.fields) {
      const problem =
        problemOf(field) ?? (numbers.has(field.number) ? "another field has its number" : undefined);
      if (problem !== undefined) {
        throw new UnsupportedError(`protobuf: field ${message.name}.${field.name}: ${problem}`);
      }
      numbers.add(field.number);
    }
  }
}

function problemOf({ number, repetition }: Field): string | undefined {
  if (repetition.kind === "map" && ["float", "double", "bytes"].includes(repetition.key)) {
    return `the key of a map cannot be ${repetition.key}`;
  }
  return fieldNumberProblem(number);
}
