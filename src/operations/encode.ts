import type { Encoded } from "../model/codec.ts";
import { defineOperation } from "../model/operation.ts";
import { expectEncoded, foldEncoded } from "../model/proof.ts";
import type { Value } from "../model/value.ts";

export default defineOperation<Value, Encoded>({
  summary: "a plain value to bytes: build and write",
  part: false,
  prepare: ({ binding, values, encoded }) => ({
    inputs: values,
    run: binding.direct.build
      ? (value) => binding.write(value)
      : (value) => binding.write(binding.build(value)),
    fold: foldEncoded(encoded),
    check: (result, index) => expectEncoded(encoded[index], result),
  }),
});
