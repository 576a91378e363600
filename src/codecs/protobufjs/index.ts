import protobuf from "protobufjs";
import { verifyProtobuf } from "../../formats/protobuf-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, type Encoded, type PageCode } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import { compileSelectionVisitor, compileVisitor, type VisitStyle } from "../../schema/generate/visit.ts";
import { checkProtobuf } from "../../schema/layout/protobuf.ts";
import { holdsFixedLists } from "../../schema/layout/protobuf-shape.ts";
import { pageCode } from "../../schema/page-code.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { describeSchema } from "./descriptor.ts";
import { ProtobufLoader } from "./load.ts";
import { compileToMessage, compileToPlain } from "./mapping.ts";
import { messageType, shapeOf } from "./shape.ts";
import { type StaticType, staticType } from "./static.ts";

function bindProtobufjs(
  dataset: Dataset,
  typeOf: (type: protobuf.Type) => StaticType = (type) => type,
): Binding<unknown, protobuf.Message> {
  const { schema, int64 } = dataset;
  checkProtobuf(schema);
  const type = typeOf(messageType(schema));
  const toMessage = compileToMessage(dataset);
  const style: VisitStyle = { long: "Long", text: "utf16", inherited: true };
  const visit = compileVisitor(schema, style);
  const shape = shapeOf(schema);
  let loader: ProtobufLoader | undefined;
  const read = (encoded: Encoded): protobuf.Message => type.decode(bytesOf(encoded, "protobuf"));
  const binding: Binding<unknown, protobuf.Message> = {
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
    verify: (encoded, { strict = false, unknown = "refuse", maxValues, onLeftOut } = {}) => {
      const report = verifyProtobuf(bytesOf(encoded, "protobuf"), shape, {
        integers: int64 === "number" ? "safe" : "any",
        values: maxValues ?? MAX_DECODED_VALUES,
        unknownFields: unknown,
        strict,
      });
      onLeftOut?.(report.unknown);
    },
    load: (bytes, mode, rules) => {
      loader ??= new ProtobufLoader(schema);
      return loader.load(bytes, mode, rules);
    },
  };
  return holdsFixedLists(schema) ? deciding("protobuf", dataset, binding) : binding;
}

/** {@link bindProtobufjs}, with one Writer for all messages, which `finishInto` copies out of. Throws UnsupportedError. */
function bindInto(dataset: Dataset): Binding<unknown, protobuf.Message> {
  if (!("finishInto" in protobuf.Writer.prototype))
    throw new UnsupportedError("protobufjs: the Writer of this version has no finishInto");
  const binding = bindProtobufjs(dataset);
  const type = messageType(dataset.schema);
  let writer = protobuf.Writer.create();
  return {
    ...binding,
    into(value, memory) {
      try {
        type.encode(binding.build(value) as protobuf.Message, writer.reset());
      } catch (error) {
        // It would go on within the message that it left.
        writer = protobuf.Writer.create();
        throw error;
      }
      if (writer.pos > memory.length) return undefined;
      return writer.finishInto(memory).subarray(0, writer.pos);
    },
  };
}

function pageOf({ schema }: Dataset): PageCode {
  const { namespace, root } = describeSchema(schema);
  return pageCode(
    `import protobuf from "protobufjs/light.js";
const type = protobuf.Root.fromJSON(${JSON.stringify(namespace)}).lookupType(${JSON.stringify(root)});`,
    "(message) => type.encode(message).finish()",
    "(bytes) => type.decode(bytes)",
  );
}

export default defineCodec({
  format: "protobuf",
  library: "protobufjs",
  traits: ["evolves", "binary", "needs-eval"],
  summary: "Type.encode and Type.decode by reflection; bytes are views on the input",
  bind: (dataset) => bindProtobufjs(dataset),
  page: pageOf,
  variants: {
    into: {
      traits: ["evolves", "binary", "needs-eval"],
      summary:
        "the same with one Writer and finishInto: encode copies into memory of the caller's, which the next call overwrites",
      bind: bindInto,
    },
    static: {
      traits: ["evolves", "binary"],
      summary:
        "the static code that pbjs prints, made at bind, which needs no reflection; bytes are views on the input",
      bind: (dataset) => bindProtobufjs(dataset, staticType),
    },
  },
});
