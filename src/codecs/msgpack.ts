import { verifyMessagePack } from "../formats/msgpack-verifier/index.ts";
import { type Binding, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UnsupportedError } from "../model/errors.ts";
import { reachableMessages } from "../model/schema.ts";
import { type Value, walk } from "../model/value.ts";
import { mapped } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { keysOf } from "../schema/values/field-keys.ts";

type Library = typeof import("@msgpack/msgpack");

/** A level for each message, and one for the list or map that it is in; documents may have more. The library's own limit is 100. */
const DEPTH = 2 * MAX_DEPTH;
const DOCUMENT_DEPTH = 1000;

function bindMsgpack({ Encoder, Decoder }: Library, dataset: Dataset): Binding {
  const { schema, values, int64 } = dataset;
  const fields = reachableMessages(schema).flatMap((message) => message.fields);
  if (schema.documents === undefined && fields.some(({ name }) => name === "__proto__"))
    throw new UnsupportedError("@msgpack/msgpack: it refuses to read a field called __proto__");
  for (const value of values) refuseLosses(value);
  const keys = keysOf(schema);
  const depth = schema.documents === undefined ? DEPTH : DOCUMENT_DEPTH;
  const isBigint = int64 === "bigint";
  const hasDoubles =
    schema.documents !== undefined ||
    fields.some(({ type }) => type.kind === "scalar" && type.scalar === "double");
  const encoder = new Encoder({ maxDepth: depth, useBigInt64: isBigint, forceFloat32: !hasDoubles });
  const decoder = new Decoder({ useBigInt64: isBigint });
  return mapped(dataset, {
    framing: "msgpack",
    format: "msgpack",
    // A message of its own: `encodeSharedRef` gives a view on a buffer that the next call writes over.
    write: (value) => encoder.encode(value),
    read: (bytes): unknown => decoder.decode(bytes),
    verify: (bytes) =>
      verifyMessagePack(bytes, {
        depth,
        items: Number.POSITIVE_INFINITY,
        integers: isBigint ? "any" : "safe",
        records: false,
        refuseProto: true,
        ...defined({ keys }),
      }),
  });
}

/** Throws UnsupportedError, with the path, for a value that the library changes or does not read. */
function refuseLosses(root: Value): void {
  walk(root, (value, path, name) => {
    if (name === "__proto__")
      throw new UnsupportedError(`${path()}: @msgpack/msgpack refuses to read this key`);
    if (Object.is(value, -0)) throw new UnsupportedError(`${path()}: @msgpack/msgpack writes -0 as 0`);
  });
}

export default defineCodec<Library>({
  format: "msgpack",
  library: "@msgpack/msgpack",
  tried: "3.1.3",
  load: () => import("@msgpack/msgpack"),
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary:
    "one Encoder and one Decoder; floats in four bytes where no field is a double; bytes are views on the input",
  bind: (dataset, library) => bindMsgpack(library, dataset),
  page: ({ int64 }) =>
    pageCode(
      `import { Decoder, Encoder } from "@msgpack/msgpack"; const options = { useBigInt64: ${int64 === "bigint"} };`,
      "(value) => new Encoder(options).encode(value)",
      "(bytes) => new Decoder(options).decode(bytes)",
    ),
});
