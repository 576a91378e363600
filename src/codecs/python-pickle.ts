import { checkExtent, decodePickle, encodePickle, type Protocol } from "../formats/python-pickle/index.ts";
import { type Binding, type CodecVariant, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { type FieldType, is64Bit } from "../model/schema.ts";
import { compileMapping } from "../schema/generate/copy.ts";
import { mapped } from "../schema/mapped.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { checkShape } from "../schema/values/shape.ts";

/** A level for each message, and one for the list or map that it is in. */
const DEPTH = 2 * MAX_DEPTH;

/** Values that references may stand for beyond one for each byte; each takes about 64 bytes once it is copied. */
const SHARED_ITEMS = 200_000;

function bindPickle(dataset: Dataset, protocol: Protocol): Binding {
  const { schema, int64 } = dataset;
  const options = { protocol, depth: DEPTH };
  // Bytes that are read without `verify` are our own.
  const limits = { depth: DEPTH, items: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  // An `int` is read as a number where it is one.
  const isLong = (type: FieldType): boolean =>
    int64 === "bigint" && type.kind === "scalar" && is64Bit(type.scalar);
  const mapping = compileMapping(schema, {
    from: { leaf: (type, value) => (isLong(type) ? `BigInt(${value})` : undefined) },
  });
  const leaf = (type: FieldType, value: unknown): string | undefined =>
    !isLong(type) || typeof value === "bigint" || Number.isInteger(value) ? undefined : "an integer";
  return mapped(dataset, {
    format: "python-pickle",
    write: (value) => encodePickle(value, options),
    read: (bytes): unknown => decodePickle(bytes, limits),
    mapping,
    verify: (bytes) => {
      const value = decodePickle(bytes, { depth: DEPTH, items: bytes.length });
      checkExtent(value, { depth: DEPTH, items: bytes.length + SHARED_ITEMS, cycles: false });
      if (mapping !== undefined) checkShape(schema, value, { format: "python-pickle", leaf });
    },
  });
}

function variant(protocol: Protocol): CodecVariant {
  return {
    schemaless: true,
    summary: `protocol ${protocol} of our own pickler, memoised as CPython's`,
    bind: (dataset) => bindPickle(dataset, protocol),
  };
}

export default defineCodec({
  format: "python-pickle",
  ...variant(4),
  variants: { "1": variant(1), "2": variant(2), "5": variant(5) },
});
