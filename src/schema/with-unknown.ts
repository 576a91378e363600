import { UnsupportedError } from "../model/errors.ts";
import type { EnumType, Field, FieldType, MessageType, Schema } from "../model/schema.ts";
import type { UnknownField } from "../model/unknown-field.ts";
import { fieldNumberProblem } from "./layout/protobuf.ts";

/**
 * A schema with a list `unknown_7` for field 7 that was unknown, of the type that its wire type tells, and with a value for each
 * number that an enum lacked: what was unknown is then carried by every codec. A group becomes a message whose fields are
 * unknown in turn. Throws UnsupportedError for what protobuf has no schema for.
 */
export function withUnknown(schema: Schema, unknown: readonly UnknownField[]): Schema {
  if (schema.header !== undefined) throw new UnsupportedError("a C header has no place for unknown fields");
  const messages = new Map(schema.messages);
  const enums = new Map(schema.enums);
  for (const kind of unknown) {
    const message = messages.get(kind.message);
    if (message === undefined) throw cannotKeep(kind, "it is in the entry of a map");
    if (kind.what === "enum number") {
      const type = message.fields.find(({ number }) => number === kind.number)?.type;
      const known = enums.get(type?.kind === "enum" ? type.name : "");
      if (known !== undefined) enums.set(known.name, withValue(known, kind.value ?? 0));
    } else {
      const [field, group] = fieldFor(message, kind);
      messages.set(message.name, { ...message, fields: [...message.fields, field] });
      if (group !== undefined) messages.set(group.name, group);
    }
  }
  return { ...schema, messages, enums };
}

/** A number may have been met in several messages. */
function withValue(type: EnumType, number: number): EnumType {
  if (type.values.some((value) => value.number === number)) return type;
  const name = unused(
    `UNKNOWN_${number < 0 ? `MINUS_${-number}` : number}`,
    type.values.map((value) => value.name),
  );
  const bits = number >= -0x80 && number <= 0x7f ? type.bits : 32;
  return { ...type, bits, values: [...type.values, { name, number }] };
}

/** The field for what is unknown, and its message if it is a group. */
function fieldFor(message: MessageType, kind: UnknownField): [Field, MessageType?] {
  const { number } = kind;
  const problem =
    fieldNumberProblem(number) ??
    (message.fields.some((field) => field.number === number)
      ? "it has another wire type than the field of its number"
      : undefined);
  if (problem !== undefined) throw cannotKeep(kind, problem);
  const name = unused(
    `unknown_${number}`,
    message.fields.map((field) => field.name),
  );
  const group = `${message.name}.Unknown${number}`;
  const type = TYPES[kind.wire] ?? { kind: "message", name: group };
  const field: Field = { name, number, type, repetition: { kind: "list", packed: false } };
  return type.kind === "message"
    ? [
        { ...field, group: true },
        { name: group, fields: [] },
      ]
    : [field];
}

/** What a value is whose wire type alone is known; a group is a message. */
const TYPES: Readonly<Record<number, FieldType>> = {
  0: { kind: "scalar", scalar: "uint64" },
  1: { kind: "scalar", scalar: "fixed64" },
  2: { kind: "scalar", scalar: "bytes" },
  5: { kind: "scalar", scalar: "fixed32" },
};

function unused(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? unused(`${name}_`, taken) : name;
}

function cannotKeep({ message, number }: UnknownField, problem: string): UnsupportedError {
  return new UnsupportedError(`unknown field ${number} of ${message} cannot be kept: ${problem}`);
}
