import {
  type FieldShape,
  type MessageShape,
  mapShape,
  type ProtobufReport,
  type TypeShape,
} from "../../formats/protobuf-verifier/index.ts";
import { DecodeError } from "../../model/errors.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  is64Bit,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import { isGroup } from "./protobuf.ts";

/**
 * The shape of a schema's root, against which bytes from outside are checked before a library reads them.
 * @param options `tellsZero`: whether a key of 64 bits that is 0 and one that is left out are two keys to its reader
 */
export function protobufShape(schema: Schema, options: { readonly tellsZero?: boolean } = {}): MessageShape {
  const messages = reachableMessages(schema);
  const fields = new Map(messages.map((message) => [message.name, new Map<number, FieldShape>()]));
  const shapes = new Map(
    messages.map(({ name }): [string, MessageShape] => [name, { name, fields: fields.get(name)! }]),
  );
  for (const message of messages) {
    for (const field of message.fields) {
      fields.get(message.name)!.set(field.number, fieldShape(field, schema, shapes, options));
    }
  }
  return shapes.get(schema.root)!;
}

function fieldShape(
  field: Field,
  schema: Schema,
  shapes: ReadonlyMap<string, MessageShape>,
  { tellsZero = false }: { readonly tellsZero?: boolean },
): FieldShape {
  const { name, repetition } = field;
  const type = typeShape(field.type, isGroup(field), schema, shapes);
  if (repetition.kind === "map") {
    return mapShape(name, repetition.key, type, { tellsZero: tellsZero && is64Bit(repetition.key) });
  }
  return { name, type, repeated: repetition.kind === "list", required: isNeeded(field) };
}

/** A field that plain values always have must be in the bytes, unless its absence stands for zero. */
function isNeeded({ repetition }: Field): boolean {
  return (
    repetition.kind === "one" && (repetition.presence === "required" || repetition.presence === "always")
  );
}

function typeShape(
  type: FieldType,
  group: boolean,
  schema: Schema,
  shapes: ReadonlyMap<string, MessageShape>,
): TypeShape {
  switch (type.kind) {
    case "message":
      return { kind: "message", shape: shapes.get(type.name)!, group };
    case "enum": {
      const { closed, values } = enumOf(schema, type.name);
      return closed
        ? { kind: "enum", numbers: new Set(values.map(({ number }) => number)) }
        : { kind: "enum" };
    }
    case "scalar":
      return type;
  }
}

/** Whether a schema says how long some list is, which protobuf cannot: only the value shows it then. */
export function holdsFixedLists(schema: Schema): boolean {
  return reachableMessages(schema).some(({ fields }) =>
    fields.some(({ repetition }) => repetition.kind === "list" && repetition.length !== undefined),
  );
}

/** Throws DecodeError for what a library that looks at numbers of fields only would not leave out, but take for another value. */
export function refuseMisread({ unknown }: ProtobufReport, library: string): void {
  const misread = unknown.find(({ what }) => what !== "field");
  if (misread === undefined) return;
  throw new DecodeError("protobuf", `${library} cannot leave out the ${misread.what}`, {
    offset: misread.offset,
  });
}
