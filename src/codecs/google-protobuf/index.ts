import { verifyProtobuf } from "../../formats/protobuf-verifier/index.ts";
import { type Binding, bytesOf, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { refuseChanged } from "../../schema/given-back.ts";
import { checkProtobuf } from "../../schema/layout/protobuf.ts";
import { protobufShape, refuseMisread } from "../../schema/layout/protobuf-shape.ts";
import { pageCode } from "../../schema/page-code.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { generate, generatedSource } from "./code.ts";

function bindGoogleProtobuf(jspb: object, dataset: Dataset): Binding {
  const { schema, int64 } = dataset;
  checkProtobuf(schema);
  const { build, serialize, deserialize, plain } = generate(schema, int64, jspb);
  const shape = protobufShape(schema, { tellsZero: true });
  const visit = compileVisitor(schema);
  const binding = deciding("protobuf", dataset, {
    build,
    write: serialize,
    read: (encoded) => deserialize(bytesOf(encoded, "protobuf")),
    plain,
    access: (encoded) => visit(plain(deserialize(bytesOf(encoded, "protobuf")))),
    text: "utf16",
    direct: { build: false, plain: false },
    verify: (encoded, { strict = false, unknown = "refuse", maxValues, onLeftOut } = {}) => {
      // It takes the second of two messages where protobuf merges them, and loses a map's key __proto__.
      const report = verifyProtobuf(bytesOf(encoded, "protobuf"), shape, {
        // A number that is rounded is no value of the schema; a key of any width is text.
        integers: "any",
        values: maxValues ?? MAX_DECODED_VALUES,
        unknownFields: unknown,
        plainReader: true,
        strict,
      });
      refuseMisread(report, "google-protobuf");
      onLeftOut?.(report.unknown);
    },
  });
  return refuseChanged("google-protobuf", binding, dataset.values);
}

export default defineCodec<object>({
  format: "protobuf",
  library: "google-protobuf",
  tried: "4.0.3",
  load: async () => {
    // @ts-expect-error it comes without types
    const library = (await import("google-protobuf")) as { readonly default: object };
    return library.default;
  },
  traits: ["evolves", "binary"],
  summary:
    "generated code that calls jspb.Message, BinaryWriter and BinaryReader as protoc-gen-js's output does; bigints as jstype = JS_STRING",
  bind: (dataset, library) => bindGoogleProtobuf(library, dataset),
  page: ({ schema, int64 }) =>
    pageCode(
      `import jspb from "google-protobuf";\n${generatedSource(schema, int64).source}`,
      "serialize",
      "deserialize",
    ),
});
