import { compileStruct } from "../../formats/c-struct/index.ts";
import { type Binding, bytesOf, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { Value } from "../../model/value.ts";
import { narrowedVisits, visitsTo } from "../../schema/generate/narrowed.ts";
import { cStruct } from "../../schema/layout/c.ts";
import { compileAccess } from "./access.ts";
import { compileOverwrite } from "./overwrite.ts";

/**
 * The bytes that a C program for x86-64 Linux keeps in memory, by the struct of the dataset's header or one
 * that holds all its values. Throws UnsupportedError as {@link cStruct} does.
 */
function bind(dataset: Dataset): Binding<Value, Value> {
  const { schema, int64 } = dataset;
  const struct = compileStruct(cStruct(dataset), { int64 });
  const access = compileAccess(struct.shape);
  return {
    build: (value) => value,
    write: struct.pack,
    read: (encoded) => struct.unpack(bytesOf(encoded, "c-struct")) as Value,
    plain: (value) => value,
    access: (encoded) => access(bytesOf(encoded, "c-struct")),
    reader: (selection) => {
      const accessPart = compileAccess(struct.shape, narrowedVisits(schema, selection));
      return (encoded) => accessPart(bytesOf(encoded, "c-struct"));
    },
    writer: (place) => compileOverwrite(struct.shape, visitsTo(schema, place), place, int64),
    text: "utf8",
    direct: { build: true, plain: true },
    verify: (encoded) => struct.verify(bytesOf(encoded, "c-struct")),
  };
}

export default defineCodec({
  format: "c-struct",
  summary: "DataView at the offsets of a C struct, in code generated from its layout",
  bind,
});
