import type { Encoded } from "../model/codec.ts";
import { UnsupportedError } from "../model/errors.ts";
import { defineOperation } from "../model/operation.ts";
import { expectEncoded, foldEncoded } from "../model/proof.ts";

export default defineOperation<unknown, Encoded>({
  summary: "the library's message to bytes",
  part: true,
  prepare: ({ binding, values, encoded }) => {
    const messages = values.map((value) => binding.build(value));
    // A library that builds inside one growing buffer has no messages that can stand side by side.
    try {
      for (const pass of [encoded, encoded]) {
        pass.forEach((bytes, index) => {
          expectEncoded(bytes, binding.write(messages[index]));
        });
      }
    } catch {
      throw new UnsupportedError("a built message can be written only once: write is encode less build");
    }
    return {
      inputs: messages,
      run: (message) => binding.write(message),
      fold: foldEncoded(encoded),
      check: (bytes, index) => expectEncoded(encoded[index], bytes),
    };
  },
});
