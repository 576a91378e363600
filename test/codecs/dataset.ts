/** Datasets and bindings in a word, for tests of one codec. */
import type { Dataset } from "../../src/model/dataset.ts";
import type { Int64Mode, Schema } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { conform } from "../../src/schema/values/conform.ts";

/** A dataset of a schema, its values conformed. */
export function datasetOf(schema: Schema, inputs: readonly unknown[], int64: Int64Mode = "number"): Dataset {
  const values = inputs.map((input): Value => conform(schema, input, { form: "plain", int64 }).value);
  return { name: "test", schema, values, int64 };
}
