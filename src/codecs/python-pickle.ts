import { decodePickle, encodePickle, type Protocol } from "../formats/python-pickle/index.ts";
import { type Binding, type CodecVariant, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { longsAsBigints } from "../schema/generate/copy.ts";
import { mapped, SHARED_ITEMS } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";

/** A level for each message, and one for the list or map that it is in. */
const DEPTH = 2 * MAX_DEPTH;

function bindPickle(dataset: Dataset, protocol: Protocol): Binding {
  const { schema, int64 } = dataset;
  const options = { protocol, depth: DEPTH };
  // Bytes that are read without `verify` are our own.
  const limits = { depth: DEPTH, items: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  const mapping = longsAsBigints(schema, int64);
  return mapped(dataset, {
    format: "python-pickle",
    write: (value) => encodePickle(value, options),
    read: (bytes): unknown => decodePickle(bytes, limits),
    mapping,
    verify: (bytes) => {
      const { length } = bytes;
      decodePickle(bytes, { depth: DEPTH, items: length, unfolded: length + SHARED_ITEMS });
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
  world: "Python",
  traits: ["self-describing", "evolves", "binary"],
  ...variant(4),
  page: () =>
    pageCode(
      'import * as pickle from "wirebench/python-pickle";',
      "pickle.encodePickle",
      "pickle.decodePickle",
    ),
  variants: { "1": variant(1), "2": variant(2), "5": variant(5) },
});
