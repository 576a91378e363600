import type { Encoded } from "../model/codec.ts";
import { UnsupportedError } from "../model/errors.ts";
import { defineOperation } from "../model/operation.ts";
import { encodedProof } from "../model/proof.ts";

export default defineOperation<unknown, Encoded>({
  summary: "the library's message to bytes",
  part: true,
  prepare: (context) => {
    const { binding, values } = context;
    if (binding.writesOnce === true) {
      throw new UnsupportedError("a built message can be written only once: write is encode less build");
    }
    const messages = values.map((value) => binding.build(value));
    return {
      inputs: messages,
      run: (message) => binding.write(message),
      ...encodedProof(context),
    };
  },
});
