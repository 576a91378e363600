import type { Encoded } from "../model/codec.ts";
import { UnsupportedError } from "../model/errors.ts";
import { defineOperation } from "../model/operation.ts";
import { encodedProof } from "../model/proof.ts";

export default defineOperation<unknown, Encoded>({
  summary: "the library's message to bytes",
  part: true,
  prepare: (context) => {
    const { binding, values, encoded } = context;
    const messages = values.map((value) => binding.build(value));
    const proof = encodedProof(context);
    // A library that builds inside one growing buffer has no messages that can stand side by side.
    try {
      for (const pass of [encoded, encoded]) {
        pass.forEach((_, index) => {
          proof.check(binding.write(messages[index]), index);
        });
      }
    } catch {
      throw new UnsupportedError("a built message can be written only once: write is encode less build");
    }
    return {
      inputs: messages,
      run: (message) => binding.write(message),
      ...proof,
    };
  },
});
