import { verifyBson } from "../formats/bson-verifier/index.ts";
import { type Binding, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UnsupportedError } from "../model/errors.ts";
import { reachableMessages } from "../model/schema.ts";
import { isRecord, type Value, walk } from "../model/value.ts";
import { mapped } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { keysOf } from "../schema/values/field-keys.ts";

type Library = typeof import("bson");

/** Bytes that a document may have more than the values at bind time: the library writes into one buffer of its own. */
const ROOM = 2 ** 20;

function bindBson(library: Library, dataset: Dataset): Binding {
  const { schema, values, int64 } = dataset;
  for (const { name, fields } of schema.documents === undefined ? reachableMessages(schema) : []) {
    for (const field of fields) {
      const problem = problemOf(field.name);
      if (problem !== undefined) throw new UnsupportedError(`bson: field ${name}.${field.name}: ${problem}`);
    }
  }
  for (const value of values) refuseLosses(value);
  const sizes = values.map((value) => library.calculateObjectSize(value as object));
  // What does not fit into its buffer of 17 MB is lost without a word.
  library.setInternalBufferSize(Math.max(0, ...sizes) + ROOM);
  const isBigint = int64 === "bigint";
  const options = { useBigInt64: isBigint, promoteBuffers: true };
  const keys = keysOf(schema);
  return mapped(dataset, {
    format: "bson",
    write: (value) => library.serialize(value as object),
    read: (bytes): unknown => library.deserialize(bytes, options),
    // A level for each message, and one for the list or map that it is in.
    verify: (bytes) =>
      verifyBson(bytes, {
        depth: 2 * MAX_DEPTH,
        integers: isBigint ? "any" : "safe",
        ...defined({ keys }),
      }),
  });
}

/** What the library makes of a name that is not a name to it; undefined for all others (bson 7.3.4). */
function problemOf(name: string): string | undefined {
  if (name.includes("\0")) return "a name in BSON ends at a zero byte";
  if (name === "$ref") return "an object with this field is read as a DBRef";
  return name === "_bsontype" ? "the library takes an object with this field for one of its own" : undefined;
}

/** Throws UnsupportedError, with the path, for a value that the library changes or does not take. */
function refuseLosses(root: Value): void {
  if (!isRecord(root)) throw new UnsupportedError("bson: a document is an object");
  walk(root, (value, path, name) => {
    const problem = name === undefined ? undefined : problemOf(name);
    if (problem !== undefined) throw new UnsupportedError(`${path()}: ${problem}`);
    if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value)
      throw new UnsupportedError(`${path()}: BSON has no integer beyond 2^63`);
  });
}

export default defineCodec<Library>({
  format: "bson",
  library: "bson",
  tried: "7.3.4",
  load: () => import("bson"),
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary:
    "serialize and deserialize with promoteBuffers, and useBigInt64 where the data has bigints; numbers beyond 32 bits are doubles; bytes are views on the input",
  bind: (dataset, library) => bindBson(library, dataset),
  page: ({ int64 }) =>
    pageCode(
      'import * as bson from "bson";',
      "bson.serialize",
      `(bytes) => bson.deserialize(bytes, { promoteBuffers: true, useBigInt64: ${int64 === "bigint"} })`,
    ),
});
