import { UnsupportedError } from "../model/errors.ts";
import { defineOperation } from "../model/operation.ts";
import { expectEncoded } from "../model/proof.ts";
import type { Value } from "../model/value.ts";

export default defineOperation<Value, unknown>({
  summary: "a plain value to the library's message",
  part: true,
  prepare: (context) => {
    const { binding, values } = context;
    if (binding.direct.build)
      throw new UnsupportedError("the library takes plain values: encode is all write");
    return {
      inputs: values,
      run: (value) => binding.build(value),
      fold: () => 1,
      check: (message, index) => expectEncoded(context.encoded[index], binding.write(message)),
    };
  },
});
