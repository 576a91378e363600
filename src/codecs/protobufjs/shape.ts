import {
  type FieldShape,
  type MessageShape,
  mapShape,
  type TypeShape,
} from "../../formats/protobuf-verifier/index.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  is64Bit,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import { isGroup } from "../../schema/layout/protobuf.ts";

/** The shape against which bytes from outside are checked before protobufjs reads them. */
export function shapeOf(schema: Schema): MessageShape {
  const messages = reachableMessages(schema);
  const fields = new Map(messages.map((message) => [message.name, new Map<number, FieldShape>()]));
  const shapes = new Map(
    messages.map(({ name }): [string, MessageShape] => [name, { name, fields: fields.get(name)! }]),
  );
  for (const message of messages) {
    for (const field of message.fields) {
      fields.get(message.name)!.set(field.number, fieldShape(field, schema, shapes));
    }
  }
  return shapes.get(schema.root)!;
}

function fieldShape(field: Field, schema: Schema, shapes: ReadonlyMap<string, MessageShape>): FieldShape {
  const { name, repetition } = field;
  const type = typeShape(field.type, isGroup(field), schema, shapes);
  if (repetition.kind === "map") {
    // A 64-bit key that is left out and one of 0 are two keys to protobufjs, and then the wrong one may count.
    return mapShape(name, repetition.key, type, { keyRequired: is64Bit(repetition.key) });
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
