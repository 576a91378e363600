import { compileStruct } from "../../formats/c-struct/index.ts";
import { type Binding, defineCodec, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import { cStruct } from "../../schema/layout/c.ts";
import { compileAccess } from "./access.ts";

/**
 * The bytes that a C program for x86-64 Linux keeps in memory, by the struct of the dataset's header or one
 * that holds all its values. Throws UnsupportedError as {@link cStruct} does.
 */
function bind(dataset: Dataset): Binding<Value, Value> {
  const struct = compileStruct(cStruct(dataset), { int64: dataset.int64 });
  const access = compileAccess(struct.shape);
  return {
    build: (value) => value,
    write: struct.pack,
    read: (encoded) => struct.unpack(bytesOf(encoded)) as Value,
    plain: (value) => value,
    access: (encoded) => access(bytesOf(encoded)),
    text: "utf8",
    direct: { build: true, plain: true },
    verify: (encoded) => struct.verify(bytesOf(encoded)),
  };
}

function bytesOf(encoded: Encoded): Uint8Array {
  if (typeof encoded === "string") throw new DecodeError("c-struct", "expected bytes, got a string");
  return encoded;
}

export default defineCodec({
  format: "c-struct",
  summary: "DataView at the offsets of a C struct, in code generated from its layout",
  bind,
});
