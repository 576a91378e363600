import protobuf from "protobufjs";
import { verifyProtobuf } from "../../formats/protobuf-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { Value } from "../../model/value.ts";
import { compileSelectionVisitor, compileVisitor, type VisitStyle } from "../../schema/generate/visit.ts";
import { checkProtobuf } from "../../schema/layout/protobuf.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { describeSchema } from "./descriptor.ts";
import { compileToMessage, compileToPlain } from "./mapping.ts";
import { shapeOf } from "./shape.ts";

function bindProtobufjs(dataset: Dataset): Binding<unknown, protobuf.Message> {
  const { schema, int64 } = dataset;
  checkProtobuf(schema);
  const type = messageType(dataset);
  const toMessage = compileToMessage(dataset);
  const style: VisitStyle = { long: "Long", text: "utf16", inherited: true };
  const visit = compileVisitor(schema, style);
  const shape = shapeOf(schema);
  const read = (encoded: Encoded): protobuf.Message => type.decode(bytesOf(encoded, "protobuf"));
  return {
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
  };
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

export default defineCodec({
  format: "protobuf",
  library: "protobufjs",
  summary: "Type.encode and Type.decode by reflection; bytes are views on the input",
  bind: bindProtobufjs,
});
