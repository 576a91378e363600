import { verifyCbor } from "../formats/cbor-verifier/index.ts";
import { type Binding, defineCodec, type Mapping } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UnsupportedError } from "../model/errors.ts";
import { is64Bit } from "../model/schema.ts";
import { type Value, walk } from "../model/value.ts";
import { compileMapping } from "../schema/generate/copy.ts";
import { mapped } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { keysOf } from "../schema/values/field-keys.ts";

type Library = typeof import("cborg");

function bindCborg({ decode, encode }: Library, dataset: Dataset): Binding {
  const { schema, values, int64 } = dataset;
  for (const value of values) refuseLosses(value);
  const keys = keysOf(schema);
  return mapped(dataset, {
    framing: "cbor-sequence",
    format: "cbor",
    write: (value) => encode(value),
    read: (bytes): unknown => decode(bytes),
    mapping: int64 === "bigint" ? bigints(dataset) : undefined,
    verify: (bytes) =>
      verifyCbor(bytes, {
        // A level for each message, and one for the list or map that it is in.
        depth: 2 * MAX_DEPTH,
        items: Number.POSITIVE_INFINITY,
        integers: int64 === "number" ? "safe" : "any",
        refuseProto: false,
        keepsMarks: 0,
        ...defined({ keys }),
      }),
  });
}

/** It gives every integer that a number holds as a number. */
function bigints({ schema }: Dataset): Mapping | undefined {
  return compileMapping(schema, {
    from: {
      leaf: (type, value) =>
        type.kind === "scalar" && is64Bit(type.scalar) ? `BigInt(${value})` : undefined,
    },
  });
}

/** Throws UnsupportedError, with the path, for a value that cborg 6.1.5 changes: its TextDecoder drops byte order marks. */
function refuseLosses(root: Value): void {
  walk(root, (value, path, name) => {
    const refuse = (problem: string): never => {
      const place = path();
      throw new UnsupportedError(`${place === "" ? "" : `${place}: `}${problem}`);
    };
    if (Object.is(value, -0)) refuse("cborg writes -0 as 0");
    if ([name, value].some((text) => typeof text === "string" && text.startsWith("\ufeff")))
      refuse("cborg drops the byte order mark of text");
  });
}

export default defineCodec<Library>({
  format: "cbor",
  library: "cborg",
  tried: "6.1.5",
  load: () => import("cborg"),
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary: "encode and decode: deterministic CBOR, keys sorted and floats in as few bytes as hold them",
  bind: (dataset, library) => bindCborg(library, dataset),
  page: () => pageCode('import * as cborg from "cborg";', "cborg.encode", "cborg.decode"),
});
