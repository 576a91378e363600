import type { Encoded } from "../model/codec.ts";
import { defineOperation } from "../model/operation.ts";
import { expectValue } from "../model/proof.ts";
import type { Value } from "../model/value.ts";

export default defineOperation<Encoded, Value>({
  summary: "bytes to a plain value with every field: read and plain",
  part: false,
  prepare: ({ binding, values, encoded, probe }) => ({
    inputs: encoded,
    run: (bytes) => binding.plain(binding.read(bytes)),
    fold: probe,
    check: (result, index) => expectValue(values[index], result),
  }),
});
