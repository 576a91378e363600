import { deserialize, serialize } from "node:v8";
import { verifyV8 } from "../formats/v8-verifier/index.ts";
import { type Binding, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UnsupportedError } from "../model/errors.ts";
import { mapped, SHARED_ITEMS } from "../schema/mapped.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { keysOf } from "../schema/values/field-keys.ts";

/** First byte of V8's format; other engines that have a `node:v8` write a format of their own with it. */
const MARK = 0xff;

function bindV8(dataset: Dataset): Binding {
  const [mark = 0] = serialize(null);
  if (mark !== MARK) {
    throw new UnsupportedError(
      `v8.serialize does not write V8's format in this runtime: expected the first byte 0xff, got 0x${mark.toString(16).padStart(2, "0")}`,
    );
  }
  const keys = keysOf(dataset.schema);
  return mapped(dataset, {
    format: "v8",
    write: serialize,
    read: (bytes): unknown => deserialize(bytes),
    // A number that is whole is written in two ways, by how V8 holds it, and reading it can change that.
    varies: true,
    // A level for each message, and one for the list or map that it is in.
    verify: (bytes) =>
      verifyV8(bytes, { depth: 2 * MAX_DEPTH, items: bytes.length + SHARED_ITEMS, ...defined({ keys }) }),
  });
}

export default defineCodec({
  format: "v8",
  library: "node",
  schemaless: true,
  traits: ["self-describing", "evolves", "binary", "one-reader"],
  summary: "v8.serialize and v8.deserialize; bytes are views on the input",
  bind: bindV8,
});
