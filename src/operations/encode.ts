import type { Binding, Encoded } from "../model/codec.ts";
import { defineOperation } from "../model/operation.ts";
import { encodedProof } from "../model/proof.ts";
import type { Value } from "../model/value.ts";

function encoder(binding: Binding): (value: Value) => Encoded {
  return binding.direct.build
    ? (value) => binding.write(value)
    : (value) => binding.write(binding.build(value));
}

export default defineOperation<Value, Encoded>({
  summary: "a plain value to bytes: build and write",
  part: false,
  prepare: (context) => ({
    inputs: context.values,
    run: encoder(context.binding),
    makesBytes: true,
    ...encodedProof(context),
  }),
});
