import { decode, encode } from "../../formats/amf3/index.ts";
import { type Binding, bytesOf, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { Value } from "../../model/value.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import { compileIntegerMapping } from "./integers.ts";
import { refuseLosses } from "./losses.ts";
import { checkShape } from "./shape.ts";

/** A level for each message, and one for the list or map that it is in. What is decoded is as large as the bytes. */
const OPTIONS = {
  depth: 2 * MAX_DEPTH,
  bytes: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
};

function bindAmf3(dataset: Dataset): Binding<unknown, unknown> {
  const { schema, values } = dataset;
  for (const value of values) refuseLosses(value);
  const mapping = compileIntegerMapping(dataset);
  const visit = compileVisitor(schema);
  const read = (encoded: Uint8Array | string): unknown => decode(bytesOf(encoded, "amf3"), OPTIONS);
  const plain = mapping?.fromText ?? ((value: unknown) => value as Value);
  return {
    build: mapping?.toText ?? ((value) => value),
    write: (value) => encode(value, OPTIONS),
    read,
    plain,
    access: (encoded) => visit(plain(read(encoded))),
    text: "utf16",
    direct: { build: mapping === undefined, plain: mapping === undefined },
    verify: (encoded) => {
      const bytes = bytesOf(encoded, "amf3");
      checkShape(dataset, decode(bytes, OPTIONS), bytes.length);
    },
  };
}

export default defineCodec({
  format: "amf3",
  summary:
    "encode and decode of wirebench/amf3: messages as objects without a class, as PyAMF writes dictionaries",
  bind: bindAmf3,
});
