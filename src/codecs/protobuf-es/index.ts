import { verifyProtobuf } from "../../formats/protobuf-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, type Encoded, type PageCode } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import { reachableMessages } from "../../model/schema.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { checkProtobuf } from "../../schema/layout/protobuf.ts";
import { holdsFixedLists, protobufShape } from "../../schema/layout/protobuf-shape.ts";
import { pageCode } from "../../schema/page-code.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { describeFile } from "./descriptor.ts";
import { compileToMessage, compileToPlain, type Types } from "./mapping.ts";

interface Library {
  readonly protobuf: typeof import("@bufbuild/protobuf");
  readonly wkt: typeof import("@bufbuild/protobuf/wkt");
}

type Message = import("@bufbuild/protobuf").Message;

/** How a message is made: by `create`, or as an object that has its `$typeName` everywhere. */
type Style = "create" | "plain";

function bindProtobufEs(library: Library, dataset: Dataset, style: Style): Binding<Message, Message> {
  const { schema, int64 } = dataset;
  const { protobuf } = library;
  checkProtobuf(schema);
  const types = typesOf(library, dataset);
  const type = types.get(schema.root)!;
  const toMessage = compileToMessage(dataset, types, style === "plain");
  const toPlain = compileToPlain(dataset, types);
  const visit = compileVisitor(schema);
  const shape = protobufShape(schema);
  const read = (encoded: Encoded): Message => protobuf.fromBinary(type, bytesOf(encoded, "protobuf"));
  const binding: Binding<Message, Message> = {
    build:
      style === "plain"
        ? (value) => toMessage(value) as Message
        : (value) => protobuf.create(type, toMessage(value) as Message),
    write: (message) => protobuf.toBinary(type, message),
    read,
    plain: toPlain,
    access: (encoded) => visit(toPlain(read(encoded))),
    text: "utf16",
    direct: { build: false, plain: false },
    verify: (encoded, { strict = false, unknown = "refuse", maxValues, onLeftOut } = {}) => {
      const report = verifyProtobuf(bytesOf(encoded, "protobuf"), shape, {
        integers: int64 === "number" ? "safe" : "any",
        values: maxValues ?? MAX_DECODED_VALUES,
        unknownFields: unknown,
        strict,
      });
      // It reads any wire type as that of the field, and keeps numbers that a closed enum lacks in lists and maps.
      const misread = report.unknown.find(({ what }) => what !== "field");
      if (misread !== undefined)
        throw new DecodeError("protobuf", `the ${misread.what} of a field is not the schema's`, {
          offset: misread.offset,
          path: misread.field ?? "",
        });
      onLeftOut?.(report.unknown);
    },
  };
  return holdsFixedLists(schema) ? deciding("protobuf", dataset, binding) : binding;
}

function typesOf({ protobuf, wkt }: Library, { schema }: Dataset): Types {
  const { file, names } = describeFile(schema);
  const set = protobuf.create(wkt.FileDescriptorSetSchema, { file: [file] });
  const registry = protobuf.createFileRegistry(set);
  return new Map(
    reachableMessages(schema).map(({ name }) => [name, registry.getMessage(names.get(name)!)!] as const),
  );
}

/** What protoc-gen-es prints: the descriptor as base64, and the root's place in it. */
function pageOf({ protobuf, wkt }: Library, { schema }: Dataset): PageCode {
  const { file } = describeFile(schema);
  const descriptor = protobuf.toBinary(
    wkt.FileDescriptorProtoSchema,
    protobuf.create(wkt.FileDescriptorProtoSchema, file),
  );
  const index = reachableMessages(schema).findIndex(({ name }) => name === schema.root);
  return pageCode(
    `import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { fileDesc, messageDesc } from "@bufbuild/protobuf/codegenv2";
const type = messageDesc(fileDesc("${Buffer.from(descriptor).toString("base64").replace(/=+$/, "")}"), ${index});`,
    "(message) => toBinary(type, message)",
    "(bytes) => fromBinary(type, bytes)",
  );
}

export default defineCodec<Library>({
  format: "protobuf",
  library: "@bufbuild/protobuf",
  tried: "2.17.0",
  load: async () => {
    const [protobuf, wkt] = await Promise.all([
      import("@bufbuild/protobuf"),
      import("@bufbuild/protobuf/wkt"),
    ]);
    return { protobuf, wkt };
  },
  traits: ["evolves", "binary"],
  summary:
    "create, toBinary and fromBinary with the types of a FileDescriptorSet; well-known types are messages like others; bytes are views on the input",
  bind: (dataset, library) => bindProtobufEs(library, dataset, "create"),
  page: (dataset, library) => pageOf(library, dataset),
  variants: {
    plain: {
      summary: "toBinary of objects that have a $typeName, without create",
      bind: (dataset, library) => bindProtobufEs(library, dataset, "plain"),
    },
  },
});
