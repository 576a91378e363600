import { type Binding, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { ValueError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import { layoutOf } from "../../schema/layout/python-struct.ts";
import { mapped } from "../../schema/mapped.ts";
import { compileReader } from "./read.ts";
import { compileWriter, problemOf } from "./write.ts";

/** Structs as a Python program would pack them, one for each message. Throws UnsupportedError as layoutOf does. */
function bind(dataset: Dataset): Binding {
  const { schema, int64 } = dataset;
  const layouts = layoutOf(dataset);
  const pack = compileWriter(layouts, schema.root);
  const read = compileReader(layouts, schema.root, int64);
  return mapped(dataset, {
    format: "python-struct",
    write: (given) => {
      const value = given as Value;
      try {
        return pack(value);
      } catch (error) {
        throw error instanceof ValueError ? (problemOf(layouts, schema.root, value) ?? error) : error;
      }
    },
    read,
    // Reading checks all that there is to check: padding and what stands for absent values may be anything.
    verify: read,
  });
}

export default defineCodec({
  format: "python-struct",
  world: "Python",
  traits: ["binary", "bounded"],
  summary: "a big-endian struct for each message, as Python's struct packs it; lists follow their counts",
  bind,
});
