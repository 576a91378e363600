import { decode, encode } from "cborg";
import { defineCodec } from "../model/codec.ts";
import { is64Bit } from "../model/schema.ts";
import { compileMapping } from "../schema/generate/copy.ts";
import { mapped } from "../schema/mapped.ts";

export default defineCodec({
  format: "cbor",
  library: "cborg",
  summary: "encode and decode, with the defaults",
  bind: (dataset) =>
    mapped(dataset, {
      format: "cbor",
      write: encode,
      read: decode,
      // An integer that a number holds is read as one.
      mapping: compileMapping(dataset.schema, {
        from: {
          leaf: (type, value) =>
            type.kind === "scalar" && is64Bit(type.scalar) && dataset.int64 === "bigint"
              ? `BigInt(${value})`
              : undefined,
        },
      }),
    }),
});
