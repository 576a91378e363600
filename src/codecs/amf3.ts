import { decode, encode } from "../formats/amf3/index.ts";
import { type Binding, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { UnsupportedError } from "../model/errors.ts";
import { type FieldType, is64Bit } from "../model/schema.ts";
import { walk } from "../model/value.ts";
import { compileMapping } from "../schema/generate/copy.ts";
import { mapped } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";

/** A level for each message, and one for the list or map that it is in. What is decoded is as large as the bytes. */
const OPTIONS = {
  depth: 2 * MAX_DEPTH,
  bytes: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
};

/** A 64-bit integer as text; no more digits than the greatest has, so that reading it costs nothing. */
const DECIMAL = /^(?:0|-?[1-9]\d{0,19})$/;

function bindAmf3(dataset: Dataset): Binding {
  const { schema, values, int64 } = dataset;
  for (const value of values) {
    walk(value, (_, path, name) => {
      if (name === "") throw new UnsupportedError(`${path()}: an empty name ends an object in AMF3`);
    });
  }
  // AMF3 has no integers beyond 2^53: where the dataset has bigints, they are decimal text.
  const isText = (type: FieldType): boolean =>
    int64 === "bigint" && type.kind === "scalar" && is64Bit(type.scalar);
  const mapping = compileMapping(schema, {
    to: { leaf: (type, value) => (isText(type) ? `String(${value})` : undefined) },
    // BigInt takes text, and numbers if others wrote them.
    from: {
      leaf: (type, value) => (isText(type) ? `BigInt(${value})` : undefined),
      absent: "null or undefined",
    },
  });
  const leaf = (type: FieldType, value: unknown): string | undefined => {
    if (!isText(type)) return value === null || value === undefined ? "a value" : undefined;
    const fits = typeof value === "string" ? DECIMAL.test(value) : Number.isSafeInteger(value);
    return fits ? undefined : "decimal text or a safe integer";
  };
  return mapped(dataset, {
    format: "amf3",
    write: (value) => encode(value, OPTIONS),
    read: (bytes): unknown => decode(bytes, OPTIONS),
    mapping,
    shape: { leaf },
    shares: true,
    verify: (bytes) => {
      decode(bytes, OPTIONS);
    },
  });
}

export default defineCodec({
  format: "amf3",
  world: "Flash",
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary:
    "encode and decode of wirebench/amf3: messages as objects without a class, as PyAMF writes dictionaries",
  bind: bindAmf3,
  page: () => pageCode('import * as amf3 from "wirebench/amf3";', "amf3.encode", "amf3.decode"),
});
