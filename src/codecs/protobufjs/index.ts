import protobuf from "protobufjs";
import {
  type FieldShape,
  type MessageShape,
  mapShape,
  type TypeShape,
  verifyProtobuf,
} from "../../formats/protobuf-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  is64Bit,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { compileSelectionVisitor, compileVisitor, type VisitStyle } from "../../schema/generate/visit.ts";
import { checkProtobuf, isGroup } from "../../schema/layout/protobuf.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { describeSchema } from "./descriptor.ts";
import { compileToMessage, compileToPlain } from "./mapping.ts";

function bindProtobufjs(dataset: Dataset): Binding<unknown, protobuf.Message> {
  const { schema, int64 } = dataset;
  checkProtobuf(schema);
  const type = messageType(dataset);
  const toMessage = compileToMessage(dataset);
  const style: VisitStyle = { long: "Long", text: "utf16", inherited: true };
  const visit = compileVisitor(schema, style);
  const shape = shapeOf(schema);
  const read = (encoded: Encoded): protobuf.Message => type.decode(bytesOf(encoded, "protobuf"));
  return deciding<unknown, protobuf.Message>("protobuf", dataset, {
    build: toMessage ?? ((value) => value),
    write: (message) => type.encode(message as protobuf.Message).finish(),
    read,
    plain: compileToPlain(dataset),
    access: (encoded) => visit(read(encoded) as unknown as Value),
    readsWhole: true,
    // What is saved is to go through the message.
    reader: (selection) => {
      const visitPart = compileSelectionVisitor(schema, selection, style);
      return (encoded) => visitPart(read(encoded) as unknown as Value);
    },
    text: "utf16",
    direct: { build: toMessage === undefined, plain: false },
    verify: (encoded) => {
      verifyProtobuf(bytesOf(encoded, "protobuf"), shape, {
        integers: int64 === "number" ? "safe" : "any",
        values: MAX_DECODED_VALUES,
      });
    },
  });
}

/** The root's type, with the code for every type made. */
function messageType({ schema }: Dataset): protobuf.Type {
  const { namespace, root: name } = describeSchema(schema);
  const root = protobuf.Root.fromJSON(namespace);
  for (const type of root.nestedArray) if (type instanceof protobuf.Type) clearDefaults(type.setup());
  return root.lookupType(name);
}

/**
 * A field that is not in the bytes is read from the prototype of its message, where protobufjs puts a default.
 * Where absence has a meaning it becomes undefined there, so that it shows.
 */
function clearDefaults(type: protobuf.Type): void {
  const prototype = type.ctor.prototype as unknown as Record<string, unknown>;
  for (const field of type.fieldsArray) {
    if (field.repeated || field.map) continue;
    if (field.hasPresence) prototype[field.name] = undefined;
    else if (field.type === "bytes") prototype[field.name] = new Uint8Array(0);
  }
}

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

export default defineCodec({
  format: "protobuf",
  library: "protobufjs",
  summary: "Type.encode and Type.decode by reflection; bytes are views on the input",
  bind: bindProtobufjs,
});
